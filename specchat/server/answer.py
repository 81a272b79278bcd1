"""An answer while it is written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.types import Event, Finished, FinishReason, PromptProgress, TokenEvent, TokenLogprobs, ToolCall


@dataclass(frozen=True, slots=True)
class Piece:
    """What one step added."""

    text: str
    calls: tuple[ToolCall, ...]
    logprobs: tuple[TokenLogprobs, ...]
    offset: int = 0
    """The characters before it."""
    n_calls: int = 0
    """The calls before it."""

    def __bool__(self) -> bool:
        return bool(self.text or self.calls or self.logprobs)


class Answer:
    def __init__(self) -> None:
        self.origins: Counter[str] = Counter()
        self._pieces: list[Piece] = []
        self._length = self._n_calls = 0
        self._ends: list[Finished] = []

    @property
    def end(self) -> Finished:
        return self._ends[-1]

    @property
    def whole(self) -> Piece:
        pieces = self._pieces
        return Piece(
            "".join(piece.text for piece in pieces),
            tuple(call for piece in pieces for call in piece.calls),
            tuple(logprobs for piece in pieces for logprobs in piece.logprobs),
        )

    @property
    def finish_reason(self) -> str:
        if self._n_calls:
            return "tool_calls"
        return "stop" if self.end.reason is FinishReason.STOP else "length"

    def add(self, step: Sequence[Event]) -> Piece:
        written = [event for event in step if not isinstance(event, PromptProgress)]
        tokens = [event for event in written if isinstance(event, TokenEvent)]
        piece = Piece(
            "".join(event.text for event in written),
            tuple(call for event in written for call in event.calls),
            tuple(token.logprobs for token in tokens if token.logprobs is not None and token.logprobs.chosen.piece),
            self._length,
            self._n_calls,
        )
        self.origins.update(token.origin for token in tokens)
        self._ends += [event for event in written if isinstance(event, Finished)]
        self._length += len(piece.text)
        self._n_calls += len(piece.calls)
        self._pieces.append(piece)
        return piece
