"""Answers in OpenAI's shapes: a chat's message and a completion's text, whole or in pieces."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Protocol

from specchat.domain.types import TokenChance, TokenLogprobs, ToolCall
from specchat.server.answer import Piece

Choice = Mapping[str, object]


class Form(Protocol):
    id_prefix: str
    name: str
    piece_name: str

    def opening(self) -> Choice | None:
        """Before the first piece."""

    def piece(self, piece: Piece) -> Choice: ...
    def whole(self, piece: Piece) -> Choice: ...


class ChatForm:
    id_prefix, name, piece_name = "chatcmpl-", "chat.completion", "chat.completion.chunk"

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def opening(self) -> Choice:
        return {"delta": {"role": "assistant", "content": ""}}

    def piece(self, piece: Piece) -> Choice:
        delta: dict[str, object] = {"content": piece.text} if piece.text else {}
        if piece.calls:
            delta["tool_calls"] = [{"index": n} | _call(call) for n, call in enumerate(piece.calls, piece.n_calls)]
        return {"delta": delta, "logprobs": self._chances(piece) if piece.logprobs else None}

    def whole(self, piece: Piece) -> Choice:
        message: dict[str, object] = {"role": "assistant", "content": piece.text, "refusal": None}
        if piece.calls:
            message |= {"content": piece.text or None, "tool_calls": list(map(_call, piece.calls))}
        return {"message": message, "logprobs": self._chances(piece)}

    def _chances(self, piece: Piece) -> Choice | None:
        if not self._logprobs:
            return None
        content = [_chance(each.chosen) | {"top_logprobs": list(map(_chance, each.best))} for each in piece.logprobs]
        return {"content": content, "refusal": None}


class TextForm:
    id_prefix, name, piece_name = "cmpl-", "text_completion", "text_completion"

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def opening(self) -> None:
        return None

    def piece(self, piece: Piece) -> Choice:
        return self.whole(piece)

    def whole(self, piece: Piece) -> Choice:
        return {"text": piece.text, "logprobs": _columns(piece.logprobs, piece.offset) if self._logprobs else None}


def _columns(logprobs: Sequence[TokenLogprobs], offset: int) -> Choice:
    tokens = [_text(each.chosen) for each in logprobs]
    return {
        "tokens": tokens,
        "token_logprobs": [each.chosen.logprob for each in logprobs],
        "top_logprobs": [{_text(chance): chance.logprob for chance in each.best} for each in logprobs],
        "text_offset": list(accumulate(map(len, tokens[:-1]), initial=offset)) if tokens else [],
    }


def _chance(chance: TokenChance) -> dict[str, object]:
    return {"token": _text(chance), "logprob": chance.logprob, "bytes": list(chance.piece)}


def _text(chance: TokenChance) -> str:
    return chance.piece.decode("utf-8", "replace")


def _call(call: ToolCall) -> dict[str, object]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
