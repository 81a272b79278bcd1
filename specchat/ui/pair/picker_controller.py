"""Fills the pair picker with drafts, remembered settings and memory estimates."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import DraftOption
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.pair.pair_fit_model import PairFitModel
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator


class PickerController(QObject):
    def __init__(
        self,
        picker: PairPicker,
        tasks: TaskQueue,
        library: ModelLibrary,
        settings: PairSettings,
        fits: "Callable[[], FitEstimator]",
        loaded: Callable[[], PairChoice | None],
    ) -> None:
        """`loaded`: the pair that would make room for another."""
        super().__init__(picker)
        self._picker, self._library, self._settings = picker, library, settings
        self._drafts = LatestTask(tasks, parent=self)
        self._model = PairFitModel(tasks, fits, library, loaded, self)
        picker.target_picked.connect(self.show_drafts_for_target)
        picker.draft_picked.connect(self._recall)
        picker.choice_changed.connect(self._model.open)
        self._model.fit_changed.connect(self._show_fit)
        self._model.failed.connect(self._show_error)

    def show_drafts_for_target(self, target: ModelRef) -> None:
        self.show_drafts(self._settings.for_target(target))

    def show_drafts(self, choice: PairChoice) -> None:
        """Unless another target is chosen meanwhile."""

        def load_drafts(_: CancelToken, post: PostCallback) -> None:
            drafts = self._library.draft_options(path_for_ref(choice.target))
            post(lambda: self._picker.show_choice(choice, drafts))

        self._drafts.start(load_drafts, self._show_error)

    def select_added(self, added: ModelRef) -> None:
        """As the draft, where it can guess for the target that is chosen; otherwise as the target."""
        target = self._picker.target
        if target is None:
            self.show_drafts_for_target(added)
            return

        def load_drafts(_: CancelToken, post: PostCallback) -> None:
            drafts = self._library.draft_options(path_for_ref(target))
            if any(each.selectable and each.draft_type == "model" and _is_of(each, added) for each in drafts):
                choice = self._settings.recall(target, added, "auto")
                post(lambda: self._picker.show_choice(choice, drafts))
            else:
                post(lambda: self.show_drafts_for_target(added))

        self._drafts.start(load_drafts, self._show_error)

    def _recall(self, choice: PairChoice) -> None:
        used = self._settings.for_pair(choice.target, choice.draft, choice.draft_type)
        self._picker.show_settings(used or choice)

    def _show_fit(self) -> None:
        if self._model.choice is not None and self._model.fit is not None:
            self._picker.show_fit(self._model.choice, self._model.fit)

    def _show_error(self, error: UserError) -> None:
        self._picker.show_fit_note(f"{translate_text(error.message)} {translate_text(error.hint)}")


def _is_of(option: DraftOption, ref: ModelRef) -> bool:
    return option.model is not None and option.model.ref == ref
