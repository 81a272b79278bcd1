"""Runs several answers in one thread: each goes on until it needs a pass, and one pass computes what all of them need.

An answer is a coroutine with a stack of its own, so that whatever it calls may wait: the decoding loop and the drafters
are written as if each were alone. While an answer is alone, nothing waits and nothing is handed over.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import greenlet

from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, Cancelled, UserError
from specchat.engine.prompt_pace import PromptPace
from specchat.engine.tokens import Tokens

M = TypeVar("M")


class PassPart(NamedTuple, Generic[M]):
    """What one answer has in a pass: tokens to append, and of how many of the last the logits are wanted."""

    model: M
    tokens: Tokens
    n_logits: int


class SharedContext(Protocol):
    """What several answers compute with."""

    is_draft: bool
    max_outputs: int
    max_rows: int
    shares_passes: bool
    least_piece: int
    """A prompt that is not read at once is cut at multiples of it, and ends with no smaller piece."""

    @property
    def mixes_prompts(self) -> bool: ...
    def admit(self, parts: Sequence[PassPart[Any]]) -> list[PassPart[Any]]: ...
    def compute(self, parts: Sequence[PassPart[Any]]) -> None: ...


class PassReport(NamedTuple):
    """The latest pass of an answer's step."""

    n_rows: int
    """Of all steps in it."""
    seconds: float
    n_past: int
    has_prompts: bool


@dataclass(slots=True, eq=False)
class _Wanted:
    context: SharedContext
    part: PassPart[Any]
    cancel: CancelToken
    n_done: int = 0
    is_reading: bool = False
    """A prompt, or whatever else a draft has missed: it may be read in pieces."""
    is_alone: bool = False
    """A picture: in a pass of its own, and whole."""

    @property
    def rest(self) -> PassPart[Any]:
        return self.first(len(self.part.tokens) - self.n_done)

    def first(self, count: int) -> PassPart[Any]:
        model, tokens, n_logits = self.part
        tokens = tokens[self.n_done : self.n_done + count]
        return PassPart(model, tokens, n_logits if self.n_done + count == len(self.part.tokens) else 0)

    def piece(self, most: int, least: int) -> PassPart[Any]:
        """At most `most`, cut at a multiple of `least`, unless too few were left then: the last piece has at least so
        many, and all tokens whose logits are wanted.
        """
        n_left = len(self.part.tokens) - self.n_done
        if self.is_alone:
            return self.rest
        count = max(least, most // least * least)
        if n_left < count + least:
            return self.rest
        if n_left < count + self.part.n_logits:
            count = max(0, n_left - self.part.n_logits) // least * least
        return self.first(count or n_left)


@dataclass(slots=True, eq=False)
class _Answer:
    coroutine: Any
    wanted: _Wanted | None = None
    error: BaseException | None = None
    waits_since: float = 0.0
    elsewhere_s: float = 0.0
    """In which others computed."""
    step_rows: int = 0
    """Of its latest step; 0 before the first."""
    report: PassReport | None = None
    shared_step: bool = False
    """Its latest step was part of a common pass."""


class SlotScheduler:
    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._wall = clock
        self._answers: list[_Answer] = []
        self._hub: Any = None
        self._current: _Answer | None = None
        self._pace = PromptPace(lambda n_rows: self.relative_s(n_rows))
        self.relative_s: Callable[[int], float] = float
        """What a pass of the target over so many rows takes, against others."""

    # Of who starts answers

    @property
    def n_answers(self) -> int:
        return len(self._answers)

    def start(self, work: Callable[[], None]) -> None:
        """It begins with the next round. `work` handles what goes wrong in it."""
        self._answers.append(_Answer(greenlet.greenlet(work)))

    def run_round(self) -> None:
        """Each answer goes on until it needs a pass or ends; then one pass is made. One that is alone needs nobody, and
        goes on until it pauses.
        """
        self._hub = greenlet.getcurrent()
        while ready := [answer for answer in self._answers if answer.wanted is None]:
            for answer in ready:
                self._go_on(answer)
            if len(self._answers) == 1:
                break
        waiting = [answer for answer in self._answers if answer.wanted is not None]
        if waiting:
            self._make_pass(waiting)

    def run(self) -> None:
        """Until all have ended."""
        while self._answers:
            self.run_round()

    # Of answers

    def pause(self) -> None:
        """Lets others begin. Beside others that happens after each pass anyway."""
        if self._current is not None and len(self._answers) == 1:
            self._hub.switch()

    @property
    def is_shared(self) -> bool:
        """The answer that runs now is one of several."""
        return self._current is not None and len(self._answers) > 1

    def wait_for(
        self, context: SharedContext, part: PassPart[Any], cancel: CancelToken, *, alone: bool = False
    ) -> None:
        """For these rows to be computed, in whichever pass, or `alone`."""
        answer = self._current
        assert answer is not None
        is_reading = len(part.tokens) > max(part.n_logits, min(context.max_outputs // 2, context.max_rows))
        answer.wanted = _Wanted(context, part, cancel, is_reading=is_reading or alone, is_alone=alone)
        answer.waits_since = self._wall()
        self._hub.switch()
        error, answer.error = answer.error, None
        if error is not None:
            raise error

    def clock(self) -> float:
        """Without the time in which others computed: of a common pass an answer takes its share."""
        now = self._wall()
        return now if self._current is None else now - self._current.elsewhere_s

    @property
    def n_writing(self) -> int:
        """Answers that share the passes of the one that runs now, itself included."""
        return 1 + sum(1 for answer in self._answers if answer is not self._current and answer.step_rows)

    @property
    def n_rows_of_others(self) -> int:
        return sum(answer.step_rows for answer in self._answers if answer is not self._current)

    def take_report(self) -> tuple[bool, PassReport | None]:
        """Whether the latest step was computed with others; then the pass is reported to one of them."""
        answer = self._current
        if answer is None:
            return False, None
        found = answer.shared_step, answer.report
        answer.shared_step, answer.report = False, None
        return found

    # How

    def _go_on(self, answer: _Answer) -> None:
        self._current = answer
        try:
            answer.coroutine.switch()
        finally:
            self._current = None
            if answer.coroutine.dead:
                self._answers.remove(answer)

    def _make_pass(self, waiting: Sequence[_Answer]) -> None:
        """Of a draft, if any of them waits for one: so all verify together."""
        for answer in waiting:
            if answer.wanted is not None and answer.wanted.cancel.cancelled:
                answer.error, answer.wanted = Cancelled(), None
        wanted = {answer: answer.wanted for answer in waiting if answer.wanted is not None}
        if not wanted:
            return
        n_steps = sum(len(each.rest.tokens) for each in wanted.values() if not each.is_reading)
        context = self._next_context(list(wanted.values()), n_steps)
        here = {answer: each for answer, each in wanted.items() if each.context is context}
        chosen = self._choose(context, here, n_steps)
        taken = _by_answer(chosen, here)
        try:
            taken = _by_answer(context.admit(chosen), here)
            if not taken:
                raise BugError("no answer has room for its tokens")
            started = self._wall()
            context.compute(list(taken.values()))
        except (Cancelled, UserError) as error:
            for answer in taken:
                answer.error, answer.wanted = error, None
            return
        self._record(context, taken, here, self._wall() - started, holds_up=n_steps > 0)

    def _next_context(self, wanted: Sequence[_Wanted], n_steps: int) -> SharedContext:
        """Guesses first. What a draft has missed, it reads by turns with the target's passes."""
        of_draft = [each for each in wanted if each.context.is_draft]
        of_target = [each for each in wanted if not each.context.is_draft]
        if not of_draft or not of_target:
            return wanted[0].context
        draft, target = of_draft[0].context, of_target[0].context
        if not all(each.is_reading for each in of_draft):
            return draft
        return draft if self._room_to_read(draft, n_steps) and self._pace.is_drafts_turn() else target

    def _room_to_read(self, context: SharedContext, n_steps: int, n_here: int = 0) -> int:
        """Tokens of prompts in a pass, while so many rows of steps wait, and so many go with it."""
        if not n_steps:
            return BATCH
        most = self._pace.most_rows(n_steps, context.least_piece, is_draft=context.is_draft, is_mixed=n_here > 0)
        return min(most, BATCH - n_here)

    def _choose(self, context: SharedContext, here: dict[_Answer, _Wanted], n_steps: int) -> list[PassPart[Any]]:
        """All steps for which the pass has room, in turns, and of prompts as much as holds up nobody for long."""
        first_of_all = next(iter(here.values()))
        together = {answer: each for answer, each in here.items() if not each.is_alone}
        if first_of_all.is_alone or not together:
            self._make_last(next(iter(here)))
            return [first_of_all.rest]
        here = together
        steps = [each for each in here.values() if not each.is_reading]
        readers = [each for each in here.values() if each.is_reading]
        if not context.shares_passes:
            room = self._room_to_read(context, n_steps) if readers else 0
            answer, first = next((answer, each) for answer, each in here.items() if room or not each.is_reading)
            self._make_last(answer)
            return [first.piece(room, context.least_piece) if first.is_reading else first.rest]
        self._make_last(next(iter(here)))
        if readers and not context.mixes_prompts and (room := self._room_to_read(context, n_steps)):
            return [readers[0].piece(room, context.least_piece)]
        parts = list[PassPart[Any]]()
        n_rows = n_outputs = 0
        for each in steps:
            part = each.rest
            fits = n_rows + len(part.tokens) <= context.max_rows and n_outputs + part.n_logits <= context.max_outputs
            if fits or not parts:
                parts.append(part)
                n_rows, n_outputs = n_rows + len(part.tokens), n_outputs + part.n_logits
        if readers and context.mixes_prompts:
            room = self._room_to_read(context, n_steps, n_rows)
            for i, each in enumerate(readers):
                part = each.piece(max(1, room // (len(readers) - i)), context.least_piece)
                n_all = n_rows + len(part.tokens)
                if room >= 1 and n_all <= BATCH and n_outputs + part.n_logits <= context.max_outputs:
                    parts.append(part)
                    room, n_rows, n_outputs = room - len(part.tokens), n_all, n_outputs + part.n_logits
        return parts

    def _make_last(self, answer: _Answer) -> None:
        """Whoever is first now is last the next time."""
        self._answers.remove(answer)
        self._answers.append(answer)

    def _record(
        self,
        context: SharedContext,
        taken: dict[_Answer, PassPart[Any]],
        here: dict[_Answer, _Wanted],
        seconds: float,
        *,
        holds_up: bool,
    ) -> None:
        """`holds_up`: there were steps, in this pass or elsewhere."""
        steps = {answer: part for answer, part in taken.items() if not here[answer].is_reading}
        n_step_rows = sum(len(part.tokens) for part in steps.values())
        n_read = sum(len(part.tokens) for part in taken.values()) - n_step_rows
        if not any(here[answer].is_alone for answer in taken):
            self._pace.observe(n_step_rows, n_read, seconds, is_draft=context.is_draft, holds_up=holds_up)
        steps_s = seconds
        if n_read and steps:
            steps_s = min(seconds, self._pace.step_s(n_step_rows, is_draft=context.is_draft) or seconds)
        shares = self._shares(context, [len(part.tokens) for part in steps.values()], steps_s)
        now = self._wall()
        for (answer, part), share in zip(steps.items(), shares, strict=True):
            answer.elsewhere_s += max(0.0, now - answer.waits_since - share)
            if not context.is_draft:
                answer.step_rows, answer.shared_step = len(part.tokens), True
        if steps and not context.is_draft:
            first = next(iter(steps))
            n_past = max(len(part.model.cached) for part in steps.values())
            first.report = PassReport(n_step_rows, seconds, n_past, bool(n_read))
        for answer, part in taken.items():
            each = here[answer]
            each.n_done += len(part.tokens)
            if each.n_done == len(each.part.tokens):
                answer.wanted = None

    def _shares(self, context: SharedContext, rows: Sequence[int], seconds: float) -> Sequence[float]:
        """Of a draft's pass by rows; of the target's, what guesses take longer than plain ones by guesses."""
        total, count = sum(rows), len(rows)
        if not total:
            return []
        if context.is_draft or total == count:
            return [seconds * n / total for n in rows]
        plain = seconds * self.relative_s(count) / self.relative_s(total)
        return [plain / count + (seconds - plain) * (n - 1) / (total - count) for n in rows]


def _by_answer(parts: Sequence[PassPart[Any]], here: dict[_Answer, _Wanted]) -> dict[_Answer, PassPart[Any]]:
    found = {part.model: part for part in parts}
    return {answer: found[each.part.model] for answer, each in here.items() if each.part.model in found}
