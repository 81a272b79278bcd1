"""Sets matrices, cases, arrays and aligned rows."""

import re
from dataclasses import dataclass
from itertools import pairwise

from specchat.ui.transcript.tex.latex_reader import FENCES
from specchat.ui.transcript.typesetting.arrangements import Source, table
from specchat.ui.transcript.typesetting.atoms import Atom, Kind, Style, set_row
from specchat.ui.transcript.typesetting.boxes import Box
from specchat.ui.transcript.typesetting.formula_setter import FormulaSetter, UnknownLatexError, enclosed
from specchat.ui.transcript.typesetting.math_font import EM

MAX_CELLS = 600
_LEAD = 1.2 * EM
_MATRICES = ("matrix", "smallmatrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix")
_CASES = ("cases", "dcases", "rcases")
_ALIGNED = ("align", "aligned", "alignat", "alignedat", "flalign", "split", "eqnarray")
_ONE_COLUMN = ("gather", "gathered", "multline", "equation", "displaymath", "math")
_BETWEEN_ROWS = re.compile(r"\[\s*-?[\d.]+\s*[a-z]+\s*\]")
_NAMES = {"l": "left", "c": "center", "r": "right"}
_LINES = {"\\hline", "\\toprule", "\\midrule", "\\bottomrule"}


@dataclass(frozen=True, slots=True)
class _Grid:
    rows: list[list[Box]]
    lines: list[int]
    """The rows above which there is a line."""

    @property
    def width(self) -> int:
        return max(map(len, self.rows))


def read_environment(setter: FormulaSetter, style: Style, source: Source) -> Atom:
    words, _ = setter.read_words()
    name = words.rstrip("*")
    if name in _MATRICES:
        box = _matrix(setter, Style.SCRIPT if name == "smallmatrix" else Style(max(style, Style.TEXT)))
    elif name in _CASES:
        box = _cases(setter, Style.DISPLAY if name == "dcases" else Style(max(style, Style.TEXT)))
    elif name in _ALIGNED:
        if name.endswith("at"):
            setter.read_words()
        box = _aligned(setter, style)
    elif name in _ONE_COLUMN:
        box = _table(_read_rows(setter, Style(min(style, Style.DISPLAY))), ["center"], [], style, 1.25 * _LEAD)
    elif name in ("array", "tabular"):
        box = _array(setter, Style(max(style, Style.TEXT)))
    else:
        raise UnknownLatexError(name)
    end_start = setter.position
    setter.expect("\\end")
    if setter.read_words()[0] != words:
        raise UnknownLatexError(f"{words} is not closed")
    if name in FENCES:
        left, right = (sign.strip(".") for sign in (FENCES[name][0], FENCES[name][1]))
        box = enclosed(left, box, right, style, (source, setter.place(end_start, setter.last_end)))
    return Atom(Kind.INNER if name in FENCES else Kind.ORDINARY, box)


def read_stack(setter: FormulaSetter, style: Style) -> Box:
    grid = _read_rows(setter, style, ("}",))
    return _table(grid, ["center"], [], style, 0.8 * _LEAD)


def read_formula(setter: FormulaSetter, style: Style) -> list[Atom]:
    """Reads all of a formula, whose lines become one atom if there are several."""
    atoms = setter.read_row(("\\\\",), style)
    if not setter.token:
        return atoms
    setter.next_token()
    grid = _read_rows(setter, style, ())
    if setter.token or grid.width > 1:
        raise UnknownLatexError("columns without an environment")
    grid.rows.insert(0, [set_row(atoms, style)])
    return [Atom(Kind.ORDINARY, _table(grid, ["center"], [], style, 1.25 * _LEAD))]


def _read_rows(
    setter: FormulaSetter, style: Style, ends: tuple[str, ...] = ("\\end",), *, relations: bool = False
) -> _Grid:
    """Reads rows of cells; with `relations`, every second one begins with what stands at its left."""
    grid = _Grid([[]], [])
    count = 0
    while True:
        while setter.token in _LINES:
            setter.next_token()
            grid.lines.append(len(grid.rows) - 1)
        atoms = setter.read_row(("&", "\\\\", "\\cr", "}", *_LINES, *ends), style)
        if relations and len(grid.rows[-1]) % 2:
            atoms.insert(0, Atom(Kind.ORDINARY, Box()))
        grid.rows[-1].append(set_row(atoms, style))
        count += 1
        if count > MAX_CELLS:
            raise UnknownLatexError("too many cells")
        if setter.token not in ("&", "\\\\", "\\cr"):
            break
        if setter.next_token() != "&":
            if _BETWEEN_ROWS.match(setter.latex, setter.position):
                while setter.next_token() != "]":
                    pass
            grid.rows.append([])
    if len(grid.rows) > 1 and len(grid.rows[-1]) == 1 and not grid.rows[-1][0].parts and not grid.rows[-1][0].width:
        grid.rows.pop()
    return grid


def _table(grid: _Grid, alignments: list[str], gaps: list[float], style: Style, lead: float) -> Box:
    alignments = [alignments[c % len(alignments)] for c in range(grid.width)]
    gaps = [gaps[c % len(gaps)] * style.scale for c in range(grid.width)] if gaps else []
    return table(grid.rows, alignments, gaps, style, lead=lead, lines=((), grid.lines))


def _matrix(setter: FormulaSetter, style: Style) -> Box:
    align = "center"
    if setter.token == "[":
        setter.next_token()
        align = _NAMES.get(setter.next_token(), "center")
        setter.expect("]")
    return _table(_read_rows(setter, style), [align], [EM], style, _LEAD)


def _cases(setter: FormulaSetter, style: Style) -> Box:
    return _table(_read_rows(setter, style), ["left"], [EM], style, 1.2 * _LEAD)


def _aligned(setter: FormulaSetter, style: Style) -> Box:
    if setter.token == "[":
        setter.next_token()
        setter.next_token()
        setter.expect("]")
    grid = _read_rows(setter, style, relations=True)
    return _table(grid, ["right", "left"], [0.0, 2 * EM], style, 1.25 * _LEAD)


def _array(setter: FormulaSetter, style: Style) -> Box:
    columns, _ = setter.read_words()
    columns = columns.replace(" ", "")
    if not columns or columns.strip("lcr|"):
        raise UnknownLatexError(f"columns {columns[:20]}")
    bars = [number - columns[:number].count("|") for number, sign in enumerate(columns) if sign == "|"]
    alignments = [_NAMES[sign] for sign in columns if sign != "|"]
    grid = _read_rows(setter, style)
    alignments += ["center"] * (grid.width - len(alignments))
    gaps = [EM * style.scale for _ in pairwise(alignments)]
    return table(grid.rows, alignments, gaps, style, lead=_LEAD, lines=(bars, grid.lines))
