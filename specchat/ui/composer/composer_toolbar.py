"""The row below the message: what can be attached, how full the context is, and sending or stopping."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.composer.attach_button import AttachButton
from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.composer.context_meter import ContextMeter
from specchat.ui.composer.round_button import RoundButton
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID, scaled_px

_ROOMY = 50 * GRID
"""With less width, rarely needed buttons are left to the window's menu."""


@dataclass(frozen=True, slots=True)
class ToolbarState:
    can_send: bool
    is_answering: bool
    holds_answer: bool
    """Whether an answer, or its beginning, is being written."""
    edits_answer: bool
    """Whether other buttons end this edit."""


class ComposerToolbar(QWidget):
    send_requested = Signal()
    stop_requested = Signal()
    prefill_toggled = Signal()

    def __init__(self, loader: AttachmentLoader, parent: QWidget) -> None:
        super().__init__(parent)
        self._holds_answer = False
        self.attach = AttachButton(loader, self)
        self._prefill = IconButton("prefill", "", self)
        self._prefill.setObjectName("prefillButton")
        self._prefill.clicked.connect(self.prefill_toggled)
        self.meter = ContextMeter(self)
        self._send = RoundButton("send", self.tr("Send"), self)
        self._send.setObjectName("sendButton")
        self._send.clicked.connect(self.send_requested)
        self._stop = RoundButton("stop", self.tr("Stop"), self)
        self._stop.setObjectName("stopButton")
        self._stop.clicked.connect(self.stop_requested)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self.attach)
        row.addWidget(self._prefill)
        row.addStretch(1)
        for widget in (self.meter, self._send, self._stop):
            row.addWidget(widget)
        self.set_no_prefill("")

    def insert_before_meter(self, widget: QWidget) -> None:
        self._row.insertWidget(self._row.indexOf(self.meter), widget)

    def set_no_prefill(self, reason: str) -> None:
        """Shows why the target can't continue from given words. Empty: it can."""
        words = self.tr("Start the answer with…")
        self._prefill.set_label(f"{words} {reason}" if reason else words)
        self._prefill.setEnabled(not reason)

    def loses_focus(self, state: ToolbarState) -> bool:
        """Whether the focused button can't keep the focus in this state."""
        return (self._send.hasFocus() and not state.can_send) or (self._stop.hasFocus() and not state.is_answering)

    def show_state(self, state: ToolbarState) -> None:
        self._send.setVisible(not state.is_answering and not state.edits_answer)
        self._stop.setVisible(state.is_answering)
        self._send.setEnabled(state.can_send)
        self.attach.setVisible(not state.holds_answer)
        self._holds_answer = state.holds_answer
        self._fit_width()

    def _fit_width(self) -> None:
        is_roomy = self.width() >= scaled_px(_ROOMY)
        self._prefill.setVisible(not self._holds_answer and is_roomy)
        self.meter.set_brief(not is_roomy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()
