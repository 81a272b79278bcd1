"""Runs the search for drafts and shows the candidates on the drafts page."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from specchat.domain.cancel_token import CancelToken
from specchat.services.drafts.draft_candidates import DraftCandidate, DraftSearchResult
from specchat.ui.pair.drafts_page import DraftsPage
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text

FindDrafts = Callable[[str, CancelToken, Callable[[Sequence[DraftCandidate]], None]], DraftSearchResult]
"""Tells of all candidates so far, ranked, whenever there is more to say."""


class DraftSearchController(QObject):
    def __init__(self, page: DraftsPage, tasks: TaskQueue, find: FindDrafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page, self._find = page, find
        self._newest = LatestTask(tasks, parent=self)
        self._target: tuple[str, str] | None = None
        for retrying in (page.retry_requested, page.problem.retry_requested):
            retrying.connect(self._again)

    def begin(self, reference: str, name: str) -> None:
        self._target = reference, name
        self._page.begin(name)

        def find_drafts(cancel: CancelToken, post: PostCallback) -> None:
            def show(candidates: Sequence[DraftCandidate]) -> None:
                post(lambda: self._page.show_candidates(candidates))

            found = self._find(reference, cancel, show)
            post(lambda: self._end(found))

        self._newest.start(find_drafts, self._page.fail)

    def stop(self) -> None:
        self._newest.stop()

    def _again(self) -> None:
        if self._target is not None:
            self.begin(*self._target)

    def _end(self, found: DraftSearchResult) -> None:
        self._page.show_candidates(found.drafts)
        self._page.end(translate_text(found.hub_problem) if found.hub_problem is not None else "")
