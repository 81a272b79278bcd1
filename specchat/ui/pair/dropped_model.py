"""Asks what a model file that was dropped on the window should be."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from specchat.domain.types import PairChoice
from specchat.services.models.model_discovery import is_same_file
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.model_services import ModelServices
from specchat.ui.pair.file_opener import FileOpener
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.literal_text import literal_text

if TYPE_CHECKING:
    from specchat.services.models.model_roles import ModelRole


class DroppedModel(QObject):
    def __init__(
        self,
        services: ModelServices,
        tasks: TaskQueue,
        pair: PairController,
        answers: RunningAnswers,
        opener: FileOpener,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services, self._tasks, self._pair = services, tasks, pair
        self._answers, self._opener, self._window = answers, opener, window

    def open(self, files: Sequence[Path]) -> None:
        """Without a target, and with several files, there is nothing to ask."""
        choice = self._pair.local_choice
        if len(files) != 1 or choice is None or is_same_file(files[0], path_for_ref(choice.target)):
            self._opener.open(files)
            return
        (file,) = files
        roles = partial(_possible_roles, file, path_for_ref(choice.target))
        self._tasks.run(roles, partial(self._ask, file, choice), self._pair.show_problem)

    def _ask(self, file: Path, choice: PairChoice, roles: "Sequence[ModelRole]") -> None:
        from specchat.services.models.model_roles import ModelRole

        menu = QMenu(self._window)
        menu.setObjectName("droppedModelMenu")
        menu.setAccessibleName(self.tr("Use {name} as").format(name=file.name))
        menu.addAction(literal_text(file.name)).setEnabled(False)
        menu.addSeparator()
        target = literal_text(self._pair.display_name(choice.target.name))
        if ModelRole.TARGET in roles:
            menu.addAction(self.tr("Use as the target"), lambda: self._opener.open([file]))
        if ModelRole.DRAFT in roles:
            words = self.tr("Use as the draft of {target}").format(target=target)
            menu.addAction(words, partial(self._use_as_draft, file, choice))
        if ModelRole.ENCODER in roles:
            words = self.tr("Use as the encoder (mmproj) of {target}").format(target=target)
            menu.addAction(words, partial(self._use_as_encoder, file, choice))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos())
        menu.setActiveAction(next(action for action in menu.actions() if action.isEnabled() and action.text()))

    def _use_as_draft(self, file: Path, choice: PairChoice) -> None:
        def add() -> PairChoice:
            draft = self._services.library.add(file)
            return self._services.pair_settings.recall(choice.target, draft.ref, "auto")

        self._tasks.run(add, self._load, self._pair.show_problem)

    def _use_as_encoder(self, file: Path, choice: PairChoice) -> None:
        settings = replace(choice.target_settings, mmproj=file.absolute(), text_only=False)
        self._load(replace(choice, target_settings=settings))

    def _load(self, choice: PairChoice) -> None:
        """No answer is interrupted: then the picker asks."""
        if self._answers.current() is not None:
            self._pair.picker.open(choice)
        elif self._pair.load(self._pair.with_default_settings(choice)):
            self._pair.refresh_models()


def _possible_roles(file: Path, target: Path) -> "Sequence[ModelRole]":
    from specchat.services.models.model_roles import possible_roles  # needs numpy, which takes its time to import

    return possible_roles(file, target)
