"""A list view in which one row is selected, like a group of radio buttons."""

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.pair.row_painting import ChoiceRowState, default_row_height, paint_row, remove_area, row_height
from specchat.ui.widgets.controls import make_action
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_MANY_SHOWN, _FEW_SHOWN = 6, 4
_CUT = 0.5
"""The part of the last visible row that is cut off, to show that there are more."""
_LEAST_SHOWN = 2


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
        if row is None or row.is_heading:
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
        name = ", ".join(filter(None, (row.title, *row.badges, row.place)))
        if row.is_heading:
            return name
        if row.selectable:
            return f"{name}, {row.line}"
        return self.tr("{name}, not available: {reason}").format(name=name, reason=row.line)


class ChoiceList(QListView):
    picked = Signal(object)
    """The key of the row that the user chose."""
    removed = Signal(object)

    def __init__(self, object_name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ChoiceListModel(self)
        self._delegate = _Delegate(self._model, self)
        self._showing = False
        self._most_shown = _MANY_SHOWN
        self.setObjectName(object_name)
        self.setAccessibleName(words)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("QListView { background: transparent; outline: none; }")
        follow_theme(self._apply_theme, call_now=False)

    @property
    def rows(self) -> tuple[ChoiceRow, ...]:
        return self._model.rows

    def show_rows(self, rows: Sequence[ChoiceRow], picked: object) -> None:
        self._showing = True
        is_new = tuple(rows) != self._model.rows
        if is_new:
            self._model.show_rows(rows)
            self.updateGeometry()
        self.setCurrentIndex(self._model.index_of(picked))
        self._showing = False
        if is_new:
            self._show_current()
        else:
            self.scrollTo(self.currentIndex())

    def set_compact(self, *, few: bool) -> None:
        self._most_shown = _FEW_SHOWN if few else _MANY_SHOWN
        self.updateGeometry()

    def _apply_theme(self) -> None:
        self.scheduleDelayedItemsLayout()  # rows of larger text are higher
        self.updateGeometry()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        whole = sum(row_height(row, self.width()) for row in self.rows)
        most = self._most_shown * default_row_height()
        return QSize(0, whole if whole <= most else most - round(_CUT * default_row_height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, default_row_height() * min(_LEAST_SHOWN, max(1, len(self.rows))))

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """What cannot be chosen takes nothing from what is."""
        row = self._model.row(index)
        if row is not None and not row.selectable:
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        indexes = selected.indexes()
        row = self._model.row(indexes[0]) if indexes else None
        if row is not None and not self._showing:
            self.picked.emit(row.key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_under_remove(event.position().toPoint())
        if row is None:
            super().mousePressEvent(event)
        elif event.button() is Qt.MouseButton.LeftButton:
            self.removed.emit(row.key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._delegate.pointer = event.position().toPoint()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._model.row(self.currentIndex())
        if event.key() == Qt.Key.Key_Delete and row is not None and row.removable:
            self.removed.emit(row.key)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos()) if event.reason() is event.Reason.Mouse else self.currentIndex()
        row = self._model.row(index)
        if row is None or not row.removable:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove = make_action(menu, self.tr("Remove from list"))
        remove.triggered.connect(lambda: self.removed.emit(row.key))
        menu.addAction(remove)
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._show_current()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_current()

    def _tops(self) -> list[int]:
        """Where each row begins, and where the last one ends."""
        width = self.viewport().width()
        return list(accumulate((row_height(row, width) for row in self.rows), initial=0))

    def _show_current(self) -> None:
        """Whole, below as many whole rows as there is room for; at the end of the list, the last row ends it."""
        number = self.currentIndex().row()
        if number >= 0:
            self.executeDelayedItemsLayout()
            tops = self._tops()
            hidden = tops[number + 1] - self.viewport().height()
            self.verticalScrollBar().setValue(next(top for top in tops if top >= min(hidden, tops[number])))

    def _row_under_remove(self, place: QPoint) -> ChoiceRow | None:
        index = self.indexAt(place)
        row = self._model.row(index)
        under = row is not None and row.removable and remove_area(self.visualRect(index)).contains(place)
        return row if under else None


class _Delegate(QStyledItemDelegate):
    def __init__(self, model: ChoiceListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.pointer = QPoint(-1, -1)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._model.row(index)
        return QSize(0, row_height(row, option.rect.width()) if row is not None else default_row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._model.row(index)
        if row is None:
            return
        flags = QStyle.StateFlag
        hovered = bool(option.state & flags.State_MouseOver)
        state = ChoiceRowState(
            chosen=bool(option.state & flags.State_Selected),
            hovered=hovered,
            focused=bool(option.state & flags.State_HasFocus),
            enabled=bool(option.state & flags.State_Enabled),
            over_remove=hovered and remove_area(option.rect).contains(self.pointer),
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row(painter, option.rect, row, state, current_theme())
        painter.restore()
