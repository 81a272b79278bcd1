"""Finds what a grammar leaves no choice about, byte by byte.

JSON may have blanks in many places. There it is taken for granted that the answer goes on as it has begun: with the
blanks that stood between the same two characters the last time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from specchat.domain.errors import SettingError

if TYPE_CHECKING:
    from llguidance import LLMatcher

N_BYTES = 256
"""In the vocabulary of such a grammar; the token behind them ends the text."""
_BLANKS = b" \n\t\r"
_BLANK_BITS = sum(1 << byte for byte in _BLANKS)
_OPENING = b":,[{"
_USUALLY_SPACED = b":,"
_FEW = 24
"""Characters with which a value may begin; in the midst of a text there are more."""
_LOOKED_BACK = 2000
"""Bytes."""
_MOST_S = 0.02
"""Of this thread: a grammar that takes longer is not asked again in this answer."""


class Certainty(float, Enum):
    FORCED = 0.999
    """Nothing else is allowed."""
    AS_BEFORE = 0.985
    """If the blanks are as they were before in this answer."""
    AS_USUAL = 0.93
    """If they are as most have them."""


class Foreseen(NamedTuple):
    text: bytes = b""
    certainties: tuple[Certainty, ...] = ()
    """Of each byte; they never rise."""


class ForcedText:
    """Follows one answer."""

    def __init__(self, compile_bytes: Callable[[], LLMatcher], clock: Callable[[], float] = time.thread_time) -> None:
        """`compile_bytes`: the grammar, for a vocabulary of single bytes; only when it is first needed."""
        self._compile = compile_bytes
        self._clock = clock
        self._matcher: LLMatcher | None = None
        self._said = bytearray()
        self._n_read = 0
        self._is_lost = False

    def add(self, piece: bytes) -> None:
        self._said += piece

    def foresee(self, most: int) -> Foreseen:
        """At most so many bytes, or a few more."""
        if self._is_lost:
            return Foreseen()
        try:
            matcher = self._matcher = self._matcher or self._compile()
        except SettingError:
            self._is_lost = True
            return Foreseen()
        deadline = self._clock() + _MOST_S
        if self._n_read < len(self._said):
            self._is_lost = not matcher.consume_tokens(list(self._said[self._n_read :]))
            self._n_read = len(self._said)
        if self._is_lost:
            return Foreseen()
        foreseen = _Walk(matcher, self._said, lambda: self._clock() < deadline).go(most)
        self._is_lost = self._clock() >= deadline
        return foreseen


class _Walk:
    def __init__(self, matcher: LLMatcher, said: bytearray, has_time: Callable[[], bool]) -> None:
        """`matcher`: where it begins."""
        self._matcher = matcher
        self._has_time = has_time
        self._text = said[-_LOOKED_BACK:]
        self._start = len(self._text)
        self._certainties = list[Certainty]()
        self._certainty = Certainty.FORCED

    def go(self, most: int) -> Foreseen:
        following = self._following()
        if following:
            self._matcher = self._matcher.deep_copy()
        while following and len(self._certainties) < most and self._has_time():
            for byte in following:
                if not self._matcher.consume_token(byte):
                    return self._foreseen()
                self._text.append(byte)
                self._certainties.append(self._certainty)
            following = self._following()
        return self._foreseen()

    def _foreseen(self) -> Foreseen:
        return Foreseen(bytes(self._text[self._start :]), tuple(self._certainties))

    def _following(self) -> bytes:
        """Empty where it cannot be told."""
        allowed = int.from_bytes(self._matcher.compute_bitmask(), "little")
        if allowed >> N_BYTES:
            return b""
        if allowed.bit_count() == 1:
            return _lowest(allowed)
        others = allowed & ~_BLANK_BITS
        if others == allowed or others.bit_count() > _FEW:
            return b""
        return self._with_blanks(_lowest(others) if others.bit_count() == 1 else b"")

    def _with_blanks(self, char: bytes) -> bytes:
        """`char`: what follows them; empty: nobody knows."""
        before = self._text.rstrip(_BLANKS)
        begun = bytes(self._text[len(before) :])
        last = bytes(before[-1:])
        if not last or not (char or last in _OPENING):
            return b""
        blanks = self._blanks_between(last, char)
        return blanks[len(begun) :] + char if blanks.startswith(begun) else b""

    def _blanks_between(self, before: bytes, after: bytes) -> bytes:
        behind = re.escape(after) if after else rb"[^ \n\t\r]"
        places: list[bytes] = re.findall(re.escape(before) + rb"([ \n\t\r]*+)" + behind, self._text)
        self._certainty = min(self._certainty, Certainty.AS_BEFORE if places else Certainty.AS_USUAL)
        if places:
            return places[-1]
        return b" " if before in _USUALLY_SPACED else b""


def _lowest(bits: int) -> bytes:
    return bytes(((bits & -bits).bit_length() - 1,))
