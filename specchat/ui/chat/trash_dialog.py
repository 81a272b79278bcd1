"""The dialog that lists deleted chats, messages and projects, to restore them or delete them permanently."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QDateTime, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from specchat.domain.conversations import Conversation, Deletion
from specchat.domain.projects import Project, TrashItem
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.chat.titles import automatic_title
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.text_direction import isolate_direction
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.window_geometry import fit_on_screen
from specchat.ui.words.chat_titles import display_title
from specchat.ui.words.number_format import format_date, format_number

_NO_BREAK = "\u00a0"


class TrashDialog(QDialog):
    restore_requested = Signal(object)
    delete_requested = Signal(object)
    """For good: who deletes is asked before, here and for all."""
    empty_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trashDialog")
        self.setWindowTitle(self.tr("Trash"))
        fit_on_screen(self, QSize(60 * GRID, 48 * GRID))
        self._contents: Sequence[TrashItem] | None = None
        self._words = QLabel(self)
        self._words.setProperty("muted", True)
        self._words.setWordWrap(True)
        self._list = QListWidget(self)
        self._list.setObjectName("trashList")
        self._list.setAccessibleName(self.tr("Deleted chats and messages"))
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemDoubleClicked.connect(self._restore)  # Enter presses the main button
        self._list.currentRowChanged.connect(self._update)
        self._empty = TextButton(self.tr("Empty trash…"), self)
        self._empty.setObjectName("emptyTrashButton")
        self._empty.clicked.connect(self._delete_all)
        self._delete = TextButton(self.tr("Delete permanently…"), self)
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
        for before, after in pairwise((self._list, self._back, self._delete, self._empty, close)):
            self.setTabOrder(before, after)

    def show_trash(self, contents: Sequence[TrashItem]) -> None:
        """What is chosen stays so; else what comes in its place is."""
        if contents == self._contents:
            return
        row, chosen = self._list.currentRow(), self._chosen
        self._contents = contents
        with QSignalBlocker(self._list):  # a button that is disabled for a moment loses the keyboard
            self._list.clear()
            self._list.addItems([self._line(deleted) for deleted in contents])
        if contents:
            self._words.setText(self.tr("Deleted chats and messages are kept here for 30 days."))
            row = contents.index(chosen) if chosen in contents else min(max(row, 0), len(contents) - 1)
            self._list.setCurrentRow(row)
        else:
            self._words.setText(self.tr("Trash is empty. Deleted chats and messages are kept here for 30 days."))
        self._update()

    def showEvent(self, event: QShowEvent) -> None:
        """Qt would go on where the keyboard was the last time, as on *Close*."""
        super().showEvent(event)
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _chosen(self) -> TrashItem | None:
        row = self._list.currentRow()
        return self._contents[row] if self._contents and row >= 0 else None

    def _restore(self) -> None:
        if self._chosen is not None:
            self.restore_requested.emit(self._chosen)

    def _delete_one(self) -> None:
        if self._chosen is not None:
            self._ask([self._chosen], partial(self.delete_requested.emit, self._chosen))

    def _delete_all(self) -> None:
        self._ask(self._contents or (), self.empty_requested.emit)

    def _ask(self, these: Sequence[TrashItem], delete: Callable[[], object]) -> None:
        words = self.tr("Permanently delete all {n} items?").format(n=len(these))
        explanation = self.tr("This can't be undone.")
        if len(these) == 1:
            words = self.tr("Permanently delete “{title}”?").format(title=self._title(these[0]))
            if isinstance(these[0], Project) and these[0].n_deleted_chats:
                explanation = self.tr("Its chats stay in the trash. This can't be undone.")
            if self._is_needed(these[0]):
                explanation = self.tr(
                    "Replies to it that you deleted earlier will also be permanently deleted. This can't be undone."
                )
        question = ConfirmationDialog(words, explanation, self.tr("Delete permanently"), self, destructive=True)
        question.confirmed.connect(delete)
        question.open()

    def _is_needed(self, deleted: TrashItem) -> bool:
        """By something else that is here."""
        others = (other for other in self._contents or () if isinstance(other, Deletion))
        return isinstance(deleted, Deletion) and any(other.within == deleted.message for other in others)

    def _line(self, deleted: TrashItem) -> str:
        date = format_date(QDateTime.fromSecsSinceEpoch(int(deleted.trashed or time.time())).date())
        when = self.tr("deleted {date}").format(date=date).replace(" ", _NO_BREAK)
        if isinstance(deleted, Conversation):
            return f"{self._title(deleted)} · {when}"
        if isinstance(deleted, Project):
            words = self.tr("Project, without its chats")
            if n_chats := deleted.n_deleted_chats:
                words = self.tr("Project with 1 chat")
                if n_chats > 1:
                    words = self.tr("Project with {n} chats").format(n=format_number(n_chats))
            return f"{self._title(deleted)}\n{words} · {when}"
        one, more = self.tr("1 message in “{chat}”"), self.tr("{n} messages in “{chat}”")
        chat = isolate_direction(deleted.title or self.tr("New chat"))
        words = (one if deleted.n_messages == 1 else more).format(n=deleted.n_messages, chat=chat)
        return f"{self._title(deleted)}\n{words} · {when}"

    def _title(self, deleted: TrashItem) -> str:
        if isinstance(deleted, Conversation):
            return isolate_direction(display_title(deleted))
        if isinstance(deleted, Project):
            return isolate_direction(deleted.name)
        words = automatic_title(strip_reasoning(deleted.text))
        return isolate_direction(words or self.tr("Empty message"))

    def _update(self) -> None:
        self._empty.setEnabled(self._list.count() > 0)
        for button in (self._delete, self._back):
            button.setEnabled(self._chosen is not None)
