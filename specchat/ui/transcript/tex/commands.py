"""Handlers for LaTeX commands that take arguments."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from specchat.ui.transcript.tex import symbols
from specchat.ui.transcript.tex.glyphs import SUB, SUPER, Glyph, GlyphKind, as_script, base_glyphs, group_glyphs
from specchat.ui.transcript.tex.grids import flatten_grid, parse_grid

if TYPE_CHECKING:
    from specchat.ui.transcript.tex.latex_parser import LatexParser

Handler = Callable[["LatexParser", int, str], list[Glyph]]
_AFTER_ELEMENT = re.compile(r"(?<=[A-Za-z)\]])\d+")
_LOOSE = (GlyphKind.BINARY, GlyphKind.RELATION, GlyphKind.FUNCTION, GlyphKind.COMMA)
_SHORT = 3
_ESCAPED = re.compile(r"\\([ %&#_$])")


def _fraction(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    upper, lower = reader.parse_argument(), reader.parse_argument()
    end = reader.last_end
    whole = f"{_text(upper)}/{_text(lower)}"
    if whole in symbols.VULGAR_FRACTIONS:
        return group_glyphs([Glyph(symbols.VULGAR_FRACTIONS[whole], start, end)])
    above, below = _is_sum(upper), not _is_one(lower)
    wide = above or below or max(len(base_glyphs(upper)), len(base_glyphs(lower))) > _SHORT
    between = f"{')' if above else ''}{' / ' if wide else '/'}{'(' if below else ''}"
    parts = enclose_glyphs("(" if above else "", upper, "", start, end)
    behind = parts[-1].end if parts else start
    return group_glyphs(parts + enclose_glyphs(between, lower, ")" if below else "", behind, end))


def _is_sum(glyphs: Sequence[Glyph]) -> bool:
    """Also what a function is of."""
    parts = base_glyphs(glyphs)
    depth = 0
    for number, part in enumerate(parts):
        depth += (part.kind is GlyphKind.OPEN) - (part.kind is GlyphKind.CLOSE)
        if part.kind in _LOOSE and depth <= 0 and (number or part.kind is GlyphKind.FUNCTION) and len(parts) > 1:
            return True
    return False


def _is_one(glyphs: Sequence[Glyph]) -> bool:
    """To the eye: a letter, a number, a differential, or a letter with brackets behind it."""
    parts = base_glyphs(glyphs)
    if len(parts) < 2 or all(part.text.isdigit() for part in parts):
        return True
    if len(parts) == 2 and parts[0].text in ("d", "∂"):
        return True
    if len(parts) == 2 and parts[0].text in "√∛∜":
        return True
    kinds = [part.kind for part in parts]
    return kinds[1] is GlyphKind.OPEN and kinds[-1] is GlyphKind.CLOSE and kinds.count(GlyphKind.OPEN) == 1


def _text(glyphs: Sequence[Glyph]) -> str:
    return "".join(glyph.text for glyph in glyphs)


def enclose_glyphs(before: str, glyphs: Sequence[Glyph], after: str, start: int, end: int) -> list[Glyph]:
    """What is put around them stands for the commands and braces there, or else goes with its neighbour."""
    parts = list(glyphs)
    if not parts:
        return []
    if before and start < parts[0].start:
        parts.insert(0, Glyph(before, start, parts[0].start, GlyphKind.OPEN))
    elif before:
        parts[0] = replace(parts[0], text=before + parts[0].text)
    if after and parts[-1].end < end:
        parts.append(Glyph(after, parts[-1].end, end, GlyphKind.CLOSE))
    elif after:
        parts[-1] = replace(parts[-1], text=parts[-1].text + after)
    return parts


def _root(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    degree = _text(reader.parse_option())
    sign = symbols.ROOTS.get(degree) or "".join(symbols.SUPERSCRIPTS.get(c, c) for c in degree) + "√"
    glyphs = reader.parse_argument()
    if len(base_glyphs(glyphs)) > 1:
        return enclose_glyphs(f"{sign}(", glyphs, ")", start, reader.last_end)
    first, *rest = enclose_glyphs(sign, glyphs, "", start, reader.last_end) or [Glyph(sign, start, reader.last_end)]
    return [replace(first, kind=GlyphKind.ORDINARY), *rest]


def _accent(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    mark = symbols.ACCENTS[name]
    glyphs = reader.parse_argument()
    if name in symbols.SPANNING and len(base_glyphs(glyphs)) > 1:
        return [replace(glyph, text="".join(c + mark for c in glyph.text)) for glyph in glyphs]
    place = next((n for n in reversed(range(len(glyphs))) if glyphs[n].kind is not GlyphKind.SCRIPT), None)
    if place is not None:
        text, begin = glyphs[place].text + mark, glyphs[place].start if place else start
        glyphs[place] = replace(glyphs[place], text=text, start=begin)
    return glyphs


def _words(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    begin, end = reader.skip_argument()
    text = _ESCAPED.sub(r"\1", reader.latex[begin:end]).replace("~", " ").replace("\n", " ")
    kind = GlyphKind.FUNCTION if name == "operatorname" else GlyphKind.ORDINARY
    return [Glyph(text, begin, end, kind, italic=name == "textit", bold=name == "textbf")] if text else []


def _chemistry(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    begin, end = reader.skip_argument()
    text = _AFTER_ELEMENT.sub(lambda found: "".join(symbols.SUBSCRIPTS[c] for c in found[0]), reader.latex[begin:end])
    return [Glyph(text.replace("->", "→").replace("\n", " "), begin, end)] if text else []


def _upright(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    return [replace(glyph, italic=False) for glyph in reader.parse_argument()]


def _bold(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    keep = name != "mathbf"
    return [replace(glyph, bold=True, italic=glyph.italic and keep) for glyph in reader.parse_argument()]


def _alphabet(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    return [
        replace(glyph, text="".join(symbols.alphabet_character(name, c) for c in glyph.text), italic=False)
        for glyph in reader.parse_argument()
    ]


def _binomial(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    upper, lower = reader.parse_argument(), reader.parse_argument()
    return enclose_glyphs("(", as_script(upper, SUPER) + as_script(lower, SUB), ")", start, reader.last_end)


def _over(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    script, base = reader.parse_argument(), reader.parse_argument()
    return [*base, *as_script(script, SUB if name == "underset" else SUPER)]


def _arrow(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    sign = Glyph("←" if "left" in name else "→", start, start + 1 + len(name), GlyphKind.RELATION)
    below = reader.parse_option()
    return [sign, *as_script(reader.parse_argument(), SUPER), *as_script(below, SUB)]


def _negated(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    glyphs = reader.parse_argument()
    return [replace(glyph, text=glyph.text + symbols.ACCENTS["not"], start=start) for glyph in glyphs[:1]] + glyphs[1:]


def _modulo(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    return enclose_glyphs(" (mod ", reader.parse_argument(), ")", start, reader.last_end)


def _tag(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    begin, end = reader.skip_argument()
    return [Glyph(f"\u2003({reader.latex[begin:end].strip()})", begin, end, GlyphKind.SPACE)] if begin < end else []


def _left_out(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    reader.skip_argument()
    return []


def _coloured(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    reader.skip_argument()
    return reader.parse_argument()


def _inside(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    return reader.parse_argument()


def _environment(reader: "LatexParser", start: int, name: str) -> list[Glyph]:
    return flatten_grid(parse_grid(reader, start))


_BY_HANDLER: dict[Handler, str] = {
    _fraction: "frac dfrac tfrac cfrac",
    _root: "sqrt",
    _accent: " ".join(name for name in symbols.ACCENTS if name != "not"),
    _words: "text textrm textsf textup textnormal textbf textit texttt mbox hbox operatorname intertext shortintertext",
    _upright: "mathrm mathsf mathtt mathit",
    _bold: "mathbf boldsymbol bm pmb",
    _alphabet: " ".join(symbols.ALPHABETS),
    _binomial: "binom dbinom tbinom",
    _over: "overset underset stackrel",
    _arrow: "xrightarrow xleftarrow",
    _negated: "not",
    _modulo: "pmod pod",
    _chemistry: "ce",
    _tag: "tag",
    _left_out: "label color hspace vspace end phantom hphantom vphantom ref eqref",
    _coloured: "textcolor colorbox",
    _inside: "boxed fbox overbrace underbrace substack mathstrut mathclap operatornamewithlimits",
    _environment: "begin",
}
HANDLERS: dict[str, Handler] = {name: handler for handler, names in _BY_HANDLER.items() for name in names.split()}
