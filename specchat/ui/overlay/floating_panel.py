"""A panel that floats over a part of the window and is moved by mouse or arrow keys."""

from math import ceil

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
)
from PySide6.QtWidgets import QFrame, QWidget

from specchat.ui.overlay.placement import OverlayState, clamp_position, panel_position, state_after_move
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme

SHADOW = GRID
_STEP = 2 * GRID
_ARROWS = {
    Qt.Key.Key_Left: QPoint(-_STEP, 0),
    Qt.Key.Key_Right: QPoint(_STEP, 0),
    Qt.Key.Key_Up: QPoint(0, -_STEP),
    Qt.Key.Key_Down: QPoint(0, _STEP),
}


class FloatingPanel(QFrame):
    clicked = Signal()
    """Only once it cannot become a double click any more."""
    double_clicked = Signal()
    rearranged = Signal()
    """It takes room elsewhere now, or more, or less."""

    def __init__(self, parent: QWidget, over: QWidget | None = None) -> None:
        """`over`: the part of its parent that it floats over."""
        super().__init__(parent)
        self._parent, self._over = parent, over or parent
        self._state = OverlayState()
        self._radius = 0.0
        self._flat = False
        self._painted: tuple[object, QPixmap] | None = None
        self._grip: QPoint | None = None
        self._dragging = False
        self._click = QTimer(self)
        self._click.setSingleShot(True)
        self._click.timeout.connect(self.clicked)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._watch(self._over)

    def _watch(self, widget: QWidget) -> None:
        """Its place in the parent depends on all that is between them."""
        between: QWidget | None = widget
        while between is not None and between is not self._parent:
            between.installEventFilter(self)
            between = between.parentWidget()
        self._parent.installEventFilter(self)

    def _area(self) -> QRect:
        return QRect(self._over.mapTo(self._parent, QPoint()), self._over.size())

    def _set_face(self, size: QSize, radius: float, *, flat: bool) -> None:
        self._radius, self._flat = radius, flat
        self.setFixedSize(size.grownBy(QMargins(SHADOW, SHADOW, SHADOW, SHADOW)))
        self._place()
        self.update()

    def _place(self) -> None:
        area = self._area()
        self.move(area.topLeft() + panel_position(self._state, self.size(), area.size()))

    def _move_to(self, at: QPoint) -> None:
        area = self._area()
        at = clamp_position(at - area.topLeft(), self.size(), area.size())
        self._state = state_after_move(self._state, at, self.size(), area.size())
        self._place()

    def _step(self, distance: QPoint) -> None:
        self._move_to(self.pos() + distance)

    def _follow(self) -> None:
        """What it stands over has changed."""
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._follow()
        return False

    def moveEvent(self, event: QMoveEvent) -> None:
        self._place()  # a parent that scrolls takes its children along

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = event.position().toPoint()
            self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is None:
            return
        distance = event.position().toPoint() - self._grip
        self._dragging |= distance.manhattanLength() >= QGuiApplication.styleHints().startDragDistance()
        if self._dragging:
            self._move_to(self.pos() + distance)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None and not self._dragging:
            self._click.start(QGuiApplication.styleHints().mouseDoubleClickInterval())
        elif self._dragging:
            self.rearranged.emit()
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._click.stop()
        self.double_clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if not self.hasFocus():  # it comes from a button inside
            super().keyPressEvent(event)
        elif key in _ARROWS:
            self._step(_ARROWS[key])
            self.rearranged.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        elif key is Qt.Key.Key_Space:
            self.double_clicked.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The inside apart: what is opaque is filled much faster than the frame is blended."""
        painter = QPainter(self)
        edge = SHADOW + ceil(self._radius)
        inside = self.rect().marginsRemoved(QMargins(edge, edge, edge, edge))
        if inside.isValid():
            painter.fillRect(inside, current_theme().surface)
            painter.setClipRegion(QRegion(self.rect()) - QRegion(inside))
        painter.drawPixmap(0, 0, self._frame())

    def _frame(self) -> QPixmap:
        """Painted once for each look: it shows again whenever the text below it grows."""
        appearance = (self.size(), self._radius, self.devicePixelRatioF(), current_theme(), self.hasFocus(), self._flat)
        if self._painted is None or self._painted[0] != appearance:
            self._painted = (appearance, self._paint_frame())
        return self._painted[1]

    def _paint_frame(self) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        if not self._flat:
            self._paint_shadow(painter, card)
        focused = self.hasFocus()
        width = 2.0 if focused else 1.0
        painter.setPen(QPen(current_theme().accent if focused else current_theme().line, width))
        painter.setBrush(current_theme().surface)
        inset = width / 2
        painter.drawRoundedRect(card.adjusted(inset, inset, -inset, -inset), self._radius - inset, self._radius - inset)
        painter.end()
        return pixmap

    def _paint_shadow(self, painter: QPainter, card: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(0, 0, 0, 14 if current_theme().dark else 4))
        for spread in range(0, SHADOW - 1, 2):
            layer = card.adjusted(-spread, 1 - spread, spread, spread + 1)
            painter.drawRoundedRect(layer, self._radius + spread, self._radius + spread)
