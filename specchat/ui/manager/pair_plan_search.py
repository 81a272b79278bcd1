"""Looks for drafts while the tray shows what was found."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from specchat.domain.cancel import CancelToken
from specchat.services.drafts.values import DraftCandidate, FoundDrafts
from specchat.ui.manager.tray_drafts import DraftsPage
from specchat.ui.threads.newest import Newest, Tell
from specchat.ui.threads.tasks import Tasks
from specchat.ui.words.said import in_words

FindDrafts = Callable[[str, CancelToken, Callable[[Sequence[DraftCandidate]], None]], FoundDrafts]
"""Tells of all candidates so far, ranked, whenever there is more to say."""


class DraftSearch(QObject):
    def __init__(self, page: DraftsPage, tasks: Tasks, find: FindDrafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page, self._find = page, find
        self._newest = Newest(tasks, parent=self)
        self._target: tuple[str, str] | None = None
        page.againRequested.connect(self._again)

    def begin(self, reference: str, name: str) -> None:
        self._target = reference, name
        self._page.begin(name)

        def look(cancel: CancelToken, tell: Tell) -> None:
            def show(candidates: Sequence[DraftCandidate]) -> None:
                tell(lambda: self._page.show_candidates(candidates))

            found = self._find(reference, cancel, show)
            tell(lambda: self._end(found))

        self._newest.begin(look, self._page.fail)

    def stop(self) -> None:
        self._newest.stop()

    def _again(self) -> None:
        if self._target is not None:
            self.begin(*self._target)

    def _end(self, found: FoundDrafts) -> None:
        self._page.show_candidates(found.drafts)
        self._page.end(in_words(found.hub_problem) if found.hub_problem is not None else "")
