"""Opens the settings of a project, saves what is changed, and offers its models when one of its chats is opened."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from specchat.domain.drafter_types import DRAFTER_TYPES, NONE
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef, parse_model_ref
from specchat.domain.projects import ProjectPair
from specchat.domain.types import PairChoice
from specchat.services.chat.project_service import ProjectService
from specchat.services.lazy import Lazy
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.documents.document_queue import DocumentQueue
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.pair.picker_controller import find_missing_model
from specchat.ui.projects.project_controller import ProjectController
from specchat.ui.session import Session
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:
    from specchat.ui.projects.project_dialog import ProjectDialog, ProjectEdits

_MOST_PAIRS = 10


class ProjectSettingsController(QObject):
    def __init__(
        self,
        session: Session,
        projects: ProjectService,
        controller: ProjectController,
        chat: ChatController,
        pair: PairController,
        pair_settings: PairSettings,
        notifications: NotificationController,
        logs: Path,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._session, self._projects, self._controller = session, projects, controller
        self._chat, self._pair, self._pair_settings = chat, pair, pair_settings
        self._notifications, self._window = notifications, window
        self._documents = Lazy(lambda: DocumentQueue(logs, self))
        self._offered = ""
        """The notice that offers a project's models."""
        self._last_opened: tuple[int | None, int | None] = None, None
        """The chat, and its project."""
        window.sidebar.list.project_settings_requested.connect(self.open)
        chat.conversation_opened.connect(self._offer)

    def open(self, project: int) -> None:
        from specchat.ui.projects.project_dialog import ProjectDialog

        with self._chat.reporting_errors():
            shown, files = self._projects.get(project), self._projects.files(project)
            pairs = self._pairs(shown.settings.pair)
            dialog = ProjectDialog(shown, files, pairs, self._documents(), self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.save_requested.connect(partial(self._save, project, dialog))
            dialog.open()

    def close(self) -> None:
        if documents := self._documents.created_value:
            documents.close()

    def _save(self, project: int, dialog: "ProjectDialog", edits: "ProjectEdits") -> None:
        try:
            self._projects.rename(project, edits.name)
            self._projects.change_settings(project, edits.settings)
            self._projects.save_files(project, edits.files)
        except UserError as error:
            dialog.show_problem(f"{translate_text(error.message)} {translate_text(error.hint)}")
            return
        dialog.accept()
        with self._chat.reporting_errors():
            self._controller.refresh()

    def _pairs(self, own: ProjectPair | None) -> list[tuple[str, ProjectPair]]:
        """Returns the project's pair, the loaded one, and those that were loaded before."""
        loaded = self._pair.current_choice
        used = [choice for choice in self._pair_settings.recent(_MOST_PAIRS) if find_missing_model(choice) is None]
        pairs = [own, *(_pair_of(choice) for choice in (loaded, *used) if choice is not None)]
        return [(self._name(pair), pair) for pair in dict.fromkeys(pairs) if pair is not None]

    def _name(self, pair: ProjectPair) -> str:
        target = self._pair.display_name(parse_model_ref(pair.target).name)
        if pair.draft:
            return f"{target} + {self._pair.display_name(parse_model_ref(pair.draft).name)}"
        if pair.draft_type == NONE:
            return self.tr("{target}, no speculation").format(target=target)
        known = DRAFTER_TYPES.get(pair.draft_type)
        return target if known is None else f"{target} + {translate_text(known.noun)}"

    def _offer(self) -> None:
        """Offers the project's models once for each opened chat."""
        shown, project = self._session.conversation, self._session.project
        opened = shown.id if shown is not None else None, project.id if project is not None else None
        before, self._last_opened = self._last_opened, opened
        if opened == before:
            return
        self._notifications.dismiss_notice(self._offered)
        pair = project.settings.pair if project is not None else None
        if project is None or pair is None or self._is_current(pair):
            return
        choice = self._pair_settings.recall(*_models(pair), pair.draft_type)
        if find_missing_model(choice) is None:
            words = self.tr("{project} uses {pair}").format(project=project.name, pair=self._name(pair))
            self._offered = words
            self._notifications.show_action_notice(words, self.tr("Load"), partial(self._pair.load, choice))

    def _is_current(self, pair: ProjectPair) -> bool:
        """Loaded or being loaded."""
        loaded = self._pair.current_choice
        return loaded is not None and _pair_of(loaded) == pair


def _pair_of(choice: PairChoice) -> ProjectPair:
    draft = str(choice.draft) if choice.draft is not None else ""
    return ProjectPair(str(choice.target), draft, "auto" if draft else choice.draft_type)


def _models(pair: ProjectPair) -> tuple[ModelRef, ModelRef | None]:
    return parse_model_ref(pair.target), parse_model_ref(pair.draft) if pair.draft else None
