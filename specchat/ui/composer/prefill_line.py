"""The field below the message for the first words of its answer."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from specchat.ui.composer.message_editor import MessageEditor
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID


class PrefillLine(QWidget):
    submitted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("prefillLine")
        words = QLabel(self.tr("Answer starts with"), self)
        words.setProperty("muted", True)
        self.editor = MessageEditor(self)
        self.editor.setObjectName("prefillField")
        self.editor.setAccessibleName(self.tr("Start of the answer"))
        self.editor.setAccessibleDescription(self.tr("The target continues from these words."))
        self.editor.setAcceptDrops(False)
        self.editor.submitted.connect(self.submitted)
        self.editor.installEventFilter(self)
        words.setBuddy(self.editor)
        close = IconButton("close", self.tr("Remove the start of the answer"), self)
        close.setObjectName("closePrefill")
        close.setFixedSize(3 * GRID, 3 * GRID)
        close.clicked.connect(self.closed)
        self.tab_stops: tuple[QWidget, ...] = (self.editor, close)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(words)
        row.addWidget(self.editor, 1)
        row.addWidget(close)
        self.hide()

    @property
    def text(self) -> str:
        """A space at the end would keep the target from going on with a word."""
        return self.editor.toPlainText().rstrip(" ") if not self.isHidden() else ""

    def open(self, text: str = "") -> None:
        self.editor.setPlainText(text)
        self.editor.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_line(self) -> None:
        self.editor.clear()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape closes the line, rather than what it would close elsewhere."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if is_escape and event.type() == QEvent.Type.KeyPress:
            self.closed.emit()
            return True
        return False
