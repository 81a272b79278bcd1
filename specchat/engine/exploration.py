"""Finds out in a small share of the time what guessing could be worth: drafts rehearse, and larger passes are tried."""

from collections.abc import Sequence

from specchat.domain.ports import DraftContext
from specchat.engine.answer_length import AnswerLength
from specchat.engine.costs import FIRST_SLOPE
from specchat.engine.draft_planner import DraftPlanner
from specchat.engine.draft_pool import DraftPool
from specchat.engine.draft_sources import SourceProposal
from specchat.engine.free_sources import FreeSources
from specchat.engine.pass_plan import PassPlan

REHEARSED = 16
_SHARE = 0.0075
"""Of time; the margin for random excess keeps it below 1 %."""
_FIRST, _MOST = 0.25, 2.0
"""The initial and the maximum allowance for exploring, in plain passes."""
_TRIAL = 3
"""Additional tokens in a trial: a pass that measures whether larger passes take as long as expected."""
_PLAIN_BEFORE = 3
"""Plain passes in a row before a trial, to compare it with."""
_TRIAL_TAKES = 1.0
"""The allowance that a trial needs, in plain passes."""
_TRIAL_COUNTS = 2.0
"""A trial is charged its additional time times this, because it rarely finds a mistake."""
_DEEPEST = -2.0
"""The lowest allowance for exploring, in plain passes: a trial that takes longer delays the next one no further."""
_TEMPTING = 1.15
"""A trial is made if guessing would speed up by this factor, assuming the lowest plausible costs of larger passes."""


class Exploration:
    def __init__(self, pool: DraftPool, free: FreeSources, plan: PassPlan, answer: AnswerLength) -> None:
        self._pool, self._free, self._plan, self._answer = pool, free, plan, answer
        self.n_trial = 0
        """Tokens more than needed in this step."""
        self._allowance = _FIRST
        """Plain passes that it may take now."""
        self._has_tried = False
        """Whether there was a trial since the last rehearsal."""
        self._is_tempting: bool | None = None
        """None: not calculated since the last plan."""

    def begin(self, *, could_pay: bool) -> None:
        """Another answer, in which a draft could pay."""
        self.n_trial = 0
        if could_pay:
            self._allowance = max(self._allowance, _FIRST)

    def forget_plan(self) -> None:
        self._is_tempting = None

    def earn(self, seconds: float) -> None:
        """That have passed."""
        self._allowance = min(self._allowance + _SHARE * seconds / self._plan.plain, _MOST)

    def observe_trial(self, seconds: float) -> None:
        took = seconds / self._plan.plain
        self._allowance = max(self._allowance - _TRIAL_COUNTS * max(0.0, took - 1), _DEEPEST)

    def explore(self, context: DraftContext, room: int, asked: Sequence[SourceProposal], n_plain: int) -> None:
        """Rehearses drafts and makes trials in turns while nothing is guessed. This corrects costs that seem too high
        by mistake, and lets no draft wait forever. `n_plain`: steps without guesses before this one.
        """
        if self.rehearse_next(self._pool.drafts, context) and self._has_tried:
            return
        if room >= _TRIAL and n_plain >= _PLAIN_BEFORE and self._wants_trial(asked):
            self.n_trial, self._has_tried = _TRIAL, True

    def rehearse_next(self, drafts: Sequence[DraftPlanner], context: DraftContext) -> bool:
        """Rehearses the first draft that is due, if the allowance is large enough. Returns False if none is due."""
        n_tokens = self._answer.n_tokens
        count = min(REHEARSED, n_tokens)
        draft = next((draft for draft in drafts if draft.is_rehearsal_due(count, n_tokens)), None)
        if draft is None:
            return False
        takes = draft.rehearsal_s(count) / self._plan.plain
        if self._allowance >= (min(takes, _TRIAL_TAKES) if self._has_tried else takes):
            took = self._pool.rehearse(draft, context, count)
            if took is not None:
                self._has_tried = False
                self._allowance = max(self._allowance - took / self._plan.plain, _DEEPEST)
        return True

    def _wants_trial(self, asked: Sequence[SourceProposal]) -> bool:
        """Without guesses, there are no larger passes to learn costs from, and the known costs may be outdated."""
        if self._allowance < _TRIAL_TAKES:
            return False
        plain = self._plan.plain
        hoped = [min(seconds, plain * (1 + FIRST_SLOPE * k)) for k, seconds in enumerate(self._plan.passes)]
        if self._free.hoped_rate(asked, hoped) * plain >= _TEMPTING:
            return True
        if self._is_tempting is None:
            self._is_tempting = self._pool.hoped_rate(hoped) * plain >= _TEMPTING
        return self._is_tempting
