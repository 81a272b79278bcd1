"""The Qt model of the conversation list: headings, projects, conversations, search hits."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project
from specchat.ui.sidebar.rows import ConversationGroup, GroupHeading, ProjectRow, SidebarRow, has_unsent_message
from specchat.ui.sidebar.snippets import BEFORE_HEARD, build_snippet

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ConversationListModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[SidebarRow] = ()
        self._places: dict[int, int] = {}
        """The row of each conversation."""
        self.open: int | None = None
        """The open conversation."""
        self.drop_target: int | None = None
        """The project that would get the dragged chats."""
        self.busy: Collection[int] = ()
        """The conversations whose answers are being written."""
        self.waiting: Collection[int] = ()
        """The conversations whose questions wait for other answers or for the models."""
        self.asking: Collection[int] = ()
        """The conversations in which a tool waits for the user's consent."""
        self.damaged: Collection[int] = ()
        self.editing: Collection[int] = ()
        """The conversations that were left amid an edit."""

    @property
    def rows(self) -> Sequence[SidebarRow]:
        return self._rows

    def set_rows(self, rows: Sequence[SidebarRow]) -> None:
        self.beginResetModel()
        self._rows = rows
        self._places = {row.id: number for number, row in enumerate(rows) if isinstance(row, Conversation)}
        self.endResetModel()

    def row_at(self, index: Index) -> SidebarRow | None:
        return self._rows[index.row()] if index.isValid() else None

    def conversation_at(self, index: Index) -> Conversation | None:
        row = self.row_at(index)
        return row if isinstance(row, Conversation) else None

    def project_at(self, index: Index) -> Project | None:
        row = self.row_at(index)
        return row.project if isinstance(row, ProjectRow) else None

    def index_of(self, conversation: int | None) -> QModelIndex:
        place = self._places.get(conversation) if conversation is not None else None
        return QModelIndex() if place is None else self.index(place)

    def index_of_project(self, project: int | None) -> QModelIndex:
        rows = enumerate(self._rows)
        found = (number for number, row in rows if isinstance(row, ProjectRow) and row.project.id == project)
        place = next(found, None) if project is not None else None
        return QModelIndex() if place is None else self.index(place)

    @property
    def projects(self) -> list[Project]:
        return [row.project for row in self._rows if isinstance(row, ProjectRow)]

    def stands_for_open(self, row: ProjectRow) -> bool:
        """Whether it contains the open conversation without listing it."""
        return row.project.is_folded and self.open in row.chats

    def stands_for_busy(self, row: ProjectRow) -> bool:
        return row.project.is_folded and any(chat in self.busy for chat in row.chats)

    def stands_for_waiting(self, row: ProjectRow) -> bool:
        return row.project.is_folded and any(chat in self.waiting for chat in row.chats)

    def stands_for_asking(self, row: ProjectRow) -> bool:
        return row.project.is_folded and any(chat in self.asking for chat in row.chats)

    def group_title(self, group: ConversationGroup) -> str:
        return {
            ConversationGroup.PROJECTS: self.tr("Projects"),
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
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if isinstance(row, ProjectRow):
            return usable | Qt.ItemFlag.ItemIsEditable
        selectable = usable | Qt.ItemFlag.ItemIsSelectable
        return selectable | Qt.ItemFlag.ItemIsEditable if isinstance(row, Conversation) else selectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        row = self.row_at(index)
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._accessible_text(row)
        return None

    def _text(self, row: SidebarRow) -> str:
        match row:
            case GroupHeading(group):
                return self.group_title(group)
            case ProjectRow(project):
                return project.name
            case _:
                return row.title

    def _accessible_text(self, row: SidebarRow) -> str:
        match row:
            case ProjectRow(project, chats):
                folded = self.tr("collapsed") if project.is_folded else self.tr("expanded")
                count = self.tr("1 chat") if len(chats) == 1 else self.tr("{n} chats").format(n=len(chats))
                return ", ".join([project.name, self.tr("project"), count, folded])
            case GroupHeading(group):
                return self.group_title(group)
            case SearchHit(title=title) as hit:
                where = f"{title}, {hit.project}" if hit.project else title
                return f"{where}: {build_snippet(hit, BEFORE_HEARD).text}"
            case Conversation(title=title):
                pinned = [self.tr("pinned")] if row.pinned else []
                unsent = [self.tr("unsent message")] if has_unsent_message(row) else []
                editing = [self.tr("unfinished edit")] if row.id in self.editing else []
                busy = [self.tr("answering")] if row.id in self.busy else []
                waiting = [self.tr("waiting")] if row.id in self.waiting else []
                asking = [self.tr("waiting for your permission to run a tool")] if row.id in self.asking else []
                damaged = [self.tr("damaged")] if row.id in self.damaged else []
                return ", ".join([title, *damaged, *pinned, *unsent, *editing, *busy, *waiting, *asking])
