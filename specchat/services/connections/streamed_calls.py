"""Puts the calls of tools together that an engine streams in pieces, in the ways in which engines do."""

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from specchat.domain.types import ToolCall
from specchat.services.connections.reported_figures import read_count, read_object, read_text

MOST_CALLS = 128


@dataclass(slots=True)
class _GrowingCall:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class StreamedCalls:
    def __init__(self) -> None:
        self._calls: list[_GrowingCall] = []
        self._at: dict[int, _GrowingCall] = {}
        """By the engine's numbers."""

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, piece: Mapping[str, object]) -> int:
        """Returns how much longer it makes them, in characters."""
        function = read_object(piece.get("function"))
        name, number = read_text(function.get("name")), read_text(piece.get("id"))
        call = self._call_for(read_count(piece.get("index"), MOST_CALLS), number, name)
        call.id, call.name = number or call.id, name or call.name
        call.arguments.append(_arguments(function.get("arguments")))
        return 1 + len(call.arguments[-1])

    def finished(self, *, is_cut: bool) -> tuple[ToolCall, ...]:
        """`is_cut`: the answer ended at its limit, perhaps amid the last call."""
        named = [call for call in self._calls if call.name]
        calls = [
            ToolCall(call.id or f"call_{secrets.token_hex(8)}", call.name, "".join(call.arguments) or "{}")
            for call in named
        ]
        return tuple(call for call in calls if not is_cut or _is_whole(call.arguments))

    def _call_for(self, index: int | None, number: str, name: str) -> _GrowingCall:
        """Some engines give all calls the same index, and some give none."""
        known = self._at.get(index) if index is not None else next(iter(self._calls[-1:]), None)
        is_another = known is not None and bool(known.id and number and known.id != number)
        if known is None or is_another or (index is None and name):
            known = _GrowingCall()
            self._calls.append(known)
        if index is not None:
            self._at[index] = known
        return known


def _arguments(value: object) -> str:
    """Some send an object in place of its text."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else read_text(value)


def _is_whole(arguments: str) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(arguments)
        return True
    return False
