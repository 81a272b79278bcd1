"""A list in which one chat is open, several can be selected, and one line is the keyboard's."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView, QWidget

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.conversation_list_model import ConversationListModel, Index
from specchat.ui.sidebar.rows import GroupHeading, SidebarRow

_KEEP_SELECTION = QItemSelectionModel.SelectionFlag.NoUpdate
_SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect
_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible
_PICKING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class SelectableRows(QListView):
    """The open conversation is the selected line, unless Ctrl or Shift select several; others move the current line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = ConversationListModel(self)
        self._open: int | None = None
        self.setModel(self._model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def select(self, conversation: int | None) -> None:
        self._open = self._model.open = conversation
        index = self._model.index_of(conversation)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, _SELECT)
        else:
            self.selectionModel().clearSelection()
        self.viewport().update()

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _VISIBLE) -> None:
        """With the heading above it, which cannot be reached otherwise by the keyboard."""
        above = self._model.index(index.row() - 1)
        if index.isValid() and isinstance(self._model.row_at(above), GroupHeading):
            super().scrollTo(above, hint)
        super().scrollTo(index, hint)

    @property
    def _selected(self) -> list[Conversation]:
        """Returns the selected chats in the order of the list."""
        indexes = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [each for index in indexes if (each := self._model.conversation_at(index)) is not None]

    def _meant(self, index: Index) -> list[Conversation]:
        """Returns all selected chats if this one is selected, otherwise only this one."""
        conversation, selected = self._model.conversation_at(index), self._selected
        if conversation is None:
            return []
        return selected if conversation in selected else [conversation]

    def _replace_rows(self, rows: Sequence[SidebarRow]) -> None:
        same_kind = are_hits(rows) == are_hits(self._model.rows)
        line, scrolled = self.currentIndex().row(), self.verticalScrollBar().value()
        current, project = self._model.conversation_at(self.currentIndex()), self._model.project_at(self.currentIndex())
        selected = [conversation.id for conversation in self._selected]
        self._model.set_rows(rows)
        self.doItemsLayout()
        self._select_again(selected)
        if same_kind:
            index = self._model.index_of(current.id if current else None)
            if project is not None:
                index = self._model.index_of_project(project.id)
            self._set_current(index if index.isValid() or line < 0 else self._usable_near(line))
            self.verticalScrollBar().setValue(scrolled)
        else:
            self.scrollToTop()
            self._set_current(self._model.index_of(self._open))

    def _select_again(self, selected: Sequence[int]) -> None:
        """Selects those that are left, or the open one."""
        left = [index for each in selected if (index := self._model.index_of(each)).isValid()]
        selection = QItemSelection()
        for index in left if len(left) > 1 else [self._model.index_of(self._open)]:
            selection.select(index, index)
        self.selectionModel().select(selection, _SELECT)

    def _set_current(self, index: QModelIndex) -> None:
        self.selectionModel().setCurrentIndex(index, _KEEP_SELECTION)

    def _usable_near(self, line: int) -> QModelIndex:
        """Returns this line, or the next usable one below or above."""
        rows = self._model.rows
        candidates = (*range(line, len(rows)), *range(min(line, len(rows)) - 1, -1, -1))
        usable = (number for number in candidates if not isinstance(rows[number], GroupHeading))
        return self._model.index(next(usable, -1))

    def _is_picking(self, index: Index, modifiers: Qt.KeyboardModifier) -> bool:
        """Whether a click selects chats instead of opening one."""
        return bool(modifiers & _PICKING) and self._model.conversation_at(index) is not None

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Qt also asks without an event while it handles one."""
        modifiers = QApplication.keyboardModifiers()
        if isinstance(event, QMouseEvent | QKeyEvent):
            modifiers = event.modifiers()
        if self._is_picking(index, modifiers):
            return super().selectionCommand(index, event)
        return _KEEP_SELECTION

    def event(self, event: QEvent) -> bool:
        """Escape ends the selection of several chats first."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.ShortcutOverride
            and self._ends_selection(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _ends_selection(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and len(self._selected) > 1


def are_hits(rows: Sequence[SidebarRow]) -> bool:
    return bool(rows) and isinstance(rows[0], SearchHit)
