"""The legend of the token colours."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.ui.transcript.row_painter import paint_guess_highlight
from specchat.ui.transcript.text_formats import TextFormats
from specchat.ui.transcript.token_marks import OriginKind
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text

_SWATCH = 4 * GRID
_BAND = 2 * GRID - 2
_LINE = 2
"""Below a band."""
_APART = 2 * GRID
_SAMPLE = "abc"


class ColouringLegend(QWidget):
    """The legend takes one line, or two where it has less room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("colouringLegend")
        self.setAccessibleName(self.tr("Color legend"))
        follow_theme(self._apply_theme)
        self.set_other_drafter("")

    def set_other_drafter(self, drafter: str) -> None:
        """Names who guesses besides the draft; empty means earlier text."""
        other = self.tr("From {drafter}").format(drafter=drafter) if drafter else self.tr("From earlier text")
        self._meanings = (
            (OriginKind.DRAFT, self.tr("From the draft")),
            (OriginKind.OTHER, other),
            (OriginKind.TARGET, self.tr("From the target")),
            (OriginKind.USER, self.tr("From you")),
        )
        dotted = drafter or self.tr("earlier text")
        self.setAccessibleDescription(
            self.tr(
                "Solid underline: guessed by the draft. Dotted: guessed from {other}. "
                "No underline: chosen by the target. Gray: written by you."
            ).format(other=dotted)
        )
        self.setToolTip(tooltip_text(self.accessibleDescription()))
        self.updateGeometry()
        self.update()

    def _apply_theme(self) -> None:
        self._formats = TextFormats(current_theme())

    def sizeHint(self) -> QSize:
        return QSize(_line_width(self._widths()), 3 * GRID)

    def minimumSizeHint(self) -> QSize:
        widths = self._widths()
        lines = ((widths[:at], widths[at:]) for at in range(1, len(widths)))
        return QSize(min(max(map(_line_width, both)) for both in lines), 3 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._formats.small)
        for (whose, text), area in zip(self._meanings, self._areas(), strict=True):
            self._paint_meaning(painter, area, whose, text)

    def _paint_meaning(self, painter: QPainter, area: QRect, whose: OriginKind, text: str) -> None:
        height = min(_BAND, area.height() - 2 * _LINE)
        band = QRectF(area.left(), area.top() + (area.height() - height - _LINE) / 2, _SWATCH, height)
        if whose is not OriginKind.TARGET:
            paint_guess_highlight(painter, band, whose, self._formats)
        painter.setPen(self._formats.theme.text)
        painter.drawText(band, Qt.AlignmentFlag.AlignCenter, _SAMPLE)
        painter.setPen(self._formats.theme.text_muted)
        words = area.adjusted(_SWATCH + GRID, 0, 1, 0)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)

    def _areas(self) -> Iterator[QRect]:
        """Yields the places of the meanings; the second line takes what the first has no room for."""
        lines = 1 if self.sizeHint().width() <= self.width() else 2
        height = self.height() // lines
        left = top = 0
        for width in self._widths():
            if left + width > self.width() and top == 0 and lines == 2:
                left, top = 0, height
            yield QRect(left, top, min(width, self.width() - left), height)
            left += width + _APART

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(self._formats.small)
        return [_SWATCH + GRID + metrics.horizontalAdvance(text) for _, text in self._meanings]


def _line_width(widths: Sequence[int]) -> int:
    return sum(widths) + (len(widths) - 1) * _APART
