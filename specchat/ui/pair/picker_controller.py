"""Controls the pair picker: its models and drafts, remembered settings and memory estimates."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Connection
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef, ServedModel
from specchat.domain.types import PairChoice
from specchat.services.memory.device_memory import known_devices
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import is_missing, path_for_ref
from specchat.services.models.pair_fit import DraftOption, LocalModel
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.pair_button import PairButton
from specchat.ui.pair.pair_fit_model import PairFitModel
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.session import Session
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator


class PickerController(QObject):
    models_listed = Signal(list)
    """Of LocalModel: the models that are here now."""
    model_added = Signal()
    failed = Signal(UserError)
    """Other than in what the picker itself shows."""

    def __init__(
        self,
        session: Session,
        view: PairPicker,
        button: PairButton,
        tasks: TaskQueue,
        library: ModelLibrary,
        settings: PairSettings,
        fits: "Callable[[], FitEstimator]",
        resolved: Callable[[], PairChoice | None],
        engines: EngineList,
    ) -> None:
        """`resolved`: the loaded pair with a draft in place of "auto"."""
        super().__init__(view)
        self._engines = engines
        self._session, self.view, self._button = session, view, button
        self._tasks, self._library, self._settings, self._resolved = tasks, library, settings, resolved
        self._drafts = LatestTask(tasks, parent=self)
        self._proposed: PairChoice | None = None
        """Chosen in the popup until it is opened again."""
        self._model = PairFitModel(tasks, fits, library, lambda: self._loaded, self)
        engines.changed.connect(self._show_engines)
        view.target_picked.connect(self._follow_target)
        view.draft_picked.connect(self._recall)
        view.choice_changed.connect(self._model.open)
        view.add_file_requested.connect(self.add_file)
        view.remove_file_requested.connect(self._remove_file)
        self._model.fit_changed.connect(self._show_fit)
        self._model.failed.connect(self._show_error)

    def open(self, proposed: PairChoice | None = None) -> None:
        """`proposed`: chosen there, where the context comes next; None: what is loaded or loading."""
        self._proposed = proposed
        self.view.show_loaded(self._loaded)
        self.view.open_below(self._button)
        self._tasks.run(self._library.models, self._show_models, self.failed.emit)
        self._engines.refresh()
        resolved = self._resolved()
        self._tasks.run(lambda: find_missing_model(resolved), self.view.show_missing_model, self.failed.emit)

    def open_engine(self, connection: Connection) -> None:
        """With a model of this engine chosen: the loaded one, or its first."""
        entry = next((each for each in self._engines.entries if each.connection == connection), None)
        models = entry.models if entry is not None else ()
        loaded = self._session.choice
        if not models or (loaded is not None and loaded.target in models):
            self.open()
            return
        proposed = PairChoice(models[0])
        self.open(proposed)
        self.view.show_engines(self._engines.entries)
        self.view.show_served(proposed)

    def add_file(self, path: Path) -> None:
        def add() -> tuple[LocalModel, list[LocalModel]]:
            return self._library.add(path), self._library.models()

        self._tasks.run(add, self._show_added, self.failed.emit)

    def look_for_devices(self) -> None:
        """All of them are known only after llama.cpp was asked to load something."""
        self._tasks.run(known_devices, self.view.show_devices, self.failed.emit)

    @property
    def _loaded(self) -> PairChoice | None:
        """It would make room for another pair."""
        is_loaded = self._session.pair is not None and not self._session.is_unloaded
        return self._session.choice if is_loaded else None

    def _show_models(self, models: list[LocalModel]) -> None:
        self.models_listed.emit(models)
        if self.view.has_pending_choice and self._proposed is None:
            return
        chosen = self._proposed or self._session.choice
        target = next((model for model in models if chosen is not None and model.ref == chosen.target), None)
        if chosen is not None and target is not None:
            self._show_drafts(self._with_context(chosen) if target.missing else chosen)

    def _show_engines(self) -> None:
        """With what is loaded chosen, once its engine has answered."""
        self.view.show_engines(self._engines.entries)
        chosen = self._proposed or self._session.choice
        if chosen is None or self.view.has_pending_choice or self.view.target is not None:
            return
        entry = self._engines.find(chosen.target)
        if entry is not None and entry.report is not None:
            self.view.show_served(chosen)

    def _with_context(self, choice: PairChoice) -> PairChoice:
        """The one it was loaded with: the file no longer says which that is."""
        pair = self._session.pair
        if pair is None:
            return choice
        return replace(choice, target_settings=replace(choice.target_settings, n_ctx=pair.n_ctx))

    def _show_added(self, added: tuple[LocalModel, list[LocalModel]]) -> None:
        model, models = added
        self.model_added.emit()
        self.models_listed.emit(models)
        if self.view.isHidden():
            self.view.open_below(self._button)
        self.select_added(model.ref)

    def _remove_file(self, path: Path) -> None:
        def remove() -> list[LocalModel]:
            self._library.remove(path)
            return self._library.models()

        self._tasks.run(remove, self._show_models, self.failed.emit)

    def _follow_target(self, target: ModelRef) -> None:
        """Drafts of the target before would choose it again."""
        if isinstance(target, ServedModel):
            self._drafts.stop()
        else:
            self._show_drafts_for_target(target)

    def _show_drafts_for_target(self, target: ModelRef) -> None:
        self._show_drafts(self._settings.for_target(target))

    def _show_drafts(self, choice: PairChoice) -> None:
        """Unless another target is chosen meanwhile."""

        def load_drafts(_: CancelToken, post: PostCallback) -> None:
            drafts = self._library.draft_options(path_for_ref(choice.target))
            post(lambda: self._show_choice(choice, drafts))

        self._drafts.start(load_drafts, self._show_error)

    def _show_choice(self, choice: PairChoice, drafts: list[DraftOption]) -> None:
        self.view.show_choice(choice, drafts)
        if choice is self._proposed:
            self.view.focus_context()

    def select_added(self, added: ModelRef) -> None:
        """As the draft, where it can guess for the target that is chosen; otherwise as the target."""
        target = self.view.target
        if target is None or isinstance(target, ServedModel):
            self._show_drafts_for_target(added)
            return

        def load_drafts(_: CancelToken, post: PostCallback) -> None:
            drafts = self._library.draft_options(path_for_ref(target))
            if any(each.selectable and each.draft_type == "model" and _is_of(each, added) for each in drafts):
                choice = self._settings.recall(target, added, "auto")
                post(lambda: self.view.show_choice(choice, drafts))
            else:
                post(lambda: self._show_drafts_for_target(added))

        self._drafts.start(load_drafts, self._show_error)

    def _recall(self, choice: PairChoice) -> None:
        used = self._settings.for_pair(choice.target, choice.draft, choice.draft_type)
        self.view.show_settings(used or choice)

    def _show_fit(self) -> None:
        if self._model.choice is not None and self._model.fit is not None:
            self.view.show_fit(self._model.choice, self._model.fit)

    def _show_error(self, error: UserError) -> None:
        self.view.show_fit_note(f"{translate_text(error.message)} {translate_text(error.hint)}")


def find_missing_model(choice: PairChoice | None) -> ModelRef | None:
    models = (choice.target, choice.draft) if choice is not None else ()
    return next((model for model in models if model is not None and is_missing(model)), None)


def _is_of(option: DraftOption, ref: ModelRef) -> bool:
    return option.model is not None and option.model.ref == ref
