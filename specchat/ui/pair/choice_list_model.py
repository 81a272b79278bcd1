"""The item model of a choice list."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.widgets.tooltip import tooltip_text

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ChoiceListModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[ChoiceRow, ...] = ()

    def show_rows(self, rows: Sequence[ChoiceRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def index_of(self, key: object) -> QModelIndex:
        for number, row in enumerate(self.rows):
            if row.key == key:
                return self.index(number)
        return QModelIndex()

    def row(self, index: Index) -> ChoiceRow | None:
        return self.rows[index.row()] if index.isValid() else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """What cannot be chosen stays enabled: it can be reached with the keyboard, and read."""
        row = self.row(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsSelectable if row.selectable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._accessible_text(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip_text("\n".join(filter(None, (row.title, row.line, row.hint))))
        return None

    def _accessible_text(self, row: ChoiceRow) -> str:
        name = f"{row.title}, {row.place}" if row.place else row.title
        if row.selectable:
            return f"{name}, {row.line}"
        return self.tr("{name}, cannot be chosen: {reason}").format(name=name, reason=row.line)
