"""The pane that searches Hugging Face and shows single repositories."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.domain.hub import HubModel, HubQuery, RemoteModel
from specchat.services.hub.hub_search import HubSearchResults, RepositoryDetails
from specchat.ui.manager.hub_message import HubAction
from specchat.ui.manager.hub_repository_page import HubRepositoryPage
from specchat.ui.manager.hub_search_page import HubSearchPage

if TYPE_CHECKING:  # it takes its time to import
    from specchat.gguf.summary import ModelSummary


class HubPane(QWidget):
    first_shown = Signal()
    search_requested = Signal(HubQuery)
    more_requested = Signal()
    repository_requested = Signal(str)
    """owner/name"""
    repository_closed = Signal()
    header_requested = Signal(object)
    """Of a RemoteModel."""
    retry_requested = Signal()
    """What has failed last."""
    web_page_requested = Signal(str)
    """Of a repository, in the browser."""
    target_requested = Signal(str)
    """A model's reference."""
    draft_requested = Signal(str)
    download_requested = Signal(str)
    token_requested = Signal()
    local_models_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._was_shown = False
        self._pages = QStackedWidget(self)
        self._results, self._repository = HubSearchPage(self), HubRepositoryPage(self)
        self.setObjectName("hubPane")
        self.setAccessibleName(self.tr("Models on Hugging Face"))
        for page in (self._results, self._repository):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self._connect()

    @property
    def query(self) -> HubQuery:
        return self._results.bar.query

    def show_searching(self) -> None:
        self._results.show_searching()

    def show_loading_more(self) -> None:
        self._results.show_loading_more()

    def show_results(self, found: HubSearchResults) -> None:
        self._results.show_results(found)

    def show_search_error(self, error: UserError) -> None:
        self._results.show_error(error)

    def show_repository_loading(self, repo: str) -> None:
        self._repository.show_loading(repo, self._found(repo))
        self._pages.setCurrentWidget(self._repository)
        self._repository.focus()

    def show_repository(self, repository: RepositoryDetails) -> None:
        self._repository.show_repository(repository, self._found(repository.listing.repo))

    @property
    def offered_models(self) -> list[RemoteModel]:
        """The files of the repository that was opened last."""
        return self._repository.models

    def show_downloaded(self, here: Collection[RemoteModel]) -> None:
        """Of those that are offered."""
        self._repository.show_downloaded(here)

    def show_header_loading(self, model: RemoteModel) -> None:
        self._repository.show_header_loading(model)

    def show_header(self, model: RemoteModel, summary: "ModelSummary") -> None:
        self._repository.show_header(model, summary)

    def show_repository_error(self, error: UserError) -> None:
        self._repository.show_error(error)

    def search_for(self, text: str) -> None:
        """As if it had been typed."""
        self._pages.setCurrentWidget(self._results)
        self._results.bar.search_for(text)

    def focus_search(self) -> None:
        self.go_back()
        self._results.bar.focus()

    def go_back(self) -> bool:
        """Out of a repository."""
        is_inside = self._pages.currentWidget() is self._repository
        if is_inside:
            self._leave()
        return is_inside

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.first_shown.emit()

    def _connect(self) -> None:
        results, repository = self._results, self._repository
        results.bar.search_requested.connect(self.search_requested)
        results.more_requested.connect(self.more_requested)
        results.repository_requested.connect(self.repository_requested)
        repository.closed.connect(self._leave)
        repository.header_requested.connect(self.header_requested)
        repository.author_requested.connect(lambda author: self.search_for(f"{author}/"))
        for page in (results, repository):
            page.target_requested.connect(self.target_requested)
            page.draft_requested.connect(self.draft_requested)
            page.action_chosen.connect(self._take)
        repository.download_requested.connect(self.download_requested)

    def _leave(self) -> None:
        self._pages.setCurrentWidget(self._results)
        self._results.focus_card(self._repository.repo)
        self.repository_closed.emit()

    def _found(self, repo: str) -> HubModel | None:
        found = self._results.results
        return next((each.model for each in found.models if each.model.repo == repo), None) if found else None

    def _take(self, way: HubAction) -> None:
        match way:
            case HubAction.AGAIN:
                self.retry_requested.emit()
            case HubAction.PAGE:
                self.web_page_requested.emit(self._repository.repo)
            case HubAction.TOKEN:
                self.token_requested.emit()
            case HubAction.HERE:
                self.local_models_requested.emit()
