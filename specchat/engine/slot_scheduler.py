"""Runs several answers in one thread: each runs until it needs a pass, and one pass computes what all of them need.

An answer is a coroutine with its own stack, so any function that it calls can wait. The decoding loop and the drafters
are written as if there were only one answer. While there is only one, it computes immediately.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import greenlet

from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, Cancelled, ComputeError, UserError
from specchat.engine.prompt_pace import PromptPace
from specchat.engine.tokens import Tokens

M = TypeVar("M")


class PassPart(NamedTuple, Generic[M]):
    """One answer's part of a pass: the tokens to append, and how many of the last ones need logits."""

    model: M
    tokens: Tokens
    n_logits: int


class PartError(ComputeError):
    """Only one answer can't go on: those that would share its pass can."""

    def __init__(self, message: str, hint: str, /, *, model: object) -> None:
        super().__init__(message, hint)
        self.model = model


class SharedContext(Protocol):
    """A context that several answers share."""

    is_draft: bool
    max_outputs: int
    max_rows: int
    shares_passes: bool
    least_piece: int
    """A prompt that is read in pieces is cut at multiples of this, and its last piece is at least as large."""

    @property
    def mixes_prompts(self) -> bool: ...
    def admit(self, parts: Sequence[PassPart[Any]]) -> list[PassPart[Any]]:
        """Those that can go into a pass now. Raises a PartError if one of them never can."""

    def compute(self, parts: Sequence[PassPart[Any]]) -> None: ...


class PassReport(NamedTuple):
    """A report of the pass that contained an answer's latest step."""

    n_rows: int
    """The rows of all steps in the pass."""
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
    """Whether the tokens may be read in pieces: a prompt, or tokens that a draft has missed."""
    is_alone: bool = False
    """Whether the tokens are a picture, which is computed whole and in its own pass."""

    @property
    def n_left(self) -> int:
        return len(self.part.tokens) - self.n_done

    @property
    def rest(self) -> PassPart[Any]:
        return self.first(self.n_left)

    def first(self, count: int) -> PassPart[Any]:
        model, tokens, n_logits = self.part
        tokens = tokens[self.n_done : self.n_done + count]
        return PassPart(model, tokens, n_logits if self.n_done + count == len(self.part.tokens) else 0)

    def piece(self, most: int, least: int) -> PassPart[Any]:
        """Returns at most `most` tokens, cut at a multiple of `least`. The last piece has at least `least` tokens, and
        all tokens that need logits.
        """
        n_left = self.n_left
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
    """Seconds in which other answers computed."""
    step_rows: int = 0
    """The rows of the latest step; 0 before the first one."""
    report: PassReport | None = None
    shared_step: bool = False
    """Whether the latest step was part of a shared pass."""


class SlotScheduler:
    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._wall = clock
        self._answers: list[_Answer] = []
        self._hub: Any = None
        self._current: _Answer | None = None
        self._pace = PromptPace(lambda n_rows: self.relative_s(n_rows))
        self.relative_s: Callable[[int], float] = float
        """The relative cost of a target pass over n rows."""
        self.before_pass: Callable[[], None] = lambda: None
        """Called before each pass, when all answers have gone on as far as they can."""

    # For the caller that starts answers

    @property
    def n_answers(self) -> int:
        return len(self._answers)

    def start(self, work: Callable[[], None]) -> None:
        """Starts an answer with the next round. `work` handles its own errors."""
        self._answers.append(_Answer(greenlet.greenlet(work)))

    def run_round(self) -> None:
        """Runs each answer until it needs a pass or ends, and then makes one pass. An answer that is alone runs until
        it pauses.
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
        """Runs until all answers have ended."""
        while self._answers:
            self.run_round()

    # For the answers

    def pause(self) -> None:
        """Lets other answers begin. With several answers, this happens after each pass anyway."""
        if self._current is not None and len(self._answers) == 1:
            self._hub.switch()

    @property
    def is_shared(self) -> bool:
        """Whether the answer that runs now is one of several."""
        return self._current is not None and len(self._answers) > 1

    def wait_for(
        self, context: SharedContext, part: PassPart[Any], cancel: CancelToken, *, alone: bool = False
    ) -> None:
        """Waits until these rows have been computed in one or more passes, or in their own pass if `alone`."""
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
        """The time without that of other answers: an answer is charged only its share of a shared pass."""
        now = self._wall()
        return now if self._current is None else now - self._current.elsewhere_s

    @property
    def n_writing(self) -> int:
        """The number of answers that share passes with the one that runs now, including itself."""
        return 1 + sum(1 for answer in self._answers if answer is not self._current and answer.step_rows)

    @property
    def n_rows_of_others(self) -> int:
        return sum(answer.step_rows for answer in self._answers if answer is not self._current)

    def take_report(self) -> tuple[bool, PassReport | None]:
        """Returns whether the latest step was part of a shared pass, and its report, which only one answer gets."""
        answer = self._current
        if answer is None:
            return False, None
        found = answer.shared_step, answer.report
        answer.shared_step, answer.report = False, None
        return found

    # Implementation

    def _go_on(self, answer: _Answer) -> None:
        self._current = answer
        try:
            answer.coroutine.switch()
        finally:
            self._current = None
            if answer.coroutine.dead:
                self._answers.remove(answer)

    def _make_pass(self, waiting: Sequence[_Answer]) -> None:
        """Makes a pass of the draft if an answer waits for it, so that all answers verify together."""
        for answer in waiting:
            if answer.wanted is not None and answer.wanted.cancel.cancelled:
                answer.error, answer.wanted = Cancelled(), None
        wanted = {answer: answer.wanted for answer in waiting if answer.wanted is not None}
        if not wanted:
            return
        n_steps = sum(each.n_left for each in wanted.values() if not each.is_reading)
        context = self._next_context(list(wanted.values()), n_steps)
        here = {answer: each for answer, each in wanted.items() if each.context is context}
        chosen = self._choose(context, here, n_steps)
        taken = _by_answer(chosen, here)
        try:
            taken = _by_answer(context.admit(chosen), here)
            if not taken:
                raise BugError("no answer has room for its tokens")
            self.before_pass()
            started = self._wall()
            context.compute(list(taken.values()))
        except (Cancelled, UserError) as error:
            for answer, part in taken.items():
                if not isinstance(error, PartError) or error.model is part.model:
                    answer.error, answer.wanted = error, None
            return
        self._record(context, taken, here, self._wall() - started, holds_up=n_steps > 0)

    def _next_context(self, wanted: Sequence[_Wanted], n_steps: int) -> SharedContext:
        """Guesses come first. If the draft only reads missed tokens, its passes take turns with the target's."""
        of_draft = [each for each in wanted if each.context.is_draft]
        of_target = [each for each in wanted if not each.context.is_draft]
        if not of_draft or not of_target:
            return wanted[0].context
        draft, target = of_draft[0].context, of_target[0].context
        if not all(each.is_reading for each in of_draft):
            return draft
        return draft if self._room_to_read(draft, n_steps, of_draft) and self._pace.is_drafts_turn() else target

    def _room_to_read(self, context: SharedContext, n_steps: int, readers: Sequence[_Wanted], n_here: int = 0) -> int:
        """The room for prompt tokens in a pass, while `n_steps` rows of steps wait, `n_here` of them in this pass."""
        if not n_steps:
            return BATCH
        prompts = [len(each.part.tokens) for each in readers]
        least, is_draft = context.least_piece, context.is_draft
        most = self._pace.most_rows(n_steps, prompts, least, is_draft=is_draft, is_mixed=n_here > 0)
        return min(most, BATCH - n_here)

    def _choose(self, context: SharedContext, here: dict[_Answer, _Wanted], n_steps: int) -> list[PassPart[Any]]:
        """Chooses all steps that the pass has room for, in turns, and as much of the prompts as `PromptPace` allows."""
        answer, first = next(iter(here.items()))
        if first.is_alone:
            self._make_last(answer)
            return [first.rest]
        here = {answer: each for answer, each in here.items() if not each.is_alone}
        steps = [each for each in here.values() if not each.is_reading]
        readers = [each for each in here.values() if each.is_reading]
        if not context.shares_passes:
            room = self._room_to_read(context, n_steps, readers[:1]) if readers else 0
            answer, first = next((answer, each) for answer, each in here.items() if room or not each.is_reading)
            self._make_last(answer)
            return [first.piece(room, context.least_piece) if first.is_reading else first.rest]
        self._make_last(next(iter(here)))
        if readers and not context.mixes_prompts and (room := self._room_to_read(context, n_steps, readers[:1])):
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
            room = self._room_to_read(context, n_steps, readers, n_rows)
            for each in sorted(readers, key=lambda reader: reader.n_left):
                part = each.piece(max(1, room), context.least_piece)
                n_all = n_rows + len(part.tokens)
                if room >= 1 and n_all <= BATCH and n_outputs + part.n_logits <= context.max_outputs:
                    parts.append(part)
                    room, n_rows, n_outputs = room - len(part.tokens), n_all, n_outputs + part.n_logits
        return parts

    def _make_last(self, answer: _Answer) -> None:
        """Moves an answer to the end of the queue."""
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
        """`holds_up`: there were steps, in this pass or waiting for another one."""
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
        """Divides the time of a draft pass by rows. In a target pass, only the additional time depends on guesses."""
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
