"""The button that continues the last answer, if it was cut off."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.transcript.action_widgets import ActionKind, action_text
from specchat.ui.transcript.entries import Entry
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.tooltip import tooltip_text

_HEIGHT = 3 * GRID


def is_cut_off(entry: Entry) -> bool:
    return entry.is_kept and entry.role is Role.ASSISTANT and entry.state is MessageState.STOPPED


class ContinueButton(TextButton):
    """Stands in the last line of an answer that was cut off."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(action_text(ActionKind.CONTINUE, Role.ASSISTANT, is_last=True), parent)
        self.setObjectName("continueMessageButton")
        self.setFixedHeight(_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.entry: Entry | None = None
        self.hide()

    def set_reason(self, reason: str) -> None:
        """Why it can't be done; empty where it can."""
        self.setEnabled(not reason)
        self.setToolTip(tooltip_text(reason))
        self.setAccessibleName(f"{self.text()}: {reason}" if reason else self.text())

    def show_entry(self, entry: Entry | None) -> None:
        self.entry = entry
        self.adjustSize()
        self.setVisible(entry is not None)

    def occupied_width(self, entry: Entry) -> int:
        """Returns the width that it takes of a message's last line, with the gap to the figures."""
        return self.width() + GRID if self.entry is not None and self.entry.id == entry.id else 0
