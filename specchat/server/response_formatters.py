"""Formats answers as OpenAI's chat messages and text completions, whole or in chunks."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from specchat.domain.types import ScoredToken, ToolCall
from specchat.server.answer_builder import AnswerDelta, PositionedLogprobs

Choice = Mapping[str, object]


class ResponseFormatter(Protocol):
    id_prefix: str
    name: str
    piece_name: str
    has_offsets: bool

    def format_opening(self) -> Choice | None:
        """Before the first piece."""

    def format_delta(self, piece: AnswerDelta) -> Choice: ...
    def format_full(self, piece: AnswerDelta) -> Choice: ...


class ChatFormatter:
    id_prefix, name, piece_name = "chatcmpl-", "chat.completion", "chat.completion.chunk"
    has_offsets = False

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def format_opening(self) -> Choice:
        return {"delta": {"role": "assistant", "content": ""}}

    def format_delta(self, piece: AnswerDelta) -> Choice:
        delta: dict[str, object] = {"content": piece.text} if piece.text else {}
        if piece.thought:
            delta["reasoning_content"] = piece.thought
        if piece.calls:
            delta["tool_calls"] = [{"index": n} | _call(call) for n, call in enumerate(piece.calls, piece.n_calls)]
        return {"delta": delta, "logprobs": self._chances(piece) if piece.logprobs else None}

    def format_full(self, piece: AnswerDelta) -> Choice:
        message: dict[str, object] = {"role": "assistant", "content": piece.text, "refusal": None}
        if piece.thought:
            message["reasoning_content"] = piece.thought
        if piece.calls:
            message |= {"content": piece.text or None, "tool_calls": list(map(_call, piece.calls))}
        return {"message": message, "logprobs": self._chances(piece)}

    def _chances(self, piece: AnswerDelta) -> Choice | None:
        if not self._logprobs:
            return None
        tokens = [each.logprobs for each in piece.logprobs]
        content = [
            describe_token(each.chosen) | {"top_logprobs": list(map(describe_token, each.best))} for each in tokens
        ]
        return {"content": content, "refusal": None}


class CompletionFormatter:
    id_prefix, name, piece_name = "cmpl-", "text_completion", "text_completion"
    has_offsets = True

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def format_opening(self) -> None:
        return None

    def format_delta(self, piece: AnswerDelta) -> Choice:
        return self.format_full(piece)

    def format_full(self, piece: AnswerDelta) -> Choice:
        return {"text": piece.text, "logprobs": _columns(piece.logprobs) if self._logprobs else None}


def _columns(chances: Sequence[PositionedLogprobs]) -> Choice:
    tokens = [each.logprobs for each in chances]
    return {
        "tokens": [_label(token.chosen) for token in tokens],
        "token_logprobs": [token.chosen.logprob for token in tokens],
        "top_logprobs": [{_label(each): each.logprob for each in token.best if each.piece} for token in tokens],
        "text_offset": [each.offset for each in chances],
    }


def describe_token(chance: ScoredToken) -> dict[str, object]:
    return {"token": _text(chance), "logprob": chance.logprob, "bytes": list(chance.piece)}


def _text(chance: ScoredToken) -> str:
    return chance.piece.decode("utf-8", "replace")


def _label(chance: ScoredToken) -> str:
    """A part of a character is written as its bytes, as OpenAI does: all of them would look the same otherwise."""
    try:
        return chance.piece.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in chance.piece)


def _call(call: ToolCall) -> dict[str, object]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
