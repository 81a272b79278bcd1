"""The About dialog, with a page about specchat and a page of licences."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from specchat.ui.about.licence_page import LicencePage
from specchat.ui.about.specchat_page import SpecchatPage
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.tab_bar import PAGE_MARGINS, TabBar, arrange_tab_dialog
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.window_geometry import fit_on_screen

_HEIGHT = 78 * GRID


class AboutDialog(QDialog):
    def __init__(self, host: str, parent: QWidget | None = None) -> None:
        """`host`: who is asked for updates; empty: nobody."""
        super().__init__(parent)
        self._tabs = TabBar(self)
        self.specchat_page = SpecchatPage(host, self)
        self.licence_page = LicencePage(self)
        self._pages = QStackedWidget(self)
        self._close = TextButton(self.tr("Close"), self)
        self.setObjectName("aboutDialog")
        self.setWindowTitle(self.tr("About specchat"))
        self.setAccessibleName(self.tr("About specchat"))
        self._arrange()
        fit_on_screen(self, QSize(self.sizeHint().width(), _HEIGHT))
        self._tabs.currentChanged.connect(self._turn_to)
        self._close.clicked.connect(self.accept)

    def open_first_page(self) -> None:
        """At its first page."""
        self._tabs.setCurrentIndex(0)
        self.show()
        self.raise_()
        self.activateWindow()

    def _turn_to(self, number: int) -> None:
        """Whoever goes through the tabs by their keys stays there."""
        self._pages.setCurrentIndex(number)
        if number and not self._tabs.hasFocus():
            self.licence_page.setFocus()

    def _arrange(self) -> None:
        self._tabs.setObjectName("aboutTabs")
        self._tabs.addTab("specchat")
        self._tabs.addTab(self.tr("Licenses"))
        for page in (self.specchat_page, self.licence_page):
            self._pages.addWidget(ContentScrollArea(page, PAGE_MARGINS, self))
        self._close.setObjectName("closeAbout")
        arrange_tab_dialog(self, self._tabs, self._pages, self._close)
