"""As many guesses as pay, from whichever source pays most: measured costs, counted chances, decided at each step."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from math import prod

from specchat.domain.errors import DrafterError
from specchat.domain.guessing import Failed, Off, WhyOff
from specchat.domain.ports import DraftContext
from specchat.domain.types import Proposal
from specchat.engine.ahead import Ahead
from specchat.engine.confidence import WORSE_CASE
from specchat.engine.costs import FIRST_SLOPE, PassCosts
from specchat.engine.deciding import DecisionBudget
from specchat.engine.follower import Follower
from specchat.engine.horizon import Horizon, best_prefix, fastest_prefix, settled
from specchat.engine.sources import Asked, Source, Steering
from specchat.engine.strategy import Outcome, Pause

_SOON, _LATE = 16, 128
"""Steps until the next plan: fewer where the last one changed much."""
_CHANGED = 0.1
_OTHER_ODDS = 1.3
"""Times: a text that proves so much better or worse than it was taken for is planned anew at once."""
_OTHER_COSTS = 1.15
"""Times: the same of what passes of several tokens take."""
_FURTHER = 3
"""Guesses: a plan looks ahead so much further than the last one found worth while."""
LEAST_SPEEDUP = 1.03
"""What guessing must promise at least."""
_LEAST_QUICK = 1.2
"""The same of the quick source, whose chances are known less well."""
_FIRST_QUICK, _FEW_HELD = 3, 2
"""Its guesses at once until a few held in this answer: what was a copy in other texts may be none in this one."""
_USUAL_ANSWER, _ANSWERS_KEPT = 100.0, 0.8
"""Tokens, until some were seen: in as many a source that has fallen behind must repay what catching up takes."""
_IDLE_STEPS = 16
TELLING = 16
"""Guesses: from fewer nobody knows yet whether they pay; an answer without any says so, too."""
_EXPLORING = 0.0075
"""Of the time; what is spent beyond it by chance keeps it below 1 %."""
_FIRST_EXPLORING, _MOST_EXPLORING = 0.25, 2.0
"""Plain passes."""
REHEARSED = 16
_SHORTEST_WAIT, _LONGEST_WAIT = 8, 256
"""Tokens between rehearsals."""
BEST_CASE = 2.0
"""Standard deviations: no text that is better is hoped for."""
_TRIAL = 3
"""Tokens more than needed in a pass that tells whether passes of several take as long as they are believed to."""
_PLAIN_BEFORE = 3
"""Plain passes in a row, with which a trial is compared."""
_TRIAL_TAKES = 1.0
"""Plain passes, or a little more."""
_TRIAL_COUNTS = 2.0
"""Times what it took: few mistakes are left to be found."""
_DEEPEST = -2.0
"""Plain passes that a trial may take too long, as far as the next one waits for it."""
_PLAIN_FIRST = 4
_BETWEEN_CHECKS = 6
"""Steps with guesses, where plain passes are wanted among them."""
_TEMPTING = 1.15
"""What guessing would have to promise where larger passes take as little as they can."""


class Auto:
    """`quick` is asked at each step, `thorough` only where it pays."""

    def __init__(
        self,
        costs: PassCosts,
        longest: int,
        quick: Source | None = None,
        thorough: Source | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._costs = costs
        self._longest = longest
        self._quick = quick
        self._thorough = Follower(thorough, costs) if thorough else None
        self._sources = [source for source in (quick, thorough) if source]
        self._clock = clock
        self._asked: list[Asked] = []
        self._rate = 0.0
        """What the thorough source reaches, in tokens per second, at least that of plain decoding."""
        self._passes: list[float] = []
        self._horizon = Horizon([1.0], 0.0, [(1.0, 0.5)], 1.0)
        self._planned_for = _SOON
        self._plan_left = 0
        self._planned_odds = 1.0
        self._length = 0
        self._quick_held = False
        self._lost: Failed | None = None
        """Of the thorough source, whether or not the quick one goes on."""
        self._idle = self._idle_thorough = 0
        """Steps without any guess, and without one of the thorough source: in earlier answers, too."""
        self._had_room = False
        """For a guess, in this answer."""
        self._allowance = _FIRST_EXPLORING
        """Plain passes that exploring may take now."""
        self._n_emitted = self._n_seen = 0
        """Tokens of this answer, and since the pair was loaded."""
        self._usual_answer = _USUAL_ANSWER
        self._wait = _SHORTEST_WAIT
        self._unheard = 0
        """Tokens since the thorough source last guessed or rehearsed."""
        self._budget = DecisionBudget()
        self._drafting_s = 0.0
        """In this step."""
        self._n_trial = 0
        self._has_tried = False
        """A larger pass, since the last rehearsal."""
        self._n_plain_first = _PLAIN_FIRST
        self._is_checking = False
        """Guesses would pay, but this step is plain to tell what plain passes take."""
        self._n_until_check = _BETWEEN_CHECKS
        self._planned_factor = costs.larger_factor
        self._is_tempting: bool | None = None
        """None: not worked out since the last plan."""

    @property
    def pause(self) -> Pause:
        return Pause(self._n_trial, self._budget.steps_until_earned(self._passes[0]) if self._passes else 0)

    @property
    def off_reason(self) -> WhyOff | None:
        if self._quick is None and self._lost is not None:
            return self._lost
        return self._why_idle() if self._idle >= _IDLE_STEPS else None

    @property
    def draft_off(self) -> WhyOff | None:
        if self._lost is not None:
            return self._lost
        return self._why_idle() if self._idle_thorough >= _IDLE_STEPS else None

    @property
    def why_none(self) -> WhyOff:
        if self._lost is not None:
            return self._lost
        if not self._had_room:
            return Off.ENDED_FIRST
        if not self._passes:
            return Off.MEASURING
        return self._why_idle() or Off.NOTHING_TO_REPEAT

    def _why_idle(self) -> Off | None:
        if self._thorough is None:
            return None
        told = max(self._n_seen / _USUAL_ANSWER, self._thorough.source.calibration.n_observed / TELLING)
        return Off.COSTS_MORE if told >= 1 else Off.MEASURING

    def begin(self, *, sampled: bool) -> None:
        for source in self._sources:
            source.calibration = source.sampled if sampled else source.greedy
            source.calibration.begin()
        if self._n_emitted:
            self._usual_answer = _ANSWERS_KEPT * self._usual_answer + (1 - _ANSWERS_KEPT) * self._n_emitted
        self._planned_for = _SOON
        self._plan_left = self._idle = self._n_emitted = self._n_trial = 0
        self._quick_held = self._had_room = False
        if self._thorough is not None:
            self._thorough.begin()
        if self._could_pay():
            self._allowance = max(self._allowance, _FIRST_EXPLORING)
            self._wait = _SHORTEST_WAIT
        else:
            self._wait = max(_SHORTEST_WAIT, _LONGEST_WAIT - self._unheard)
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
        if self._thorough is not None:
            self._thorough.see(context)
        if self._plan_left <= 0 or self._odds_changed() or self._costs_changed():
            self._plan()
        self._plan_left -= 1
        passes = self._passes[: room + 1]
        quick = self._ask_quick(context, len(passes) - 1)
        chances = self._quick_chances(quick)
        count, rate = fastest_prefix(chances, passes if self._quick_held else passes[: _FIRST_QUICK + 1])
        ahead = self._rate_ahead()
        if rate * passes[0] < _LEAST_QUICK:
            count, rate = 0, 0.0
        if max(rate, ahead) * passes[0] < LEAST_SPEEDUP:
            if not self._will_pay():
                self._explore(context, room, quick)
            return Proposal()
        if self._is_check_step():
            self._is_checking = True
            return Proposal()
        if ahead > rate:
            count, rate = 0, ahead
        guesses = quick.proposal.first(count) if quick and count else Proposal()
        tail = self._ask_thorough(context, guesses, chances[:count], len(passes) - 1) if ahead else None
        if tail is not None:
            more = map(tail.source.calibration.chance, tail.proposal.confidences)
            count = best_prefix([*chances[:count], *more], passes, rate)
        return self._used(quick, tail, guesses, count)

    def follow(self, context: DraftContext) -> None:
        thorough = self._thorough
        if thorough is not None and thorough.source.reads_states is not None and self._could_pay():
            thorough.source.reads_states.follow(context)

    def observe(self, outcome: Outcome) -> None:
        self._count(1, len(outcome.emitted), outcome.seconds)
        if self._n_trial and self._passes:
            took = outcome.seconds / self._passes[0]
            self._allowance = max(self._allowance - _TRIAL_COUNTS * max(0.0, took - 1), _DEEPEST)
        for asked in self._asked:
            self._heed(asked)
            self._learn(asked, outcome)
        self._asked = []

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        self._had_room = True
        self._count(n_steps, n_steps, seconds)

    def _count(self, n_steps: int, n_tokens: int, seconds: float) -> None:
        self._idle += n_steps
        self._idle_thorough += n_steps
        self._n_emitted += n_tokens
        self._n_seen += n_tokens
        self._unheard += n_tokens
        if self._passes:
            plain = self._passes[0]
            self._budget.earn(seconds, plain)
            self._allowance = min(self._allowance + _EXPLORING * seconds / plain, _MOST_EXPLORING)

    # What is expected

    def _plan(self) -> None:
        self._plan_left = self._planned_for
        self._planned_factor = self._costs.larger_factor
        self._is_tempting = None
        plain, *larger = self._costs.passes(self._longest + 1, self._length)
        self._passes = passes = [plain, *(seconds + self._budget.usual_s for seconds in larger)]
        if self._thorough is None:
            return
        self._thorough.reconsider()
        self._planned_odds = self._thorough.source.calibration.odds
        outlook = self._thorough.source.calibration.outlook()
        before = self._rate
        reach = min(self._longest, self._horizon.depth + _FURTHER) if before else self._longest
        self._horizon = settled(partial(self._thorough.horizon, passes[: reach + 1], outlook), before)
        self._rate = self._horizon.rate
        changed = abs(self._rate - before) > _CHANGED * self._rate or self._horizon.depth == reach < self._longest
        self._planned_for = self._plan_left = _SOON if changed else min(2 * self._planned_for, _LATE)

    def _odds_changed(self) -> bool:
        if self._thorough is None:
            return False
        return not 1 / _OTHER_ODDS < self._thorough.source.calibration.odds / self._planned_odds < _OTHER_ODDS

    def _costs_changed(self) -> bool:
        return not 1 / _OTHER_COSTS < self._costs.larger_factor / self._planned_factor < _OTHER_COSTS

    def _could_pay(self) -> bool:
        """In the best text that is likely."""
        thorough, passes = self._thorough, self._passes
        if thorough is None or not passes:
            return thorough is not None
        best = thorough.horizon(passes, thorough.source.calibration.outlook(BEST_CASE))
        return best.rate * passes[0] >= LEAST_SPEEDUP

    def _rate_ahead(self) -> float:
        """Of the thorough source: tokens per second, if it repays what it must read."""
        if self._thorough is None:
            return 0.0
        rate = self._rate if self._horizon.pays else 0.0
        return self._thorough.repaid_rate(rate, self._passes, self._n_emitted, self._usual_answer)

    def _will_pay(self) -> bool:
        """If the answer becomes as long as usual: then it need only be waited for."""
        thorough = self._thorough
        return thorough is not None and thorough.rate_in_all(self._usual_answer) * self._passes[0] >= LEAST_SPEEDUP

    def _quick_chances(self, asked: Asked | None) -> list[float]:
        if asked is None or not asked.proposal.tokens:
            return []
        return asked.source.calibration.chances(asked.proposal.confidences, WORSE_CASE)

    def _is_check_step(self) -> bool:
        """The first ones tell what becomes of what was measured before. Later two in a row do, as the first one is
        slower.
        """
        if self._n_plain_first:
            self._n_plain_first -= 1
            return True
        self._n_until_check = _BETWEEN_CHECKS if self._n_until_check < -1 else self._n_until_check - 1
        return self._n_until_check < 0 and self._costs.wants_plain

    def _wants_trial(self, quick: Asked | None) -> bool:
        """Nobody sees what larger passes take while none is made, and what was learned may be long past."""
        if self._allowance < _TRIAL_TAKES:
            return False
        plain = self._passes[0]
        hoped = [min(seconds, plain * (1 + FIRST_SLOPE * k)) for k, seconds in enumerate(self._passes)]
        if fastest_prefix(self._quick_chances(quick), hoped)[1] * plain >= _TEMPTING:
            return True
        if self._is_tempting is None:
            thorough = self._thorough
            rate = thorough.hoped_rate(hoped, thorough.source.calibration.outlook()) if thorough else 0.0
            self._is_tempting = rate * plain >= _TEMPTING
        return self._is_tempting

    # Asking

    def _ask_quick(self, context: DraftContext, room: int) -> Asked | None:
        if self._quick is None:
            return None
        asked = Asked(self._quick, self._quick.drafter.propose(context, room))
        self._asked.append(asked)
        return asked

    def _ask_thorough(
        self, context: DraftContext, guesses: Proposal, chances: Sequence[float], room: int
    ) -> Asked | None:
        thorough, behind = self._thorough, len(guesses.tokens)
        all_right = prod(chances)
        if thorough is None or behind >= room or (behind and thorough.source.reads_states is not None):
            return None
        late = thorough.catch_up_s(thorough.unread + behind)
        if behind and self._horizon.gain(behind, all_right) < self._rate * late:
            return None
        if thorough.look(context):
            self._plan_left = 0
        source = thorough.source
        steering = Steering(source, self._costs, self._horizon, self._clock)
        steering.start(thorough.visible, thorough.behind + behind, behind, all_right)
        ahead = Ahead(context, guesses.tokens, steering.worth_another)
        try:
            proposal = source.drafter.propose(ahead, room - behind)
        except DrafterError as error:
            self._drafting_s = steering.finish()
            self._fail(error)
            return None
        self._drafting_s = steering.finish()
        self._unheard = 0
        asked = Asked(source, proposal.first(room - behind), behind)
        self._asked.append(asked)
        return asked

    def _fail(self, error: DrafterError) -> None:
        """Earlier text can still be guessed from."""
        self._thorough = None
        self._lost = error.failed

    def _used(self, quick: Asked | None, tail: Asked | None, guesses: Proposal, count: int) -> Proposal:
        of_quick = min(count, len(guesses.tokens))
        if quick is not None:
            quick.used = of_quick
        used = guesses.first(of_quick)
        if tail is None or count == of_quick:
            return used
        tail.used = count - of_quick
        more = tail.proposal.first(tail.used)
        if not of_quick:
            return more
        return Proposal(used.tokens + more.tokens, used.origins + more.origins, used.confidences + more.confidences)

    # Learning

    def _heed(self, asked: Asked) -> None:
        if asked.used:
            self._idle = 0
            if asked.source is not self._quick:
                self._idle_thorough = 0

    def _learn(self, asked: Asked, outcome: Outcome) -> None:
        """From what was not verified as well, as far as the answer tells."""
        proposal, learned = asked.proposal, asked.source.calibration
        thorough = self._thorough
        if thorough is not None and asked.source is thorough.source and proposal.tokens:
            thorough.heard(asked.behind + len(proposal.tokens), outcome.accepted)
        if asked.behind > outcome.accepted:
            return
        emitted = outcome.emitted[asked.behind :]
        n_held = _common_start(proposal.tokens, emitted)
        learned.observe(proposal.confidences[: min(n_held + 1, len(emitted))], n_held)
        if asked.used:
            held = min(outcome.accepted - asked.behind, asked.used)
            self._quick_held = self._quick_held or (asked.source is self._quick and held >= _FEW_HELD)
            asked.source.drafter.observe(held, proposal.first(asked.used))

    # Exploring, while nothing is guessed

    def _explore(self, context: DraftContext, room: int, quick: Asked | None) -> None:
        """In turns: what seems too dear by mistake must not keep the others waiting, nor never be tried."""
        thorough, plain = self._thorough, self._passes[0]
        if thorough is not None and self._is_rehearsal_due(thorough):
            count = min(REHEARSED, self._n_emitted)
            takes = thorough.catch_up_s(2 * count) / plain
            if self._allowance >= (min(takes, _TRIAL_TAKES) if self._has_tried else takes):
                self._rehearse(thorough, context, count)
            if self._has_tried:
                return
        if room >= _TRIAL and self._idle >= _PLAIN_BEFORE and self._wants_trial(quick):
            self._n_trial, self._has_tried = _TRIAL, True

    def _is_rehearsal_due(self, thorough: Follower) -> bool:
        can = thorough.source.keeps_up is not None
        unread = thorough.behind > min(REHEARSED, self._n_emitted)
        return can and unread and thorough.behind >= _SHORTEST_WAIT and self._n_emitted >= self._wait

    def _rehearse(self, thorough: Follower, context: DraftContext, count: int) -> None:
        self._drafting_s = took = thorough.rehearse(context, count, self._clock)
        self._has_tried = False
        self._allowance = max(self._allowance - took / self._passes[0], _DEEPEST)
        self._unheard = 0
        self._wait = self._n_emitted + (min(self._n_emitted, _LONGEST_WAIT) if self._could_pay() else _LONGEST_WAIT)
        self._plan_left = 0


def _common_start(guesses: Sequence[int], tokens: Sequence[int]) -> int:
    count = 0
    for guess, token in zip(guesses, tokens, strict=False):
        if guess != token:
            break
        count += 1
    return count
