"""Supplies the pair picker with drafts, stored settings and memory estimates."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.lazy import Lazy
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import DraftOption, PairFit
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator


@dataclass(frozen=True, slots=True)
class _Drafts:
    choice: PairChoice
    options: list[DraftOption]


class PickerController:
    def __init__(
        self,
        picker: PairPicker,
        tasks: TaskQueue,
        library: ModelLibrary,
        settings: PairSettings,
        fits: "Lazy[FitEstimator]",
        loaded: Callable[[], PairChoice | None],
    ) -> None:
        """`loaded`: the pair that would make room for another."""
        self._picker, self._tasks, self._library, self._settings = picker, tasks, library, settings
        self._fits, self._loaded = fits, loaded
        picker.target_picked.connect(self.show_drafts_for_target)
        picker.draft_picked.connect(self._recall)
        picker.choice_changed.connect(self._look_for_room)

    def show_drafts_for_target(self, target: ModelRef) -> None:
        self.show_drafts(self._settings.for_target(target))

    def show_drafts(self, choice: PairChoice) -> None:
        def look() -> _Drafts:
            return _Drafts(choice, self._library.draft_options(path_for_ref(choice.target)))

        self._tasks.run(look, lambda drafts: self._picker.show_choice(drafts.choice, drafts.options), self._no_fit)

    def select_added(self, added: ModelRef) -> None:
        """As the draft, where it can guess for the target that is chosen; otherwise as the target."""
        target = self._picker.target
        if target is None:
            self.show_drafts_for_target(added)
            return

        def look() -> _Drafts | None:
            options = self._library.draft_options(path_for_ref(target))
            guesses = any(each.selectable and each.draft_type == "model" and _is_of(each, added) for each in options)
            return _Drafts(self._as_draft(target, added), options) if guesses else None

        def show(found: _Drafts | None) -> None:
            if found is None:
                self.show_drafts_for_target(added)
            else:
                self._picker.show_choice(found.choice, found.options)

        self._tasks.run(look, show, self._no_fit)

    def _as_draft(self, target: ModelRef, draft: ModelRef) -> PairChoice:
        used = self._settings.for_pair(target, draft, "auto")
        return used or replace(self._settings.for_target(target), draft=draft, draft_type="auto")

    def _recall(self, choice: PairChoice) -> None:
        used = self._settings.for_pair(choice.target, choice.draft, choice.draft_type)
        self._picker.show_settings(used or choice)

    def _look_for_room(self, choice: PairChoice) -> None:
        def look() -> PairFit:
            return self._fits().fit(self._library.with_best_draft(choice), loaded=self._loaded())

        self._tasks.run(look, lambda found: self._picker.show_fit(choice, found), self._no_fit)

    def _no_fit(self, error: UserError) -> None:
        self._picker.show_fit_note(f"{translate_text(error.message)} {translate_text(error.hint)}")


def _is_of(option: DraftOption, ref: ModelRef) -> bool:
    return option.model is not None and option.model.ref == ref
