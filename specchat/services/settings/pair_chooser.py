"""Chooses the pair for a model that is asked for by its name, as the window does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from specchat.domain.drafter_types import DRAFTER_TYPES
from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.heads import HeadKind
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.memory import CPU
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM, PairChoice
from specchat.services.memory.device_memory import classify_fit
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.settings_suggestion import suggest_settings
from specchat.services.models.head_lookup import has_mtp
from specchat.services.models.mmproj_lookup import read_senses
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import is_missing
from specchat.services.models.pair_fit import DeviceFit, Fit, LocalModel, PairFit
from specchat.services.settings.default_load_settings import with_default_settings
from specchat.services.settings.pair_settings import PairSettings


@dataclass(frozen=True, slots=True)
class ChosenPair:
    choice: PairChoice
    needs: PairFit | None
    """With what would be free without the other pairs. None: nobody knows, as of other machines."""


class PairChooser:
    def __init__(
        self, library: ModelLibrary, settings: PairSettings, change: Callable[[PairChoice], PairChoice]
    ) -> None:
        """`change`: what goes before what is remembered."""
        self._library = library
        self._settings = settings
        self._change = change

    def last_target(self) -> ModelRef | None:
        """What was used last, by whomever."""
        last = self._settings.last_pair()
        return None if last is None else last.target

    def senses(self, model: LocalModel) -> Senses:
        """Which it would be loaded with."""
        settings = self._change(self._settings.for_target(model.ref)).target_settings
        if settings.text_only:
            return TEXT_ONLY
        return model.senses if settings.mmproj is None else read_senses(settings.mmproj)

    def choose(self, model: LocalModel, loaded: Sequence[PairFit | None]) -> ChosenPair:
        """As it was used last, or with its best draft; with less where that does not fit in memory, even without what
        is loaded.
        """
        if model.problems:
            raise ModelFileError(
                "Can't use {name}: {reason}", "Choose another model.", name=model.path.name, reason=model.problems[0]
            )
        others = [each for each in loaded if each is not None]
        used = self._settings.for_target(model.ref)
        if used.draft is not None and is_missing(used.draft):
            used = replace(used, draft=None, draft_type="auto", draft_max=None)
        asked = self._change(with_default_settings(used, self._settings.last_pair()))
        choice = self._with_draft(asked)
        alone = choice if choice.draft is None else replace(choice, draft=None, draft_type=NGRAM)
        if choice.target_settings.rpc:
            return ChosenPair(choice, None)
        try:
            for attempt in (choice, alone):
                if (needs := _fit(attempt, others)).verdict is not Fit.DOES_NOT_FIT:
                    return ChosenPair(attempt, needs)
            smaller = suggest_settings(alone, lambda attempt: _fit(attempt, others)) or choice
            return ChosenPair(smaller, _fit(smaller, others))
        except UserError:
            return ChosenPair(choice, None)  # whoever reads the files next says why

    def _with_draft(self, choice: PairChoice) -> PairChoice:
        """Of the type that is wanted of all models. Where there is none, earlier text guesses."""
        wanted = DRAFTER_TYPES.get(choice.draft_type)
        if wanted is None or not wanted.is_draft or choice.draft is not None:
            return self._library.with_best_draft(choice)
        if wanted.name == HeadKind.MTP and has_mtp(choice.target):
            return choice
        best = self._library.best_draft(choice.target, wanted.name)
        return replace(choice, draft_type=NGRAM) if best is None else replace(choice, draft=best.ref)


def _fit(choice: PairChoice, loaded: Sequence[PairFit]) -> PairFit:
    """By the headers."""
    found = FitEstimator().fit(choice)
    return replace(found, devices=tuple(_emptied(device, loaded) for device in found.devices))


def _emptied(device: DeviceFit, loaded: Sequence[PairFit]) -> DeviceFit:
    """Weights in the computer's own memory are mapped from their files: the system counts them as free already."""
    back = sum(
        each.needed - (each.target.weights + each.draft.weights if each.name == CPU else 0)
        for each in _of_device(device, loaded)
    )
    free = min(device.total, device.free + back)
    return replace(device, free=free, verdict=classify_fit(device.needed, free))


def fits_beside(needs: PairFit | None, loaded: Sequence[PairFit | None]) -> bool:
    """Whether there is room without unloading any of these."""
    others = [other for other in loaded if other is not None]
    if needs is None or len(others) < len(loaded):
        return False
    return all(
        classify_fit(device.needed, device.free - sum(each.needed for each in _of_device(device, others))) is Fit.FITS
        for device in needs.devices
    )


def _of_device(device: DeviceFit, pairs: Sequence[PairFit]) -> Sequence[DeviceFit]:
    return [each for pair in pairs for each in pair.devices if each.name == device.name]
