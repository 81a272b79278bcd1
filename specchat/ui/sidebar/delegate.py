"""Paints the lines of the list, and makes the field to rename one."""

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
from specchat.ui.sidebar.list_model import Index, ListModel
from specchat.ui.sidebar.painting import (
    HIT_HEIGHT,
    ROW_HEIGHT,
    Look,
    paint_conversation,
    paint_heading,
    paint_hit,
    pill,
    title_fits,
)
from specchat.ui.sidebar.rows import Heading, is_unsent
from specchat.ui.widgets.theme import Theme
from specchat.ui.widgets.tooltip import tooltip

_LONGEST_TITLE = 200


class Delegate(QStyledItemDelegate):
    renamed = Signal(int, str)

    def __init__(self, model: ListModel, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_hit = isinstance(self._model.row(index), SearchHit)
        return QSize(0, HIT_HEIGHT if is_hit else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        match self._model.row(index):
            case Heading(group):
                paint_heading(painter, option.rect, self._model.words(group), self.theme)
            case Conversation() as conversation:
                look = _look(
                    option, busy=conversation.id == self._model.busy, damaged=conversation.id in self._model.damaged
                )
                paint_conversation(painter, option.rect, conversation, look, self.theme)
            case SearchHit() as hit:
                paint_hit(painter, option.rect, hit, _look(option), self.tr("In the title"), self.theme)
        painter.restore()

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        conversation = self._model.conversation(index)
        if event.type() != QEvent.Type.ToolTip or conversation is None:
            return False
        words = [] if title_fits(option.rect, conversation.title) else [conversation.title]
        if conversation.id in self._model.damaged:
            words.append(self.tr("Not everything can be read of this chat."))
        if is_unsent(conversation):
            words.append(self.tr("The message there is not sent yet."))
        QToolTip.showText(event.globalPos(), tooltip("\n".join(words)))
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setObjectName("renameField")
        field.setAccessibleName(self.tr("Title of the conversation"))
        field.setMaxLength(_LONGEST_TITLE)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(pill(option.rect))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        conversation = self._model.conversation(index)
        if conversation is not None and isinstance(editor, QLineEdit):
            title = editor.text().strip()
            if title and title != conversation.title:
                self.renamed.emit(conversation.id, title)


def _look(option: QStyleOptionViewItem, *, busy: bool = False, damaged: bool = False) -> Look:
    def has(state: QStyle.StateFlag) -> bool:
        return bool(option.state & state)

    return Look(
        open=has(QStyle.StateFlag.State_Selected),
        hovered=has(QStyle.StateFlag.State_MouseOver),
        focused=has(QStyle.StateFlag.State_HasFocus),
        busy=busy,
        damaged=damaged,
    )
