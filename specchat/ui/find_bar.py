"""Find in the conversation that is shown."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from specchat.ui.controls import IconButton
from specchat.ui.theme import GRID, Theme


class FindBar(QFrame):
    changed = Signal(str)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setProperty("card", True)
        self._field = QLineEdit(self)
        self._field.setObjectName("findField")
        self._field.setPlaceholderText(self.tr("Find in this chat"))
        self._field.setAccessibleName(self.tr("Find in this chat"))
        self._count = QLabel(self)
        self._count.setProperty("muted", True)
        self._count.setMinimumWidth(12 * GRID)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._previous = IconButton("chevron-up", self.tr("Previous match"), theme, self)
        self._next = IconButton("chevron-down", self.tr("Next match"), theme, self)
        self._close = IconButton("close", self.tr("Close"), theme, self)
        self._field.textChanged.connect(self.changed)
        self._field.returnPressed.connect(self._step)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._close.clicked.connect(self.close_bar)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._field, 1)
        for widget in (self._count, self._previous, self._next, self._close):
            layout.addWidget(widget)
        self.hide()

    def open_bar(self) -> None:
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self.changed.emit(self._field.text())

    def close_bar(self) -> None:
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def show_count(self, matches: int) -> None:
        if not self._field.text():
            self._count.setText("")
        else:
            self._count.setText(self.tr("{n} found").format(n=matches) if matches else self.tr("Nothing found"))

    def _step(self) -> None:
        backwards = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        (self.previous_wanted if backwards else self.next_wanted).emit()

    def set_theme(self, theme: Theme) -> None:
        for button in (self._previous, self._next, self._close):
            button.set_theme(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
