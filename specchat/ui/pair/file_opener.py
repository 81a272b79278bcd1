"""Opens model files passed by the desktop, by a second instance or by a drop on the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject

from specchat.domain.errors import IncompatibleError, UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.models.model_discovery import is_same_file
from specchat.services.models.model_refs import is_same_model
from specchat.services.models.pair_fit import DraftOption, Fit, LocalModel
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.model_services import ModelServices
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.notification_controller import NotificationController


@dataclass(frozen=True, slots=True)
class _Opened:
    file: Path
    choice: PairChoice
    """With the draft that was opened with it, else as it was used last, else with the best draft that is here."""
    fits: bool
    is_paired: bool = False
    """With the draft that was opened."""
    refused: UserError | None = None
    """Why no other file that was opened can guess."""


class FileOpener(QObject):
    def __init__(
        self,
        services: ModelServices,
        tasks: TaskQueue,
        pair: PairController,
        answers: RunningAnswers,
        notifications: NotificationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._notifications = notifications
        self._services, self._tasks, self._pair, self._answers = services, tasks, pair, answers
        self._has_started = self._may_load_last = False
        self._waiting: list[Path] = []
        """What is to be opened first."""
        self._expected: PairChoice | None = None
        """What the window says it loads, while the file is looked at."""

    def start(self, *, load_last: bool = True) -> None:
        """What is to be opened is loaded, else what was used last."""
        self._has_started, self._may_load_last = True, load_last
        if self._waiting:
            self._expected = self._pair.show_pending(self._waiting[0])
            self.open(self._waiting)
        else:
            self._load_last()

    def open(self, files: Sequence[Path]) -> None:
        if not self._has_started:
            self._waiting += files
        elif files:
            self._tasks.run(lambda: self._inspect_files(files), self._load_opened, self._refuse)

    def _inspect_files(self, files: Sequence[Path]) -> _Opened:
        from specchat.services.models.opened_models import (
            add_opened_models,
        )  # needs numpy, which takes its time to import

        target = add_opened_models(files, self._services.library)
        others = [file for file in files if not is_same_file(file, target.path)]
        settings = self._services.pair_settings
        choice = settings.for_target(target.ref)
        draft, refused = self._draft_among(others, target) if others else (None, None)
        if draft is not None:
            choice = settings.recall(target.ref, draft, "auto")
        return _Opened(target.path, choice, self._fits(choice), draft is not None, refused)

    def _draft_among(self, files: Sequence[Path], target: LocalModel) -> tuple[ModelRef | None, UserError | None]:
        """The best of them; without one, what is wrong with the first."""
        options = self._services.library.draft_options(target.path)
        for option in options:
            if option.draft_type != "model" or option.model is None:
                continue
            if any(is_same_file(file, option.model.path) for file in files):
                return (option.model.ref, None) if option.selectable else (None, _cannot_guess(option, target))
        return None, None

    def _fits(self, choice: PairChoice) -> bool:
        """Roughly: the picker, which opens where this is in doubt, asks llama.cpp."""
        from specchat.services.memory.fit_estimator import FitEstimator  # it takes its time to import

        try:
            choice = self._services.library.with_best_draft(choice)
            found = FitEstimator().fit(choice, loaded=self._pair.choice)
        except UserError:
            return False
        return found.verdict is not Fit.DOES_NOT_FIT

    def _load_opened(self, opened: _Opened) -> None:
        """Nothing that is being written is interrupted: then the picker asks."""
        expected, self._expected = self._expected, None
        if expected is not None and self._pair.current_choice is not expected:
            return  # it was stopped, or another model was chosen meanwhile
        if expected is None and self._is_wanted_already(opened):
            return
        if opened.fits and self._answers.current() is None:
            if not self._pair.load(self._pair.with_default_settings(opened.choice)):
                return
            self._pair.refresh_models()
            self._tell_refused(opened)
        else:
            self._end(expected)
            self._pair.picker.add_file(opened.file)

    def _refuse(self, error: UserError) -> None:
        expected, self._expected = self._expected, None
        self._end(expected)
        self._pair.show_problem(error)

    def _tell_refused(self, opened: _Opened) -> None:
        if opened.refused is not None:
            self._pair.show_problem(opened.refused)

    def _end(self, expected: PairChoice | None) -> None:
        """What is loaded stays; at the start what was used last takes the place of what cannot be opened."""
        if expected is not None and self._pair.current_choice is expected:
            self._pair.stop_loading()
            self._load_last()

    def _load_last(self) -> None:
        if self._may_load_last:
            self._pair.load_last()

    def _is_wanted_already(self, opened: _Opened) -> bool:
        wanted, choice = self._pair.current_choice, opened.choice
        if wanted is None or not is_same_model(wanted.target, choice.target):
            return False
        if opened.is_paired and not (wanted.draft and choice.draft and is_same_model(wanted.draft, choice.draft)):
            return False
        if not self._pair.is_loading and opened.refused is None:
            self._notifications.show_notice(
                self.tr("{name} is already loaded").format(name=self._pair.display_name(choice.target.name))
            )
        self._tell_refused(opened)
        return True


def _cannot_guess(option: DraftOption, target: LocalModel) -> IncompatibleError:
    assert option.model is not None
    message = QCoreApplication.translate("Pair", "{draft} can't draft for {target}: {reason}")
    hint = QCoreApplication.translate("Pair", "{target} runs without a draft. Choose another draft.")
    return IncompatibleError(message, hint, draft=option.model.name, target=target.name, reason=option.reason)
