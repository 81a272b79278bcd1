"""What the pair picker asks: which drafts there are, how a pair was used, and whether there is room for it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import file_of
from specchat.services.models.model_shelf import ModelShelf
from specchat.services.models.pair_values import DraftOption, PairFit
from specchat.services.once import Once
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.picker.picker import PairPicker
from specchat.ui.threads.tasks import Tasks
from specchat.ui.words.said import in_words

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit import Fits


@dataclass(frozen=True, slots=True)
class _Drafts:
    choice: PairChoice
    options: list[DraftOption]


class PickerAnswers:
    def __init__(
        self,
        picker: PairPicker,
        tasks: Tasks,
        shelf: ModelShelf,
        settings: PairSettings,
        fits: "Once[Fits]",
        loaded: Callable[[], PairChoice | None],
    ) -> None:
        """`loaded`: the pair that would make room for another."""
        self._picker, self._tasks, self._shelf, self._settings = picker, tasks, shelf, settings
        self._fits, self._loaded = fits, loaded
        picker.targetPicked.connect(self.show_drafts_as_used)
        picker.draftPicked.connect(self._recall)
        picker.changed.connect(self._look_for_room)

    def show_drafts_as_used(self, target: ModelRef) -> None:
        self.show_drafts_of(self._settings.of_target(target))

    def show_drafts_of(self, choice: PairChoice) -> None:
        def look() -> _Drafts:
            return _Drafts(choice, self._shelf.draft_options(file_of(choice.target)))

        self._tasks.run(look, lambda drafts: self._picker.show_choice(drafts.choice, drafts.options), self._no_fit)

    def show_added(self, added: ModelRef) -> None:
        """As the draft, where it can guess for the target that is chosen; otherwise as the target."""
        target = self._picker.target
        if target is None:
            self.show_drafts_as_used(added)
            return

        def look() -> _Drafts | None:
            options = self._shelf.draft_options(file_of(target))
            guesses = any(each.selectable and each.draft_type == "model" and _is_of(each, added) for each in options)
            return _Drafts(self._as_draft(target, added), options) if guesses else None

        def show(found: _Drafts | None) -> None:
            if found is None:
                self.show_drafts_as_used(added)
            else:
                self._picker.show_choice(found.choice, found.options)

        self._tasks.run(look, show, self._no_fit)

    def _as_draft(self, target: ModelRef, draft: ModelRef) -> PairChoice:
        used = self._settings.of_pair(target, draft, "auto")
        return used or replace(self._settings.of_target(target), draft=draft, draft_type="auto")

    def _recall(self, choice: PairChoice) -> None:
        used = self._settings.of_pair(choice.target, choice.draft, choice.draft_type)
        self._picker.show_settings(used or choice)

    def _look_for_room(self, choice: PairChoice) -> None:
        def look() -> PairFit:
            return self._fits().fit(self._shelf.settled(choice), loaded=self._loaded())

        self._tasks.run(look, lambda found: self._picker.show_fit(choice, found), self._no_fit)

    def _no_fit(self, error: UserError) -> None:
        self._picker.show_no_fit(f"{in_words(error.message)} {in_words(error.hint)}")


def _is_of(option: DraftOption, ref: ModelRef) -> bool:
    return option.model is not None and option.model.ref == ref
