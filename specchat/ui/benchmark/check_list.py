"""A list of check boxes, each with an explanation below it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from specchat.ui.widgets.controls import ElidedLabel
from specchat.ui.widgets.form_fields import CheckBox, muted_label
from specchat.ui.widgets.theme import GRID


@dataclass(frozen=True, slots=True)
class CheckItem:
    key: object
    title: str
    line: str = ""


class CheckList(QWidget):
    """Which are chosen is told by key, and stays when others come."""

    changed = Signal()
    filled = Signal()
    """Its boxes are new ones."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[object, _Row] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self.setObjectName(name)

    @property
    def chosen(self) -> tuple[object, ...]:
        return tuple(key for key, row in self._rows.items() if row.box.isChecked())

    @property
    def boxes(self) -> Sequence[QWidget]:
        return [row.box for row in self._rows.values()]

    def show_items(self, items: Sequence[CheckItem], chosen: Collection[object]) -> None:
        for gone in self._rows.values():
            gone.hide()
            gone.deleteLater()
        self._rows = {item.key: _Row(item, self) for item in items}
        for key, row in self._rows.items():
            row.box.setChecked(key in chosen)
            row.box.toggled.connect(self.changed)
            self._column.addWidget(row)
        self.filled.emit()

    def choose(self, keys: Collection[object]) -> None:
        for key, row in self._rows.items():
            row.box.setChecked(key in keys)


class _Row(QWidget):
    def __init__(self, item: CheckItem, parent: QWidget) -> None:
        super().__init__(parent)
        self.box = CheckBox("", self)
        self.box.setFixedWidth(2 * GRID + 4)
        self.box.setAccessibleName(item.title)
        self.box.setAccessibleDescription(item.line)
        title = ElidedLabel(self)
        title.setText(item.title)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(GRID)
        layout.setVerticalSpacing(0)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self.box, 0, 0)
        layout.addWidget(title, 0, 1)
        if item.line:
            layout.addWidget(muted_label(item.line, self), 1, 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Its words belong to the box."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.box.toggle()
