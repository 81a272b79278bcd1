"""Parses LaTeX into glyphs in one pass; anything unknown is shown as written."""

from collections.abc import Collection
from dataclasses import replace

from specchat.ui.transcript.tex import commands, symbols
from specchat.ui.transcript.tex.glyphs import SUB, SUPER, Glyph, GlyphKind, as_script
from specchat.ui.transcript.tex.latex_reader import LatexReader

MAX_DEPTH = 24
"""The deepest nesting; anything deeper is shown as written."""
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


class LatexParser(LatexReader):
    def __init__(self, latex: str) -> None:
        super().__init__(latex)
        self._depth = 0

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

    def parse_unit(self) -> list[Glyph]:
        """What a brace or a command or a character stands for."""
        if self._depth >= MAX_DEPTH:
            start = self.position
            self.take_group()
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
            self.take_group()
        return Glyph(self.latex[start : self.last_end], start, self.last_end, source=True)

    def _script(self) -> list[Glyph]:
        start = self.position
        script = SUPER if self.next_token() == "^" else SUB
        glyphs = self.parse_argument()
        if script == SUPER and glyphs and all(glyph.text in "∘′" for glyph in glyphs):
            return [replace(glyph, text="°" if glyph.text == "∘" else "′", kind=GlyphKind.CLOSE) for glyph in glyphs]
        return as_script(glyphs, script) if glyphs else [Glyph(self.latex[start], start, start + 1)]
