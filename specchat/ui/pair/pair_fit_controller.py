"""Estimates whether the selected pair fits into memory and suggests settings that would fit."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.memory import CPU
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.memory.settings_suggestion import suggest_settings
from specchat.services.models.model_refs import is_local
from specchat.services.models.pair_fit import Fit, PairFit
from specchat.ui.pair.load_settings import LoadSettings, describe_changes, load_settings_of
from specchat.ui.pair.memory_panel import MemoryPanel
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator


class PairFitController(QObject):
    changed = Signal()
    failed = Signal(UserError)

    def __init__(
        self,
        view: MemoryPanel,
        tasks: TaskQueue,
        fits: "Callable[[], FitEstimator]",
        loaded: Callable[[], PairChoice | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view, self._fits, self._loaded = view, fits, loaded
        self._newest = LatestTask(tasks, parent=self)
        self._settings = LoadSettings()
        self._pair: tuple[str, str | None] | None = None
        self._models: tuple[ModelRef, ModelRef | None] | None = None
        self._longest: int | None = None
        self._has_gpu = False
        self._better: LoadSettings | None = None
        self.verdict: Fit | None = None
        self.suggestion: str | None = None
        """What to change; empty: nothing would help; None: that is not known."""
        self.what_changed = ""
        view.changed.connect(self._ask_about)

    def begin(
        self,
        pair: tuple[str, str | None],
        models: tuple[ModelRef, ModelRef | None],
        last: LoadSettings,
        longest: int | None,
    ) -> None:
        """`pair`: as it is called; `last`: how it was used last, with which another target begins."""
        self.reset()
        if self._pair is None or self._pair[0] != pair[0]:
            self._settings = last
        elif self._pair != pair:
            self._settings = replace(last, n_ctx=self._settings.n_ctx, cache_type=self._settings.cache_type)
        self._pair, self._models, self._longest = pair, models, longest
        self._view.show_settings(self._shown(), longest)
        self._look()

    def stop(self) -> None:
        self._newest.stop()

    def reset(self) -> None:
        """There is another pair, or none."""
        self.stop()
        self._models = self.verdict = None
        self._suggest(None, None)
        self._view.show_note(self.tr("Working out the memory…"))

    @property
    def is_begun(self) -> bool:
        return self._models is not None

    def apply_suggestion(self) -> None:
        if self._better is not None and self.suggestion:
            self._settings, words = self._better, self.suggestion
            self._view.show_settings(self._shown(), self._longest)
            self._suggest(None, None)
            self.what_changed = words
            self._look()

    def choice(self, target: ModelRef, draft: ModelRef | None) -> PairChoice:
        """The same models from other files."""
        return self._shown().to_choice(target, draft)

    def _shown(self) -> LoadSettings:
        return self._settings.clamped_to(self._longest)

    def _ask_about(self, settings: LoadSettings) -> None:
        self._settings = replace(settings, used=self._settings.used)
        self.what_changed = ""
        self._look()

    def _look(self) -> None:
        if self._models is None:
            return
        settings, loaded = self._shown(), self._loaded()
        choice = settings.to_choice(*self._models)

        def look(cancel: CancelToken, tell: PostCallback) -> None:
            fits = self._fits()

            there = loaded if loaded is not None and _is_there(loaded) else None

            def fitted(attempt: PairChoice) -> PairFit:
                cancel.check()
                return fits.fit(attempt, loaded=there)

            found = fitted(choice)
            tell(lambda: self._show(found))
            if found.verdict is not Fit.FITS:
                better = _better(choice, found, fitted)
                tell(lambda: self._advise(settings, better, found))

        self._newest.start(look, self.failed.emit)

    def _show(self, found: PairFit) -> None:
        """The suggestion before stays until there is a new one: nothing flickers while a slider is pulled."""
        self._has_gpu = self._has_gpu or any(device.name != CPU for device in found.devices)
        self._view.show_fit(found, has_gpu=self._has_gpu)
        self.verdict = found.verdict
        if found.verdict is Fit.FITS:
            self._better = self.suggestion = None
        self.changed.emit()

    def _advise(self, settings: LoadSettings, better: PairChoice | None, found: PairFit) -> None:
        instead = load_settings_of(better) if better is not None else None
        self._suggest(instead, describe_changes(settings, instead, found) if instead is not None else "")
        self.changed.emit()

    def _suggest(self, better: LoadSettings | None, words: str | None) -> None:
        self._better, self.suggestion, self.what_changed = better, words, ""


def _is_there(pair: PairChoice) -> bool:
    """Files may be deleted while they are in use: then nobody can tell what they take."""
    return all(is_local(model) for model in (pair.target, pair.draft) if model is not None)


def _better(choice: PairChoice, found: PairFit, fitted: Callable[[PairChoice], PairFit]) -> PairChoice | None:
    ranks = list(Fit)
    better = suggest_settings(choice, fitted)
    if better is not None and ranks.index(fitted(better).verdict) < ranks.index(found.verdict):
        return better
    return None
