"""The Hub search bar: a search box, sorting and filters."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.hub import HubQuery, HubSortOrder
from specchat.ui.manager.filter_box import FilterBox
from specchat.ui.manager.hub_text import sorting_label
from specchat.ui.manager.local_models_text import format_parameters
from specchat.ui.widgets.form_fields import CheckBox, ChoiceBox, describe_field
from specchat.ui.widgets.theme import GRID

_PAUSE_MS = 400
_SIZES = (2, 4, 9, 15, 35, 75)
"""Billions of parameters, as names give them."""
_LOOSELY = 1.1
"""What is called 8B may have 8.2 billion."""

_SHORTEST = 3
"""Characters of a filter where there is no room for more."""
_WIDEST = 24 * GRID


class HubSearchBox(FilterBox):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hubSearchBox")
        self.setAccessibleName(self.tr("Search Hugging Face"))
        self.setPlaceholderText(self.tr("Model, author/ or the address of a page"))
        self._pause.setInterval(_PAUSE_MS)
        self.returnPressed.connect(self._search)


class HubSearchBar(QWidget):
    search_requested = Signal(HubQuery)
    """After a pause in typing, or at once."""
    list_focus_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._box = HubSearchBox(self)
        self._sorting, self._size = ChoiceBox(self), ChoiceBox(self)
        self._fitting = CheckBox(self.tr("Only what fits"), self)
        self._fitting.setChecked(True)
        self._fill()
        self._arrange()
        self._box.search_changed.connect(self.search)
        self._box.list_focus_requested.connect(self.list_focus_requested)
        for choice in (self._sorting, self._size):
            choice.currentIndexChanged.connect(self.search)
        self._fitting.toggled.connect(self.search)

    @property
    def query(self) -> HubQuery:
        return HubQuery(
            self._box.query,
            sorting=self._sorting.currentData(),
            most_parameters=self._size.currentData(),
            only_fitting=self._fitting.isChecked(),
        )

    def search(self) -> None:
        self.search_requested.emit(self.query)

    def search_for(self, text: str) -> None:
        self._box.setText(text)
        self._box.returnPressed.emit()

    def clear_size_filters(self) -> None:
        """Whether it fits or not."""
        for part in (self._size, self._fitting):
            part.blockSignals(True)
        self._size.setCurrentIndex(0)
        self._fitting.setChecked(False)
        for part in (self._size, self._fitting):
            part.blockSignals(False)
        self._fitting.update()
        self.search()

    def focus(self) -> None:
        self._box.focus_and_select()

    def _fill(self) -> None:
        self._sorting.set_items([(sorting_label(each), each) for each in _SORTINGS], HubSortOrder.TRENDING)
        up_to = self.tr("Up to {size}")
        sizes = [
            (up_to.format(size=format_parameters(each * 10**9)), round(each * 10**9 * _LOOSELY)) for each in _SIZES
        ]
        self._size.set_items([(self.tr("Any size"), None), *sizes], None)
        for choice in (self._sorting, self._size):
            choice.setMinimumContentsLength(_SHORTEST)
            widest = max(choice.fontMetrics().horizontalAdvance(choice.itemText(i)) for i in range(choice.count()))
            choice.view().setMinimumWidth(widest + 4 * GRID)
        why = self.tr("Estimated from the size and the memory that is free now.")
        describe_field(self._sorting, "hubSorting", self.tr("Sort by"))
        describe_field(self._size, "hubSize", self.tr("Size in parameters"))
        describe_field(self._fitting, "hubFitting", self._fitting.text(), why)

    def _arrange(self) -> None:
        filters = QHBoxLayout()
        filters.setSpacing(GRID)
        for choice in (self._sorting, self._size):
            choice.setMaximumWidth(_WIDEST)
            filters.addWidget(choice, 1)
        filters.addWidget(self._fitting)
        filters.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._box)
        layout.addLayout(filters)


_SORTINGS = (HubSortOrder.TRENDING, HubSortOrder.DOWNLOADS, HubSortOrder.LIKES, HubSortOrder.UPDATED)
