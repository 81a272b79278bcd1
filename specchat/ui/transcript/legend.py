"""What the colours of tokens mean."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.ui.theme import GRID, Theme
from specchat.ui.transcript.colouring import Owner
from specchat.ui.transcript.ink import Ink
from specchat.ui.transcript.paint_piece import paint_guess

_SWATCH = 4 * GRID
_SAMPLE = "abc"


class ColouringLegend(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("colouringLegend")
        self._ink = Ink(theme)
        self._meanings = (
            (Owner.DRAFT, self.tr("Guess of the draft")),
            (Owner.OTHER, self.tr("Other guess")),
            (Owner.TARGET, self.tr("Target’s own")),
        )
        self.setAccessibleName(self.tr("Meaning of the colours"))
        self.setAccessibleDescription(
            self.tr("Solid underline: guessed by the draft. Dotted: guessed otherwise. None: chosen by the target.")
        )

    def set_theme(self, theme: Theme) -> None:
        self._ink = Ink(theme)
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._ink.small)
        words = sum(metrics.horizontalAdvance(text) for _, text in self._meanings)
        return QSize(words + len(self._meanings) * (_SWATCH + 3 * GRID) - GRID, 3 * GRID)

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._ink.small)
        left = 0
        for whose, text in self._meanings:
            band = QRectF(left, self.height() / 2 - GRID, _SWATCH, 2 * GRID - 2)
            if whose is not Owner.TARGET:
                paint_guess(painter, band, whose, self._ink)
            painter.setPen(self._ink.theme.text)
            painter.drawText(band, Qt.AlignmentFlag.AlignCenter, _SAMPLE)
            left += _SWATCH + GRID
            painter.setPen(self._ink.theme.text_muted)
            width = painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(QRectF(left, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            left += width + 2 * GRID
        painter.end()
