"""Plans one draft: how much of the text it reads, how far it guesses, and what that gains."""

from collections.abc import Callable, Sequence
from functools import partial

from specchat.domain.ports import DraftContext
from specchat.engine.confidence import WORSE_CASE, Outlook
from specchat.engine.draft_sources import DraftSource
from specchat.engine.extended_context import ExtendedContext
from specchat.engine.horizon import Horizon, solve_horizon
from specchat.engine.lookback import Lookback, lookback_odds, lookback_options
from specchat.engine.step_costs import StepCosts

_UNKNOWN_GUESS = 0.1
"""The assumed cost of a guess, as a share of a plain pass, until one is measured."""
_TO_COME = 8
"""An answer is expected to continue for at most this times the tokens so far."""
_CHANGED = 0.1
_OTHER_ODDS = 1.3
"""A new plan is made at once if the odds have changed by this factor since the last plan."""
_FURTHER = 3
"""A plan looks so many guesses further ahead than the last plan found worthwhile."""
SHORTEST_WAIT, LONGEST_WAIT = 8, 256
"""Tokens between rehearsals."""


class DraftPlanner:
    def __init__(self, source: DraftSource, costs: StepCosts) -> None:
        self.source = source
        self._costs = costs
        self._length = 0
        self.behind = 0
        """Tokens that were added since the draft last read the text."""
        self._known: int | None = None
        """Tokens that the draft has read and that are still valid. None: the drafter has to be asked."""
        self._hidden = 0
        """Tokens at the beginning of the text that the draft skips."""
        self._share = 1.0
        """The share of the text that the draft sees."""
        self._choices: list[tuple[Lookback, float]] = []
        """The parts of the text that the draft could read, and the rate of each in a worse text."""
        self._chosen_at = 0
        """The length of the text when the choices were made; the draft also sees later tokens."""
        self._view: Lookback | None = None
        """The best choice, if the draft must read tokens first."""
        self.plan = Horizon([1.0], 0.0, [(1.0, 0.5)], 1.0)
        """How far to guess."""
        self.rate = 0.0
        """The rate of the plan in tokens per second, at least that of plain decoding."""
        self._planned_odds = 1.0
        self._wait = SHORTEST_WAIT
        """The length of the answer, in tokens, at which the next rehearsal is due."""
        self._unheard = 0
        """Tokens since the draft last guessed or rehearsed."""
        self._rehearsal_s: float | None = None
        """The seconds that the last rehearsal took."""

    @property
    def visible(self) -> int:
        return self._length - self._hidden

    @property
    def unread(self) -> int:
        return self._view.unread if self._view else self.behind

    @property
    def odds_changed(self) -> bool:
        return not 1 / _OTHER_ODDS < self.source.calibration.odds / self._planned_odds < _OTHER_ODDS

    def begin(self, *, could_pay: bool) -> None:
        """Starts another answer."""
        self._known = None
        self._share = 1.0
        self._wait = SHORTEST_WAIT if could_pay else max(SHORTEST_WAIT, LONGEST_WAIT - self._unheard)

    def make_plan(self, passes: Sequence[float], longest: int) -> bool:
        """Returns whether the plan differs much from the previous one."""
        self.discard_views()
        self._planned_odds = self.source.calibration.odds
        before = self.rate
        reach = min(longest, self.plan.depth + _FURTHER) if before else longest
        outlook = self.source.calibration.outlook()
        self.plan = solve_horizon(partial(self.horizon, passes[: reach + 1], outlook), before)
        self.rate = self.plan.rate
        return abs(self.rate - before) > _CHANGED * self.rate or self.plan.depth == reach < longest

    def add_tokens(self, n_tokens: int) -> None:
        self._unheard += n_tokens

    def observe_context(self, context: DraftContext) -> None:
        self._length = len(context.tokens)
        if self._known is None:
            keeps_up = self.source.catch_up_drafter
            self._known = self._length - (keeps_up.n_missed(context) if keeps_up else 1)
            self._hidden = keeps_up.n_skipped if keeps_up else 0
        self.behind = self._length - self._known

    def observe_outcome(self, n_guesses: int, accepted: int) -> None:
        """Learns how many guesses were accepted."""
        if self.source.state_reader is not None:
            self._known = self._length - 1
        else:
            self._known = min(self._length + n_guesses - 1, self._length + accepted)

    def catch_up_s(self, n_tokens: int) -> float:
        """Seconds until the draft has read `n_tokens` and can guess."""
        return (self._costs.catch_up(self.source.name, n_tokens) or 0.0) if self.source.is_late(n_tokens) else 0.0

    def rehearsal_s(self, count: int) -> float:
        """Seconds to rehearse `count` guesses: more than reading takes, because all places need logits."""
        return self._rehearsal_s or self.catch_up_s(2 * count)

    def horizon(self, passes: Sequence[float], outlook: Outlook, rate: float = 0.0) -> Horizon:
        return self._horizon(passes, self._guess_s(self.visible, passes[0]), outlook, max(rate, 1 / passes[0]))

    def _horizon(self, passes: Sequence[float], guess_s: float, outlook: Outlook, rate: float) -> Horizon:
        return Horizon(passes, guess_s, outlook, rate, is_block=self.source.is_block)

    def hoped_rate(self, passes: Sequence[float], outlook: Outlook) -> float:
        """The rate if a guess costs no more than is assumed before it is measured."""
        guess = min(self._guess_s(self.visible, passes[0]), _UNKNOWN_GUESS * passes[0])
        return self._horizon(passes, guess, outlook, 1 / passes[0]).rate

    def _guess_s(self, n_past: int, plain: float) -> float:
        return self._costs.guess(self.source.name, n_past) or _UNKNOWN_GUESS * plain

    def discard_views(self) -> None:
        self._choices = []

    def best_rate(self, passes: Sequence[float], optimism: float) -> float:
        """Returns the rate for the best likely text."""
        return self.horizon(passes, self.source.calibration.outlook(optimism)).rate

    def repaid_rate(self, passes: Sequence[float], n_emitted: int, usual_answer: float) -> float:
        """The rate in tokens per second, including the time to read missed tokens. 0 if guessing doesn't pay off."""
        rate = self.rate if self.plan.pays else 0.0
        self._view = None
        is_late = self.catch_up_s(self.behind) > 0
        if not (is_late or self._hidden):
            return rate
        if not self._choices:
            present = lookback_options(self._length, self._hidden, self.behind)
            self._choices = list(zip(present, self._sure_rates(present, passes), strict=True))
            self._chosen_at = self._length
        grown = self._length - self._chosen_at
        to_come = min(usual_answer, _TO_COME * (1 + n_emitted))
        best, surest = 0.0, self._choices[0][0]
        for view, sure in self._choices:
            repaid = self._repaid(sure, view.unread + grown, to_come)
            if repaid > best:
                best, surest = repaid, view
        if surest is self._choices[0][0] and not is_late:
            return rate
        self._view = Lookback(surest.visible + grown, surest.unread + grown)
        return best

    def rate_in_all(self, usual_answer: float) -> float:
        """The best rate over a whole answer of the usual length, including the time to read missed tokens."""
        return max((self._repaid(sure, view.unread, usual_answer) for view, sure in self._choices), default=0.0)

    def _repaid(self, rate: float, unread: int, n_tokens: float) -> float:
        return rate / (1 + self.catch_up_s(unread) * rate / n_tokens) if rate else 0.0

    def _sure_rates(self, present: Sequence[Lookback], passes: Sequence[float]) -> list[float]:
        """The rate of each view in a worse text. All are 0 if even the best combination wouldn't pay off, as is usual
        while the draft is off."""
        sizes = [view.visible for view in present]
        if not self._sure_rate(passes, max(sizes), min(sizes)):
            return [0.0] * len(sizes)
        return [self._sure_rate(passes, size, size) for size in sizes]

    def _sure_rate(self, passes: Sequence[float], seen: int, looked_through: int) -> float:
        """The rate with the odds of a draft that sees `seen` tokens and the guess time at a context of `looked_through`
        tokens. 0 if that doesn't pay off."""
        outlook = self.source.calibration.outlook(WORSE_CASE, lookback_odds(seen / self._length, self._share))
        horizon = self._horizon(passes, self._guess_s(looked_through, passes[0]), outlook, 1 / passes[0])
        return horizon.rate if horizon.pays else 0.0

    def prepare_view(self, context: DraftContext) -> bool:
        """Applies the best view before the draft guesses. Returns whether the draft starts reading at another place."""
        self._unheard = 0
        view = self._view
        if view is None or self.source.catch_up_drafter is None:
            return False
        share = view.visible / self._length
        self.source.calibration.scale_odds(lookback_odds(share, self._share))
        self._share = share
        if view.unread < view.visible:
            return False
        self.source.catch_up_drafter.restart_with_last(context, view.visible)
        self._hidden, self.behind = self._length - view.visible, view.visible
        return True

    def is_rehearsal_due(self, count: int, n_emitted: int) -> bool:
        """Returns whether it is time to rehearse `count` guesses."""
        can = self.source.catch_up_drafter is not None
        return can and self.behind > count and self.behind >= SHORTEST_WAIT and n_emitted >= self._wait

    def schedule_rehearsal(self, n_emitted: int, *, could_pay: bool) -> None:
        self._wait = n_emitted + (min(n_emitted, LONGEST_WAIT) if could_pay else LONGEST_WAIT)

    def rehearse(self, context: DraftContext, count: int, clock: Callable[[], float]) -> float:
        """Compares what the draft would have guessed with the text, in one batch. Returns the time in seconds."""
        self._unheard = 0
        source, started = self.source, clock()
        assert source.catch_up_drafter is not None
        guessed: list[float] = []

        def on_guess(_: float) -> bool:
            guessed.append(clock())
            return True

        worse = lookback_odds((self._length - self.behind + 2 * count) / self._length, self._share)
        for score, held in source.catch_up_drafter.rehearse(ExtendedContext(context, (), on_guess), count):
            source.calibration.observe([score], int(held), worse)
        if guessed:
            self._learn_catch_up(2 * count, guessed[0] - started)
        if len(guessed) > 1:
            self._costs.observe_guess(source.name, guessed[1] - guessed[0], self.visible)
        self._rehearsal_s = clock() - started
        return self._rehearsal_s

    def _learn_catch_up(self, n_tokens: int, at_most: float) -> None:
        """A rehearsal also needs logits at many places, so it only shows if reading takes less than is assumed."""
        assumed = self._costs.catch_up(self.source.name, n_tokens)
        if assumed is None or at_most < assumed:
            self._costs.observe_catch_up(self.source.name, n_tokens, at_most)
