"""Conversations, messages and answers as they are stored.

Messages form a tree: editing or regenerating adds a sibling, a version. A conversation shows the path to its leaf.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from specchat.domain.documents import DocumentSource
from specchat.domain.media import Media
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.tools import CalledTool
from specchat.domain.types import FinishReason, GenerationStats, Reasoning, Role, SamplingParams

RANDOM_SEED = -1
"""Another seed for each answer."""


class MessageState(StrEnum):
    STREAMING = "streaming"
    """Being written, or cut off by a crash until the next start notices."""
    DONE = "done"
    STOPPED = "stopped"
    """By the user, the length limit, a failure or a crash: it can be continued."""


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    system_prompt: str = ""
    sampling: SamplingParams = SamplingParams(seed=RANDOM_SEED)
    max_tokens: int | None = None
    reasoning: Reasoning = Reasoning.AUTO
    preset: str = ""
    """The name these settings came from."""


@dataclass(frozen=True, slots=True)
class Conversation:
    id: int
    title: str
    created: float
    updated: float
    titled_by_user: bool = False
    pinned: bool = False
    trashed: float | None = None
    leaf: int | None = None
    """The last message of the path that is shown."""
    unsent_text: str = ""
    """What is typed and not yet sent."""
    settings: ConversationSettings = ConversationSettings()
    has_unsent_files: bool = False
    """Attached to what is not yet sent; they are kept apart."""
    project: int | None = None

    @property
    def own_title(self) -> str:
        """Empty without one. Where all messages were deleted, the first question stays the title: it may come back."""
        return self.title if self.leaf is not None or self.titled_by_user else ""

    @property
    def is_untouched(self) -> bool:
        """Nothing was done with it."""
        return self.leaf is None and not (self.title or self.unsent_text or self.has_unsent_files or self.pinned)


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    text: str


Attached = Attachment | Picture | Recording
"""What can come with a message."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One token of an answer: where its text ends, counted from the answer's beginning, and whose it is."""

    end: int
    origin: str
    position: int | None = None
    """In the draft, from 0; None for the target's own tokens."""
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The origin of an answer: models, settings and stats."""

    target: str
    """File names, not paths."""
    draft: str | None = None
    finish: FinishReason = FinishReason.STOP
    context_full: bool = False
    cut_off: bool = False
    """The program ended while this was being written."""
    window_closed: bool = False
    """That is why it was stopped."""
    failed: bool = False
    """An error ended it."""
    n_left_out: int = 0
    """The oldest messages, which the model did not get to read: the context had no room for them."""
    seed: int = 0
    exact: str = ""
    """The self-test's verdict in exact mode."""
    thought_s: float | None = None
    """How long the reasoning section took."""
    stats: GenerationStats = GenerationStats()
    marks: tuple[Mark, ...] = ()
    sources: tuple[DocumentSource, ...] = ()
    """The passages that were read in place of documents for which the context had no room."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    id: int
    conversation: int
    parent: int | None
    role: Role
    text: str
    created: float
    state: MessageState = MessageState.DONE
    attachments: tuple[Attachment, ...] = ()
    pictures: tuple[Picture, ...] = ()
    recordings: tuple[Recording, ...] = ()
    version: int = 1
    """Which of its siblings this is, from 1."""
    versions: int = 1
    called: CalledTool | None = None
    """Of a tool's message, whose text is the result."""

    @property
    def media(self) -> tuple[Media, ...]:
        return (*self.pictures, *self.recordings)

    @property
    def attached(self) -> tuple[Attached, ...]:
        return (*self.pictures, *self.recordings, *self.attachments)


@dataclass(frozen=True, slots=True)
class ConversationTree:
    """A conversation with all its versions. Parents come before what is below them."""

    conversation: Conversation
    messages: tuple[StoredMessage, ...]
    answers: Mapping[int, Answer] = field(default_factory=dict)
    """By the id of their message."""
    unsent_files: tuple[Attached, ...] = ()
    project: str = ""
    """The name of its project."""


@dataclass(frozen=True, slots=True)
class DamagedChat:
    """A chat in a damaged database."""

    id: int
    title: str
    """Empty where it cannot be read."""
    n_lost: int
    """Messages, answers' figures and files that cannot be read."""
    is_left: bool
    """Something of it can be read."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """Messages that were deleted together, all versions counted, of a conversation that is not in the trash."""

    message: int
    """The first of them, with which the others went."""
    conversation: int
    title: str
    """Of the conversation."""
    text: str
    """The beginning of the first."""
    n_messages: int
    trashed: float
    within: int | None = None
    """The deletion of what stands above, without which this cannot be kept."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    conversation: int
    title: str
    message: int | None
    """None: the title matches."""
    snippet: str
    matches: tuple[tuple[int, int], ...] = field(default=())
    """Start and end of what matches in the snippet."""
    project: str = ""
    """The name of the chat's project."""
