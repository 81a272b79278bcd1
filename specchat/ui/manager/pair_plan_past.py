"""What is known of a pair before it is loaded: how it was used last, and what its draft should bring."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM
from specchat.services.bench.measured import MeasuredHere, never_measured
from specchat.services.drafts.values import Expected
from specchat.services.models.pair_values import DraftVerdict
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.manager.pair_plan_settings import LoadSettings, settings_of

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.drafts.known_pairs import KnownPairs

Pair = tuple[str, str | None]
"""As target and draft are called."""


class PlanPast:
    def __init__(
        self,
        settings: PairSettings | None,
        known: "Callable[[], KnownPairs] | None",
        measured_here: MeasuredHere = never_measured,
    ) -> None:
        self._settings, self._known, self._measured_here = settings, known, measured_here

    def settings(self, target: ModelRef, draft: ModelRef | None) -> LoadSettings:
        """With this draft, or else with any."""
        if self._settings is None:
            return LoadSettings()
        if pair := self._settings.of_pair(target, draft, "auto" if draft else NGRAM):
            return settings_of(pair)
        used = self._settings.of_target(target)
        anew = replace(used.draft_settings, gpu_layers=None, device=None)
        return settings_of(replace(used, draft_settings=anew, draft_max=None))

    def expected(self, pair: Pair, target: Path, draft: Path | None, verdict: str) -> Expected | None:
        """`target`, `draft`: they, or files with their headers alone."""
        from specchat.services.drafts.judge import expected_of_pair
        from specchat.services.drafts.speedup import as_measured

        if pair[1] is None or draft is None:
            return None
        known = self._known().pairs() if self._known is not None else ()
        expected = expected_of_pair(pair[0], pair[1], (target, draft), DraftVerdict(verdict), known)
        return as_measured(expected, self._measured_here(target, draft))
