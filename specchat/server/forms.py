"""Answers in OpenAI's shapes: a chat's message and a completion's text, whole or in pieces."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from specchat.domain.types import TokenChance, ToolCall
from specchat.server.answer import Chances, Piece

Choice = Mapping[str, object]


class Form(Protocol):
    id_prefix: str
    name: str
    piece_name: str
    tells_offsets: bool

    def opening(self) -> Choice | None:
        """Before the first piece."""

    def piece(self, piece: Piece) -> Choice: ...
    def whole(self, piece: Piece) -> Choice: ...


class ChatForm:
    id_prefix, name, piece_name = "chatcmpl-", "chat.completion", "chat.completion.chunk"
    tells_offsets = False

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def opening(self) -> Choice:
        return {"delta": {"role": "assistant", "content": ""}}

    def piece(self, piece: Piece) -> Choice:
        delta: dict[str, object] = {"content": piece.text} if piece.text else {}
        if piece.thought:
            delta["reasoning_content"] = piece.thought
        if piece.calls:
            delta["tool_calls"] = [{"index": n} | _call(call) for n, call in enumerate(piece.calls, piece.n_calls)]
        return {"delta": delta, "logprobs": self._chances(piece) if piece.chances else None}

    def whole(self, piece: Piece) -> Choice:
        message: dict[str, object] = {"role": "assistant", "content": piece.text, "refusal": None}
        if piece.thought:
            message["reasoning_content"] = piece.thought
        if piece.calls:
            message |= {"content": piece.text or None, "tool_calls": list(map(_call, piece.calls))}
        return {"message": message, "logprobs": self._chances(piece)}

    def _chances(self, piece: Piece) -> Choice | None:
        if not self._logprobs:
            return None
        tokens = [each.logprobs for each in piece.chances]
        content = [_chance(each.chosen) | {"top_logprobs": list(map(_chance, each.best))} for each in tokens]
        return {"content": content, "refusal": None}


class TextForm:
    id_prefix, name, piece_name = "cmpl-", "text_completion", "text_completion"
    tells_offsets = True

    def __init__(self, *, logprobs: bool) -> None:
        self._logprobs = logprobs

    def opening(self) -> None:
        return None

    def piece(self, piece: Piece) -> Choice:
        return self.whole(piece)

    def whole(self, piece: Piece) -> Choice:
        return {"text": piece.text, "logprobs": _columns(piece.chances) if self._logprobs else None}


def _columns(chances: Sequence[Chances]) -> Choice:
    tokens = [each.logprobs for each in chances]
    return {
        "tokens": [_label(token.chosen) for token in tokens],
        "token_logprobs": [token.chosen.logprob for token in tokens],
        "top_logprobs": [{_label(each): each.logprob for each in token.best if each.piece} for token in tokens],
        "text_offset": [each.offset for each in chances],
    }


def _chance(chance: TokenChance) -> dict[str, object]:
    return {"token": _text(chance), "logprob": chance.logprob, "bytes": list(chance.piece)}


def _text(chance: TokenChance) -> str:
    return chance.piece.decode("utf-8", "replace")


def _label(chance: TokenChance) -> str:
    """A part of a character is written as its bytes, as OpenAI does: all of them would look the same otherwise."""
    try:
        return chance.piece.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in chance.piece)


def _call(call: ToolCall) -> dict[str, object]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
