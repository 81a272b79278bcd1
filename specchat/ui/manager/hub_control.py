"""Joins the pane for Hugging Face with the Hub."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hub import RemoteModel
from specchat.services.hub.address import page_of, repository_at
from specchat.services.hub.search import Found, HubSearch, Wanted
from specchat.ui.manager.hub_pane import HubPane
from specchat.ui.opened_outside import open_address
from specchat.ui.threads.newest import Newest, Tell
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.link_question import asked_to_open

T = TypeVar("T")


class HubControl(QObject):
    def __init__(self, pane: HubPane, tasks: Tasks, search: HubSearch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pane, self._tasks, self._search = pane, tasks, search
        self._results, self._repository = (_Errand(Newest(tasks, parent=self)) for _ in range(2))
        self._last = self._results
        self._found: Found | None = None
        pane.firstShown.connect(lambda: self._search_for(pane.wanted))
        pane.searchWanted.connect(self._search_for)
        pane.moreWanted.connect(self._read_on)
        pane.repositoryWanted.connect(self.open)
        pane.repositoryLeft.connect(self._leave)
        pane.headerWanted.connect(self._read_header)
        pane.againWanted.connect(self.try_again)
        pane.pageWanted.connect(self._offer_page)

    def open(self, repo: str) -> None:
        pane = self._pane
        self._last = self._repository
        look = partial(self._search.look, repo)
        self._repository.run(partial(pane.show_looking, repo), look, pane.show_repository, pane.show_repository_error)

    def try_again(self) -> None:
        """What was asked for last; a token that was given since then is used."""
        self._last.again()

    def look_who_is_here(self) -> None:
        """Files were downloaded, or deleted."""
        if offered := self._pane.offered:
            look = partial(self._search.those_here, offered)
            self._tasks.run(look, self._pane.show_here, self._pane.show_repository_error)

    def close(self) -> None:
        """Nobody waits for answers any more."""
        self._results.stop()
        self._repository.stop()

    def _search_for(self, wanted: Wanted) -> None:
        if repo := repository_at(wanted.text):
            self.open(repo)
            return
        self._last = self._results
        search = partial(self._search.search, wanted)
        self._results.run(self._pane.show_searching, search, self._show_found, self._pane.show_search_error)

    def _read_on(self) -> None:
        if self._found is not None:
            self._last = self._results
            more = partial(self._search.more, self._found)
            self._results.run(self._pane.show_reading_on, more, self._show_found, self._pane.show_search_error)

    def _show_found(self, found: Found) -> None:
        self._found = found
        self._pane.show_found(found)

    def _read_header(self, model: RemoteModel) -> None:
        pane = self._pane
        inspect = partial(self._search.inspect, model)
        show = partial(pane.show_header, model)
        self._repository.run(partial(pane.show_reading, model), inspect, show, pane.show_repository_error)

    def _leave(self) -> None:
        self._repository.stop()
        self._last = self._results

    def _offer_page(self, repo: str) -> None:
        page = page_of(repo)
        if asked_to_open(page, self._pane):
            open_address(page)


class _Errand:
    """One wish at a time, which can be repeated."""

    def __init__(self, newest: Newest) -> None:
        self._newest = newest
        self._again: Callable[[], None] | None = None

    def run(
        self,
        begin: Callable[[], None],
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[UserError], None],
    ) -> None:
        def errand(cancel: CancelToken, tell: Tell) -> None:
            tell(partial(done, work(cancel)))

        self._again = partial(self.run, begin, work, done, failed)
        begin()
        self._newest.begin(errand, failed)

    def again(self) -> None:
        if self._again is not None:
            self._again()

    def stop(self) -> None:
        self._newest.stop()
