"""The drafts of a pair: the one that pays most leads and is asked; one that fails is left out from then on."""

from collections.abc import Callable, Sequence
from math import prod

from specchat.domain.errors import DrafterError
from specchat.domain.ports import DraftContext
from specchat.domain.speculation_status import DrafterFailure
from specchat.engine.answer_length import AnswerLength
from specchat.engine.draft_planner import DraftPlanner
from specchat.engine.draft_sources import DraftMonitor, DraftSource, SourceProposal
from specchat.engine.extended_context import ExtendedContext
from specchat.engine.free_sources import LEAST_SPEEDUP, FreeGuesses
from specchat.engine.pass_plan import PassPlan
from specchat.engine.step_costs import StepCosts

_LEAST_BETTER = 1.05
"""Another draft becomes the leader if its rate is at least the leader's rate times this."""
_BEST_CASE = 2.0
"""The best text that is considered likely, in standard deviations above the average."""


class DraftPool:
    def __init__(
        self,
        sources: Sequence[DraftSource],
        costs: StepCosts,
        plan: PassPlan,
        answer: AnswerLength,
        clock: Callable[[], float],
    ) -> None:
        self._costs, self._plan, self._answer, self._clock = costs, plan, answer, clock
        self.drafts = [DraftPlanner(source, costs) for source in sources]
        self.leader = self.drafts[0] if self.drafts else None
        self.lost: DrafterFailure | None = None
        """Why the last remaining draft failed."""
        self.drafting_s = 0.0
        """The time spent on drafting in this step."""

    def begin(self) -> bool:
        """Another answer. True: a draft could pay in it."""
        could_pay = [self.could_pay(draft) for draft in self.drafts]
        for draft, could in zip(self.drafts, could_pay, strict=True):
            draft.begin(could_pay=could)
        return any(could_pay)

    # What is expected

    @property
    def odds_changed(self) -> bool:
        return any(draft.odds_changed for draft in self.drafts)

    def make_plans(self, longest: int) -> bool:
        """True: some are quite other ones."""
        changed = [draft.make_plan(self._plan.passes, longest) for draft in self.drafts]
        self._choose_leader()
        return any(changed)

    def _choose_leader(self) -> None:
        if len(self.drafts) < 2:
            return
        rates = {draft: self._repaid_rate(draft) for draft in self.drafts}
        fastest = max(self.drafts, key=rates.__getitem__)
        leader = self.leader or fastest
        if rates[fastest] > _LEAST_BETTER * rates[leader]:
            leader = fastest
        self.leader = leader

    def could_pay(self, draft: DraftPlanner) -> bool:
        """Whether the draft would pay off in the best likely text, and be faster than the leader."""
        passes, leader = self._plan.passes, self.leader
        if not passes:
            return True
        needed = LEAST_SPEEDUP / passes[0]
        if leader is not None and leader is not draft:
            needed = max(needed, _LEAST_BETTER * leader.rate)
        return draft.best_rate(passes, _BEST_CASE) >= needed

    @property
    def leading_rate(self) -> float:
        """Tokens per second; 0 where guessing does not pay."""
        return self._repaid_rate(self.leader) if self.leader else 0.0

    def _repaid_rate(self, draft: DraftPlanner) -> float:
        return draft.repaid_rate(self._plan.passes, self._answer.n_tokens, self._answer.usual)

    def will_pay(self) -> bool:
        """Whether the leader will pay off if the answer becomes as long as usual; then exploring is unnecessary."""
        leader = self.leader
        return leader is not None and leader.rate_in_all(self._answer.usual) * self._plan.plain >= LEAST_SPEEDUP

    def hoped_rate(self, passes: Sequence[float]) -> float:
        """If passes take as little as this."""
        rates = (draft.hoped_rate(passes, draft.source.calibration.outlook()) for draft in self.drafts)
        return max(rates, default=0.0)

    # Asking

    @property
    def leader_can_go_on(self) -> bool:
        """Whether the leader can add guesses to those of another source."""
        return self.leader is not None and self.leader.source.state_reader is None

    def ask_leader(self, context: DraftContext, free: FreeGuesses, room: int) -> SourceProposal | None:
        """To go on from the guesses that cost nothing."""
        leader, behind = self.leader, len(free.guesses.tokens)
        all_right = prod(free.chances)
        if leader is None or behind >= room or (behind and not self.leader_can_go_on):
            return None
        late = leader.catch_up_s(leader.unread + behind)
        if behind and leader.plan.gain(behind, all_right) < leader.rate * late:
            return None
        if leader.prepare_view(context):
            self._plan.expire()
        source = leader.source
        steering = DraftMonitor(source, self._costs, leader.plan, self._clock)
        steering.start(leader.visible, leader.behind + behind, behind, all_right)
        ahead = ExtendedContext(context, free.guesses.tokens, steering.worth_another)
        try:
            proposal = source.drafter.propose(ahead, room - behind)
        except DrafterError as error:
            self.drafting_s += steering.finish()
            self._drop(leader, error.failed)
            return None
        self.drafting_s += steering.finish()
        return SourceProposal(source, proposal.main_branch().first(room - behind), behind)

    def rehearse(self, draft: DraftPlanner, context: DraftContext, count: int) -> float | None:
        """The seconds that it took; None: it failed."""
        started = self._clock()
        try:
            took = draft.rehearse(context, count, self._clock)
        except DrafterError as error:
            self.drafting_s += self._clock() - started
            self._drop(draft, error.failed)
            return None
        self.drafting_s += took
        draft.schedule_rehearsal(self._answer.n_tokens, could_pay=self.could_pay(draft))
        self._plan.expire()
        return took

    def _drop(self, draft: DraftPlanner, failure: DrafterFailure) -> None:
        """Removes a draft that failed; other sources can still guess."""
        self.drafts.remove(draft)
        if draft is self.leader:
            self.leader = self.drafts[0] if self.drafts else None
        self._plan.expire()
        if not self.drafts:
            self.lost = failure
