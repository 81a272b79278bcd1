"""Finds text for which a grammar leaves no choice, byte by byte.

JSON may have blanks in many places. There, the answer is assumed to continue as it began, with the same blanks as last
time between the same two characters.
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
"""The number of byte tokens in the vocabulary of such a grammar. The token after them ends the text."""
_BLANKS = b" \n\t\r"
_BLANK_BITS = sum(1 << byte for byte in _BLANKS)
_OPENING = b":,[{"
_USUALLY_SPACED = b":,"
_FEW = 24
"""The maximum number of characters that may begin a value; within a text, there are more."""
_LOOKED_BACK = 2000
"""The number of bytes of the answer to search for blanks."""
_MOST_S = 0.02
"""The CPU time limit of this thread. A grammar that takes longer is not used again in this answer."""


class Certainty(float, Enum):
    FORCED = 0.999
    """The grammar allows nothing else."""
    AS_BEFORE = 0.985
    """Right if the blanks are the same as before in this answer."""
    AS_USUAL = 0.93
    """Right if the blanks are the most common ones."""


class Foreseen(NamedTuple):
    text: bytes = b""
    certainties: tuple[Certainty, ...] = ()
    """The certainty of each byte, which never increases."""


class ForcedText:
    """Follows the text of one answer."""

    def __init__(self, compile_bytes: Callable[[], LLMatcher], clock: Callable[[], float] = time.thread_time) -> None:
        """`compile_bytes`: compiles the grammar for a vocabulary of single bytes; called when it is first needed."""
        self._compile = compile_bytes
        self._clock = clock
        self._matcher: LLMatcher | None = None
        self._said = bytearray()
        self._n_read = 0
        self._is_lost = False

    def add(self, piece: bytes) -> None:
        self._said += piece

    def foresee(self, most: int) -> Foreseen:
        """Returns at most about `most` bytes."""
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
        """`matcher`: its state is the starting point."""
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
        """Returns the next bytes. Empty if there is a choice."""
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
        """`char`: the character after the blanks; empty if unknown."""
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
