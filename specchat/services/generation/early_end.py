"""Ends an answer before the model does, when its time is up or a block of code ends."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from threading import Timer

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, TimeLimits
from specchat.domain.types import FinishReason, GenerationEvent, GenerationFinished, PromptProgress, TokenEvent
from specchat.engine.typical_times import MedianWindow

Generate = Callable[[CancelToken], Generator[GenerationEvent, None, None]]


def generate_until_end(
    task: CompletionTask,
    generate: Generate,
    cancel: CancelToken,
    usual_pass_s: Callable[[], float] = lambda: 0.0,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[GenerationEvent, None, None]:
    """Stops the answer with a separate token, so that it ends like an answer that has reached its maximum length.
    `usual_pass_s`: how long a pass without guesses currently takes; 0: unknown.
    """
    own = CancelToken()
    block = IndentedBlock(task.min_indent)
    deadlines = _Deadlines(own, task.limits, usual_pass_s, clock)
    with cancel.listening(own.cancel), deadlines, closing(generate(own)) as events:
        for event in deadlines.watch(events):
            if not isinstance(event, PromptProgress):
                deadlines.begin_answer()
                text = block.push(event.text, is_last=isinstance(event, GenerationFinished))
                event = event if text == event.text else replace(event, text=text)
                if block.has_ended:
                    own.cancel()
            if isinstance(event, GenerationFinished) and own.cancelled and not cancel.cancelled:
                reason = FinishReason.STOP if block.has_ended else FinishReason.LENGTH
                event = replace(event, reason=reason)
            yield event


class _Deadlines:
    """Time limits for the prompt and the answer. They can cancel in the middle of a pass, unless other answers share
    it, and let no step begin that would take too long.
    """

    def __init__(
        self,
        cancel: CancelToken,
        limits: TimeLimits,
        usual_pass_s: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        self._cancel = cancel
        self._limits = limits
        self._usual_pass_s = usual_pass_s
        self._clock = clock
        self._steps = MedianWindow()
        """What the latest ones of this answer took, with all that they waited for."""
        self._is_answering = False
        self._ends_at: float | None = None
        self._timer: Timer | None = None

    def __enter__(self) -> "_Deadlines":
        self._start(self._limits.prompt_s)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def begin_answer(self) -> None:
        if not self._is_answering:
            self._is_answering = True
            self._stop()
            self._start(self._limits.answer_s)

    def watch(self, events: Iterator[GenerationEvent]) -> Iterator[GenerationEvent]:
        if self._limits.answer_s is None:
            yield from events
            return
        asked_at, is_new_step = self._clock(), True
        for event in events:
            if isinstance(event, TokenEvent):
                if is_new_step and self._is_answering:
                    self._steps.add(self._clock() - asked_at)
                is_new_step = event.step is not None
            yield event
            asked_at = self._clock()
            if is_new_step and self._is_answering and self._ends_before(asked_at + self._next_step_s()):
                self._cancel.cancel()

    def _ends_before(self, moment: float) -> bool:
        return self._ends_at is not None and self._ends_at < moment

    def _next_step_s(self) -> float:
        return self._steps.median if len(self._steps) else self._usual_pass_s()

    def _start(self, seconds: float | None) -> None:
        if seconds is not None:
            self._ends_at = self._clock() + seconds
            self._timer = Timer(seconds, self._cancel.cancel)
            self._timer.daemon = True
            self._timer.start()

    def _stop(self) -> None:
        self._ends_at = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None


class IndentedBlock:
    """Passes text up to a line with less indentation than the block. The first line continues an existing one."""

    def __init__(self, indent: int) -> None:
        self._indent = indent
        self._held: str | None = None
        """A line break and the spaces after it, held back until it is clear whether the block continues."""
        self.has_ended = False

    def push(self, text: str, *, is_last: bool = False) -> str:
        if not self._indent:
            return text
        shown = "".join(map(self._char, text))
        if is_last and self._held is not None and not self.has_ended:
            shown, self._held = shown + self._held, None
        return shown

    def _char(self, char: str) -> str:
        if self.has_ended:
            return ""
        if char == "\n":
            shown, self._held = self._held or "", "\n"
            return shown
        if self._held is None:
            return char
        if char in " \t":
            self._held += char
            return ""
        self.has_ended = len(self._held) - 1 < self._indent
        shown, self._held = ("" if self.has_ended else self._held + char), None
        return shown
