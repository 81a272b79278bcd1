"""The Qt model of the conversation list: headings, conversations, search hits."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.rows import ConversationGroup, GroupHeading, SidebarRow, has_unsent_message
from specchat.ui.sidebar.snippets import BEFORE_HEARD, build_snippet

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ConversationListModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[SidebarRow] = ()
        self.busy: Collection[int] = ()
        """The conversations whose answers are being written."""
        self.waiting: Collection[int] = ()
        """Those whose questions wait for other answers, or for the models."""
        self.damaged: Collection[int] = ()

    @property
    def rows(self) -> Sequence[SidebarRow]:
        return self._rows

    def set_rows(self, rows: Sequence[SidebarRow]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row_at(self, index: Index) -> SidebarRow | None:
        return self._rows[index.row()] if index.isValid() else None

    def conversation_at(self, index: Index) -> Conversation | None:
        row = self.row_at(index)
        return row if isinstance(row, Conversation) else None

    def index_of(self, conversation: int | None) -> QModelIndex:
        for number, row in enumerate(self._rows):
            if isinstance(row, Conversation) and row.id == conversation:
                return self.index(number)
        return QModelIndex()

    def group_title(self, group: ConversationGroup) -> str:
        return {
            ConversationGroup.PINNED: self.tr("Pinned"),
            ConversationGroup.TODAY: self.tr("Today"),
            ConversationGroup.YESTERDAY: self.tr("Yesterday"),
            ConversationGroup.LAST_7_DAYS: self.tr("Last 7 days"),
            ConversationGroup.OLDER: self.tr("Older"),
        }[group]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None or isinstance(row, GroupHeading):
            return Qt.ItemFlag.NoItemFlags
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return usable | Qt.ItemFlag.ItemIsEditable if isinstance(row, Conversation) else usable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        row = self.row_at(index)
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.group_title(row.group) if isinstance(row, GroupHeading) else row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._accessible_text(row)
        return None

    def _accessible_text(self, row: SidebarRow) -> str:
        match row:
            case GroupHeading(group):
                return self.group_title(group)
            case SearchHit(title=title) as hit:
                return f"{title}: {build_snippet(hit, BEFORE_HEARD).text}"
            case Conversation(title=title):
                pinned = [self.tr("pinned")] if row.pinned else []
                unsent = [self.tr("unsent message")] if has_unsent_message(row) else []
                busy = [self.tr("answering")] if row.id in self.busy else []
                waiting = [self.tr("waiting")] if row.id in self.waiting else []
                damaged = [self.tr("damaged")] if row.id in self.damaged else []
                return ", ".join([title, *damaged, *pinned, *unsent, *busy, *waiting])
