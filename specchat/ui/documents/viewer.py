"""The dialog that shows documents and their passages."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QListWidget, QTextEdit, QVBoxLayout, QWidget

from specchat.domain.conversations import Attachment
from specchat.domain.documents import Passage, is_marked, readable_text, regions
from specchat.ui.about.reading_pane import ReadingPane
from specchat.ui.documents.document_text import document_length
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.window_geometry import fit_on_screen

_LIST_WIDTH = 22 * GRID
_TINT = 60
"""The opacity of the highlight, of 255."""


class DocumentViewer(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentViewer")
        self._document = Attachment("", "")
        self._passages: Sequence[tuple[Attachment, Passage]] = ()
        self._starts: list[int] = []
        """The starts of its regions. Before each of them, a form feed is hidden."""
        self._name, self._about = ElidedLabel(self), QLabel(self)
        self._about.setProperty("muted", True)
        self._list = QListWidget(self)
        self._list.setObjectName("documentPassages")
        self._list.setAccessibleName(self.tr("Passages"))
        self._text = ReadingPane(self)
        self._text.setObjectName("documentText")
        self._text.setAccessibleName(self.tr("Text of the document"))
        self._find = QLineEdit(self)
        self._find.setObjectName("documentFind")
        self._find.setPlaceholderText(self.tr("Find in this document"))
        self._find.setAccessibleName(self.tr("Find in this document"))
        self._find.setClearButtonEnabled(True)
        self._close = TextButton(self.tr("Close"), self)
        self._arrange()
        fit_on_screen(self, QSize(96 * GRID, 80 * GRID))
        self._list.currentRowChanged.connect(self._show_passage)
        self._find.returnPressed.connect(self._find_next)
        self._close.clicked.connect(self.accept)
        follow_theme(self._mark_passages)

    def show_document(self, document: Attachment, passage: Passage | None = None, *, note: str = "") -> None:
        """Shows the passage, or the beginning. `note`: which place was not found."""
        self._show({document: (passage,) if passage is not None else ()}, document)
        if note:
            self._about.setText(note)

    def show_passages(self, passages: Mapping[Attachment, Sequence[Passage]]) -> None:
        """Lists passages, which may be from several documents."""
        self._show(passages, next(iter(passages)))

    def _show(self, passages: Mapping[Attachment, Sequence[Passage]], first: Attachment) -> None:
        self._passages = [(document, each) for document, found in passages.items() for each in found]
        self._set_document(first)
        blocked = self._list.blockSignals(True)
        self._list.clear()
        prefixed = len(passages) > 1
        self._list.addItems(
            [f"{document.name}, {each.label}" if prefixed else each.label for document, each in self._passages]
        )
        self._list.setCurrentRow(0)
        self._list.blockSignals(blocked)
        self._list.setVisible(len(self._passages) > 1)
        self._find.clear()
        self.show()
        self.raise_()
        self.activateWindow()
        self._show_passage(0)
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_document(self, document: Attachment) -> None:
        self._document = document
        self.setWindowTitle(document.name)
        self._name.setText(document.name)
        self._about.setText(document_length(document.name, document.text))
        self._starts = [region.start for region in regions(document.text)] if is_marked(document.text) else []
        self._text.setPlainText(readable_text(document.text))
        self._mark_passages()

    def _show_passage(self, number: int) -> None:
        if 0 <= number < len(self._passages):
            document, passage = self._passages[number]
            if document is not self._document:
                self._set_document(document)
            cursor = self._cursor(passage)
            cursor.setPosition(cursor.selectionStart())
            self._text.moveCursor(QTextCursor.MoveOperation.End)  # then its beginning comes to the top
            self._text.setTextCursor(cursor)
            self._text.ensureCursorVisible()
            bar = self._text.verticalScrollBar()
            bar.setValue(bar.value() - 1)  # the mark above it

    def _cursor(self, passage: Passage) -> QTextCursor:
        cursor = QTextCursor(self._text.document())
        cursor.setPosition(self._shown_place(passage.start))
        end = passage.start + len(self._document.text[passage.start : passage.end].rstrip())
        cursor.setPosition(self._shown_place(end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _shown_place(self, at: int) -> int:
        """Qt counts in units of UTF-16."""
        units = len(self._document.text[:at].encode("utf-16-le", "replace")) // 2
        hidden = sum(1 for start in self._starts if start <= at)
        return max(0, min(units - hidden, self._text.document().characterCount() - 1))

    def _mark_passages(self) -> None:
        colour = QColor(current_theme().accent)
        colour.setAlpha(_TINT)
        marked = []
        for document, passage in self._passages:
            if document is self._document:
                selection = QTextEdit.ExtraSelection()
                selection.cursor = self._cursor(passage)
                selection.format.setBackground(colour)
                marked.append(selection)
        self._text.setExtraSelections(marked)

    def _find_next(self) -> None:
        """Continues at the beginning after the last match."""
        words = self._find.text()
        if words and not self._text.find(words):
            self._text.moveCursor(QTextCursor.MoveOperation.Start)
            self._text.find(words)

    def _arrange(self) -> None:
        self._list.setFixedWidth(_LIST_WIDTH)
        head = QHBoxLayout()
        head.setSpacing(2 * GRID)
        head.addWidget(self._name, 1)
        head.addWidget(self._about)
        middle = QHBoxLayout()
        middle.setSpacing(GRID)
        middle.addWidget(self._list)
        middle.addWidget(self._text, 1)
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addWidget(self._find, 1)
        foot.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addLayout(head)
        layout.addLayout(middle, 1)
        layout.addLayout(foot)
