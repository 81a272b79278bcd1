"""As many guesses as pay, from whichever source pays most: measured costs, counted chances, decided at each step."""

import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import mul

from specchat.domain.errors import DrafterError
from specchat.domain.guessing import Failed, Off, WhyOff
from specchat.domain.ports import DraftContext
from specchat.domain.types import Proposal
from specchat.engine.ahead import Ahead
from specchat.engine.costs import PassCosts
from specchat.engine.horizon import Horizon, best_prefix, fastest_prefix
from specchat.engine.sources import USUALLY_MISSED, Asked, Source, Start, Steering
from specchat.engine.strategy import Outcome
from specchat.engine.views import View, odds, views

_SOON, _LATE = 16, 64
"""Steps until the next plan: fewer where the last one changed much."""
_CHANGED = 0.1
_FURTHER = 3
"""Guesses: a plan looks ahead so much further than the last one found worth while."""
_FIRST_APPROXIMATIONS = 3
_LEAST_SPEEDUP = 1.03
"""What guessing must promise at least."""
_LEAST_QUICK = 1.2
"""The same of the quick source, whose chances are known less well."""
_UNKNOWN_GUESS = 0.1
"""Of a plain pass: what a guess is taken to cost until one was made."""
_USUAL_ANSWER, _ANSWERS_KEPT = 100.0, 0.8
"""Tokens, until some were seen: in as many a source that has fallen behind must repay what catching up takes."""
_TO_COME = 8
"""Times what has come: so long an answer is expected to go on at most."""
_IDLE_STEPS = 16
_WORSE_CASE = -0.5
_EXPLORING = 0.0075
"""Of the time; what is spent beyond it by chance keeps it below 1 %."""
_FIRST_EXPLORING, _MOST_EXPLORING = 0.25, 2.0
"""Plain passes."""
REHEARSED = 16
_SHORTEST_WAIT, _LONGEST_WAIT = 8, 512
"""Tokens between rehearsals."""
_BEST_CASE = 2.0
"""Standard deviations: would the thorough source pay in so good a text, if not in this one?"""


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
        self._thorough = thorough
        self._clock = clock
        self._asked: list[Asked] = []
        self._rate = 0.0
        """What the thorough source reaches, in tokens per second, at least that of plain decoding."""
        self._views: list[tuple[View, float]] = []
        """What the thorough source could look at, and the rate that gives even if this text is one of the worse."""
        self._view: View | None = None
        """The best of these, if it must read first."""
        self._viewed = 0
        """Tokens of the text when these were found; what came since is seen as well."""
        self._hidden = 0
        """Tokens that it does not look at."""
        self._share = 1.0
        """Of the text that it looks at."""
        self._passes: list[float] = []
        self._horizon = Horizon([1.0], 0.0, [(1.0, 0.5)], 1.0)
        self._planned_for = _SOON
        self._plan_left = 0
        self._length = 0
        self._behind = 0
        self._known: int | None = None
        """Tokens that the thorough source has seen and that still stand; None: to be asked."""
        self._failed: Failed | None = None
        self._idle = 0
        self._allowance = _FIRST_EXPLORING
        """Plain passes that exploring may take now."""
        self._n_emitted = 0
        self._usual_answer = _USUAL_ANSWER
        self._wait = _SHORTEST_WAIT
        self._unheard = 0
        """Tokens since the thorough source last guessed or rehearsed."""

    @property
    def off_reason(self) -> WhyOff | None:
        if self._failed is not None:
            return self._failed
        if self._idle >= _IDLE_STEPS and self._thorough is not None:
            return Off.COSTS_MORE
        return None

    def begin(self, *, sampled: bool) -> None:
        for source in (self._quick, self._thorough):
            if source is not None:
                source.calibration = source.sampled if sampled else source.greedy
                source.calibration.begin()
        if self._n_emitted:
            self._usual_answer = _ANSWERS_KEPT * self._usual_answer + (1 - _ANSWERS_KEPT) * self._n_emitted
        self._planned_for = _SOON
        self._plan_left = self._idle = self._n_emitted = 0
        self._known = None
        self._share = 1.0
        if self._could_pay():
            self._allowance = max(self._allowance, _FIRST_EXPLORING)
            self._wait = _SHORTEST_WAIT
        else:
            self._wait = max(_SHORTEST_WAIT, _LONGEST_WAIT - self._unheard)
        self._asked = []

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._asked = []
        self._length = len(context.tokens)
        if room <= 0 or not self._costs.knows_plain:
            return Proposal()
        self._behind = self._n_missed(context)
        if self._plan_left <= 0:
            self._plan()
        self._plan_left -= 1
        passes = self._passes[: room + 1]
        quick = self._ask_quick(context, len(passes) - 1)
        chances = self._chances(quick, _WORSE_CASE)
        count, rate = fastest_prefix(chances, passes)
        ahead = self._rate_ahead()
        if rate * passes[0] < _LEAST_QUICK:
            count, rate = 0, 0.0
        if max(rate, ahead) * passes[0] < _LEAST_SPEEDUP:
            if not self._will_pay():
                self._rehearse(context)
            return Proposal()
        if ahead > rate:
            count, rate = 0, ahead
        guesses = quick.proposal.first(count) if quick and count else Proposal()
        tail = self._ask_thorough(context, guesses, chances[:count], len(passes) - 1) if ahead else None
        if tail is not None:
            count = best_prefix([*chances[:count], *self._chances(tail)], passes, rate)
        return self._used(quick, tail, guesses, count)

    def observe(self, outcome: Outcome) -> None:
        self._idle = 0 if any(asked.used for asked in self._asked) else self._idle + 1
        self._n_emitted += len(outcome.emitted)
        self._unheard += len(outcome.emitted)
        if self._passes:
            self._allowance = min(self._allowance + _EXPLORING * outcome.seconds / self._passes[0], _MOST_EXPLORING)
        for asked in self._asked:
            self._learn(asked, outcome)
        self._asked = []

    # What is expected

    def _plan(self) -> None:
        self._plan_left = self._planned_for
        self._views = []
        self._passes = passes = self._costs.passes(self._longest + 1, self._length)
        if self._thorough is None:
            return
        guess, outlook = self._guess_s(self._thorough, self._visible), self._thorough.calibration.outlook()
        before = self._rate
        reach = min(self._longest, self._horizon.depth + _FURTHER) if before else self._longest
        for _ in range(1 if before else _FIRST_APPROXIMATIONS):
            self._horizon = Horizon(passes[: reach + 1], guess, outlook, max(self._rate, 1 / passes[0]))
            self._rate = self._horizon.rate
        changed = abs(self._rate - before) > _CHANGED * self._rate or self._horizon.depth == reach < self._longest
        self._planned_for = self._plan_left = _SOON if changed else min(2 * self._planned_for, _LATE)

    def _could_pay(self) -> bool:
        """In the best text that is likely."""
        source, passes = self._thorough, self._passes
        if source is None or not passes:
            return source is not None
        outlook = source.calibration.outlook(_BEST_CASE)
        best = Horizon(passes, self._guess_s(source, self._visible), outlook, 1 / passes[0])
        return best.rate * passes[0] >= _LEAST_SPEEDUP

    @property
    def _visible(self) -> int:
        return self._length - self._hidden

    def _guess_s(self, source: Source, n_past: int) -> float:
        return self._costs.guess(source.name, n_past) or _UNKNOWN_GUESS * self._passes[0]

    def _rate_ahead(self) -> float:
        """Of the thorough source: tokens per second, if it repays what it must read."""
        source, self._view = self._thorough, None
        if source is None:
            return 0.0
        rate = self._rate if self._horizon.gain() > 0 else 0.0
        is_late = self._late(self._behind) > 0
        if not (is_late or self._hidden):
            return rate
        if not self._views:
            choices = views(self._length, self._hidden, self._behind)
            self._views = [(view, self._sure_rate(source, view)) for view in choices]
            self._viewed = self._length
        grown = self._length - self._viewed
        to_come = min(self._usual_answer, _TO_COME * (1 + self._n_emitted))
        best, surest = 0.0, self._views[0][0]
        for view, sure in self._views:
            repaid = sure / (1 + self._late(view.unread + grown) * sure / to_come)
            if repaid > best:
                best, surest = repaid, view
        if surest is self._views[0][0] and not is_late:
            return rate
        self._view = View(surest.visible + grown, surest.unread + grown)
        return best

    def _will_pay(self) -> bool:
        """If the answer becomes as long as usual: then it need only be waited for."""
        usual = self._usual_answer
        rates = [sure / (1 + self._late(view.unread) * sure / usual) for view, sure in self._views]
        return max(rates, default=0.0) * self._passes[0] >= _LEAST_SPEEDUP

    def _sure_rate(self, source: Source, view: View) -> float:
        """Reached even if this text is one of the worse: what it takes to begin."""
        outlook = source.calibration.outlook(_WORSE_CASE, odds(view.visible / self._length, self._share))
        horizon = Horizon(self._passes, self._guess_s(source, view.visible), outlook, 1 / self._passes[0])
        return horizon.rate if horizon.gain() > 0 else 0.0

    def _late(self, n_missed: int) -> float:
        """Seconds that the thorough source takes until it can guess."""
        if self._thorough is None or n_missed <= USUALLY_MISSED:
            return 0.0
        return self._costs.catch_up(self._thorough.name, n_missed) or 0.0

    def _n_missed(self, context: DraftContext) -> int:
        if self._thorough is None:
            return 0
        if self._known is None:
            keeps_up = self._thorough.keeps_up
            self._known = self._length - (keeps_up.n_missed(context) if keeps_up else 1)
            self._hidden = keeps_up.n_hidden if keeps_up else 0
        return self._length - self._known

    def _chances(self, asked: Asked | None, optimism: float = 0.0) -> list[float]:
        if asked is None:
            return []
        chance = asked.source.calibration.chance
        return [chance(score, optimism) for score in asked.proposal.confidences]

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
        source, behind = self._thorough, len(guesses.tokens)
        all_right = list(accumulate(chances, mul, initial=1.0))[-1]
        if source is None or behind >= room:
            return None
        unread = self._view.unread if self._view else self._behind
        if behind and self._horizon.gain(behind, all_right) < self._rate * self._late(unread + behind):
            return None
        self._look(source, context)
        start = Start(self._visible, self._behind + behind, behind, all_right)
        steering = Steering(source, self._costs, self._horizon, self._clock, start)
        ahead = Ahead(context, guesses.tokens, steering.worth_another)
        try:
            proposal = source.drafter.propose(ahead, room - behind)
        except DrafterError as error:
            self._fail(error)
            return None
        steering.finish()
        self._unheard = 0
        asked = Asked(source, proposal.first(room - behind), behind)
        self._asked.append(asked)
        return asked

    def _look(self, source: Source, context: DraftContext) -> None:
        view = self._view
        if view is None or source.keeps_up is None:
            return
        share = view.visible / self._length
        source.calibration.expect(odds(share, self._share))
        self._share = share
        if view.unread == view.visible:
            source.keeps_up.look_back(context, view.visible)
            self._hidden, self._behind = self._length - view.visible, view.visible
            self._plan_left = 0

    def _fail(self, error: DrafterError) -> None:
        """The text itself can still be guessed from."""
        self._thorough = None
        if self._quick is None:
            self._failed = error.failed

    def _used(self, quick: Asked | None, tail: Asked | None, guesses: Proposal, count: int) -> Proposal:
        of_quick = min(count, len(guesses.tokens))
        if quick is not None:
            quick.used = of_quick
        used = guesses.first(of_quick)
        if tail is None or count == of_quick:
            return used
        tail.used = count - of_quick
        more = tail.proposal.first(tail.used)
        return Proposal(used.tokens + more.tokens, used.origins + more.origins, used.confidences + more.confidences)

    # Learning

    def _learn(self, asked: Asked, outcome: Outcome) -> None:
        """From what was not verified as well, as far as the answer tells."""
        proposal, learned = asked.proposal, asked.source.calibration
        if asked.source is self._thorough and proposal.tokens:
            seen = self._length + asked.behind + len(proposal.tokens) - 1
            self._known = min(seen, self._length + outcome.accepted)
        if asked.behind > outcome.accepted:
            return
        emitted = outcome.emitted[asked.behind :]
        for guess, score, token in zip(proposal.tokens, proposal.confidences, emitted, strict=False):
            learned.observe(score, held=guess == token)
            if guess != token:
                break
        if asked.used:
            held = min(outcome.accepted - asked.behind, asked.used)
            asked.source.drafter.observe(held, proposal.first(asked.used))

    def _rehearse(self, context: DraftContext) -> None:
        """While the thorough source is off: what would it have guessed? One batch tells of many tokens."""
        source = self._thorough
        if source is None or source.keeps_up is None or self._behind < _SHORTEST_WAIT or self._n_emitted < self._wait:
            return
        count = min(REHEARSED, self._n_emitted)
        if (self._costs.catch_up(source.name, 2 * count) or 0.0) > self._allowance * self._passes[0]:
            return
        started = self._clock()
        worse = odds((self._length - self._behind + 2 * count) / self._length, self._share)
        for score, held in source.keeps_up.rehearse(context, count):
            source.calibration.observe(score, held=held, odds=worse)
        took = self._clock() - started
        self._costs.observe_catch_up(source.name, 2 * count, took)
        self._allowance -= took / self._passes[0]
        self._unheard = 0
        self._wait = self._n_emitted + (min(self._n_emitted, _LONGEST_WAIT) if self._could_pay() else _LONGEST_WAIT)
        self._plan_left = 0
