"""Wraps an answer at words while it is written to a terminal."""

import re
import sys
import unicodedata
from collections.abc import Callable

from specchat.cli.output import stream_columns

_TAB = 8
_BLANKS = " \t"
_ANYWHERE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
)
"""Writing without spaces between words, such as Chinese, Japanese or Thai: terminals break it well by themselves."""
_PIECES = re.compile(rf"\n|[ \t]+|[{_ANYWHERE}]|[^ \t\n{_ANYWHERE}]+")
_IS_COMPLETE = re.compile(rf"[\n{_ANYWHERE}]")
_IN_WORD = re.compile(rf"[^ \t\n{_ANYWHERE}]*")
_LEAST_HELD = 20
"""Columns. What begins a code block is complete in them, however narrow the terminal is."""
_FENCE = re.compile(r"`{3,}|~{3,}")
_VERBATIM = "    ", "\t", "|", ">"
"""How lines of indented code, tables and quotes begin."""
_ITEM = re.compile(r"[-*+•]|\d{1,9}[.)]")
"""How an item of a list begins. It may be indented as far as code."""


def terminal_columns() -> int:
    """0: unknown."""
    return stream_columns(sys.stdout)


class WordWrap:
    """The word that is not complete yet is held back while it can still begin a line; nothing is written twice.
    Code, tables and quotes stay as they are, because a line break would change them.
    """

    def __init__(self, columns: Callable[[], int] = terminal_columns) -> None:
        """`columns`: asked for each word, as the terminal may be resized."""
        self._columns = columns
        self._held = ""
        """Blanks and a part of a word."""
        self._is_in_word = False
        """The beginning of a word that is longer than a line has been written."""
        self._column = 0
        self._is_first = True
        """No word has been written in this line."""
        self._is_verbatim = False
        self._indent = 0
        """Columns before the text of the current item of a list."""
        self._fence = ""
        """What the current code block began with."""

    def add(self, text: str) -> str:
        """Returns what can be written now."""
        begun = self._go_on(text)
        pieces = _PIECES.findall(self._held + text[len(begun) :])
        last = "" if not pieces or _IS_COMPLETE.match(pieces[-1]) else pieces.pop()
        written, gap = [begun], ""
        for piece in pieces:
            if piece == "\n":
                written.append(self._line_end(gap))
            elif piece[0] in _BLANKS:  # an ideographic or no-break space is written as words are
                gap = piece
                continue
            else:
                written.append(self._word(gap, piece))
            gap = ""
        self._held = gap + last
        if self._is_verbatim and not self._is_first:
            written.append(self.rest())
        elif _width(self._held.lstrip(_BLANKS)) > max(self._columns(), _LEAST_HELD):
            self._is_in_word = True
            written.append(self.rest())
        return "".join(written)

    def rest(self) -> str:
        """Returns what is held back."""
        held, self._held = self._held, ""
        word = held.lstrip(_BLANKS)
        gap = held.removesuffix(word)
        if word:
            return self._word(gap, word)
        self._advance(gap)
        return gap

    def _go_on(self, text: str) -> str:
        """Returns what belongs to the word that has begun."""
        found = _IN_WORD.match(text) if self._is_in_word else None
        if found is None:
            return ""
        word = found[0]
        self._is_in_word = word == text
        self._advance(word)
        return word

    def _line_end(self, blanks: str) -> str:
        kept = blanks if self._is_verbatim else ""
        self._column, self._is_first, self._is_verbatim = 0, True, bool(self._fence)
        return f"{kept}\n"

    def _word(self, gap: str, word: str) -> str:
        if self._is_first:
            self._begin_line(gap, word)
        can_break = not (self._is_first or self._is_verbatim or _IS_COMPLETE.match(word))
        self._is_first = False
        if can_break and self._column + _width(gap + word) > self._columns() >= self._indent + _width(word):
            self._column = self._indent
            self._advance(word)
            return f"\n{' ' * self._indent}{word}"
        self._advance(gap + word)
        return gap + word

    def _begin_line(self, gap: str, word: str) -> None:
        fence, is_item = _FENCE.match(word), _ITEM.fullmatch(word) is not None
        indent = _width(f"{gap}{word} ") if is_item else 0
        self._indent = indent if 2 * indent <= self._columns() else 0
        self._is_verbatim = bool(fence or self._fence) or (not is_item and (gap + word).startswith(_VERBATIM))
        if self._fence and fence and fence[0] == word and word.startswith(self._fence):
            self._fence = ""
        elif fence and not self._fence and not gap.startswith(_VERBATIM):
            self._fence = fence[0]

    def _advance(self, text: str) -> None:
        """As the terminal does, which breaks what is longer than a line anywhere."""
        columns = self._columns()
        for character in text:
            width = _TAB - self._column % _TAB if character == "\t" else _character_width(character)
            if columns and self._column + width > columns:
                self._column = 0
            self._column += width


def _width(text: str) -> int:
    return sum(_TAB if character == "\t" else _character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
