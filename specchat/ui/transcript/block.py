"""One block of a message: its place in the source, its lines, and the document that shows them near the screen."""

import math
from collections.abc import Callable, Iterator
from enum import Enum, auto
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextDocument

from specchat.ui.transcript.colouring import Marks, Owner
from specchat.ui.transcript.document import new_document, write
from specchat.ui.transcript.geometry import Geometry
from specchat.ui.transcript.ink import CODE_ROW, ROW, Ink
from specchat.ui.transcript.lines import Kind, Line, Run
from specchat.ui.transcript.markdown import References
from specchat.ui.transcript.program import CODE_FOOT, CODE_HEAD, Program
from specchat.ui.transcript.render import markdown_lines, plain_lines
from specchat.ui.transcript.shapes import Shapes, shapes
from specchat.ui.widgets.theme import GRID

_CHARACTERS = 70
Tints = tuple[tuple[QRectF, Owner], ...]


class BlockKind(Enum):
    PROSE = auto()
    HEADING = auto()
    ITEM = auto()
    """Of a list."""
    CODE = auto()
    PLAIN = auto()
    """Shown as it is written."""


class Block:
    """From `start` to `end` of the text: the end moves while the block grows."""

    def __init__(self, kind: BlockKind, start: int, end: int, number: int | None = None) -> None:
        """`number`: of an item in a numbered list."""
        self.kind, self.start, self.end, self.number = kind, start, end, number
        self.right_to_left = False
        """The list around an item without a letter."""
        self.height = _guessed_height(kind, end - start)
        self.exact = False
        """Whether the height is known, not guessed."""
        self.lines: tuple[Line, ...] = ()
        self.shapes = Shapes()
        self.geometry: Geometry | None = None
        self._program: Program | None = None
        self._read: tuple[int, bool] | None = None
        self.document: QTextDocument | None = None
        """Only near the screen."""
        self._shown: tuple[Line, ...] = ()
        self._tints: dict[int, Tints] = {}
        self._code: dict[int, tuple[QRectF, ...]] = {}
        self._boxes: dict[int, tuple[QRectF, ...]] = {}

    def begins_like(self, other: "Block") -> bool:
        return (self.kind, self.start, self.number) == (other.kind, other.start, other.number)

    def assign(self, end: int, *, right_to_left: bool) -> None:
        """The same block, grown."""
        if (end, right_to_left) != (self.end, self.right_to_left):
            self.end, self.right_to_left, self.exact = end, right_to_left, False

    def read(self, text: str, references: References) -> tuple[Line, ...]:
        if self._read != (self.end, self.right_to_left):
            self.lines = self._render(text[self.start : self.end], references)
            self._read = (self.end, self.right_to_left)
        return self.lines

    def _render(self, source: str, references: References) -> tuple[Line, ...]:
        if self.kind is BlockKind.PLAIN:
            return plain_lines(source, self.start)
        if self.kind is BlockKind.CODE:
            self._program = self._program or Program()
            return tuple(self._program.lines(source, self.start))
        in_list = self.kind is BlockKind.ITEM
        return markdown_lines(source, self.start, references, self.number, in_list, self.right_to_left)

    def lay_out(self, text: str, references: References, width: int, ink: Ink) -> None:
        lines = self.read(text, references)
        if self.document is None:
            self.document, self._shown = new_document(ink), ()
            self.document.setTextWidth(width)
        if lines is not self._shown:
            first = write(self.document, lines, self._shown, ink)
            self._shown = lines
            self._forget_from(first)
        if self.document.textWidth() != width:
            self.document.setTextWidth(width)
            self._forget_from(0)
        self._measure(width)

    def _measure(self, width: int) -> None:
        assert self.document is not None
        self.geometry = Geometry(self.document, self.lines)
        self.shapes = shapes(self.geometry, self.lines, width)
        foot = CODE_FOOT if self.lines[-1].kind is Kind.CODE else 0
        self.height = self.lines[0].above + math.ceil(self.document.size().height()) + foot
        self.exact = True

    def shrink(self) -> int:
        """No wider than the text needs."""
        assert self.document is not None
        width = math.ceil(self.document.idealWidth()) + 1
        self.document.setTextWidth(width)
        self._measure(width)
        return width

    def release(self) -> None:
        self.document = self.geometry = None
        self._shown = ()
        self._forget_from(0)

    def restyle(self) -> None:
        """The marks or the theme are others."""
        self._forget_from(0)

    @property
    def live(self) -> bool:
        return self.document is not None

    @property
    def origin(self) -> QPointF:
        """Of the document within the block: Qt leaves out the space above the first block."""
        return QPointF(0, self.lines[0].above if self.lines else 0)

    def below(self, start: int, end: int) -> int:
        """How far down it shows the source from `start` to `end`."""
        assert self.geometry is not None
        for number, line in enumerate(self.lines):
            if shown := line.shown(start, end):
                for band in self.geometry.bands(number, *shown):
                    return round(self.origin.y() + band.top())
        return 0

    def tints(self, number: int, marks: Marks) -> Tints:
        """What accepted guesses cover on a line."""
        if number not in self._tints:
            assert self.geometry is not None
            self._tints[number] = tuple(
                (band, whose)
                for start, end, whose in marks.guessed(self.lines[number])
                for band in self.geometry.bands(number, start, end, blank_ends=False)
            )
        return self._tints[number]

    def code_spans(self, number: int) -> tuple[QRectF, ...]:
        """What inline code covers on a line."""
        if number not in self._code:
            self._code[number] = tuple(self._spans(number, lambda run: run.style.code))
        return self._code[number]

    def boxes(self, number: int) -> tuple[QRectF, ...]:
        """What is boxed on a line."""
        if number not in self._boxes:
            self._boxes[number] = tuple(self._spans(number, lambda run: run.style.boxed))
        return self._boxes[number]

    def _spans(self, number: int, wanted: Callable[[Run], bool]) -> Iterator[QRectF]:
        assert self.geometry is not None
        for found, runs in groupby(self.lines[number].runs, wanted):
            if found:
                alike = list(runs)
                yield from self.geometry.bands(number, alike[0].start, alike[-1].end)

    def _forget_from(self, first: int) -> None:
        """Of lines that come later the place may have changed."""
        for cache in (self._tints, self._code, self._boxes):
            for number in [number for number in cache if number >= first]:
                del cache[number]


def _guessed_height(kind: BlockKind, size: int) -> int:
    if kind is BlockKind.CODE:
        return CODE_HEAD + CODE_FOOT + CODE_ROW * (1 + size // 40)
    return ROW * (1 + size // _CHARACTERS) + (GRID if kind is BlockKind.PROSE else 0)
