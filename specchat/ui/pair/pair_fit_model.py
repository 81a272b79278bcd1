"""Keeps the pair that is being chosen and what FitEstimator says of its memory, which is asked in the background."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.types import PairChoice
from specchat.services.memory.settings_suggestion import suggest_settings
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import Fit, PairFit
from specchat.ui.pair.load_options import describe_changes
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator


class PairFitModel(QObject):
    """The popup and the panel of the model manager have one each; its `fit` is what their memory bars show."""

    choice_changed = Signal()
    """Settings were suggested and taken: views show them."""
    fit_changed = Signal()
    failed = Signal(UserError)

    def __init__(
        self,
        tasks: TaskQueue,
        fits: "Callable[[], FitEstimator]",
        library: ModelLibrary,
        loaded: Callable[[], PairChoice | None],
        parent: QObject | None = None,
        *,
        suggests: bool = False,
    ) -> None:
        """`loaded`: the pair that would make room for this one; `suggests`: settings with which it would fit better."""
        super().__init__(parent)
        self._fits, self._library, self._loaded, self._suggests = fits, library, loaded, suggests
        self._newest = LatestTask(tasks, parent=self)
        self._choice: PairChoice | None = None
        self._better: PairChoice | None = None
        self._is_open = False
        self.fit: PairFit | None = None
        """None: it is not known yet."""
        self.suggestion: str | None = None
        """What to change; empty: nothing would help; None: that is not known."""
        self.changes = ""
        """What was changed for a suggestion."""

    @property
    def choice(self) -> PairChoice | None:
        """What was chosen last; its models may be others by now, see `is_open`."""
        return self._choice

    @property
    def is_open(self) -> bool:
        """The models of the choice can be looked into."""
        return self._is_open

    def reset(self) -> None:
        """Other models are chosen, or none: nothing is known of them until `open`."""
        self.stop()
        self._is_open, self.fit = False, None
        self._suggest(None, None)

    def open(self, choice: PairChoice) -> None:
        self.reset()
        self._is_open = True
        self.change(choice)

    def change(self, choice: PairChoice) -> None:
        """Other settings for the same models."""
        self._choice, self.changes = choice, ""
        self._estimate()

    def use_suggestion(self) -> None:
        if self._better is not None and self.suggestion:
            self._choice, words = self._better, self.suggestion
            self._suggest(None, None)
            self.changes = words
            self.choice_changed.emit()
            self._estimate()

    def stop(self) -> None:
        self._newest.stop()

    def _estimate(self) -> None:
        choice, loaded = self._choice, self._loaded()
        if choice is None or not self._is_open:
            return

        def estimate(cancel: CancelToken, post: PostCallback) -> None:
            from specchat.services.memory.slot_fit import with_usual_slots  # it takes its time to import

            fits, settled = self._fits(), self._library.with_best_draft(choice)
            before = with_usual_slots(loaded)[0] if loaded is not None else None

            def fit(attempt: PairChoice) -> PairFit:
                cancel.check()
                return fits.fit(with_usual_slots(attempt)[0], loaded=before)

            found = fit(settled)
            post(lambda: self._show(found))
            if self._suggests and found.verdict is not Fit.FITS:
                better = _better(settled, found, fit)
                post(lambda: self._advise(choice, better, found))

        self._newest.start(estimate, self.failed.emit)

    def _show(self, found: PairFit) -> None:
        """The suggestion before stays until there is a new one: nothing flickers while a slider is pulled."""
        self.fit = found
        if found.verdict is Fit.FITS:
            self._better = self.suggestion = None
        self.fit_changed.emit()

    def _advise(self, choice: PairChoice, better: PairChoice | None, found: PairFit) -> None:
        self._suggest(better, describe_changes(choice, better, found) if better is not None else "")
        self.fit_changed.emit()

    def _suggest(self, better: PairChoice | None, words: str | None) -> None:
        self._better, self.suggestion, self.changes = better, words, ""


def _better(choice: PairChoice, found: PairFit, fit: Callable[[PairChoice], PairFit]) -> PairChoice | None:
    ranks = list(Fit)
    better = suggest_settings(choice, fit)
    if better is not None and ranks.index(fit(better).verdict) < ranks.index(found.verdict):
        return better
    return None
