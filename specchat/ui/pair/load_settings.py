"""Load settings of the selected pair: context size, cache type and GPU layers."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM, CacheType, PairChoice
from specchat.services.models.pair_fit import PairFit
from specchat.ui.pair.pair_options import DEFAULT_CONTEXT
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """Layers: on the GPU, None for all of them."""

    n_ctx: int = DEFAULT_CONTEXT
    cache_type: CacheType = CacheType.F16
    target_layers: int | None = None
    draft_layers: int | None = None
    used: PairChoice | None = None
    """How it was used last: what is not chosen here stays as it was."""

    def clamped_to(self, longest: int | None) -> "LoadSettings":
        return replace(self, n_ctx=min(self.n_ctx, longest or self.n_ctx))

    def to_choice(self, target: ModelRef, draft: ModelRef | None) -> PairChoice:
        """Without a draft, guesses come from earlier text."""
        used = self.used or PairChoice(target)
        base = replace(used, target=target, draft=draft, draft_type="auto" if draft else NGRAM)
        on_target = replace(base.target_settings, n_ctx=self.n_ctx, gpu_layers=self.target_layers)
        on_draft = replace(base.draft_settings, gpu_layers=self.draft_layers)
        return replace(
            base,
            target_settings=replace(on_target, cache_type=self.cache_type),
            draft_settings=replace(on_draft, cache_type=self.cache_type),
        )


def load_settings_of(choice: PairChoice) -> LoadSettings:
    target, draft = choice.target_settings, choice.draft_settings
    n_ctx = target.n_ctx or DEFAULT_CONTEXT
    return LoadSettings(n_ctx, target.cache_type, target.gpu_layers, draft.gpu_layers, choice)


def describe_changes(before: LoadSettings, after: LoadSettings, fit: PairFit) -> str:
    """What differs, in words."""
    words = []
    if after.n_ctx != before.n_ctx:
        said = translate("LoadSettings", "context {after} instead of {before} tokens")
        words.append(said.format(after=format_number(after.n_ctx), before=format_number(before.n_ctx)))
    if after.cache_type != before.cache_type:
        said = translate("LoadSettings", "cache {after} instead of {before}")
        words.append(said.format(after=after.cache_type, before=before.cache_type))
    said = translate("LoadSettings", "{after} of the target's {all} layers on the GPU")
    if after.target_layers != before.target_layers:
        words.append(said.format(after=_layers(after.target_layers, fit.target_layers), all=fit.target_layers))
    said = translate("LoadSettings", "{after} of the draft's {all} layers on the GPU")
    if fit.draft_layers and after.draft_layers != before.draft_layers:
        words.append(said.format(after=_layers(after.draft_layers, fit.draft_layers), all=fit.draft_layers))
    return ", ".join(words)


def _layers(wanted: int | None, of_all: int) -> int:
    return of_all if wanted is None or wanted < 0 else min(wanted, of_all)
