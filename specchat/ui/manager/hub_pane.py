"""Models on Hugging Face: searches, and a look into one repository."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.domain.hub import HubModel, RemoteModel
from specchat.services.hub.search import Found, Repository, Wanted
from specchat.ui.manager.hub_message import Way
from specchat.ui.manager.hub_repository import HubRepository
from specchat.ui.manager.hub_results import HubResults
from specchat.ui.widgets.theme import Theme

if TYPE_CHECKING:  # it takes its time to import
    from specchat.gguf.summary import ModelSummary


class HubPane(QWidget):
    firstShown = Signal()
    searchWanted = Signal(Wanted)
    moreWanted = Signal()
    repositoryWanted = Signal(str)
    """owner/name"""
    repositoryLeft = Signal()
    headerWanted = Signal(object)
    """Of a RemoteModel."""
    againWanted = Signal()
    """What has failed last."""
    pageWanted = Signal(str)
    """Of a repository, in the browser."""
    targetWanted = Signal(str)
    """A model's reference."""
    draftWanted = Signal(str)
    downloadWanted = Signal(str)
    tokenWanted = Signal()
    hereWanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._was_shown = False
        self._pages = QStackedWidget(self)
        self._results, self._repository = HubResults(theme, self), HubRepository(theme, self)
        self.setObjectName("hubPane")
        self.setAccessibleName(self.tr("Models on Hugging Face"))
        for page in (self._results, self._repository):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self._connect()

    @property
    def wanted(self) -> Wanted:
        return self._results.bar.now

    def show_searching(self) -> None:
        self._results.show_searching()

    def show_reading_on(self) -> None:
        self._results.show_reading_on()

    def show_found(self, found: Found) -> None:
        self._results.show_found(found)

    def show_search_error(self, error: UserError) -> None:
        self._results.show_error(error)

    def show_looking(self, repo: str) -> None:
        self._repository.show_looking(repo, self._found(repo))
        self._pages.setCurrentWidget(self._repository)
        self._repository.focus()

    def show_repository(self, repository: Repository) -> None:
        self._repository.show_repository(repository, self._found(repository.listing.repo))

    @property
    def offered(self) -> list[RemoteModel]:
        """The files of the repository that was opened last."""
        return self._repository.models

    def show_here(self, here: Collection[RemoteModel]) -> None:
        """Of those that are offered."""
        self._repository.show_here(here)

    def show_reading(self, model: RemoteModel) -> None:
        self._repository.show_reading(model)

    def show_header(self, model: RemoteModel, summary: "ModelSummary") -> None:
        self._repository.show_header(model, summary)

    def show_repository_error(self, error: UserError) -> None:
        self._repository.show_error(error)

    def search_for(self, text: str) -> None:
        """As if it had been typed."""
        self._pages.setCurrentWidget(self._results)
        self._results.bar.search_for(text)

    def focus_search(self) -> None:
        self.step_back()
        self._results.bar.focus()

    def step_back(self) -> bool:
        """Out of a repository."""
        is_inside = self._pages.currentWidget() is self._repository
        if is_inside:
            self._leave()
        return is_inside

    def set_theme(self, theme: Theme) -> None:
        self._results.set_theme(theme)
        self._repository.set_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.firstShown.emit()

    def _connect(self) -> None:
        results, repository = self._results, self._repository
        results.bar.wanted.connect(self.searchWanted)
        results.moreWanted.connect(self.moreWanted)
        results.repositoryWanted.connect(self.repositoryWanted)
        repository.left.connect(self._leave)
        repository.lookWanted.connect(self.headerWanted)
        repository.authorWanted.connect(lambda author: self.search_for(f"{author}/"))
        for page in (results, repository):
            page.targetWanted.connect(self.targetWanted)
            page.draftWanted.connect(self.draftWanted)
            page.wayChosen.connect(self._take)
        repository.downloadWanted.connect(self.downloadWanted)

    def _leave(self) -> None:
        self._pages.setCurrentWidget(self._results)
        self._results.focus_card(self._repository.repo)
        self.repositoryLeft.emit()

    def _found(self, repo: str) -> HubModel | None:
        found = self._results.found
        return next((each.model for each in found.models if each.model.repo == repo), None) if found else None

    def _take(self, way: Way) -> None:
        match way:
            case Way.AGAIN:
                self.againWanted.emit()
            case Way.PAGE:
                self.pageWanted.emit(self._repository.repo)
            case Way.TOKEN:
                self.tokenWanted.emit()
            case Way.HERE:
                self.hereWanted.emit()
