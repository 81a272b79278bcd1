"""A table whose selected row can be copied whole, even where cells are cut off."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QTableView


class CopyableTable(QTableView):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt would copy the current cell only, although the row is selected."""
        row = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy) and row >= 0:
            QGuiApplication.clipboard().setText(self._row_text(row))
        else:
            super().keyPressEvent(event)

    def _row_text(self, row: int) -> str:
        """Headings and cells, as spreadsheets paste them."""
        model = self.model()
        columns = range(model.columnCount())
        heads = [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]
        cells = [str(model.index(row, column).data() or "") for column in columns]
        return "\n".join("\t".join(line) for line in (heads, cells))
