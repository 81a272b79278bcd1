"""The text field that grows with the message and sends it by Enter."""

from collections.abc import Iterator
from math import ceil

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QImage, QInputMethodEvent, QKeyEvent, QKeySequence, QTextBlock
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from specchat.ui.composer.file_drop_filter import image_of, is_image, local_files
from specchat.ui.widgets.text_direction import is_right_to_left

_MOST_LINES = 8
_SLACK = 2
"""Without it the last line counts as not quite visible."""
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class MessageEditor(QPlainTextEdit):
    """Plain text that grows with what is written."""

    submitted = Signal()
    previous_message_requested = Signal()
    files_pasted = Signal(list)
    image_pasted = Signal(QImage)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.tr("Enter sends the message. Shift+Enter starts a new line."))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().clearUndoRedoStacks()  # the margin would be undone first
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self._composing = False
        self._right_to_left = False
        self._align()
        self.textChanged.connect(self._follow_direction)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        most = _MOST_LINES * line
        return QSize(0, ceil(min(max(self._text_height(most), line), most)) + _SLACK)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def is_blank(self) -> bool:
        return all(not block.text().strip() for block in self._blocks())

    def _text_height(self, enough: int) -> float:
        height = 0.0
        for block in self._blocks():
            height += self.blockBoundingRect(block).height()
            if height >= enough:
                break
        return height

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().firstBlock()
        while block.isValid():
            yield block
            block = block.next()

    def _follow_direction(self) -> None:
        """All paragraphs stand at one side, by the first letter; each runs its own way."""
        directions = (is_right_to_left(block.text()) for block in self._blocks())
        right_to_left = next((each for each in directions if each is not None), False)
        if right_to_left is not self._right_to_left:
            self._right_to_left = right_to_left
            self._align()

    def _align(self) -> None:
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        side = Qt.AlignmentFlag.AlignRight if self._right_to_left else Qt.AlignmentFlag.AlignLeft
        option.setAlignment(side)
        self.document().setDefaultTextOption(option)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._is_for_others(event):
            event.ignore()
            return False
        return super().event(event)

    def _is_for_others(self, event: QKeyEvent) -> bool:
        """Ctrl+Z brings a deleted chat back where no words can be."""
        return event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and self._composing:
            return
        if enter and event.modifiers() & _NEW_LINE:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        elif enter:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.previous_message_requested.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(local_files(source)) or is_image(source) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if files := local_files(source):
            self.files_pasted.emit(files)
        elif is_image(source):
            self.image_pasted.emit(image_of(source))
        else:
            super().insertFromMimeData(source)
