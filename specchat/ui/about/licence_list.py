"""The tree of libraries with their versions and licences."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from specchat.services.program.licences import LicenceEntry
from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text

_NAME_WIDTH, _VERSION_WIDTH = 24 * GRID, 22 * GRID


class LicenceList(QTreeWidget):
    """What is shipped, a line for each part."""

    chosen = Signal(object)
    """A Part; None: there is none to choose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: Sequence[LicenceEntry] = ()
        self.setObjectName("licenceList")
        self.setAccessibleName(self.tr("Components of specchat"))
        self.setHeaderLabels([self.tr("Component"), self.tr("Version"), self.tr("License")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setSectionsMovable(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.header().setStretchLastSection(True)
        follow_theme(self._apply_theme)
        self.currentItemChanged.connect(self._emit_chosen)

    def show_entries(self, parts: Sequence[LicenceEntry]) -> None:
        self.clear()
        self._parts = parts
        for part in parts:
            texts = [part.name, part.version, part.licence]
            item = QTreeWidgetItem(self, texts)
            for column, text in enumerate(texts):
                item.setToolTip(column, tooltip_text(text))
        self.filter("")

    def filter(self, query: str) -> int:
        """Shows those that have all words of the query; tells how many there are."""
        shown = [number for number, part in enumerate(self._parts) if _has_all(part, query)]
        for number in range(len(self._parts)):
            self.setRowHidden(number, QModelIndex(), number not in shown)
        if self.currentIndex().row() not in shown:
            self.setCurrentIndex(self.model().index(shown[0], 0) if shown else QModelIndex())
        return len(shown)

    def _apply_theme(self) -> None:
        theme = current_theme()
        for column, width in enumerate((_NAME_WIDTH, _VERSION_WIDTH)):
            self.header().resizeSection(column, scaled_px(width))
        self.setStyleSheet(
            f"""
            QTreeView {{
                background: {theme.surface.name()}; color: {theme.text.name()}; outline: none;
                border: 1px solid {theme.line.name()}; border-radius: {RADIUS - 2}px;
            }}
            QTreeView:focus {{ border-color: {theme.accent.name()}; }}
            QTreeView::item {{ min-height: {3.5 * GRID:.0f}px; padding: 0 {GRID // 2}px; border: none; }}
            QTreeView::item:hover {{ background: {theme.hover.name()}; }}
            QTreeView::item:selected {{ background: {theme.selected.name()}; color: {theme.text.name()}; }}
            QHeaderView {{ background: transparent; }}
            QHeaderView::section {{
                background: transparent; color: {theme.text_muted.name()}; border: none;
                padding: 0 {GRID // 2 + 3}px; font-size: {scaled_px(SMALL_PX)}px; min-height: {4 * GRID}px;
            }}
            """
        )

    def _emit_chosen(self, item: QTreeWidgetItem | None) -> None:
        self.chosen.emit(None if item is None else self._parts[self.indexOfTopLevelItem(item)])


def _has_all(part: LicenceEntry, query: str) -> bool:
    text = f"{part.name} {part.version} {part.licence}".casefold()
    return all(word in text for word in query.casefold().split())
