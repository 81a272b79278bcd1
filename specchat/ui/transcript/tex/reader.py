"""Reads LaTeX into glyphs, once from left to right. Nothing is an error: what is unknown is shown as it is written."""

import re
from collections.abc import Collection
from dataclasses import replace

from specchat.ui.transcript.tex import commands, symbols
from specchat.ui.transcript.tex.glyphs import SUB, SUPER, Glyph, Kind, as_script

DEEPEST = 24
"""What is nested deeper is shown as it is written."""
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|\s+|.", re.DOTALL)
_SIGNS = {"-": "−", "*": "∗", "'": "′", "~": " "}
_KINDS = {
    **dict.fromkeys("=<>:≤≥≠≈→←⇒∈", Kind.RELATION),
    **dict.fromkeys("+-*±×÷", Kind.BINARY),
    **dict.fromkeys("([", Kind.OPEN),
    **dict.fromkeys(")]!'", Kind.CLOSE),
    **dict.fromkeys(",;", Kind.COMMA),
    "~": Kind.SPACE,
}
_TABLES = (
    (symbols.LETTERS, Kind.ORDINARY),
    (symbols.ORDINARY, Kind.ORDINARY),
    (symbols.BINARY, Kind.BINARY),
    (symbols.RELATIONS, Kind.RELATION),
    (symbols.LARGE, Kind.FUNCTION),
    (symbols.OPENING, Kind.OPEN),
    (symbols.CLOSING, Kind.CLOSE),
    (symbols.SPACES, Kind.SPACE),
)
_COMMANDS = {name: (text, kind) for table, kind in _TABLES for name, text in table.items()} | {
    "|": ("‖", Kind.ORDINARY),
    "colon": (":", Kind.COMMA),
}


class Reader:
    def __init__(self, latex: str) -> None:
        self.latex = latex
        self._tokens = [(found[0], found.start()) for found in _TOKEN.finditer(latex) if not found[0].isspace()]
        self._at = 0
        self._depth = 0

    @property
    def token(self) -> str:
        """The next one; empty at the end."""
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    @property
    def place(self) -> int:
        """Where it begins."""
        return self._tokens[self._at][1] if self._at < len(self._tokens) else len(self.latex)

    @property
    def behind(self) -> int:
        """Where what was taken last ends."""
        token, start = self._tokens[self._at - 1]
        return start + len(token)

    def take(self) -> str:
        token = self.token
        self._at += bool(token)
        return token

    def until(self, ends: Collection[str]) -> list[Glyph]:
        """Up to one of `ends`, which comes next."""
        glyphs: list[Glyph] = []
        while self.token and self.token not in ends:
            if self.token in ("^", "_"):
                glyphs += self._script()
            else:
                glyphs += self.unit()
        return glyphs

    def argument(self) -> list[Glyph]:
        return self.unit() if self.token and self.token not in ("}", "&", "\\\\", "\\end") else []

    def option(self) -> list[Glyph]:
        """What is in square brackets, if that is next."""
        if self.token != "[":
            return []
        self.take()
        glyphs = self.until(("]", "}"))
        if self.token == "]":
            self.take()
        return glyphs

    def raw(self) -> tuple[int, int]:
        """Where the next argument stands, without its braces."""
        start = self.place
        if self.token != "{":
            return start, start + len(self.take())
        self._take_group()
        closed = self.latex[start + 1 : self.behind].endswith("}")
        return start + 1, self.behind - closed

    def unit(self) -> list[Glyph]:
        """What a brace or a command or a character stands for."""
        if self._depth >= DEEPEST:
            start = self.place
            self._take_group()
            return [self._as_written(start)]
        self._depth += 1
        glyphs = self._unit()
        self._depth -= 1
        return glyphs

    def _unit(self) -> list[Glyph]:
        start, token = self.place, self.take()
        if token == "{":
            glyphs = self.until(("}",))
            if self.token == "}":
                self.take()
            return glyphs
        if token == "\\\\":
            return [Glyph("; ", start, start + 2, Kind.SPACE)]
        if token == "&":
            return [Glyph(" ", start, start + 1, Kind.SPACE)]
        if token.startswith("\\") and len(token) > 1:
            return self._command(token[1:].rstrip("*"), start)
        return [self._character(token, start)]

    def _character(self, token: str, start: int) -> Glyph:
        kind = _KINDS.get(token, Kind.ORDINARY)
        if token in ",." and self.latex[start - 1 : start].isdigit() and self.latex[start + 1 : start + 2].isdigit():
            kind = Kind.ORDINARY
        return Glyph(_SIGNS.get(token, token), start, start + 1, kind, italic=token.isalpha() and token.isascii())

    def _command(self, name: str, start: int) -> list[Glyph]:
        end = start + 1 + len(name)
        if name in symbols.UNSEEN:
            if self.token == ".":  # the delimiter that is none
                self.take()
            return []
        if name in _COMMANDS:
            text, kind = _COMMANDS[name]
            return [Glyph(text, start, end, kind, italic=name in symbols.LETTERS)] if text else []
        if name in symbols.FUNCTIONS:
            return [Glyph(name, start, end, Kind.FUNCTION)]
        if handler := commands.HANDLERS.get(name):
            return handler(self, start, name)
        return [self._as_written(start)]

    def _as_written(self, start: int) -> Glyph:
        """What was taken since, with the groups right behind it."""
        while self.token == "{" and self.place == self.behind:
            self._take_group()
        return Glyph(self.latex[start : self.behind], start, self.behind, source=True)

    def _take_group(self) -> None:
        depth = 0
        while token := self.take():
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth <= 0:
                break

    def _script(self) -> list[Glyph]:
        start = self.place
        script = SUPER if self.take() == "^" else SUB
        glyphs = self.argument()
        if script == SUPER and glyphs and all(glyph.text in "∘′" for glyph in glyphs):
            return [replace(glyph, text="°" if glyph.text == "∘" else "′", kind=Kind.CLOSE) for glyph in glyphs]
        return as_script(glyphs, script) if glyphs else [Glyph(self.latex[start], start, start + 1)]
