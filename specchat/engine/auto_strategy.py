"""The auto strategy: chooses sources and draft length at each step by measured costs and chances.

Earlier text and the answer's grammar guess at next to no cost, so they are asked at each step. The draft that pays off
most is the leader. Other drafts are tried now and then, and the best of them becomes the leader if it is faster.
"""

import time
from collections.abc import Callable, Sequence
from math import prod

from specchat.domain.errors import DrafterError
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure, OffReason, SpeculationOff
from specchat.engine.costs import FIRST_SLOPE
from specchat.engine.decision_budget import DecisionBudget
from specchat.engine.draft_planner import DraftPlanner
from specchat.engine.draft_sources import DraftMonitor, DraftSource, SourceProposal
from specchat.engine.extended_context import ExtendedContext
from specchat.engine.free_sources import LEAST_SPEEDUP, FreeGuesses, FreeSources
from specchat.engine.step_costs import StepCosts
from specchat.engine.strategy import SpeculationPause, StepOutcome
from specchat.engine.tree_planner import TreePlanner, add_branches

_SOON, _LATE = 16, 128
"""The minimum and maximum number of steps until the next plan; fewer if the last plan changed much."""
_OTHER_COSTS = 1.15
"""A change of larger passes' costs by this factor requires a new plan."""
_OTHER_ROWS = 2
"""So many more or fewer rows in passes shared with other answers require a new plan."""
_LEAST_BETTER = 1.05
"""Another draft becomes the leader if its rate is at least the leader's rate times this."""
_USUAL_ANSWER, _ANSWERS_KEPT = 100.0, 0.8
"""The assumed length of an answer in tokens, and the weight of the earlier average when an answer ends. A draft that
has fallen behind must repay the time for catching up within an answer."""
_IDLE_STEPS = 16
TELLING = 16
"""The number of guesses needed to tell whether guessing pays off."""
_EXPLORING = 0.0075
"""The share of time for exploring; the margin for random excess keeps it below 1 %."""
_FIRST_EXPLORING, _MOST_EXPLORING = 0.25, 2.0
"""The initial and the maximum allowance for exploring, in plain passes."""
REHEARSED = 16
BEST_CASE = 2.0
"""The best text that is considered likely, in standard deviations above the average."""
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
_PLAIN_FIRST = 4
_BETWEEN_CHECKS = 6
"""Steps with guesses between two checks, if plain passes are needed for comparison."""
_TEMPTING = 1.15
"""A trial is made if guessing would speed up by this factor, assuming the lowest plausible costs of larger passes."""


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
        self._trees = TreePlanner()
        self._costs = costs
        self._longest = longest
        self._free = FreeSources(text, grammar)
        self._drafts = [DraftPlanner(source, costs) for source in drafts]
        self._leader = self._drafts[0] if self._drafts else None
        self._sources = [*self._free.all, *drafts]
        self._clock = clock
        self._asked: list[SourceProposal] = []
        self._passes: list[float] = []
        self._planned_for = _SOON
        self._plan_left = 0
        self._length = 0
        self._lost: DrafterFailure | None = None
        """Why the last remaining draft failed, even if earlier text still guesses."""
        self._idle = self._idle_drafts = 0
        """Steps since the last guess, and since the last guess of a draft, including earlier answers."""
        self._had_room = False
        """Whether this answer had room for a guess."""
        self._allowance = _FIRST_EXPLORING
        """The time that exploring may take now, in plain passes."""
        self._n_emitted = self._n_seen = 0
        """Tokens of this answer, and since the pair was loaded."""
        self._usual_answer = _USUAL_ANSWER
        self._budget = DecisionBudget()
        self._drafting_s = 0.0
        """The time spent on drafting in this step."""
        self._n_trial = 0
        self._has_tried = False
        """Whether there was a trial since the last rehearsal."""
        self._n_plain_first = _PLAIN_FIRST
        self._is_checking = False
        """Guesses would pay off, but this step is plain to measure a plain pass."""
        self._n_until_check = _BETWEEN_CHECKS
        self._planned_factor, self._planned_load = costs.larger_factor, costs.load
        self._is_tempting: bool | None = None
        """None: not calculated since the last plan."""

    @property
    def pause(self) -> SpeculationPause:
        return SpeculationPause(self._n_trial, self._budget.steps_until_earned(self._passes[0]) if self._passes else 0)

    @property
    def off_reason(self) -> OffReason | None:
        if not self._free.all and self._lost is not None:
            return self._lost
        return self._why_idle() if self._idle >= _IDLE_STEPS else None

    @property
    def draft_off_reason(self) -> OffReason | None:
        if self._lost is not None:
            return self._lost
        return self._why_idle() if self._idle_drafts >= _IDLE_STEPS else None

    @property
    def no_guess_reason(self) -> OffReason:
        if self._lost is not None:
            return self._lost
        if not self._had_room:
            return SpeculationOff.ENDED_FIRST
        if not self._passes:
            return SpeculationOff.MEASURING
        return self._why_idle() or SpeculationOff.NOTHING_TO_REPEAT

    def _why_idle(self) -> SpeculationOff | None:
        if not self._drafts:
            return None
        n_observed = min(draft.source.calibration.n_observed for draft in self._drafts)
        certainty = max(self._n_seen / _USUAL_ANSWER, n_observed / TELLING)
        return SpeculationOff.COSTS_MORE if certainty >= 1 else SpeculationOff.MEASURING

    def begin(self, *, sampled: bool) -> None:
        for source in self._sources:
            source.calibration = source.sampled if sampled else source.greedy
            source.calibration.begin()
        if self._n_emitted:
            self._usual_answer = _ANSWERS_KEPT * self._usual_answer + (1 - _ANSWERS_KEPT) * self._n_emitted
        self._planned_for = _SOON
        self._plan_left = self._idle = self._n_emitted = self._n_trial = 0
        self._had_room = False
        self._free.begin()
        could_pay = [self._could_pay(draft) for draft in self._drafts]
        for draft, could in zip(self._drafts, could_pay, strict=True):
            draft.begin(could_pay=could)
        if any(could_pay):
            self._allowance = max(self._allowance, _FIRST_EXPLORING)
        self._asked = []

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._asked = []
        self._n_trial = 0
        if self._budget.is_spent:
            return Proposal()
        started, self._drafting_s, self._is_checking = self._clock(), 0.0, False
        proposal = self._decide(context, room)
        if self._passes:
            seconds = self._clock() - started - self._drafting_s
            self._budget.spend(seconds, self._passes[0], is_guess=bool(proposal.tokens) or self._is_checking)
        return proposal

    def _decide(self, context: DraftContext, room: int) -> Proposal:
        self._length = len(context.tokens)
        self._had_room = self._had_room or room > 0
        if room <= 0 or not self._costs.knows_plain:
            return Proposal()
        for draft in self._drafts:
            draft.observe_context(context)
        if self._plan_left <= 0 or self._odds_changed() or self._costs_changed():
            self._plan()
        self._plan_left -= 1
        passes = self._passes[: room + 1]
        asked = self._free.ask(context, len(passes) - 1)
        self._asked += asked
        free = self._free.fastest(asked, passes)
        ahead = self._repaid_rate(self._leader)
        if max(free.rate, ahead) * passes[0] < LEAST_SPEEDUP:
            if not self._will_pay():
                self._explore(context, room, asked)
            return Proposal()
        if len(self._drafts) > 1:
            self._rehearse_next_draft([draft for draft in self._drafts if draft is not self._leader], context)
        if self._is_check_step():
            self._is_checking = True
            return Proposal()
        if ahead > free.rate and not (free.is_sure and self._leader_can_go_on()):
            free = FreeGuesses()
        tail = self._ask_leader(context, free, len(passes) - 1) if ahead else None
        if tail is None:
            return self._used(free, None, len(free.guesses.tokens))
        more = map(tail.source.calibration.chance, tail.proposal.confidences)
        branches = context.target.max_branches if self._branches else 1
        plan = self._trees.plan(tail, [*free.chances, *more], passes, max(free.rate, ahead), branches)
        seconds = [*[None] * tail.behind, *tail.proposal.seconds]
        return add_branches(self._used(free, tail, plan.n_main), seconds, plan.places)

    def follow(self, context: DraftContext) -> None:
        for draft in self._drafts:
            if draft.source.state_reader is not None and self._could_pay(draft):
                draft.source.state_reader.follow(context)

    def observe(self, outcome: StepOutcome) -> None:
        self._count(1, len(outcome.emitted), outcome.seconds)
        if self._n_trial and self._passes:
            took = outcome.seconds / self._passes[0]
            self._allowance = max(self._allowance - _TRIAL_COUNTS * max(0.0, took - 1), _DEEPEST)
        for asked in self._asked:
            self._observe_source(asked)
            self._learn(asked, outcome)
        self._asked = []

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        self._had_room = True
        self._count(n_steps, n_steps, seconds)

    def _count(self, n_steps: int, n_tokens: int, seconds: float) -> None:
        self._idle += n_steps
        self._idle_drafts += n_steps
        self._n_emitted += n_tokens
        self._n_seen += n_tokens
        for draft in self._drafts:
            draft.add_tokens(n_tokens)
        if self._passes:
            plain = self._passes[0]
            self._budget.earn(seconds, plain)
            self._allowance = min(self._allowance + _EXPLORING * seconds / plain, _MOST_EXPLORING)

    # What is expected

    def _plan(self) -> None:
        self._plan_left = self._planned_for
        self._planned_factor, self._planned_load = self._costs.larger_factor, self._costs.load
        self._is_tempting = None
        plain, *larger = self._costs.passes(self._longest + 1, self._length)
        self._passes = passes = [plain, *(seconds + self._budget.usual_s for seconds in larger)]
        if not self._drafts:
            return
        changed = [draft.make_plan(passes, self._longest) for draft in self._drafts]
        self._choose_leader()
        self._planned_for = self._plan_left = _SOON if any(changed) else min(2 * self._planned_for, _LATE)

    def _choose_leader(self) -> None:
        if len(self._drafts) == 1:
            return
        rates = {draft: self._repaid_rate(draft) for draft in self._drafts}
        fastest = max(self._drafts, key=rates.__getitem__)
        leader = self._leader or fastest
        if rates[fastest] > _LEAST_BETTER * rates[leader]:
            leader = fastest
        self._leader = leader

    def _odds_changed(self) -> bool:
        return any(draft.odds_changed for draft in self._drafts)

    def _costs_changed(self) -> bool:
        (n_writing, n_rows), (n_planned, n_rows_planned) = self._costs.load, self._planned_load
        if n_writing != n_planned or abs(n_rows - n_rows_planned) > max(_OTHER_ROWS, n_rows_planned // 2):
            return True
        return not 1 / _OTHER_COSTS < self._costs.larger_factor / self._planned_factor < _OTHER_COSTS

    def _could_pay(self, draft: DraftPlanner) -> bool:
        """Whether the draft would pay off in the best likely text, and be faster than the leader."""
        passes, leader = self._passes, self._leader
        if not passes:
            return True
        needed = LEAST_SPEEDUP / passes[0]
        if leader is not None and leader is not draft:
            needed = max(needed, _LEAST_BETTER * leader.rate)
        return draft.best_rate(passes, BEST_CASE) >= needed

    def _repaid_rate(self, draft: DraftPlanner | None) -> float:
        return draft.repaid_rate(self._passes, self._n_emitted, self._usual_answer) if draft else 0.0

    def _will_pay(self) -> bool:
        """Whether the leader will pay off if the answer becomes as long as usual; then exploring is unnecessary."""
        leader = self._leader
        return leader is not None and leader.rate_in_all(self._usual_answer) * self._passes[0] >= LEAST_SPEEDUP

    def _is_check_step(self) -> bool:
        """Whether this step has to be plain. The first steps check the costs measured earlier. Later checks take two
        plain steps in a row, because a plain pass after a larger one is slower.
        """
        if self._n_plain_first:
            self._n_plain_first -= 1
            return True
        self._n_until_check = _BETWEEN_CHECKS if self._n_until_check < -1 else self._n_until_check - 1
        return self._n_until_check < 0 and self._costs.wants_plain

    def _wants_trial(self, asked: Sequence[SourceProposal]) -> bool:
        """Without guesses, there are no larger passes to learn costs from, and the known costs may be outdated."""
        if self._allowance < _TRIAL_TAKES:
            return False
        plain = self._passes[0]
        hoped = [min(seconds, plain * (1 + FIRST_SLOPE * k)) for k, seconds in enumerate(self._passes)]
        if self._free.hoped_rate(asked, hoped) * plain >= _TEMPTING:
            return True
        if self._is_tempting is None:
            rates = (draft.hoped_rate(hoped, draft.source.calibration.outlook()) for draft in self._drafts)
            self._is_tempting = max(rates, default=0.0) * plain >= _TEMPTING
        return self._is_tempting

    # Asking

    def _leader_can_go_on(self) -> bool:
        """Whether the leader can add guesses to those of another source."""
        return self._leader is not None and self._leader.source.state_reader is None

    def _ask_leader(self, context: DraftContext, free: FreeGuesses, room: int) -> SourceProposal | None:
        leader, behind = self._leader, len(free.guesses.tokens)
        all_right = prod(free.chances)
        if leader is None or behind >= room or (behind and not self._leader_can_go_on()):
            return None
        late = leader.catch_up_s(leader.unread + behind)
        if behind and leader.plan.gain(behind, all_right) < leader.rate * late:
            return None
        if leader.prepare_view(context):
            self._plan_left = 0
        source = leader.source
        steering = DraftMonitor(source, self._costs, leader.plan, self._clock)
        steering.start(leader.visible, leader.behind + behind, behind, all_right)
        ahead = ExtendedContext(context, free.guesses.tokens, steering.worth_another)
        try:
            proposal = source.drafter.propose(ahead, room - behind)
        except DrafterError as error:
            self._drafting_s += steering.finish()
            self._drop_draft(leader, error.failed)
            return None
        self._drafting_s += steering.finish()
        asked = SourceProposal(source, proposal.main_branch().first(room - behind), behind)
        self._asked.append(asked)
        return asked

    def _drop_draft(self, draft: DraftPlanner, failure: DrafterFailure) -> None:
        """Removes a draft that failed; other sources can still guess."""
        self._drafts.remove(draft)
        if draft is self._leader:
            self._leader = self._drafts[0] if self._drafts else None
        self._plan_left = 0
        if not self._drafts:
            self._lost = failure

    def _used(self, free: FreeGuesses, tail: SourceProposal | None, count: int) -> Proposal:
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

    # Learning

    def _observe_source(self, asked: SourceProposal) -> None:
        if asked.used:
            self._idle = 0
            if not self._free.has(asked.source):
                self._idle_drafts = 0

    def _learn(self, asked: SourceProposal, outcome: StepOutcome) -> None:
        """Also learns from guesses that were not verified, if the answer shows whether they were right."""
        proposal, learned = asked.proposal, asked.source.calibration
        for draft in self._drafts:
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

    # Exploring

    def _explore(self, context: DraftContext, room: int, asked: Sequence[SourceProposal]) -> None:
        """Rehearses drafts and makes trials in turns while nothing is guessed. This corrects costs that seem too high
        by mistake, and lets no draft wait forever.
        """
        if self._rehearse_next_draft(self._drafts, context) and self._has_tried:
            return
        if room >= _TRIAL and self._idle >= _PLAIN_BEFORE and self._wants_trial(asked):
            self._n_trial, self._has_tried = _TRIAL, True

    def _rehearse_next_draft(self, drafts: Sequence[DraftPlanner], context: DraftContext) -> bool:
        """Rehearses the first draft that is due, if the allowance is large enough. Returns False if none is due."""
        count = min(REHEARSED, self._n_emitted)
        draft = next((draft for draft in drafts if draft.is_rehearsal_due(count, self._n_emitted)), None)
        if draft is None:
            return False
        takes = draft.catch_up_s(2 * count) / self._passes[0]
        if self._allowance >= (min(takes, _TRIAL_TAKES) if self._has_tried else takes):
            self._rehearse(draft, context, count)
        return True

    def _rehearse(self, draft: DraftPlanner, context: DraftContext, count: int) -> None:
        started = self._clock()
        try:
            took = draft.rehearse(context, count, self._clock)
        except DrafterError as error:
            self._drafting_s += self._clock() - started
            self._drop_draft(draft, error.failed)
            return
        self._drafting_s += took
        self._has_tried = False
        self._allowance = max(self._allowance - took / self._passes[0], _DEEPEST)
        draft.schedule_rehearsal(self._n_emitted, could_pay=self._could_pay(draft))
        self._plan_left = 0


def _common_start(guesses: Sequence[int], tokens: Sequence[int]) -> int:
    count = 0
    for guess, token in zip(guesses, tokens, strict=False):
        if guess != token:
            break
        count += 1
    return count
