"""What specchat is, and whose work is in it."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from specchat.ui.about.licence_page import LicencePage
from specchat.ui.about.specchat_page import SpecchatPage
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.screen import fit_on_screen
from specchat.ui.widgets.scrolled import Scrolled
from specchat.ui.widgets.tabs import PAGE, Tabs, arrange
from specchat.ui.widgets.theme import GRID, Theme

_HEIGHT = 78 * GRID


class AboutDialog(QDialog):
    def __init__(self, host: str, theme: Theme, parent: QWidget | None = None) -> None:
        """`host`: who is asked for updates; empty: nobody."""
        super().__init__(parent)
        self._tabs = Tabs(theme, self)
        self.specchat = SpecchatPage(host, theme, self)
        self.licences = LicencePage(theme, self)
        self._pages = QStackedWidget(self)
        self._close = TextButton(self.tr("Close"), self)
        self.setObjectName("aboutDialog")
        self.setWindowTitle(self.tr("About specchat"))
        self.setAccessibleName(self.tr("About specchat"))
        self._arrange()
        fit_on_screen(self, QSize(self.sizeHint().width(), _HEIGHT))
        self._tabs.currentChanged.connect(self._turn_to)
        self._close.clicked.connect(self.accept)

    def set_theme(self, theme: Theme) -> None:
        for part in (self._tabs, self.specchat, self.licences):
            part.set_theme(theme)

    def open_again(self) -> None:
        """At its first page."""
        self._tabs.setCurrentIndex(0)
        self.show()
        self.raise_()
        self.activateWindow()

    def _turn_to(self, number: int) -> None:
        """Whoever goes through the tabs by their keys stays there."""
        self._pages.setCurrentIndex(number)
        if number and not self._tabs.hasFocus():
            self.licences.setFocus()

    def _arrange(self) -> None:
        self._tabs.setObjectName("aboutTabs")
        self._tabs.addTab("specchat")
        self._tabs.addTab(self.tr("Licences"))
        for page in (self.specchat, self.licences):
            self._pages.addWidget(Scrolled(page, PAGE, self))
        self._close.setObjectName("closeAbout")
        arrange(self, self._tabs, self._pages, self._close)
