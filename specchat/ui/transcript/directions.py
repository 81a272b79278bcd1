"""Sets the direction of each line, and with it the side of its bars and markers."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine
from specchat.ui.widgets.text_direction import is_right_to_left


def set_directions(lines: Iterable[RenderedLine], around: bool = False) -> None:
    """Code, rules and what has no letter stand where the line before them does, if they are in the same item or quote.

    Formulas and what is in them run from left to right everywhere. `around`: the list that begins with the first line.
    """
    path, before = "", around
    for is_table, group in groupby(lines, _is_in_table):
        if is_table:
            cells = list(group)
            _direct_table(cells, inherited=before and bool(path) and cells[0].path.startswith(path))
            continue
        for line in group:
            path = path or (line.path[:1] if around else "")
            own = None if line.kind is LineKind.CODE else _own_direction(line)
            inherits = bool(path) and line.path.startswith(path)
            line.right_to_left = not line.in_formula and (inherits and before if own is None else own)
            if line.kind not in (LineKind.CELL, LineKind.FILLER):
                path, before = line.path, line.right_to_left


def _is_in_table(line: RenderedLine) -> bool:
    return line.kind is LineKind.CELL and not line.in_formula


def _direct_table(cells: Sequence[RenderedLine], *, inherited: bool) -> None:
    """The first letter decides for the table; in one that runs from right to left all stands at the right."""
    own = [_own_direction(cell) for cell in cells]
    whole = next((direction for direction in own if direction is not None), inherited)
    for cell, direction in zip(cells, own, strict=True):
        cell.right_to_left, cell.mirrored = whole if direction is None else direction, whole
        if whole and not cell.right_to_left:
            cell.align = cell.align or "right"


def _own_direction(line: RenderedLine) -> bool | None:
    """A word of code or a formula in front does not make it another language."""
    words = "".join(line.run_text(run) for run in line.runs if not (run.style.code or run.formula))
    direction = is_right_to_left(words)
    return is_right_to_left(line.text) if direction is None else direction
