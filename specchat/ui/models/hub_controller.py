"""Connects the Hugging Face pane to the Hub search."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hub import HubQuery, RemoteModel, page_url, parse_repository_url
from specchat.services.hub.hub_search import HubSearch, HubSearchResults
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.link_confirmation import open_link_after_question

T = TypeVar("T")


class HubController(QObject):
    def __init__(self, pane: HubPane, tasks: TaskQueue, search: HubSearch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pane, self._tasks, self._search = pane, tasks, search
        self._results, self._repository = _Errand(tasks), _Errand(tasks)
        self._last = self._results
        pane.first_shown.connect(lambda: self._search_for(pane.results.bar.query))
        pane.repository_closed.connect(self._leave)
        requests = pane.requests
        requests.search_requested.connect(self._search_for)
        requests.more_results_requested.connect(self._read_on)
        requests.repository_requested.connect(self.open_repository)
        requests.header_requested.connect(self._read_header)
        requests.hub_retry_requested.connect(self.retry)
        requests.repository_page_requested.connect(lambda repo: open_link_after_question(page_url(repo), pane))

    def open_repository(self, repo: str) -> None:
        self._last, page = self._repository, self._pane.repository
        fetch = partial(self._search.fetch_repository, repo)
        self._repository.run(
            partial(self._pane.show_repository_loading, repo), fetch, page.show_repository, page.show_error
        )

    def retry(self) -> None:
        """What was asked for last; a token that was given since then is used."""
        self._last.again()

    def refresh_downloaded(self) -> None:
        """Files were downloaded, or deleted."""
        page = self._pane.repository
        if offered := page.models:
            filter_local = partial(self._search.filter_local, offered)
            self._tasks.run(filter_local, page.show_downloaded, page.show_error)

    def close(self) -> None:
        """Nobody waits for answers any more."""
        self._results.stop()
        self._repository.stop()

    def _search_for(self, wanted: HubQuery) -> None:
        if repo := parse_repository_url(wanted.text):
            self.open_repository(repo)
            return
        self._last, page = self._results, self._pane.results
        search = partial(self._search.search, wanted)
        self._results.run(page.show_searching, search, page.show_results, page.show_error)

    def _read_on(self, found: HubSearchResults) -> None:
        self._last, page = self._results, self._pane.results
        more = partial(self._search.search_more, found)
        self._results.run(page.show_loading_more, more, page.show_results, page.show_error)

    def _read_header(self, model: RemoteModel) -> None:
        page = self._pane.repository
        inspect = partial(self._search.inspect, model)
        show = partial(page.show_header, model)
        self._repository.run(partial(page.show_header_loading, model), inspect, show, page.show_error)

    def _leave(self) -> None:
        self._repository.stop()
        self._last = self._results


class _Errand:
    """One wish at a time, which can be repeated."""

    def __init__(self, tasks: TaskQueue) -> None:
        self._tasks, self._cancel = tasks, CancelToken()
        self._again: Callable[[], None] | None = None

    def run(
        self,
        begin: Callable[[], None],
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[UserError], None],
    ) -> None:
        self._again = partial(self.run, begin, work, done, failed)
        begin()
        self.stop()
        cancel = self._cancel = CancelToken()
        self._tasks.run(partial(work, cancel), done, failed, cancel)

    def again(self) -> None:
        if self._again is not None:
            self._again()

    def stop(self) -> None:
        self._cancel.cancel()
