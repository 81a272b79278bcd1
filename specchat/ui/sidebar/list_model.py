from collections.abc import Collection, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.rows import Group, Heading, Row, is_unsent
from specchat.ui.sidebar.snippets import BEFORE_HEARD, snippet_of

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ListModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()
        self.busy: int | None = None
        """The conversation whose answer is being written."""

        self.damaged: Collection[int] = ()

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def show(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() else None

    def conversation(self, index: Index) -> Conversation | None:
        row = self.row(index)
        return row if isinstance(row, Conversation) else None

    def index_of(self, conversation: int | None) -> QModelIndex:
        for number, row in enumerate(self._rows):
            if isinstance(row, Conversation) and row.id == conversation:
                return self.index(number)
        return QModelIndex()

    def words(self, group: Group) -> str:
        return {
            Group.PINNED: self.tr("Pinned"),
            Group.TODAY: self.tr("Today"),
            Group.YESTERDAY: self.tr("Yesterday"),
            Group.LAST_7_DAYS: self.tr("Last 7 days"),
            Group.OLDER: self.tr("Older"),
        }[group]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        if row is None or isinstance(row, Heading):
            return Qt.ItemFlag.NoItemFlags
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return usable | Qt.ItemFlag.ItemIsEditable if isinstance(row, Conversation) else usable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        row = self.row(index)
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.words(row.group) if isinstance(row, Heading) else row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None

    def _spoken(self, row: Row) -> str:
        match row:
            case Heading(group):
                return self.words(group)
            case SearchHit(title=title) as hit:
                return f"{title}: {snippet_of(hit, BEFORE_HEARD).text}"
            case Conversation(title=title):
                pinned = [self.tr("pinned")] if row.pinned else []
                unsent = [self.tr("not sent yet")] if is_unsent(row) else []
                busy = [self.tr("the answer is being written")] if row.id == self.busy else []
                damaged = [self.tr("damaged")] if row.id in self.damaged else []
                return ", ".join([title, *damaged, *pinned, *unsent, *busy])
