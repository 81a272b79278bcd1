"""The bar at the bottom of the pair editor with the button for the next step."""

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from specchat.ui.pair.next_step import NextStep, StepAction
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label, set_primary
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme


class NextStepBar(QWidget):
    action_requested = Signal(object)
    """The StepAction that was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = NextStep(StepAction.WAIT, "")
        self._note = muted_label("", self)
        self._fitting = TextButton(self.tr("Use settings that fit"), self)
        self._button = _StepButton(self)
        self._arrange()
        self._fitting.clicked.connect(lambda: self.action_requested.emit(StepAction.USE_SUGGESTION))
        self._button.clicked.connect(lambda: self.action_requested.emit(self._step.act))

    @property
    def step(self) -> NextStep:
        return self._step

    def show_step(self, step: NextStep) -> None:
        self._step = step
        self._note.setText(step.note)
        self._note.setVisible(bool(step.note))
        self._fitting.setVisible(step.suggests)
        set_primary(self._fitting, primary=step.warns)
        self._button.show_step(step)
        set_primary(self._button, primary=not (step.warns or step.act is StepAction.SHOW_DOWNLOADS))

    def _arrange(self) -> None:
        self._note.setObjectName("trayNote")
        self._fitting.setObjectName("useFittingSettings")
        self._button.setObjectName("trayButton")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for part in (self._note, self._fitting, self._button):
            layout.addWidget(part)


class _StepButton(TextButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent, primary=True)
        self._share: float | None = None
        self._had_focus = False
        """When it was greyed."""
        self._stand_in: QWidget | None = None
        """Where Qt put the keyboard then, if anywhere."""
        self.setFixedHeight(5 * GRID)

    def show_step(self, step: NextStep) -> None:
        self._share = step.share
        self.setText(step.words)
        self._enable(step.act is not StepAction.WAIT)
        self.setAccessibleDescription(step.note)
        self.update()

    def _enable(self, enabled: bool) -> None:
        if enabled == self.isEnabled():
            return
        had_focus = self.hasFocus()
        self.setEnabled(enabled)
        now = self.window().focusWidget()
        if not enabled:
            self._had_focus, self._stand_in = had_focus, now
        elif self._had_focus and now is self._stand_in:
            self.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._share is None:
            return
        painter = QPainter(self)
        track = QRectF(GRID, self.height() - GRID / 2 - 1, self.width() - 2 * GRID, 2)
        painter.fillRect(track, current_theme().line)
        track.setWidth(track.width() * max(0.0, min(1.0, self._share)))
        painter.fillRect(track, current_theme().accent)
        painter.end()
