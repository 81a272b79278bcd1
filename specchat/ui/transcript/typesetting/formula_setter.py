"""Reads LaTeX and sets it in boxes, in one pass."""

import re
from collections.abc import Collection

from PySide6.QtGui import QFontMetricsF, QPainterPath

from specchat.ui.transcript.tex import symbols
from specchat.ui.transcript.tex.latex_reader import LatexReader
from specchat.ui.transcript.typesetting.alphabets import styled_character
from specchat.ui.transcript.typesetting.arrangements import Source, delimiter, on_axis, with_limits, with_scripts
from specchat.ui.transcript.typesetting.atoms import MEDIUM, THICK, THIN, Atom, Kind, Style, set_row
from specchat.ui.transcript.typesetting.boxes import Box, character_box, line_up, space, stretched
from specchat.ui.transcript.typesetting.math_font import EM, math_font
from specchat.ui.widgets.theme import body_font

MAX_DEPTH = 24
_KINDS = {
    **dict.fromkeys("=<>:≤≥≠≈→←↔⇒⇐⇔∈∼", Kind.RELATION),
    **dict.fromkeys("+-*±×÷·∗−", Kind.BINARY),
    **dict.fromkeys("([", Kind.OPEN),
    **dict.fromkeys(")]!?", Kind.CLOSE),
    **dict.fromkeys(",;", Kind.PUNCTUATION),
}
_SIGNS = {"-": "−", "*": "∗", "`": "‘", ":": "∶"}
_TABLES = (
    (symbols.LETTERS, Kind.ORDINARY),
    (symbols.ORDINARY, Kind.ORDINARY),
    (symbols.BINARY, Kind.BINARY),
    (symbols.RELATIONS, Kind.RELATION),
    (symbols.LARGE, Kind.OPERATOR),
    (symbols.OPENING, Kind.OPEN),
    (symbols.CLOSING, Kind.CLOSE),
)
_SYMBOLS = {name: (text, kind) for table, kind in _TABLES for name, text in table.items()} | {
    "|": ("‖", Kind.ORDINARY),
    "colon": (":", Kind.PUNCTUATION),
    "setminus": ("⧵", Kind.BINARY),
    "ldots": ("…", Kind.INNER),
    "dots": ("…", Kind.INNER),
    "cdots": ("⋯", Kind.INNER),
    "ddots": ("⋱", Kind.INNER),
}
_SIDE_LIMITS = "∫∬∭∮∯"
_LIMIT_FUNCTIONS = frozenset(
    ["lim", "limsup", "liminf", "max", "min", "sup", "inf", "argmax", "argmin", "det", "gcd", "Pr"]
)
_WIDTHS = {",": THIN, "thinspace": THIN, ":": MEDIUM, ">": MEDIUM, ";": THICK, "!": -THIN, " ": EM / 4, "space": EM / 4}
_WIDTHS |= {"enspace": EM / 2, "quad": EM, "qquad": 2 * EM, "negthinspace": -THIN, "hfill": EM}
_STYLES = {f"\\{name}style": style for name, style in zip(("display", "text", "script"), Style, strict=False)}
_STYLES["\\scriptscriptstyle"] = Style.SMALLEST
_SWITCHES = {"\\bf": "bold", "\\rm": "", "\\it": "italic", "\\cal": "script"}
_IGNORED = frozenset(
    ["nonumber", "notag", "allowbreak", "nobreak", "relax", "mathstrut", "strut", "displaylimits", "boldmath"]
)
_DELIMITERS = {"<": "⟨", ">": "⟩", ".": "", "\\|": "‖", "\\vert": "|", "\\Vert": "‖", "\\backslash": "\\"}
_ESCAPED = re.compile(r"\\([ %&#_$,{}])")


class UnknownLatexError(Exception):
    """The formula has something that cannot be set."""


class FormulaSetter(LatexReader):
    def __init__(self, latex: str, base: int = 0, depth: int = 0) -> None:
        """`base` is where the LaTeX stands in the formula that it is a part of."""
        super().__init__(latex)
        self._base, self._depth = base, depth
        self.alphabet = "math"

    def read_row(self, ends: Collection[str], style: Style) -> list[Atom]:
        """Reads up to one of `ends`, which comes next."""
        atoms: list[Atom] = []
        alphabet = self.alphabet
        while self.token and self.token not in ends:
            if self.token in _STYLES:
                style = _STYLES[self.next_token()]
            elif self.token in _SWITCHES:
                self.alphabet = _SWITCHES[self.next_token()]
            elif atom := self._atom(style):
                atoms.append(atom)
        self.alphabet = alphabet
        return atoms

    def read_base(self, style: Style) -> Atom:
        """Reads an argument whose kind counts although it may stand in braces."""
        if self.token != "{":
            return Atom(Kind.ORDINARY, self.read_argument(style))
        self.next_token()
        atoms = self.read_row(("}",), style)
        self.expect("}")
        return atoms[0] if len(atoms) == 1 else Atom(Kind.ORDINARY, set_row(atoms, style))

    def read_box(self, ends: Collection[str], style: Style) -> Box:
        return set_row(self.read_row(ends, style), style)

    def read_argument(self, style: Style) -> Box:
        """Reads a group or a single thing."""
        atom = self.read_nucleus(style) if self.token not in ("", "}", "&", "\\\\", "\\end", "^", "_") else None
        if atom is None:
            raise UnknownLatexError("an argument is missing")
        return atom.box

    def read_option(self, style: Style) -> Box | None:
        if self.token != "[":
            return None
        self.next_token()
        box = self.read_box(("]", "}"), style)
        self.expect("]")
        return box

    def read_words(self) -> tuple[str, Source]:
        begin, end = self.skip_argument()
        return self.latex[begin:end], self.place(begin, end)

    def expect(self, token: str) -> None:
        if self.next_token() != token:
            raise UnknownLatexError(f"{token} is missing")

    def place(self, start: int, end: int) -> Source:
        return self._base + start, self._base + end

    def part(self, begin: int, end: int) -> "FormulaSetter":
        """Returns a setter for a part of the LaTeX."""
        return FormulaSetter(self.latex[begin:end], self._base + begin, self._depth + 1)

    def _atom(self, style: Style) -> Atom | None:
        atom = Atom(Kind.ORDINARY, Box()) if self.token in ("^", "_", "'") else self.read_nucleus(style)
        if atom is None or atom.delimiter:
            return atom
        return self._with_scripts(atom, style)

    def _with_scripts(self, atom: Atom, style: Style) -> Atom:
        above = below = None
        primes: list[Box] = []
        while self.token in ("^", "_", "'", "\\limits", "\\nolimits"):
            start, token = self.position, self.next_token()
            if token == "'" or (token == "^" and self.token == "\\prime"):
                self._at += token == "^"
                primes.append(character_box("′", style.scale, self.place(start, self.last_end)))
            elif token.startswith("\\"):
                atom.limits = token == "\\limits"
            elif token == "^" and above is None:
                above = self.read_argument(style.script)
            elif token == "_" and below is None:
                below = self.read_argument(style.script)
            else:
                raise UnknownLatexError("two scripts at one place")
        if primes:
            atom.box = _with_primes(atom.box, primes)
        if above is not None or below is not None:
            arrange = with_limits if atom.limits else with_scripts
            atom.box = arrange(atom.box, above, below, style)
        elif atom.kind is Kind.OPERATOR:
            atom.box.width += atom.box.slant
        return atom

    def read_nucleus(self, style: Style) -> Atom | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnknownLatexError("nested too deeply")
        atom = self._nucleus(style)
        self._depth -= 1
        return atom

    def _nucleus(self, style: Style) -> Atom | None:
        start, token = self.position, self.next_token()
        if token == "{":
            box = self.read_box(("}",), style)
            self.expect("}")
            return Atom(Kind.ORDINARY, box)
        if token in ("}", "&", "\\\\", "#", "$", "%", "\\"):
            raise UnknownLatexError(f"{token} out of place")
        if token == "~":
            return Atom(Kind.SPACE, space(EM / 4))
        if token.startswith("\\"):
            return self._command(token[1:], start, style)
        return self._character(token, start, style)

    def _character(self, token: str, start: int, style: Style) -> Atom:
        kind = _KINDS.get(token, Kind.ORDINARY)
        around = self.latex[start - 1 : start], self.latex[start + 1 : start + 2]
        if token == "," and all(neighbor.isdigit() for neighbor in around):
            kind = Kind.ORDINARY
        sign = _SIGNS.get(token, token)
        if token.isalnum():
            sign = styled_character(self.alphabet, token)
        return Atom(kind, self.symbol(sign, style, self.place(start, start + 1)))

    def symbol(self, sign: str, style: Style, source: Source) -> Box:
        if not math_font().glyph(sign):
            return words_box(sign, style, source)
        return character_box(sign, style.scale, source)

    def _command(self, name: str, start: int, style: Style) -> Atom | None:
        from specchat.ui.transcript.typesetting import constructs

        source = self.place(start, self.last_end)
        if name in _IGNORED:
            return None
        if name in _WIDTHS:
            return Atom(Kind.SPACE, space(_WIDTHS[name] * style.scale))
        if name in symbols.LARGE:
            return self._large(symbols.LARGE[name], style, source)
        if name in _SYMBOLS:
            sign, kind = _SYMBOLS[name]
            if name in symbols.LETTERS or name in symbols.ORDINARY:
                sign = styled_character(self.alphabet, sign)
            if len(sign) > 1:
                return Atom(kind, words_box(sign, style, source))
            return Atom(kind, self.symbol(sign, style, source))
        if name in symbols.FUNCTIONS:
            limits = name in _LIMIT_FUNCTIONS and style is Style.DISPLAY
            return Atom(Kind.OPERATOR, words_box(_FUNCTION_WORDS.get(name, name), style, source), limits)
        if handler := constructs.HANDLERS.get(name.rstrip("*")):
            return handler(self, style, name, source)
        raise UnknownLatexError(name)

    def _large(self, sign: str, style: Style, source: Source) -> Atom:
        size = math_font().constants["DisplayOperatorMinHeight"] * style.scale if style is Style.DISPLAY else 0.0
        box = on_axis(glyph := stretched(sign, size, style.scale, source), style)
        box.slant = glyph.slant
        box.width -= glyph.slant  # the advance of an integral holds its slant, those of letters do not
        box.is_glyph = size == 0.0
        return Atom(Kind.OPERATOR, box, sign not in _SIDE_LIMITS and style is Style.DISPLAY)

    def read_delimiter(self) -> str:
        token = self.next_token()
        if token in _DELIMITERS:
            return _DELIMITERS[token]
        sign = _SYMBOLS.get(token[1:], ("", Kind.ORDINARY))[0] if token.startswith("\\") else token
        if len(sign) != 1 or sign not in "()[]{}|/‖⟨⟩⌊⌋⌈⌉↑↓↕⇑⇓⇕⟦⟧⟮⟯⎰⎱":
            raise UnknownLatexError(f"{token} is no delimiter")
        return sign

    def read_fenced(self, style: Style, source: Source) -> Atom:
        """Reads from behind `left` to `right`, and makes the delimiters as tall as what is between."""
        left = self.read_delimiter()
        atoms = self.read_row(("\\right", "}", "&"), style)
        self.expect("\\right")
        right = self.read_delimiter()
        inside = set_row(atoms, style)
        end = self.place(self.last_end - 1, self.last_end)
        for atom in atoms:
            if atom.delimiter:
                atom.box = delimiter(atom.delimiter, inside.height, inside.depth, style, source)
        return Atom(Kind.INNER, enclosed(left, set_row(atoms, style), right, style, (source, end)))


_FUNCTION_WORDS = {"limsup": "lim sup", "liminf": "lim inf", "argmax": "arg max", "argmin": "arg min"}


def enclosed(left: str, inside: Box, right: str, style: Style, sources: tuple[Source, Source]) -> Box:
    height, depth = inside.height, inside.depth
    return line_up(
        [delimiter(left, height, depth, style, sources[0]), inside, delimiter(right, height, depth, style, sources[1])]
    )


def words_box(words: str, style: Style, source: Source, alphabet: str = "") -> Box:
    """Sets words upright; those with characters that the math font lacks in the font of the text."""
    signs = [styled_character(alphabet, sign) if alphabet else sign for sign in words.replace("\u2009", "\u00a0")]
    if all(map(math_font().glyph, signs)):
        boxes = [character_box(sign, style.scale, source) for sign in signs]
        return line_up(boxes) if boxes else Box()
    text = body_font()
    text.setPixelSize(round(EM))
    path = QPainterPath()
    path.addText(0, 0, text, words)
    ink, scale = path.boundingRect(), style.scale
    advance = QFontMetricsF(text).horizontalAdvance(words)
    return Box(advance * scale, max(0.0, -ink.top() * scale), max(0.0, ink.bottom() * scale), [], path, scale, source)


def text_box(setter: FormulaSetter, begin: int, end: int, style: Style, alphabet: str) -> Box:
    """Sets text in which formulas may stand between dollars."""
    boxes, at = [], begin
    for number, piece in enumerate(re.split(r"(?<!\\)\$", setter.latex[begin:end])):
        if number % 2:
            boxes.append(setter.part(at, at + len(piece)).read_box((), Style(max(style, Style.TEXT))))
        elif piece:
            words = _ESCAPED.sub(r"\1", piece).replace("~", "\u00a0").replace("\n", " ").replace("--", "–")
            if "\\" in words or "{" in words:
                raise UnknownLatexError("a command within text")
            boxes.append(words_box(words, style, setter.place(at, at + len(piece)), alphabet))
        at += len(piece) + 1
    return line_up(boxes) if boxes else Box()


def _with_primes(base: Box, primes: list[Box]) -> Box:
    made = line_up([base, space(base.slant), *primes])
    made.is_glyph = base.is_glyph
    return made
