"""Builds an answer from the engine's events while it is generated."""

import codecs
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from specchat.domain.types import (
    NO_TOKEN,
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    PromptProgress,
    TokenEvent,
    TokenLogprobs,
    ToolCall,
)


@dataclass(frozen=True, slots=True)
class PositionedLogprobs:
    """Of one token."""

    logprobs: TokenLogprobs
    offset: int
    """The characters of the tokens before it."""


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """The text and tokens that one step added."""

    text: str = ""
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    logprobs: tuple[PositionedLogprobs, ...] = ()
    n_calls: int = 0
    """The calls before it."""
    tokens: tuple[int, ...] = ()
    """Those of its text, with any before it that had none."""

    def __bool__(self) -> bool:
        return bool(self.text or self.thought or self.calls or self.logprobs)


class AnswerBuilder:
    def __init__(self, *, in_step: bool) -> None:
        """`in_step`: what is told of tokens comes with their text, and not at all if the text does not."""
        self.origins: Counter[str] = Counter()
        self._in_step = in_step
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._held: deque[PositionedLogprobs] = deque()
        self._length = self._n_told = self._n_calls = 0
        self._ends: list[GenerationFinished] = []
        self._tokens: list[int] = []
        self.prompt = PromptProgress(0, 0)

    @property
    def end(self) -> GenerationFinished:
        return self._ends[-1]

    @property
    def finish_reason(self) -> str:
        if self.end.reason is not FinishReason.STOP:
            return "length"
        return "tool_calls" if self._n_calls else "stop"

    def add_step(self, step: Sequence[GenerationEvent]) -> AnswerDelta:
        if isinstance(step[-1], PromptProgress):
            self.prompt = step[-1]
        written = [event for event in step if not isinstance(event, PromptProgress)]
        tokens = [event for event in written if isinstance(event, TokenEvent)]
        text, calls = "".join(event.text for event in written), tuple(call for event in written for call in event.calls)
        self.origins.update(token.origin for token in tokens)
        self._ends += [event for event in written if isinstance(event, GenerationFinished)]
        self._n_told += len(text)
        self._hold(token.logprobs for token in tokens)
        self._tokens += [token.token for token in tokens if token.token != NO_TOKEN]
        piece = AnswerDelta(text, "".join(event.thought for event in written), calls, self._chances(), self._n_calls)
        self._n_calls += len(calls)
        return replace(piece, tokens=self.take_tokens()) if piece else piece

    def take_tokens(self) -> tuple[int, ...]:
        """Those that no piece had so far."""
        tokens, self._tokens = tuple(self._tokens), []
        return tokens

    def _hold(self, logprobs: Iterable[TokenLogprobs | None]) -> None:
        for each in logprobs:
            if each is not None and each.chosen.piece:
                self._held.append(PositionedLogprobs(each, self._length))
                self._length += len(self._decoder.decode(each.chosen.piece))

    def _chances(self) -> tuple[PositionedLogprobs, ...]:
        logprobs: list[PositionedLogprobs] = []
        while self._held and (not self._in_step or self._held[0].offset < self._n_told):
            logprobs.append(self._held.popleft())
        return tuple(logprobs)


def join_deltas(pieces: Sequence[AnswerDelta]) -> AnswerDelta:
    return AnswerDelta(
        "".join(piece.text for piece in pieces),
        "".join(piece.thought for piece in pieces),
        tuple(call for piece in pieces for call in piece.calls),
        tuple(chances for piece in pieces for chances in piece.logprobs),
        tokens=tuple(token for piece in pieces for token in piece.tokens),
    )
