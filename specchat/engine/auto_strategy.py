"""The auto strategy: chooses sources and draft length at each step by measured costs and chances.

Earlier text and the answer's grammar guess at next to no cost, so they are asked at each step. The draft that pays off
most is the leader. Other drafts are tried now and then, and the best of them becomes the leader if it is faster.
"""

import time
from collections.abc import Callable, Sequence

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import OffReason, SpeculationOff
from specchat.engine.answer_length import AnswerLength
from specchat.engine.decision_budget import DecisionBudget
from specchat.engine.draft_pool import DraftPool
from specchat.engine.draft_sources import DraftSource, SourceProposal
from specchat.engine.exploration import Exploration
from specchat.engine.free_sources import LEAST_SPEEDUP, FreeGuesses, FreeSources
from specchat.engine.pass_plan import PassPlan
from specchat.engine.step_costs import StepCosts
from specchat.engine.strategy import SpeculationPause, StepOutcome
from specchat.engine.tree_planner import TreePlanner, add_branches

_IDLE_STEPS = 16
_TELLING = 16
"""The number of guesses needed to tell whether guessing pays off."""


class AutoStrategy:
    def __init__(
        self,
        costs: StepCosts,
        longest: int,
        text: DraftSource | None = None,
        drafts: Sequence[DraftSource] = (),
        clock: Callable[[], float] = time.perf_counter,
        *,
        grammar: DraftSource | None = None,
        branches: bool = True,
    ) -> None:
        """`grammar` guesses in answers that have a grammar. `branches`: use trees where they pay off."""
        self._branches = branches
        self._costs = costs
        self._longest = longest
        self._clock = clock
        self._plan = PassPlan(costs)
        self._answer = AnswerLength()
        self._free = FreeSources(text, grammar)
        self._pool = DraftPool(drafts, costs, self._plan, self._answer, clock)
        self._exploration = Exploration(self._pool, self._free, self._plan, self._answer)
        self._trees = TreePlanner()
        self._budget = DecisionBudget()
        self._sources = [*self._free.all, *drafts]
        self._asked: list[SourceProposal] = []
        self._idle = self._idle_drafts = 0
        """Steps since the last guess, and since the last guess of a draft, including earlier answers."""
        self._had_room = False
        """Whether this answer had room for a guess."""
        self._is_checking = False
        """Guesses would pay off, but this step is plain to measure a plain pass."""

    @property
    def pause(self) -> SpeculationPause:
        n_steps = self._budget.steps_until_earned(self._plan.plain) if self._plan.passes else 0
        return SpeculationPause(self._exploration.n_trial, n_steps)

    # Why nothing is guessed

    @property
    def off_reason(self) -> OffReason | None:
        if not self._free.all and self._pool.lost is not None:
            return self._pool.lost
        return self._why_idle() if self._idle >= _IDLE_STEPS else None

    @property
    def draft_off_reason(self) -> OffReason | None:
        if self._pool.lost is not None:
            return self._pool.lost
        return self._why_idle() if self._idle_drafts >= _IDLE_STEPS else None

    @property
    def no_guess_reason(self) -> OffReason:
        if self._pool.lost is not None:
            return self._pool.lost
        if not self._had_room:
            return SpeculationOff.ENDED_FIRST
        if not self._plan.passes:
            return SpeculationOff.MEASURING
        return self._why_idle() or SpeculationOff.NOTHING_TO_REPEAT

    def _why_idle(self) -> SpeculationOff | None:
        if not self._pool.drafts:
            return None
        n_observed = min(draft.source.calibration.n_observed for draft in self._pool.drafts)
        certainty = max(self._answer.n_answers_seen, n_observed / _TELLING)
        return SpeculationOff.COSTS_MORE if certainty >= 1 else SpeculationOff.MEASURING

    # Guessing

    def begin(self, *, sampled: bool) -> None:
        for source in self._sources:
            source.calibration = source.sampled if sampled else source.greedy
            source.calibration.begin()
        self._answer.begin()
        self._plan.begin()
        self._free.begin()
        self._exploration.begin(could_pay=self._pool.begin())
        self._idle = 0
        self._had_room = False
        self._asked = []

    def follow(self, context: DraftContext) -> None:
        for draft in self._pool.drafts:
            if draft.source.state_reader is not None and self._pool.could_pay(draft):
                draft.source.state_reader.follow(context)

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._asked = []
        self._exploration.n_trial = 0
        if self._budget.is_spent:
            return Proposal()
        started, self._pool.drafting_s, self._is_checking = self._clock(), 0.0, False
        proposal = self._decide(context, room)
        if self._plan.passes:
            seconds = self._clock() - started - self._pool.drafting_s
            self._budget.spend(seconds, self._plan.plain, is_guess=bool(proposal.tokens) or self._is_checking)
        return proposal

    def _decide(self, context: DraftContext, room: int) -> Proposal:
        self._had_room = self._had_room or room > 0
        if room <= 0 or not self._costs.knows_plain:
            return Proposal()
        for draft in self._pool.drafts:
            draft.observe_context(context)
        if self._plan.has_expired or self._pool.odds_changed:
            self._make_plan(len(context.tokens))
        self._plan.count_step()
        passes = self._plan.passes[: room + 1]
        self._asked = self._free.ask(context, len(passes) - 1)
        free = self._free.fastest(self._asked, passes)
        ahead = self._pool.leading_rate
        if max(free.rate, ahead) * passes[0] < LEAST_SPEEDUP:
            if not self._pool.will_pay():
                self._exploration.explore(context, room, self._asked, self._idle)
            return Proposal()
        if others := [draft for draft in self._pool.drafts if draft is not self._pool.leader]:
            self._exploration.rehearse_next(others, context)
        if self._plan.is_check_step():
            self._is_checking = True
            return Proposal()
        if ahead > free.rate and not (free.is_sure and self._pool.leader_can_go_on):
            free = FreeGuesses()
        tail = self._pool.ask_leader(context, free, len(passes) - 1) if ahead else None
        if tail is None:
            return _join(free, None, len(free.guesses.tokens))
        self._asked.append(tail)
        more = map(tail.source.calibration.chance, tail.proposal.confidences)
        branches = context.target.max_branches if self._branches else 1
        plan = self._trees.plan(tail, [*free.chances, *more], passes, max(free.rate, ahead), branches)
        seconds = [*[None] * tail.behind, *tail.proposal.seconds]
        return add_branches(_join(free, tail, plan.n_main), seconds, plan.places)

    def _make_plan(self, length: int) -> None:
        self._plan.renew(self._longest, length, self._budget.usual_s)
        self._exploration.forget_plan()
        if self._pool.drafts:
            self._plan.schedule(has_changed=self._pool.make_plans(self._longest))

    # Learning

    def observe(self, outcome: StepOutcome) -> None:
        self._count(1, len(outcome.emitted), outcome.seconds)
        if self._exploration.n_trial and self._plan.passes:
            self._exploration.observe_trial(outcome.seconds)
        for asked in self._asked:
            if asked.used:
                self._idle = 0
                if not self._free.has(asked.source):
                    self._idle_drafts = 0
            self._learn(asked, outcome)
        self._asked = []

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        self._had_room = True
        self._count(n_steps, n_steps, seconds)

    def _count(self, n_steps: int, n_tokens: int, seconds: float) -> None:
        self._idle += n_steps
        self._idle_drafts += n_steps
        self._answer.add(n_tokens)
        for draft in self._pool.drafts:
            draft.add_tokens(n_tokens)
        if self._plan.passes:
            self._budget.earn(seconds, self._plan.plain)
            self._exploration.earn(seconds)

    def _learn(self, asked: SourceProposal, outcome: StepOutcome) -> None:
        """Also learns from guesses that were not verified, if the answer shows whether they were right."""
        proposal, learned = asked.proposal, asked.source.calibration
        for draft in self._pool.drafts:
            if draft.source is asked.source and proposal.tokens:
                draft.observe_outcome(asked.behind + len(proposal.tokens), outcome.accepted)
        if asked.behind > outcome.accepted:
            return
        emitted = outcome.emitted[asked.behind :]
        n_held = _common_start(proposal.tokens, emitted)
        learned.observe(proposal.confidences[: min(n_held + 1, len(emitted))], n_held)
        if proposal.seconds:
            self._trees.observe(asked.source.name, proposal, emitted)
        if asked.used:
            held = min(outcome.accepted - asked.behind, asked.used)
            self._free.observe(asked, held)
            asked.source.drafter.observe(held, proposal.first(asked.used))


def _join(free: FreeGuesses, tail: SourceProposal | None, count: int) -> Proposal:
    """The first so many guesses, which are used."""
    used = free.guesses.first(count)
    n_free = len(used.tokens)
    if free.asked is not None:
        free.asked.used = n_free
    if tail is None or count == n_free:
        return used
    tail.used = count - n_free
    more = tail.proposal.first(tail.used)
    if not n_free:
        return more
    return Proposal(used.tokens + more.tokens, used.origins + more.origins, used.confidences + more.confidences)


def _common_start(guesses: Sequence[int], tokens: Sequence[int]) -> int:
    count = 0
    for guess, token in zip(guesses, tokens, strict=False):
        if guess != token:
            break
        count += 1
    return count
