"""The pane that searches Hugging Face and shows single repositories."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.models.hub_repository_page import HubRepositoryPage
from specchat.ui.models.hub_search_page import HubSearchPage
from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.models.manager_requests import ManagerRequests


class HubPane(ManagerPane):
    first_shown = Signal()
    repository_closed = Signal()

    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.requests = requests
        self._was_shown = False
        self._pages = QStackedWidget(self)
        self.results, self.repository = HubSearchPage(requests, self), HubRepositoryPage(requests, self)
        self.setObjectName("hubPane")
        self.setAccessibleName(self.tr("Models on Hugging Face"))
        for page in (self.results, self.repository):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self.repository.closed.connect(self._leave)
        self.repository.author_requested.connect(lambda author: self.search_for(f"{author}/"))

    def show_repository_loading(self, repo: str) -> None:
        self.repository.show_loading(repo, self.results.found_model(repo))
        self._pages.setCurrentWidget(self.repository)
        self.repository.focus()

    def search_for(self, text: str) -> None:
        """As if it had been typed."""
        self._pages.setCurrentWidget(self.results)
        self.results.bar.search_for(text)

    def focus_search(self) -> None:
        self.go_back()
        self.results.bar.box.focus_and_select()

    def go_back(self) -> bool:
        """Out of a repository."""
        is_inside = self._pages.currentWidget() is self.repository
        if is_inside:
            self._leave()
        return is_inside

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.first_shown.emit()

    def _leave(self) -> None:
        self._pages.setCurrentWidget(self.results)
        self.results.focus_card(self.repository.repo)
        self.repository_closed.emit()
