"""Shortens the results of tools to what the context has room for."""

import re
from collections.abc import Sequence

from specchat.domain.conversations import StoredMessage
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import Role
from specchat.services.chat.token_estimate import estimate_tokens

_FOR_THE_TURN = 0.75
"""Of the context; the rest is for the system prompt, the tools and the answer."""
_AT_LEAST = 1 / 16
"""Of the context."""
_NOTE = re.compile(r"\n\[(\d{1,3}(?:,\d{3}){0,3}) more characters left out\]\Z")


def fit_result(text: str, above: Sequence[StoredMessage], n_ctx: int) -> str:
    """A result may fill half of what those above it leave of the context. `n_ctx`: 0 if it is not known."""
    if not n_ctx:
        return text
    left = _FOR_THE_TURN * n_ctx - sum(map(_size, _turn(above)))
    room = max(left / 2, _AT_LEAST * n_ctx)
    n_tokens = estimate_tokens(text)
    return text if n_tokens <= room else _shorten(text, int(len(text) * room / n_tokens))


def _turn(path: Sequence[StoredMessage]) -> Sequence[StoredMessage]:
    """From the last question on: older turns can be left out."""
    asked = max((at for at, each in enumerate(path) if each.role is Role.USER), default=0)
    return path[asked:]


def _size(message: StoredMessage) -> int:
    return sum(map(estimate_tokens, (message.text, *(each.text for each in message.attachments))))


def _shorten(text: str, most: int) -> str:
    """The note counts what was left out before, too."""
    note = _NOTE.search(text)
    whole, n_before = (text[: note.start()], int(note[1].replace(",", ""))) if note else (text, 0)
    left_out = len(whole) - most + n_before
    return f"{whole[:most]}\n[{group_digits(left_out)} more characters left out]"
