"""The entries that the transcript displays, and the details of answers."""

from dataclasses import dataclass

from specchat.domain.conversations import Attachment, Mark, MessageState
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.types import Role


@dataclass(frozen=True, slots=True)
class Entry:
    id: int
    role: Role
    text: str
    state: MessageState = MessageState.DONE
    version: int = 1
    versions: int = 1
    attachments: tuple[Attachment, ...] = ()
    pictures: tuple[Picture, ...] = ()
    recordings: tuple[Recording, ...] = ()
    is_kept: bool = True
    """Part of a chat; otherwise it can only be copied."""
    title: str = ""
    """Of a tool's call: all of it folds below."""
    is_waiting: bool = False
    """The call waits for consent, or runs."""


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """The details that only an answer on the screen needs."""

    marks: tuple[Mark, ...] = ()
    footer: str = ""
    thought_s: float | None = None
    models: str = ""
    """The models that wrote it, which the tooltip of the footer names."""
    has_sources: bool = False
    """The footer says which passages of documents it was written from."""
