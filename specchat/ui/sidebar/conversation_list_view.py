"""The list view of conversations and search hits."""

import sys
from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.conversation_delegate import ConversationDelegate
from specchat.ui.sidebar.conversation_list_model import ConversationListModel, Index
from specchat.ui.sidebar.conversation_menu import ConversationMenu
from specchat.ui.sidebar.row_painting import more_button_rect
from specchat.ui.sidebar.rows import GroupHeading, SidebarRow
from specchat.ui.widgets.focus_restorer import FocusRestorer

_KEEP_SELECTION = QItemSelectionModel.SelectionFlag.NoUpdate
_DELETE_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) if sys.platform == "darwin" else (Qt.Key.Key_Delete,)
_SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect


class ConversationListView(QListView):
    """The open conversation is the selected line; mouse and keyboard move the current line only."""

    chosen = Signal()
    """By mouse or Enter, here in the list: whoever opens a chat so goes on there."""
    open_requested = Signal(int)
    hit_open_requested = Signal(int, int)
    """A conversation and a message in it, or -1 when its title matches."""
    renamed = Signal(int, str)
    pin_toggled = Signal(int)
    export_requested = Signal(int)
    delete_requested = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationList")
        self.setAccessibleName(self.tr("Chats"))
        self._model = ConversationListModel(self)
        self._delegate = ConversationDelegate(self._model, self)
        self._open: int | None = None
        self._waiting: Sequence[SidebarRow] | None = None
        self._focus_before = FocusRestorer(self)
        self._renaming_from_elsewhere = False
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # who has a mouse in hand types a message
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._choose)
        self._delegate.renamed.connect(self.renamed)
        self._delegate.closeEditor.connect(self._end_renaming)

    def set_running(self, busy: Collection[int], waiting: Collection[int]) -> None:
        """`busy`: an answer is being written in them; `waiting`: it is still to begin."""
        if (busy, waiting) != (self._model.busy, self._model.waiting):
            self._model.busy, self._model.waiting = busy, waiting
            self.viewport().update()

    def set_damaged(self, conversations: Collection[int]) -> None:
        """Not everything can be read of them."""
        self._model.damaged = conversations
        self.viewport().update()

    def select(self, conversation: int | None) -> None:
        self._open = conversation
        index = self._model.index_of(conversation)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, _SELECT)
        else:
            self.selectionModel().clearSelection()

    def show_rows(self, rows: Sequence[SidebarRow]) -> None:
        """Waits while a title is being edited: the field would close."""
        if self.state() is QAbstractItemView.State.EditingState:
            self._waiting = rows
        elif rows != self._model.rows:
            self._replace(rows)

    def focus_first(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._set_current(self._usable_near(0))

    def open_first(self) -> None:
        self._open_line(self._usable_near(0))

    def rename_current(self) -> bool:
        """False where the keyboard is elsewhere, or on no conversation."""
        conversation = self._model.conversation_at(self.currentIndex()) if self.hasFocus() else None
        if conversation is not None:
            self._rename(conversation.id)
        return conversation is not None

    def rename_open(self) -> None:
        self._renaming_from_elsewhere = not self.hasFocus()
        self._rename(self._open)

    def _replace(self, rows: Sequence[SidebarRow]) -> None:
        same_kind = _hits(rows) == _hits(self._model.rows)
        line, scrolled = self.currentIndex().row(), self.verticalScrollBar().value()
        current = self._model.conversation_at(self.currentIndex())
        self._model.set_rows(rows)
        self.doItemsLayout()
        self.selectionModel().select(self._model.index_of(self._open), _SELECT)
        if same_kind:
            index = self._model.index_of(current.id if current else None)
            self._set_current(index if index.isValid() or line < 0 else self._usable_near(line))
            self.verticalScrollBar().setValue(scrolled)
        else:
            self.scrollToTop()
            self._set_current(self._model.index_of(self._open))

    def _set_current(self, index: QModelIndex) -> None:
        self.selectionModel().setCurrentIndex(index, _KEEP_SELECTION)

    def _end_renaming(self) -> None:
        from_elsewhere, self._renaming_from_elsewhere = self._renaming_from_elsewhere, False
        if from_elsewhere and self.hasFocus():
            self._focus_before.restore_focus()
        self._show_waiting()

    def _show_waiting(self) -> None:
        rows, self._waiting = self._waiting, None
        if rows is not None:
            self.show_rows(rows)

    def _usable_near(self, line: int) -> QModelIndex:
        """That line, else one below, else one above."""
        rows = self._model.rows
        candidates = (*range(line, len(rows)), *range(min(line, len(rows)) - 1, -1, -1))
        usable = (number for number in candidates if not isinstance(rows[number], GroupHeading))
        return self._model.index(next(usable, -1))

    def _choose(self, index: Index) -> None:
        if self._model.flags(index):
            self._open_line(index)
            self.chosen.emit()

    def _open_line(self, index: Index) -> None:
        match self._model.row_at(index):
            case Conversation(id=conversation):
                self.open_requested.emit(conversation)
            case SearchHit(conversation=conversation, message=message):
                self.hit_open_requested.emit(conversation, -1 if message is None else message)

    def _rename(self, conversation: int | None) -> None:
        index = self._model.index_of(conversation)
        if index.isValid():
            self.scrollTo(index)
            self.edit(index)

    def _show_menu(self, index: Index, place: QPoint) -> None:
        conversation = self._model.conversation_at(index)
        if conversation is None:
            return
        menu = ConversationMenu(conversation, self)
        menu.rename_requested.connect(self._rename)
        menu.pin_requested.connect(self.pin_toggled)
        menu.export_requested.connect(self.export_requested)
        menu.delete_requested.connect(self.delete_requested)
        menu.popup(self.viewport().mapToGlobal(place))

    def _more_button_at(self, place: QPoint) -> QModelIndex:
        index = self.indexAt(place)
        hit = self._model.conversation_at(index) is not None and more_button_rect(self.visualRect(index)).contains(
            place
        )
        return index if hit else QModelIndex()

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        return _KEEP_SELECTION

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            return  # the field has had it, and hands it on
        conversation = self._model.conversation_at(self.currentIndex())
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose(self.currentIndex())
            case key if key in _DELETE_KEYS and conversation:
                if not event.isAutoRepeat():
                    self.delete_requested.emit(conversation.id)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._more_button_at(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton:
            self._show_menu(index, more_button_rect(self.visualRect(index)).bottomLeft())
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._more_button_at(event.position().toPoint()).isValid():
            super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            self._show_menu(self.indexAt(event.pos()), event.pos())
        else:
            self._show_menu(self.currentIndex(), more_button_rect(self.visualRect(self.currentIndex())).bottomLeft())


def _hits(rows: Sequence[SidebarRow]) -> bool:
    return bool(rows) and isinstance(rows[0], SearchHit)
