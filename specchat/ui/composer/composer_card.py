"""The rounded frame of the composer, which shows the focus, and files dragged over it."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from specchat.ui.widgets.theme_service import current_theme

CORNER = 12


class ComposerCard(QFrame):
    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("composerCard")
        self._is_focused = self._files_above = False

    def set_focused(self, focused: bool) -> None:
        self._is_focused = focused
        self.update()

    def set_files_above(self, above: bool) -> None:
        self._files_above = above
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        marked = self._files_above or self._is_focused
        width = 2 if self._files_above else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().accent if marked else current_theme().line, width))
        painter.setBrush(current_theme().surface)
        edge = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), CORNER, CORNER)
