"""Paints the rows of the conversation list and provides the editor to rename one."""

from dataclasses import replace

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QSize, Signal
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.conversation_list_model import ConversationListModel, Index
from specchat.ui.sidebar.row_painting import (
    HIT_HEIGHT,
    ROW_HEIGHT,
    ConversationRowState,
    paint_conversation,
    paint_heading,
    paint_hit,
    paint_project,
    pill_rect,
    title_fits,
)
from specchat.ui.sidebar.rows import GroupHeading, ProjectRow, has_unsent_message
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.widgets.tooltip import tooltip_text

_LONGEST_TITLE = 200


class ConversationDelegate(QStyledItemDelegate):
    renamed = Signal(int, str)
    project_renamed = Signal(int, str)

    def __init__(self, model: ConversationListModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_hit = isinstance(self._model.row_at(index), SearchHit)
        return QSize(0, HIT_HEIGHT if is_hit else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        match self._model.row_at(index):
            case GroupHeading(group):
                paint_heading(painter, option.rect, self._model.group_title(group), current_theme())
            case ProjectRow(project) as row:
                paint_project(painter, option.rect, project, self._project_state(option, row), current_theme())
            case Conversation(id=id_) as conversation:
                state = _row_state(
                    option,
                    open_=id_ == self._model.open,
                    busy=id_ in self._model.busy,
                    waiting=id_ in self._model.waiting,
                    asking=id_ in self._model.asking,
                    damaged=id_ in self._model.damaged,
                    editing=id_ in self._model.editing,
                )
                paint_conversation(painter, option.rect, conversation, state, current_theme())
            case SearchHit() as hit:
                paint_hit(painter, option.rect, hit, _row_state(option), self.tr("Match in the title"), current_theme())
        painter.restore()

    def _project_state(self, option: QStyleOptionViewItem, row: ProjectRow) -> ConversationRowState:
        is_open = self._model.stands_for_open(row)
        state = _row_state(
            option,
            open_=is_open,
            busy=self._model.stands_for_busy(row),
            waiting=self._model.stands_for_waiting(row),
            asking=self._model.stands_for_asking(row),
        )
        return replace(state, selected=is_open or row.project.id == self._model.drop_target)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        conversation, project = self._model.conversation_at(index), self._model.project_at(index)
        if event.type() == QEvent.Type.ToolTip and project is not None:
            is_whole = title_fits(option.rect, project.name, indented=True)
            QToolTip.showText(event.globalPos(), "" if is_whole else tooltip_text(project.name))
            return True
        if event.type() != QEvent.Type.ToolTip or conversation is None:
            return False
        is_whole = title_fits(option.rect, conversation.title, indented=conversation.project is not None)
        words = [] if is_whole else [conversation.title]
        if conversation.id in self._model.damaged:
            words.append(self.tr("Parts of this chat can't be read."))
        if conversation.id in self._model.waiting:
            words.append(self.tr("This chat waits for its answer."))
        if conversation.id in self._model.asking:
            words.append(self.tr("This chat waits for your permission to run a tool."))
        if has_unsent_message(conversation):
            words.append(self.tr("This chat has an unsent message."))
        if conversation.id in self._model.editing:
            words.append(self.tr("This chat has an unfinished edit."))
        QToolTip.showText(event.globalPos(), tooltip_text("\n".join(words)))
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setObjectName("renameField")
        is_project = self._model.project_at(index) is not None
        field.setAccessibleName(self.tr("Project name") if is_project else self.tr("Chat title"))
        field.setMaxLength(_LONGEST_TITLE)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(pill_rect(option.rect))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        title = editor.text().strip() if isinstance(editor, QLineEdit) else ""
        match self._model.row_at(index):
            case Conversation(id=id_, title=before) if title and title != before:
                self.renamed.emit(id_, title)
            case ProjectRow(project) if title and title != project.name:
                self.project_renamed.emit(project.id, title)


def _row_state(
    option: QStyleOptionViewItem,
    *,
    open_: bool = False,
    busy: bool = False,
    waiting: bool = False,
    asking: bool = False,
    damaged: bool = False,
    editing: bool = False,
) -> ConversationRowState:
    def has(state: QStyle.StateFlag) -> bool:
        return bool(option.state & state)

    return ConversationRowState(
        open=open_,
        selected=has(QStyle.StateFlag.State_Selected),
        hovered=has(QStyle.StateFlag.State_MouseOver),
        focused=has(QStyle.StateFlag.State_HasFocus),
        busy=busy,
        waiting=waiting,
        asking=asking,
        damaged=damaged,
        editing=editing,
    )
