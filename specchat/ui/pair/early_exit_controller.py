"""Offers a target's first layers as its draft on the drafts page, and tries them when the user agrees."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.types import ModelSettings
from specchat.ui.pair.drafts_page import DraftsPage
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.number_format import format_number, format_percent, format_size

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.drafts.early_exit_offer import EarlyExitOffer, EarlyExitReport
    from specchat.services.drafts.early_exit_process import EarlyExitProcess


class EarlyExitController(QObject):
    kept = Signal()
    """The target has another draft."""
    started = Signal()
    """What is loaded should make room, or `fail` is called."""
    ended = Signal()

    def __init__(
        self,
        page: DraftsPage,
        tasks: TaskQueue,
        process: "Callable[[], EarlyExitProcess]",
        settings: Callable[[], ModelSettings],
        parent: QObject | None = None,
    ) -> None:
        """`settings`: how the target would be loaded."""
        super().__init__(parent)
        self._page, self._process, self._settings = page, process, settings
        self._tasks, self._newest = tasks, LatestTask(tasks, parent=self)
        self._offer: EarlyExitOffer | None = None
        self._name = ""
        self._is_trying = False
        page.early_exit_requested.connect(self._ask)
        page.stop_requested.connect(self.stop_trial)

    def begin(self, reference: str, name: str) -> None:
        """Whether the target's layers are any good for that, its header says."""
        self.stop()
        self._offer, self._name = None, name

        def look(_: CancelToken, post: PostCallback) -> None:
            if (offer := self._process().offer(reference)) is not None:
                post(lambda: self._show_offer(offer))

        self._newest.start(look, lambda _: None)

    def stop(self) -> None:
        self._newest.stop()
        self._leave()

    def stop_trial(self) -> None:
        if self._is_trying:
            self.stop()
            self._page.show_early_exit(self.tr("The early exit test was stopped. Nothing was kept."), running=False)

    def close(self) -> None:
        self._newest.stop()
        self._tasks.close()

    def _leave(self) -> None:
        was_trying, self._is_trying = self._is_trying, False
        if was_trying:
            self.ended.emit()

    def _show_offer(self, offer: "EarlyExitOffer") -> None:
        self._offer = offer
        self._page.offer_early_exit()

    def _ask(self) -> None:
        if (offer := self._offer) is None:
            return
        words = self.tr(
            "specchat will spend a few minutes measuring how fast {name} is with its own first layers as the draft. "
            "This takes up to {space} in the cache folder. If the draft makes answers faster, specchat keeps it "
            "(up to {size})."
        )
        if offer.is_trained:
            words = self.tr("This model was trained for early exit.") + " " + words
        question = ConfirmationDialog(
            self.tr("Try early exit?"),
            words.format(space=format_size(offer.space), size=format_size(max(offer.sizes)), name=self._name),
            self.tr("Try it"),
            self._page,
        )
        question.confirmed.connect(lambda: self._try(offer))
        question.open()

    def _try(self, offer: "EarlyExitOffer") -> None:
        self._is_trying = True
        self.started.emit()
        if not self._is_trying:
            return
        self._show_progress(offer.candidates[0], 0.0)
        settings = self._settings()

        def work(cancel: CancelToken, post: PostCallback) -> None:
            def progress(n_layers: int, part: float) -> None:
                post(lambda: self._show_progress(n_layers, part))

            report = self._process().run(offer, cancel, progress, settings)
            post(lambda: self._end(report))

        self._newest.start(work, self.fail)

    def _show_progress(self, n_layers: int, part: float) -> None:
        words = self.tr("Testing early exit after layer {n}: {percent} done. Going back stops the test.")
        self._page.show_early_exit(words.format(n=format_number(n_layers), percent=format_percent(part)), running=True)

    def _end(self, report: "EarlyExitReport") -> None:
        self._leave()
        if report.kept is not None:
            self.kept.emit()
            return
        words = self.tr(
            "Early exit doesn't pay off on this computer: after layer {n}, answers would be {speed}× as "
            "fast as plain decoding."
        )
        best = report.best
        self._page.show_early_exit(
            words.format(n=format_number(best.n_layers), speed=format_number(best.speedup, 2)), running=False
        )

    def fail(self, error: UserError) -> None:
        self._leave()
        self._page.fail(error)
