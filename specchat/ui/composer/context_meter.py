"""The meter that shows how full the context is."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from specchat.ui.composer.context_details import ContextDetails
from specchat.ui.composer.context_text import ContextText
from specchat.ui.composer.context_usage import ContextUsage, FillLevel
from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_BAR = 6 * GRID
_SHORTEST_BAR = 2 * GRID
_THICKNESS = 4
_HOVER_MS = 250


class ContextMeter(QAbstractButton):
    """How full the context is; what is in it shows on hover, and stays after a click."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("contextMeter")
        self.setAccessibleName(self.tr("Context"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._words = ContextText(self)
        self._use: ContextUsage | None = None
        self._is_brief = False
        self._details: ContextDetails | None = None
        self._hover = QTimer(self)
        self._hover.setSingleShot(True)
        self._hover.setInterval(_HOVER_MS)
        self._hover.timeout.connect(self._show_details)
        self.clicked.connect(self._keep_or_close)
        follow_theme(self._apply_theme)
        self.hide()

    def set_usage(self, use: ContextUsage | None) -> None:
        self._use = use
        self.setAccessibleDescription(self._words.description(use) if use else "")
        self.setVisible(use is not None)
        self._measure_again()

    def set_brief(self, wanted: bool) -> None:
        """Shows its state alone, or the figure without words, if it hasn't room for more."""
        if wanted != self._is_brief:
            self._is_brief = wanted
            self._measure_again()

    def _apply_theme(self) -> None:
        self._figures = tabular_figures(body_font(SMALL_PX))
        self._measure_again()

    def _measure_again(self) -> None:
        self.updateGeometry()
        self.update()
        if self._shown is not None:
            self._show_details(stays=self._shown.is_pinned)

    def sizeHint(self) -> QSize:
        return QSize(self._wordy_width(self._use) + _BAR + GRID if self._use else 0, 4 * GRID)

    def minimumSizeHint(self) -> QSize:
        if self._use is None:
            return QSize(0, 4 * GRID)
        if not self._is_brief:
            return QSize(self._wordy_width(self._use), 4 * GRID)
        words = self._words.state_label(self._use) or self._words.widest_brief_figure(self._use)
        return QSize(self._width(words) + 2 * GRID, 4 * GRID)

    def _wordy_width(self, use: ContextUsage) -> int:
        words = self._width(self._words.state_label(use))
        return self._figure_width(use) + (words + GRID if words else 0) + 2 * GRID

    def _figure_width(self, use: ContextUsage) -> int:
        """Of the longest figure there can be: the bar does not move."""
        return self._width(self._words.widest_figure(use))

    def _width(self, text: str) -> int:
        return QFontMetrics(self._figures).horizontalAdvance(text)

    def _colour(self, fill: FillLevel) -> QColor:
        return {
            FillLevel.ROOMY: current_theme().text_muted,
            FillLevel.NEARLY_FULL: current_theme().warning,
            FillLevel.SHORTENED: current_theme().warning,
            FillLevel.TOO_LONG: current_theme().danger,
        }[fill]

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._use is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._figures)
        self._paint_ground(painter)
        colour = self._colour(self._use.fill)
        painter.setPen(colour)
        inside = self.rect().adjusted(GRID, 0, -GRID, 0)
        if self.width() < self._wordy_width(self._use):
            brief = self._words.state_label(self._use) or self._words.brief_figure(self._use)
            painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, brief)
            return
        figure = self._words.usage_figure(self._use)
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure)
        inside.setRight(inside.right() - self._figure_width(self._use) - GRID)
        if state := self._words.state_label(self._use):
            painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, state)
            inside.setLeft(inside.left() + self._width(state) + GRID)
        if inside.width() >= _SHORTEST_BAR:
            self._paint_bar(painter, inside, self._use.share, colour)

    def _paint_ground(self, painter: QPainter) -> None:
        painter.setBrush(current_theme().hover if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.setPen(current_theme().accent if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), RADIUS - 2, RADIUS - 2)

    def _paint_bar(self, painter: QPainter, area: QRect, share: float, colour: QColor) -> None:
        bar = QRectF(area.left(), area.center().y() - _THICKNESS / 2 + 1, area.width(), _THICKNESS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().line)
        painter.drawRoundedRect(bar, _THICKNESS / 2, _THICKNESS / 2)
        bar.setWidth(max(bar.width() * min(share, 1.0), _THICKNESS))
        painter.setBrush(colour)
        painter.drawRoundedRect(bar, _THICKNESS / 2, _THICKNESS / 2)

    @property
    def _shown(self) -> ContextDetails | None:
        return self._details if self._details is not None and self._details.isVisible() else None

    def _show_details(self, *, stays: bool = False) -> None:
        self._close_details()
        if self._use is not None:
            self._details = ContextDetails(self._use, self._words, self, stays=stays)
            self._details.show_above()

    def _close_details(self) -> None:
        self._hover.stop()
        if self._details is not None:
            self._details.hide()
            self._details.deleteLater()
            self._details = None

    def _keep_or_close(self) -> None:
        if self._shown is not None and self._shown.is_pinned:
            self._close_details()
        else:
            self._show_details(stays=True)

    def enterEvent(self, event: QEnterEvent) -> None:
        if self._shown is None:
            self._hover.start()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover.stop()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._shown is not None:
            self._close_details()
        else:
            super().keyPressEvent(event)
