"""Paints the rows of the conversation list and provides the editor to rename one."""

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
    pill_rect,
    title_fits,
)
from specchat.ui.sidebar.rows import GroupHeading, has_unsent_message
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.widgets.tooltip import tooltip_text

_LONGEST_TITLE = 200


class ConversationDelegate(QStyledItemDelegate):
    renamed = Signal(int, str)

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
            case Conversation() as conversation:
                state = _row_state(
                    option,
                    busy=conversation.id in self._model.busy,
                    waiting=conversation.id in self._model.waiting,
                    damaged=conversation.id in self._model.damaged,
                )
                paint_conversation(painter, option.rect, conversation, state, current_theme())
            case SearchHit() as hit:
                paint_hit(painter, option.rect, hit, _row_state(option), self.tr("Match in the title"), current_theme())
        painter.restore()

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        conversation = self._model.conversation_at(index)
        if event.type() != QEvent.Type.ToolTip or conversation is None:
            return False
        words = [] if title_fits(option.rect, conversation.title) else [conversation.title]
        if conversation.id in self._model.damaged:
            words.append(self.tr("Parts of this chat can't be read."))
        if conversation.id in self._model.waiting:
            words.append(self.tr("This chat waits for its answer."))
        if has_unsent_message(conversation):
            words.append(self.tr("This chat has an unsent message."))
        QToolTip.showText(event.globalPos(), tooltip_text("\n".join(words)))
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setObjectName("renameField")
        field.setAccessibleName(self.tr("Chat title"))
        field.setMaxLength(_LONGEST_TITLE)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(pill_rect(option.rect))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        conversation = self._model.conversation_at(index)
        if conversation is not None and isinstance(editor, QLineEdit):
            title = editor.text().strip()
            if title and title != conversation.title:
                self.renamed.emit(conversation.id, title)


def _row_state(
    option: QStyleOptionViewItem, *, busy: bool = False, waiting: bool = False, damaged: bool = False
) -> ConversationRowState:
    def has(state: QStyle.StateFlag) -> bool:
        return bool(option.state & state)

    return ConversationRowState(
        open=has(QStyle.StateFlag.State_Selected),
        hovered=has(QStyle.StateFlag.State_MouseOver),
        focused=has(QStyle.StateFlag.State_HasFocus),
        busy=busy,
        waiting=waiting,
        damaged=damaged,
    )
