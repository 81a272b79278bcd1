"""The page that lists everything shipped with specchat and shows each licence."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.program.licences import LicenceEntry
from specchat.ui.about.licence_list import LicenceList
from specchat.ui.about.reading_pane import ReadingPane
from specchat.ui.sidebar.search_box import FilterBox
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text

_COLUMNS = 80
"""The line width of most licenses."""


class LicencePage(QWidget):
    entries_requested = Signal()
    """When it is shown, until it has them."""
    text_requested = Signal(object)
    """Of a Part."""
    homepage_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._part: LicenceEntry | None = None
        self._has_parts = False
        self._filter = FilterBox(self)
        self._tally = QLabel(self)
        self._list = LicenceList(self)
        self._title = ElidedLabel(self)
        self._homepage = TextButton(self.tr("Open homepage…"), self)
        self._text = ReadingPane(self, columns=_COLUMNS)
        self._nothing = QLabel(self)
        self._pages = QStackedWidget(self)
        self.setFocusProxy(self._filter)
        self._name_parts()
        self._arrange()
        self._filter.search_changed.connect(self._search)
        self._filter.list_focus_requested.connect(self._list.setFocus)
        self._list.chosen.connect(self._choose)
        self._homepage.clicked.connect(self._want_homepage)

    def show_entries(self, parts: Sequence[LicenceEntry]) -> None:
        self._has_parts = True
        self._list.show_entries(parts)
        self._search(self._filter.query)
        words = self.tr(
            "In the packaged app, this page lists the licenses of all included components.\nThis copy "
            "includes no components. Its libraries were installed separately and come with their own "
            "licenses."
        )
        self._nothing.setText(words)
        self._pages.setCurrentIndex(0 if parts else 1)

    def show_problem(self, error: UserError) -> None:
        self._nothing.setText(f"{translate_text(error.message)} {translate_text(error.hint)}")
        self._pages.setCurrentWidget(self._nothing)

    def show_text(self, text: str) -> None:
        """Of the part that was asked for last."""
        self._text.setPlainText(text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._has_parts:
            self.entries_requested.emit()

    def _search(self, query: str) -> None:
        match self._list.filter(query):
            case 0:
                self._tally.setText(self.tr("Nothing found"))
            case 1:
                self._tally.setText(self.tr("1 component"))
            case n:
                self._tally.setText(self.tr("{n} components").format(n=n))

    def _choose(self, part: LicenceEntry | None) -> None:
        self._part = part
        self._text.clear()
        self._homepage.setVisible(part is not None and part.homepage.startswith("https://"))
        self._title.setText(f"{part.name} {part.version}".strip() if part else "")
        self._text.setAccessibleName(self.tr("License for {part}").format(part=part.name) if part else "")
        if part is not None:
            self.text_requested.emit(part)

    def _want_homepage(self) -> None:
        if self._part is not None:
            self.homepage_requested.emit(self._part.homepage)

    def _name_parts(self) -> None:
        words = self.tr("Search components")
        self._filter.setObjectName("licenceFilter")
        self._filter.setAccessibleName(words)
        self._filter.setPlaceholderText(words)
        self._tally.setObjectName("licenceTally")
        self._tally.setProperty("muted", True)
        self._title.setObjectName("licenceTitle")
        self._title.setMinimumHeight(self._homepage.height())
        self._homepage.setObjectName("openHomepage")
        self._text.setObjectName("licenceText")
        self._nothing.setObjectName("noLicences")
        self._nothing.setProperty("muted", True)
        self._nothing.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(self._filter, 1)
        top.addWidget(self._tally)
        middle = QHBoxLayout()
        middle.setSpacing(GRID)
        middle.addWidget(self._title, 1)
        middle.addWidget(self._homepage)
        whole = QWidget(self)
        rows = QVBoxLayout(whole)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(GRID)
        rows.addLayout(top)
        rows.addWidget(self._list, 2)
        rows.addLayout(middle)
        rows.addWidget(self._text, 3)
        self._pages.addWidget(whole)
        self._pages.addWidget(self._nothing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
