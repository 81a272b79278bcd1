"""Looks up the last settings and the expected speed of a pair before it is loaded."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.models.pair_fit import DraftVerdict
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.pair.load_settings import LoadSettings, load_settings_of

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.drafts.known_pairs import KnownPairs

PairReferences = tuple[str, str | None]
"""As target and draft are called."""


class PairHistory:
    def __init__(
        self,
        settings: PairSettings | None,
        known: "Callable[[], KnownPairs] | None",
        measured_here: SpeedLookup = no_measurements,
    ) -> None:
        self._settings, self._known, self._measured_here = settings, known, measured_here

    def last_settings(self, target: ModelRef, draft: ModelRef | None) -> LoadSettings:
        """With this draft, or else with any."""
        if self._settings is None:
            return LoadSettings()
        if pair := self._settings.for_pair(target, draft, "auto" if draft else NGRAM):
            return load_settings_of(pair)
        used = self._settings.for_target(target)
        anew = replace(used.draft_settings, gpu_layers=None, device=None)
        return load_settings_of(replace(used, draft_settings=anew, draft_max=None))

    def expected_speed(
        self, pair: PairReferences, target: Path, draft: Path | None, verdict: str
    ) -> SpeedupEstimate | None:
        """`target`, `draft`: they, or files with their headers alone."""
        from specchat.services.drafts.draft_evaluator import estimate_for_files
        from specchat.services.drafts.speedup import apply_measurement

        if pair[1] is None or draft is None:
            return None
        known = self._known().pairs() if self._known is not None else ()
        expected = estimate_for_files(pair[0], pair[1], (target, draft), DraftVerdict(verdict), known)
        return apply_measurement(expected, self._measured_here(target, draft))
