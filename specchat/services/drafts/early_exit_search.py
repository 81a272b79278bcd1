"""Finds out with how many of its first layers a target guesses best for itself, and keeps that draft if it gains."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.types import ModelSettings
from specchat.services.bench.measured_pairs import MeasuredPairs, ObservedSpeed
from specchat.services.drafts.early_exit_file import require_space, write_early_exit
from specchat.services.drafts.early_exit_offer import (
    EarlyExitOffer,
    EarlyExitReport,
    EarlyExitTrial,
    is_made_for_early_exit,
)
from specchat.services.drafts.early_exit_trial import EarlyExitTrials
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.models.early_exit_store import EarlyExitAttempt, EarlyExitStore
from specchat.services.models.model_facts import file_state

GAINS = 1.03
"""Times as fast as plain: less is not worth the memory."""
_AS_USUAL = ModelSettings()

OnTrial = Callable[[int, str, float], None]
"""Called with the number of layers, the current step and its progress."""
_STEPS = ("writing", "loading", "answering", "guessing")
"""The steps for each number of layers; only the first number needs the answers."""


def share_of_search(offer: EarlyExitOffer, n_layers: int, doing: str, part: float) -> float:
    """Returns the total progress."""
    tried = offer.candidates.index(n_layers) + (_STEPS.index(doing) + part) / len(_STEPS)
    return tried / len(offer.candidates)


class EarlyExitSearch:
    def __init__(
        self,
        store: EarlyExitStore,
        loader: Callable[[], PairLoader],
        measured: Callable[[], MeasuredPairs],
        findings: FactCache,
    ) -> None:
        self.store = store
        self._loader = loader
        self._measured = measured
        self._findings = findings

    def is_worth_trying(self, target: Path) -> bool:
        """It was trained for that, and nobody has tried yet."""
        return is_made_for_early_exit(target) and self.finding(target) is None

    def finding(self, target: Path) -> EarlyExitReport | None:
        """The result of the last search. None: none with the current file."""
        state = file_state(target.resolve())
        try:
            return from_plain(EarlyExitReport, self._findings.get(state)) if state is not None else None
        except ValueError:
            return None

    def search(
        self,
        offer: EarlyExitOffer,
        cancel: CancelToken,
        progress: OnTrial = lambda *_: None,
        settings: ModelSettings = _AS_USUAL,
        *,
        keep_any: bool = False,
    ) -> EarlyExitReport:
        """`keep_any`: the best is kept even if it gains nothing. Then a draft of an earlier search is replaced."""
        target = offer.target
        with self.store.attempt(target) as attempt:
            require_space(attempt.folder, offer.space)
            report, speed = self._try_layers(offer, attempt, cancel, progress, settings)
            best = report.best
            if keep_any or best.speedup >= GAINS:
                self._measured().record_trial(target, attempt.keep(best.n_layers), speed)
                report = replace(report, kept=best.n_layers)
        if (state := file_state(target.resolve())) is not None:
            self._findings.put(state, to_plain(report))
        return report

    def _try_layers(
        self,
        offer: EarlyExitOffer,
        attempt: EarlyExitAttempt,
        cancel: CancelToken,
        progress: OnTrial,
        settings: ModelSettings,
    ) -> tuple[EarlyExitReport, ObservedSpeed]:
        """With the speed of the best, whose file alone is left."""
        trials = EarlyExitTrials(offer.target, self._loader(), settings, cancel)
        found: list[EarlyExitTrial] = []
        best: tuple[Path, ObservedSpeed] | None = None
        for n_layers, size in zip(offer.candidates, offer.sizes, strict=True):
            path, told = attempt.path_for(n_layers), partial(progress, n_layers)
            write_early_exit(offer.target, n_layers, path, cancel, partial(told, "writing"))
            speed = trials.measure(path, told)
            found.append(EarlyExitTrial(n_layers, size, speed.acceptance, speed.speedup))
            if best is None or speed.speedup > best[1].speedup:
                best, worse = (path, speed), best[0] if best is not None else None
            else:
                worse = path
            if worse is not None:
                worse.unlink(missing_ok=True)
        assert best is not None
        return EarlyExitReport(offer.n_layers, tuple(found)), best[1]
