"""The list view of projects, conversations and search hits."""

import sys
from collections.abc import Collection, Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QMenu, QWidget

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project
from specchat.ui.sidebar.chat_drag import ChatDropArea, drag_chats
from specchat.ui.sidebar.conversation_delegate import ConversationDelegate
from specchat.ui.sidebar.conversation_list_model import Index
from specchat.ui.sidebar.conversation_menu import ConversationMenu
from specchat.ui.sidebar.project_menu import ProjectMenu
from specchat.ui.sidebar.row_painting import more_button_rect
from specchat.ui.sidebar.rows import ProjectRow, SidebarRow
from specchat.ui.sidebar.selectable_rows import SelectableRows, are_hits
from specchat.ui.widgets.focus_restorer import FocusRestorer

_DELETE_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) if sys.platform == "darwin" else (Qt.Key.Key_Delete,)


class ConversationListView(SelectableRows):
    chosen = Signal()
    """The user opened a chat with the mouse or Enter."""
    open_requested = Signal(int)
    hit_open_requested = Signal(int, int)
    """A conversation and a message in it, or -1 when its title matches."""
    renamed = Signal(int, str)
    pin_toggled = Signal(int)
    export_requested = Signal(list)
    delete_requested = Signal(list)
    move_requested = Signal(list, object)
    """Chats, and the project to move them to; None moves them out of their project."""
    new_project_requested = Signal(list)
    """The chats that the project contains at first."""
    project_folded = Signal(int, bool)
    project_renamed = Signal(int, str)
    project_chat_requested = Signal(int)
    project_settings_requested = Signal(int)
    project_delete_requested = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationList")
        self.setAccessibleName(self.tr("Chats"))
        self._delegate = ConversationDelegate(self._model, self)
        self._pressed: tuple[int, QPoint] | None = None
        """The chat from which a drag may begin, and where."""
        self._waiting: Sequence[SidebarRow] | None = None
        self._focus_before = FocusRestorer(self)
        self._renaming_from_elsewhere = False
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self._drops = ChatDropArea(self.viewport(), self._project_near)
        self._drops.hovered.connect(self._show_drop_target)
        self._drops.dropped.connect(self.move_requested)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # who has a mouse in hand types a message
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._click)
        self._delegate.renamed.connect(self.renamed)
        self._delegate.project_renamed.connect(self.project_renamed)
        self._delegate.closeEditor.connect(self._end_renaming)

    def set_running(self, busy: Collection[int], waiting: Collection[int], asking: Collection[int] = ()) -> None:
        """`busy`: chats whose answer is being written; `waiting`: chats whose answer hasn't begun;
        `asking`: chats in which a tool waits for consent.
        """
        model = self._model
        if (busy, waiting, asking) != (model.busy, model.waiting, model.asking):
            model.busy, model.waiting, model.asking = busy, waiting, asking
            self.viewport().update()

    def set_damaged(self, conversations: Collection[int]) -> None:
        """Marks chats that are only partly readable."""
        self._model.damaged = conversations
        self.viewport().update()

    def set_editing(self, conversations: Collection[int]) -> None:
        """Marks chats that were left amid an edit."""
        self._model.editing = conversations
        self.viewport().update()

    def show_rows(self, rows: Sequence[SidebarRow]) -> None:
        """Postpones the update while a title is being edited, because the field would close."""
        if self.state() is QAbstractItemView.State.EditingState:
            self._waiting = rows
        elif rows != self._model.rows:
            self._replace_rows(rows)

    def focus_first(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._set_current(self._usable_near(0))

    def open_first(self) -> None:
        self._open_line(self._usable_near(0))

    def rename_current(self) -> bool:
        """Returns False if nothing with a name has the focus."""
        can_rename = self.hasFocus() and bool(self._model.flags(self.currentIndex()) & Qt.ItemFlag.ItemIsEditable)
        if can_rename:
            self._edit(self.currentIndex())
        return can_rename

    def rename_open(self) -> None:
        self._renaming_from_elsewhere = not self.hasFocus()
        self._rename(self._open)

    def rename_project(self, project: int) -> None:
        self._renaming_from_elsewhere = not self.hasFocus()
        self._edit(self._model.index_of_project(project))

    def _end_renaming(self) -> None:
        from_elsewhere, self._renaming_from_elsewhere = self._renaming_from_elsewhere, False
        if from_elsewhere and self.hasFocus():
            self._focus_before.restore_focus()
        self._show_waiting()

    def _show_waiting(self) -> None:
        rows, self._waiting = self._waiting, None
        if rows is not None:
            self.show_rows(rows)

    def _click(self, index: Index) -> None:
        if not self._is_picking(index, QApplication.keyboardModifiers()):
            self._choose(index)

    def _choose(self, index: Index) -> None:
        project = self._model.project_at(index)
        if project is not None:
            self.project_folded.emit(project.id, not project.is_folded)
        elif self._model.flags(index):
            self._open_line(index)
            self.chosen.emit()

    def _open_line(self, index: Index) -> None:
        match self._model.row_at(index):
            case Conversation(id=conversation):
                self.open_requested.emit(conversation)
            case SearchHit(conversation=conversation, message=message):
                self.hit_open_requested.emit(conversation, -1 if message is None else message)

    def _rename(self, conversation: int | None) -> None:
        self._edit(self._model.index_of(conversation))

    def _edit(self, index: QModelIndex) -> None:
        if index.isValid():
            self.scrollTo(index)
            self.edit(index)

    def _show_menu(self, index: Index, place: QPoint) -> None:
        project, conversations = self._model.project_at(index), self._meant(index)
        if project is not None:
            self._project_menu(project).popup(self.viewport().mapToGlobal(place))
        elif conversations:
            self._conversation_menu(conversations).popup(self.viewport().mapToGlobal(place))

    def _conversation_menu(self, conversations: Sequence[Conversation]) -> QMenu:
        menu = ConversationMenu(conversations, self._model.projects, self)
        menu.rename_requested.connect(self._rename)
        menu.pin_requested.connect(self.pin_toggled)
        menu.move_requested.connect(self.move_requested)
        menu.new_project_requested.connect(self.new_project_requested)
        menu.export_requested.connect(self.export_requested)
        menu.delete_requested.connect(self.delete_requested)
        return menu

    def _project_menu(self, project: Project) -> QMenu:
        menu = ProjectMenu(project, self)
        menu.chat_requested.connect(self.project_chat_requested)
        menu.rename_requested.connect(self.rename_project)
        menu.settings_requested.connect(self.project_settings_requested)
        menu.delete_requested.connect(self.project_delete_requested)
        return menu

    def _more_button_at(self, place: QPoint) -> QModelIndex:
        index = self.indexAt(place)
        has_menu = isinstance(self._model.row_at(index), Conversation | ProjectRow)
        hit = has_menu and more_button_rect(self.visualRect(index)).contains(place)
        return index if hit else QModelIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            return  # the field has had it, and hands it on
        index = self.currentIndex()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose(index)
            case key if key in _DELETE_KEYS and self._model.flags(index) & Qt.ItemFlag.ItemIsEditable:
                if not event.isAutoRepeat():
                    self._delete(index)
            case Qt.Key.Key_Escape if self._ends_selection(event):
                self._select_again([])
            case Qt.Key.Key_Left | Qt.Key.Key_Right if self._turn_project(event.key()):
                pass
            case _ if event.matches(QKeySequence.StandardKey.SelectAll) and are_hits(self._model.rows):
                pass
            case _:
                super().keyPressEvent(event)

    def _delete(self, index: Index) -> None:
        project = self._model.project_at(index)
        if project is not None:
            self.project_delete_requested.emit(project.id)
        else:
            self.delete_requested.emit([conversation.id for conversation in self._meant(index)])

    def _turn_project(self, key: int) -> bool:
        """Handles arrow keys as trees do: Right unfolds, Left folds or goes to the project."""
        folds = key == Qt.Key.Key_Left
        project = self._model.project_at(self.currentIndex())
        if project is not None:
            if project.is_folded is not folds:
                self.project_folded.emit(project.id, folds)
            return True
        conversation = self._model.conversation_at(self.currentIndex())
        above = self._model.index_of_project(conversation.project if conversation and folds else None)
        if above.isValid():
            self._set_current(above)
        return above.isValid()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, is_left = event.position().toPoint(), event.button() is Qt.MouseButton.LeftButton
        index = self._more_button_at(place)
        self._pressed = None
        if index.isValid() and is_left:
            self._show_menu(index, more_button_rect(self.visualRect(index)).bottomLeft())
            return
        index = self.indexAt(place)
        if is_left and (conversation := self._model.conversation_at(index)) is not None:
            self._pressed = conversation.id, place
            if self._is_picking(index, event.modifiers()):
                self.setFocus(Qt.FocusReason.MouseFocusReason)  # for the keys that act on what is selected
        elif is_left and len(self._selected) > 1:
            self._select_again([])
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Prevents Qt from selecting rows under the mouse."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
        elif self._pressed is not None:
            conversation, begin = self._pressed
            if (event.position().toPoint() - begin).manhattanLength() >= QApplication.startDragDistance():
                self._pressed = None
                self._drag(self._model.index_of(conversation))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if not self._more_button_at(event.position().toPoint()).isValid():
            super().mouseReleaseEvent(event)

    def _drag(self, index: QModelIndex) -> None:
        conversations = self._meant(index)
        words = self.tr("{n} chats").format(n=len(conversations))
        if len(conversations) == 1:
            words = conversations[0].title
        if conversations:
            self.setState(QAbstractItemView.State.NoState)
            drag_chats([conversation.id for conversation in conversations], words, self)

    def _project_near(self, place: QPoint) -> int | None:
        """Returns the project at this point, or that of the chat there."""
        match self._model.row_at(self.indexAt(place)):
            case ProjectRow(project):
                return project.id
            case Conversation(project=project_id):
                return project_id
        return None

    def _show_drop_target(self, project: int | None) -> None:
        if self._model.drop_target != project:
            self._model.drop_target = project
            self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            self._show_menu(self.indexAt(event.pos()), event.pos())
        else:
            self._show_menu(self.currentIndex(), more_button_rect(self.visualRect(self.currentIndex())).bottomLeft())
