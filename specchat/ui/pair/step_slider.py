"""A labelled slider that selects one of a few values."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QStyle, QVBoxLayout, QWidget

from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_HANDLE = 14
_GROOVE = 4


class StepSlider(QWidget):
    changed = Signal(int)
    """The value that the user pulled it to."""

    def __init__(self, object_name: str, words: str, explanation: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._steps: list[tuple[str, int]] = []
        self._slider = _Slider(self)
        self._name = muted_label(words, self)
        self._value = QLabel(self)
        self._value.setProperty("small", True)
        self._slider.setObjectName(object_name)
        self._slider.setAccessibleName(words)
        self._slider.setToolTip(explanation)
        self._name.setBuddy(self._slider)
        self._arrange()
        self._slider.valueChanged.connect(self._emit_changed)
        follow_theme(self._apply_theme)

    @property
    def value(self) -> int:
        return self._steps[self._slider.value()][1] if self._steps else 0

    def _apply_theme(self) -> None:
        self._value.setFont(tabular_figures(body_font(SMALL_PX)))

    def show_steps(self, steps: Sequence[tuple[str, int]], chosen: int) -> None:
        """Words and what they stand for, without a signal. A handle that is being pulled stays where it is."""
        if list(steps) == self._steps and (chosen == self.value or self._slider.isSliderDown()):
            return
        self._steps = list(steps)
        blocked = self._slider.blockSignals(True)
        self._slider.setRange(0, max(0, len(steps) - 1))
        self._slider.setPageStep(max(1, len(steps) // 8))
        values = [value for _, value in steps]
        self._slider.setValue(values.index(chosen) if chosen in values else 0)
        self._slider.blockSignals(blocked)
        self._show_value()

    def _emit_changed(self) -> None:
        self._show_value()
        self.changed.emit(self.value)

    def _show_value(self) -> None:
        words = self._steps[self._slider.value()][0] if self._steps else ""
        self._value.setText(words)
        self._slider.setAccessibleDescription(words)

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._name, 1)
        line.addWidget(self._value, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
        layout.addWidget(self._slider)


class _Slider(QSlider):
    """The handle goes where the mouse is. Rolling the wheel over it scrolls the page instead."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(3 * GRID)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, colour = current_theme(), current_theme().accent if self.isEnabled() else current_theme().rejected
        middle = self.height() / 2
        groove = QRectF(_HANDLE / 2, middle - _GROOVE / 2, self._room(), _GROOVE)
        span = self.maximum() - self.minimum()
        share = (self.value() - self.minimum()) / span if span else 1.0  # the only choice is the most there is
        place = groove.left() + groove.width() * share
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.line)
        painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
        groove.setRight(place)
        painter.setBrush(colour)
        painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if self.hasFocus() else theme.surface)
        painter.drawEllipse(QPointF(place, middle), _HANDLE / 2 - 1, _HANDLE / 2 - 1)
        painter.end()

    def _follow(self, event: QMouseEvent) -> None:
        place = round(event.position().x() - _HANDLE / 2)
        self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, self._room()))

    def _room(self) -> int:
        return self.width() - _HANDLE
