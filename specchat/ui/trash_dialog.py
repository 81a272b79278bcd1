"""Deleted chats, until they are deleted for good."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QDateTime, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from specchat.domain.conversations import Conversation
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.direction import isolated
from specchat.ui.widgets.question import Question
from specchat.ui.widgets.screen import fit_on_screen
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.amounts import day
from specchat.ui.words.titles import shown_title


class TrashDialog(QDialog):
    restored = Signal(int)
    deleted = Signal(int)
    """For good: who deletes is asked before, here and for all."""
    emptied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trashDialog")
        self.setWindowTitle(self.tr("Trash"))
        fit_on_screen(self, QSize(60 * GRID, 48 * GRID))
        self._chats: Sequence[Conversation] | None = None
        self._words = QLabel(self)
        self._words.setProperty("muted", True)
        self._words.setWordWrap(True)
        self._list = QListWidget(self)
        self._list.setObjectName("trashList")
        self._list.setAccessibleName(self.tr("Deleted chats"))
        self._list.itemDoubleClicked.connect(self._restore)  # Enter presses the main button
        self._list.currentRowChanged.connect(self._update)
        self._empty = TextButton(self.tr("Delete all for good"), self)
        self._empty.setObjectName("emptyTrashButton")
        self._empty.clicked.connect(self._delete_all)
        self._delete = TextButton(self.tr("Delete for good"), self)
        self._delete.setObjectName("deleteForGoodButton")
        self._delete.clicked.connect(self._delete_one)
        self._back = TextButton(self.tr("Restore"), self, primary=True)
        self._back.setObjectName("restoreButton")
        self._back.clicked.connect(self._restore)
        close = TextButton(self.tr("Close"), self)
        close.setObjectName("closeTrash")
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(self._empty)
        buttons.addStretch()
        buttons.addWidget(self._delete)
        buttons.addWidget(self._back)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._words)
        layout.addWidget(self._list, 1)
        layout.addLayout(buttons)

    def show_trash(self, conversations: Sequence[Conversation]) -> None:
        """What is chosen stays so; else what comes in its place is."""
        if conversations == self._chats:
            return
        row, chosen = self._list.currentRow(), self._chosen
        self._chats = conversations
        self._list.clear()
        for conversation in conversations:
            when = QDateTime.fromSecsSinceEpoch(int(conversation.trashed or time.time()))
            self._list.addItem(f"{_title(conversation)} · {day(when.date())}")
            if chosen is not None and conversation.id == chosen.id:
                row = self._list.count() - 1
        if conversations:
            self._words.setText(self.tr("Deleted chats stay here for 30 days."))
            self._list.setCurrentRow(min(max(row, 0), len(conversations) - 1))
        else:
            self._words.setText(self.tr("Nothing here. Deleted chats stay for 30 days."))
        self._update()

    def showEvent(self, event: QShowEvent) -> None:
        """Qt would go on where the keyboard was the last time, as on *Close*."""
        super().showEvent(event)
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _chosen(self) -> Conversation | None:
        row = self._list.currentRow()
        return self._chats[row] if self._chats and row >= 0 else None

    def _restore(self) -> None:
        if self._chosen is not None:
            self.restored.emit(self._chosen.id)

    def _delete_one(self) -> None:
        if self._chosen is not None:
            self._ask([self._chosen], partial(self.deleted.emit, self._chosen.id))

    def _delete_all(self) -> None:
        self._ask(self._chats or (), self.emptied.emit)

    def _ask(self, chats: Sequence[Conversation], delete: Callable[[], object]) -> None:
        words = self.tr("Delete all {n} chats for good?").format(n=len(chats))
        if len(chats) == 1:
            words = self.tr("Delete “{title}” for good?").format(title=_title(chats[0]))
        question = Question(words, self.tr("This cannot be undone."), self._delete.text(), self, destructive=True)
        question.agreed.connect(delete)
        question.open()

    def _update(self) -> None:
        self._empty.setEnabled(self._list.count() > 0)
        for button in (self._delete, self._back):
            button.setEnabled(self._chosen is not None)


def _title(conversation: Conversation) -> str:
    return isolated(shown_title(conversation))
