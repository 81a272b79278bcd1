"""Parses LaTeX into glyphs in one pass; anything unknown is shown as written."""

import re
from collections.abc import Collection
from dataclasses import replace

from specchat.ui.transcript.tex import commands, symbols
from specchat.ui.transcript.tex.glyphs import SUB, SUPER, Glyph, GlyphKind, as_script

MAX_DEPTH = 24
"""What is nested deeper is shown as it is written."""
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|\s+|.", re.DOTALL)
_SIGNS = {"-": "−", "*": "∗", "'": "′", "~": " "}
_KINDS = {
    **dict.fromkeys("=<>:≤≥≠≈→←⇒∈", GlyphKind.RELATION),
    **dict.fromkeys("+-*±×÷", GlyphKind.BINARY),
    **dict.fromkeys("([", GlyphKind.OPEN),
    **dict.fromkeys(")]!'", GlyphKind.CLOSE),
    **dict.fromkeys(",;", GlyphKind.COMMA),
    "~": GlyphKind.SPACE,
}
_TABLES = (
    (symbols.LETTERS, GlyphKind.ORDINARY),
    (symbols.ORDINARY, GlyphKind.ORDINARY),
    (symbols.BINARY, GlyphKind.BINARY),
    (symbols.RELATIONS, GlyphKind.RELATION),
    (symbols.LARGE, GlyphKind.FUNCTION),
    (symbols.OPENING, GlyphKind.OPEN),
    (symbols.CLOSING, GlyphKind.CLOSE),
    (symbols.SPACES, GlyphKind.SPACE),
)
_COMMANDS = {name: (text, kind) for table, kind in _TABLES for name, text in table.items()} | {
    "|": ("‖", GlyphKind.ORDINARY),
    "colon": (":", GlyphKind.COMMA),
}


class LatexParser:
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
    def position(self) -> int:
        """Where it begins."""
        return self._tokens[self._at][1] if self._at < len(self._tokens) else len(self.latex)

    @property
    def last_end(self) -> int:
        """Where what was taken last ends."""
        token, start = self._tokens[self._at - 1]
        return start + len(token)

    def next_token(self) -> str:
        token = self.token
        self._at += bool(token)
        return token

    def parse_until(self, ends: Collection[str]) -> list[Glyph]:
        """Up to one of `ends`, which comes next."""
        glyphs: list[Glyph] = []
        while self.token and self.token not in ends:
            if self.token in ("^", "_"):
                glyphs += self._script()
            else:
                glyphs += self.parse_unit()
        return glyphs

    def parse_argument(self) -> list[Glyph]:
        return self.parse_unit() if self.token and self.token not in ("}", "&", "\\\\", "\\end") else []

    def parse_option(self) -> list[Glyph]:
        """What is in square brackets, if that is next."""
        if self.token != "[":
            return []
        self.next_token()
        glyphs = self.parse_until(("]", "}"))
        if self.token == "]":
            self.next_token()
        return glyphs

    def skip_argument(self) -> tuple[int, int]:
        """Where the next argument stands, without its braces."""
        start = self.position
        if self.token != "{":
            return start, start + len(self.next_token())
        self._take_group()
        closed = self.latex[start + 1 : self.last_end].endswith("}")
        return start + 1, self.last_end - closed

    def parse_unit(self) -> list[Glyph]:
        """What a brace or a command or a character stands for."""
        if self._depth >= MAX_DEPTH:
            start = self.position
            self._take_group()
            return [self._as_written(start)]
        self._depth += 1
        glyphs = self._unit()
        self._depth -= 1
        return glyphs

    def _unit(self) -> list[Glyph]:
        start, token = self.position, self.next_token()
        if token == "{":
            glyphs = self.parse_until(("}",))
            if self.token == "}":
                self.next_token()
            return glyphs
        if token == "\\\\":
            return [Glyph("; ", start, start + 2, GlyphKind.SPACE)]
        if token == "&":
            return [Glyph(" ", start, start + 1, GlyphKind.SPACE)]
        if token.startswith("\\") and len(token) > 1:
            return self._command(token[1:].rstrip("*"), start)
        return [self._character(token, start)]

    def _character(self, token: str, start: int) -> Glyph:
        kind = _KINDS.get(token, GlyphKind.ORDINARY)
        if token in ",." and self.latex[start - 1 : start].isdigit() and self.latex[start + 1 : start + 2].isdigit():
            kind = GlyphKind.ORDINARY
        return Glyph(_SIGNS.get(token, token), start, start + 1, kind, italic=token.isalpha() and token.isascii())

    def _command(self, name: str, start: int) -> list[Glyph]:
        end = start + 1 + len(name)
        if name in symbols.INVISIBLE:
            if self.token == ".":  # the delimiter that is none
                self.next_token()
            return []
        if name in _COMMANDS:
            text, kind = _COMMANDS[name]
            return [Glyph(text, start, end, kind, italic=name in symbols.LETTERS)] if text else []
        if name in symbols.FUNCTIONS:
            return [Glyph(name, start, end, GlyphKind.FUNCTION)]
        if handler := commands.HANDLERS.get(name):
            return handler(self, start, name)
        return [self._as_written(start)]

    def _as_written(self, start: int) -> Glyph:
        """What was taken since, with the groups right behind it."""
        while self.token == "{" and self.position == self.last_end:
            self._take_group()
        return Glyph(self.latex[start : self.last_end], start, self.last_end, source=True)

    def _take_group(self) -> None:
        depth = 0
        while token := self.next_token():
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth <= 0:
                break

    def _script(self) -> list[Glyph]:
        start = self.position
        script = SUPER if self.next_token() == "^" else SUB
        glyphs = self.parse_argument()
        if script == SUPER and glyphs and all(glyph.text in "∘′" for glyph in glyphs):
            return [replace(glyph, text="°" if glyph.text == "∘" else "′", kind=GlyphKind.CLOSE) for glyph in glyphs]
        return as_script(glyphs, script) if glyphs else [Glyph(self.latex[start], start, start + 1)]
