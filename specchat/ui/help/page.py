"""The help page, with the list of topics on the left and one of them on the right."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QVBoxLayout, QWidget

from specchat.services.program.help_topics import HelpTopic
from specchat.ui.help.help_text import HelpText
from specchat.ui.sidebar.search_box import FilterBox
from specchat.ui.widgets.theme import GRID, RADIUS, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.two_part_view import TwoPartView
from specchat.ui.window.window_page import WindowPage

_LEAST_BOTH = 88 * GRID
_LIST = 30 * GRID
_SIDE = 3 * GRID


class HelpPage(WindowPage):
    def __init__(self, topics: Sequence[HelpTopic], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._topics = topics
        self._left = QWidget(self)
        self._filter, self._list = FilterBox(self), QListWidget(self)
        self._nothing = QLabel(self.tr("Nothing found"), self)
        self._text = HelpText(self)
        names = self.tr("Contents"), self.tr("Page")
        self._parts = TwoPartView((self._left, self._text), names, _LEAST_BOTH, self)
        self._list.addItems([topic.title for topic in topics])
        self._name_parts()
        self._arrange()
        self._filter.search_changed.connect(self._search)
        self._filter.list_focus_requested.connect(self._list.setFocus)
        self._filter.returnPressed.connect(self._go_on)
        self._list.currentRowChanged.connect(self._choose)
        for opened in (self._list.itemClicked, self._list.itemActivated):
            opened.connect(self._show_text)
        self._text.topic_changed.connect(self._follow)
        follow_theme(self._apply_theme)

    def show_topic(self, place: str) -> None:
        """The file of a topic, with a heading in it if need be."""
        self._filter.clear()
        self._text.show_topic(place)
        self._show_text()
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        self._parts.show_part(self._left)
        self._filter.focus_and_select()

    def _show_text(self) -> None:
        self._parts.show_part(self._text)

    def _choose(self, row: int) -> None:
        if row >= 0:
            self._text.show_topic(self._topics[row].name)
            self._text.show_first_hit()

    def _follow(self, name: str) -> None:
        """A link leads elsewhere, too."""
        row = [topic.name for topic in self._topics].index(name)
        blocked = self._list.blockSignals(True)
        self._list.setCurrentRow(row)
        self._list.blockSignals(blocked)
        self._text.setAccessibleName(self._topics[row].title)

    def _search(self, query: str) -> None:
        words = query.split()
        found = [row for row, topic in enumerate(self._topics) if topic.has_all(words)]
        for row in range(len(self._topics)):
            self._list.item(row).setHidden(row not in found)
        self._nothing.setVisible(not found)
        self._text.mark_words(words)
        if found and self._list.currentRow() not in found:
            self._list.setCurrentRow(found[0])
        else:
            self._text.show_first_hit()

    def _go_on(self) -> None:
        """To the next place, after the last one of a page in the next page that has any."""
        was_seen = self._text.isVisible()
        self._show_text()
        if was_seen and self._filter.query and not self._text.show_next_hit():
            row = self._list.currentRow()
            rows = [*range(row + 1, self._list.count()), *range(row + 1)]
            self._list.setCurrentRow(next((each for each in rows if not self._list.item(each).isHidden()), row))
            self._text.show_first_hit()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._parts.set_part_width(self._left, scaled_px(_LIST))
        self._list.setStyleSheet(
            f"QListWidget {{ background: transparent; border: 1px solid transparent; border-radius: {RADIUS - 2}px;"
            f" padding: 0; }}"
            f"QListWidget:focus {{ border-color: {theme.accent.name()}; }}"
        )

    def _name_parts(self) -> None:
        self.setObjectName("helpPage")
        self.setWindowTitle(self.tr("Help"))
        self.setAccessibleName(self.tr("Help"))
        words = self.tr("Search help")
        self._filter.setObjectName("helpFilter")
        self._filter.setAccessibleName(words)
        self._filter.setPlaceholderText(words)
        self._list.setObjectName("helpList")
        self._list.setAccessibleName(self.tr("Help pages"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing.setObjectName("helpNothing")
        self._nothing.setProperty("muted", True)
        self._nothing.hide()
        self._text.setObjectName("helpText")

    def _arrange(self) -> None:
        left = QVBoxLayout(self._left)
        left.setContentsMargins(_SIDE, 0, 2 * GRID, 2 * GRID)
        left.setSpacing(GRID)
        left.addWidget(self._filter)
        left.addWidget(self._nothing)
        left.addWidget(self._list, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)
