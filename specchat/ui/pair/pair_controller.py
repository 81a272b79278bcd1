"""Loads, unloads and switches the pair of models."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.errors import NotReadyError, RemoteEngineError, UserError
from specchat.domain.loading import LoadAborted, LoadCompleted, LoadStage, LoadUpdate, PairUnloaded
from specchat.domain.model_ref import ModelRef, ServedModel
from specchat.domain.rpc import on_this_machine
from specchat.domain.types import PairChoice
from specchat.services.lazy import Lazy
from specchat.services.memory.settings_suggestion import suggest_context
from specchat.services.models.demo_pair import DEMO_TITLES, demo_choice
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import is_missing, ref_for_path
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.default_load_settings import with_default_settings
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.benchmark.end_question import Measurement, confirm_end_measurement
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.choice_rows import unique_model_names
from specchat.ui.pair.load_options import with_context
from specchat.ui.pair.pair_button import PairButton, PairButtonState
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.pair.pair_text import loading_text, missing_last_pair_error, missing_model_error, pair_state
from specchat.ui.pair.picker_controller import PickerController, find_missing_model
from specchat.ui.session import Session
from specchat.ui.threads.inference import Inference, InferenceEvent
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.literal_text import literal_text
from specchat.ui.widgets.theme import GRID
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.memory.fit_estimator import FitEstimator

_LONGEST_NAME = 24 * GRID
"""On a button and in the line of what happens, where it shares a small window with other words."""


class PairController(QObject):
    load_progressed = Signal(str, float)
    """The target's name, and how much of the pair is loaded."""
    model_names_changed = Signal()
    """What models are called is known, or has changed."""
    measurement_requested = Signal(Measurement)
    """The user wants to see what the pair made room for."""
    early_exit_ended = Signal()
    """Another pair was loaded, or a benchmark needs the room."""

    def __init__(
        self,
        session: Session,
        inference: Inference,
        tasks: TaskQueue,
        library: ModelLibrary,
        settings: PairSettings,
        fits: "Lazy[FitEstimator]",
        button: PairButton,
        picker: PairPicker,
        engines: EngineList,
        notifications: NotificationController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._notifications = session, notifications
        self._inference, self._tasks, self._library, self._settings = inference, tasks, library, settings
        self._button, self._engines = button, engines
        self.picker = PickerController(
            session, picker, button, tasks, library, settings, fits, lambda: self.resolved_choice, engines
        )
        self._names = dict(DEMO_TITLES)
        """Of models that are gone too: one may still be loaded."""
        self._longest: dict[ModelRef, int | None] = {}
        """The context that each model was made for."""
        self._resolved: PairChoice | None = None
        """The same with a draft in place of "auto": what the thread was told."""
        self._problem: UserError | None = None
        """What went wrong last, until another pair is chosen."""
        self._last_attempt: PairChoice | None = None
        """What was to be loaded last."""
        self._previous: PairChoice | None = None
        """What was loaded last until something else was to be."""
        self._suspended_for: Measurement | None = None
        self._restored: PairChoice | None = None
        """What was loaded again last after it had made room."""
        self.activity = ""
        """What is done for loading at the moment, in words."""
        inference.events_arrived.connect(self._follow_loading)
        engines.changed.connect(self._show_pair)
        button.clicked.connect(self._clicked)
        picker.load_requested.connect(self.load)
        self.picker.models_listed.connect(self._list)
        self.picker.model_added.connect(self._dismiss_problem)
        self.picker.failed.connect(self.show_problem)

    @property
    def choice(self) -> PairChoice | None:
        """What is loaded."""
        return self._session.choice if self._session.pair is not None else None

    @property
    def _loading(self) -> PairChoice | None:
        return self._session.choice if self._session.pair is None else None

    @property
    def resolved_choice(self) -> PairChoice | None:
        """The same with a draft in place of "auto"."""
        return self._resolved if self._session.pair is not None else None

    @property
    def local_choice(self) -> PairChoice | None:
        """None: nothing is loaded on this computer."""
        choice = self.resolved_choice
        return None if choice is None or isinstance(choice.target, ServedModel) else choice

    @property
    def current_choice(self) -> PairChoice | None:
        """What is loading, else what is loaded."""
        return self._session.choice

    @property
    def is_target_only(self) -> bool:
        """As it was chosen."""
        choice = self._session.choice
        return choice is not None and choice.draft_type == "none"

    @property
    def is_suspended(self) -> bool:
        """Made room for something else, and will come back."""
        return self._suspended_for is not None

    @property
    def is_loading(self) -> bool:
        return self._loading is not None

    @property
    def is_restoring(self) -> bool:
        """Loads what had made room for something else."""
        return self._loading is not None and self._loading is self._restored

    def reload(self) -> None:
        """What was tried last, whatever became of it."""
        if self._last_attempt is None or not self.load(self._last_attempt):
            self.load_last()

    def load_last(self) -> bool:
        """What was used last, else the demo; False where there is neither."""
        last = self._settings.last_pair()
        instead = demo_choice()
        if last is not None and not is_missing(last.target):
            has_draft = last.draft is None or not is_missing(last.draft)
            instead = last if has_draft else replace(last, draft=None, draft_type="auto", draft_max=None)
        if instead is not None:
            self.load(instead)
        if last is not None and instead != last:
            self.show_problem(missing_last_pair_error(last, instead), partial(self.load, last))
        return instead is not None

    def propose_smaller_context(self) -> None:
        """For what was tried last: the longest one that fits."""
        choice = self.current_choice or self._last_attempt or self._settings.last_pair()
        if choice is not None:
            self._tasks.run(partial(_with_less_context, choice), self.picker.open, self.show_problem)

    def propose_larger_context(self) -> None:
        """Twice the loaded one, as far as the target allows."""
        pair, choice, longest = self._session.pair, self.choice, self._session.longest_context
        if pair is not None and choice is not None:
            twice = 2 * pair.n_ctx
            self.picker.open(with_context(choice, min(twice, longest or twice)))

    def refresh_models(self) -> None:
        """There may be other models, with other names."""
        self._tasks.run(self._library.models, self._list, self.show_problem)

    def show_pending(self, target: Path) -> PairChoice:
        """Shown as loading, until somebody knows whether it can be loaded."""
        choice = self.with_default_settings(PairChoice(ref_for_path(target)))
        self._resolved = None
        self._session.set_pair(None, choice)
        self._show_loading(0.0)
        return choice

    def with_default_settings(self, choice: PairChoice) -> PairChoice:
        return with_default_settings(choice, self.current_choice or self._previous or self._settings.last_pair())

    def load(self, choice: PairChoice) -> bool:
        """False: that would end what this one made room for, and must not. Without the files what is loaded stays."""
        if (self.choice is not None or self.is_suspended) and (missing := find_missing_model(choice)):
            self.show_problem(missing_model_error(missing), partial(self.load, choice))
            return True
        if self._suspended_for and not confirm_end_measurement(self._suspended_for, self._button.window()):
            return False
        self._previous = self.choice or self._previous
        self._resolved = None
        self._last_attempt = choice
        self.picker.view.clear_pending_choice()
        self._end_suspension()
        self._dismiss_problem()
        self._session.set_pair(None, choice)
        self._show_loading(0.0)

        def request(settled: PairChoice) -> None:
            if self._loading is choice:
                self._resolved = settled
                self._inference.load(settled)

        self._tasks.run(lambda: self._library.with_best_draft(choice), request, lambda error: self._end(choice, error))
        return True

    def stop_loading(self) -> None:
        if self._loading is not None:
            self._inference.stop_loading()
            self._resolved = None
            self._end(self._loading, None)

    def save_unfinished(self) -> None:
        """What is still loading when the window closes is what the next start should load."""
        if self._loading is not None:
            with suppress(UserError):
                self._settings.save(self._loading)

    def unload(self) -> None:
        """Its memory is free until the next message, which loads it again."""
        choice = self.choice
        if choice is not None:
            self._inference.unload()
            self._notifications.show_action_notice(
                self._unloaded_words(choice), self.tr("Load now"), partial(self.load, choice)
            )

    def _unloaded_words(self, choice: PairChoice) -> str:
        name = self._shortened(self.display_name(choice.target.name))
        return self.tr("{target} unloaded").format(target=name)

    def suspend(self, measurement: Measurement) -> None:
        """What is loaded or loading goes, until `resume`: something else needs the memory."""
        self._end_suspension()
        if self._loading is not None:
            self._inference.stop_loading()
        if measurement is Measurement.EARLY_EXIT:
            self._inference.unload()  # a benchmark does that by itself
        self._previous = self.current_choice or self._previous
        self._resolved = None
        self._suspended_for = measurement
        self.show_measurement_progress(0, 0)
        self._session.set_pair(None)

    def show_measurement_progress(self, done: int, total: int) -> None:
        """How far that is for which this one made room."""
        if self.is_suspended:
            target = self.display_name(self._previous.target.name) if self._previous is not None else ""
            self._button.show_state(PairButtonState(target, measuring=(done, total)))

    def resume(self, measurement: Measurement) -> None:
        """Unless another pair was loaded meanwhile, or something else needs the memory now."""
        if self._suspended_for is measurement:
            self._suspended_for = None
            if self._previous is not None:
                self._restored = self._previous
                self.load(self._previous)
            else:
                self._button.show_state(PairButtonState())

    def _end_suspension(self) -> None:
        ended, self._suspended_for = self._suspended_for, None
        if ended is Measurement.EARLY_EXIT:
            self.early_exit_ended.emit()

    def _clicked(self) -> None:
        if self._suspended_for is not None:
            self.measurement_requested.emit(self._suspended_for)
        else:
            self.picker.open()

    def display_name(self, file_name: str) -> str:
        return self._names.get(file_name, file_name.removesuffix(".gguf"))

    def _follow_loading(self, events: Sequence[InferenceEvent]) -> None:
        """Only what comes of the choice made last."""
        for event in events:
            if isinstance(event, PairUnloaded) and event.choice is self._resolved:
                self._session.is_unloaded = True
                self._show_pair()
            if not isinstance(event, LoadUpdate | LoadCompleted | LoadAborted) or event.choice is not self._resolved:
                continue
            if self._loading is None and not self._begin_again(event):
                continue
            match event:
                case LoadUpdate():
                    self._show_loading(event.done, event.stage)
                case LoadCompleted():
                    self._keep(event.pair)
                case LoadAborted():
                    assert self._loading is not None
                    self._end(self._loading, event.error)

    def _begin_again(self, event: LoadUpdate | LoadCompleted | LoadAborted) -> bool:
        """What was loaded last is loaded again by itself, or is gone. False: that is known."""
        if self.choice is None and isinstance(event, LoadAborted):
            return False
        self._previous = self.choice or self._last_attempt
        self._session.set_pair(None, self._previous)
        return True

    def _keep(self, pair: PairInfo) -> None:
        choice = self._loading
        assert choice is not None
        self._session.longest_context = self._longest.get(choice.target)
        self._notifications.dismiss_error_type(NotReadyError)
        self._notifications.dismiss_notice(self._unloaded_words(choice))
        self._session.set_pair(pair, choice)
        self._session.is_unloaded = False
        if isinstance(choice.target, ServedModel) and self._engines.find(choice.target) is None:
            self._engines.list_saved()
        self._show_pair()
        self.picker.look_for_devices()
        try:
            self._settings.save(choice)
        except UserError as error:
            self.show_problem(error)

    def _show_pair(self) -> None:
        if self._session.pair is not None and self.choice is not None:
            target = self.choice.target
            engine = self._engines.name_of(target) if isinstance(target, ServedModel) else ""
            state = pair_state(self._session.pair, self.choice, self.display_name, engine)
            self._button.show_state(replace(state, is_unloaded=self._session.is_unloaded))

    def _end(self, choice: PairChoice, error: UserError | None) -> None:
        if self._loading is not choice:
            return
        self._session.set_pair(None)
        self._button.show_state(PairButtonState())
        self.picker.look_for_devices()
        if error is not None:
            self.show_problem(error, *self._other_load(choice, error))
        elif self._previous is not None:
            again = partial(self.load, self._previous)
            self._notifications.show_action_notice(self.tr("Loading stopped"), self._words_for(self._previous), again)

    def _other_load(self, failed: PairChoice, error: UserError) -> tuple[Callable[[], object] | None, str]:
        """What can be loaded in its place, and the words of the button."""
        if failed.target_settings.rpc:
            return partial(self.load, on_this_machine(failed)), self.tr("Load without other machines")
        if self._previous is not None:
            return partial(self.load, self._previous), self._words_for(self._previous)
        return partial(self.load, failed) if isinstance(error, RemoteEngineError) else None, ""

    def _words_for(self, before: PairChoice) -> str:
        shown = self._shortened(self.display_name(before.target.name))
        return self.tr("Reload {target}").format(target=literal_text(shown))

    def _shortened(self, name: str) -> str:
        return self._button.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _LONGEST_NAME)

    def _show_loading(self, share: float, stage: LoadStage | None = None) -> None:
        choice = self._resolved or self._loading
        if choice is not None:
            target, draft = (self.display_name(model.name) if model else "" for model in (choice.target, choice.draft))
            self.activity = loading_text(stage, self._shortened(target), self._shortened(draft))
            named = draft if stage in (LoadStage.CHECKING_DRAFT, LoadStage.LOADING_DRAFT) else target
            self._button.show_state(PairButtonState(named, loading=share))
            self.load_progressed.emit(target, share)

    def _list(self, models: list[LocalModel]) -> None:
        self._names |= {path.name: name for path, name in unique_model_names(models).items()}
        self._longest = {model.ref: model.n_ctx_train for model in models}
        if self.choice is not None:
            self._session.longest_context = self._longest.get(self.choice.target)
            self._show_pair()
        self.model_names_changed.emit()
        self.picker.view.show_models(models)

    def show_problem(self, error: UserError, again: Callable[[], object] | None = None, words: str = "") -> None:
        """Until another pair is loaded or chosen. `again`: how to get back to the pair before, with `words` for it."""
        self._problem = error
        self._notifications.show_error(error, again, words)

    def _dismiss_problem(self) -> None:
        self._notifications.dismiss_error(self._problem)


def _with_less_context(choice: PairChoice) -> PairChoice:
    from specchat.services.memory.fit_estimator import FitEstimator  # it takes its time to import

    return suggest_context(choice, FitEstimator().fit)
