"""The shared state of the window: the open conversation, its messages and the loaded pair, with signals."""

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.conversations import Conversation, StoredMessage
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.projects import Project, ProjectContext
from specchat.domain.types import PairChoice
from specchat.services.chat.prompt_messages import NO_PROJECT
from specchat.services.models.demo_pair import is_demo


class Session(QObject):
    conversation_changed = Signal()
    """Another conversation is open, or its title or settings have changed."""
    path_changed = Signal()
    """Other messages are shown, or the last one is complete."""
    pair_changed = Signal()
    """A pair is being loaded, is loaded, or is gone."""
    pair_loaded = Signal(PairInfo)
    """Before `pair_changed`: an empty chat suits the pair by the time that a waiting message is sent."""
    project_changed = Signal()
    """The open conversation is in another project, or what that adds to its prompts has changed."""
    settings_requested = Signal(str)
    """A page of the settings; empty: the one that fits best."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.conversation: Conversation | None = None
        self.path: list[StoredMessage] = []
        """The messages that are shown: the same object until one of them changes."""
        self.project: Project | None = None
        """Of the open conversation."""
        self.project_context = NO_PROJECT
        self.pair: PairInfo | None = None
        self.choice: PairChoice | None = None
        """What the user chose: loaded, or being loaded."""
        self.is_unloaded = False
        """Until something is asked of what is loaded."""
        self.longest_context: int | None = None
        """What the loaded target was made for, where that is known."""

    def open(self, conversation: Conversation, path: list[StoredMessage]) -> None:
        """Sets both before either signal."""
        self.conversation, self.path = conversation, path
        self.path_changed.emit()
        self.conversation_changed.emit()

    def set_conversation(self, conversation: Conversation | None) -> None:
        self.conversation = conversation
        if conversation is not None:
            self.conversation_changed.emit()

    def set_path(self, path: list[StoredMessage]) -> None:
        self.path = path
        self.path_changed.emit()

    def set_project(self, project: Project | None, context: ProjectContext) -> None:
        """The same context as before stays the same object."""
        if (project, context) != (self.project, self.project_context):
            self.project = project
            self.project_context = self.project_context if context == self.project_context else context
            self.project_changed.emit()

    def set_pair(self, pair: PairInfo | None, choice: PairChoice | None = None) -> None:
        self.pair, self.choice = pair, choice
        if pair is not None:
            self.pair_loaded.emit(pair)
        self.pair_changed.emit()

    def is_open(self, conversation: int) -> bool:
        return self.conversation is not None and self.conversation.id == conversation

    def is_last_message(self, message: int) -> bool:
        return bool(self.path) and self.path[-1].id == message

    @property
    def has_demo(self) -> bool:
        return self.choice is not None and is_demo(self.choice.target)

    @property
    def n_ctx(self) -> int:
        """0: no pair is loaded, or its engine doesn't report it."""
        return self.pair.n_ctx if self.pair is not None else 0

    @property
    def sees_pictures(self) -> bool:
        return self.senses.sees

    @property
    def hears_recordings(self) -> bool:
        return self.senses.hears

    @property
    def senses(self) -> Senses:
        return self.pair.senses if self.pair is not None else TEXT_ONLY

    @property
    def can_grow(self) -> bool:
        """Whether the context could be larger: yes, until something else is known."""
        if self.pair is not None and self.pair.engine:
            return False
        return self.longest_context is None or self.pair is None or self.pair.n_ctx < self.longest_context
