"""Builds the text to copy from displayed lines, with each formula as its whole source."""

import re
from collections.abc import Iterator

from specchat.ui.transcript.rendered_lines import RenderedLine

_QUOTED = re.compile(r"\n[ \t]*(?:>[ \t]?)+")


class CopyTextBuilder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._formula: tuple[int, int] | None = None
        """The last one."""

    def has_copied(self, line: RenderedLine) -> bool:
        """Whether all of it belongs to a formula that has been copied."""
        return line.in_formula and all(run.formula == self._formula for run in line.runs)

    def line_text(self, line: RenderedLine, start: int, end: int) -> str:
        return "".join(self._parts(line, start, end))

    def _parts(self, line: RenderedLine, start: int, end: int) -> Iterator[str]:
        for run in line.runs:
            shown = line.text[max(start, run.start) : min(end, run.end)]
            if not shown or run.formula is None:
                yield shown
            elif run.formula != self._formula:
                self._formula = run.formula
                yield _QUOTED.sub("\n", self._source[slice(*run.formula)])
