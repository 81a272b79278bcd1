"""What can be done with a message."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.transcript.values import Entry


class Act(Enum):
    """Named like its icon."""

    COPY = "copy"
    EDIT = "edit"
    REGENERATE = "regenerate"
    CONTINUE = "continue"
    BRANCH = "branch"
    DELETE = "trash"


@dataclass(frozen=True, slots=True)
class Turn:
    """To another version."""

    by: int


@dataclass(frozen=True, slots=True)
class CopySelection:
    pass


@dataclass(frozen=True, slots=True)
class OpenLink:
    address: str


@dataclass(frozen=True, slots=True)
class CopyLink:
    address: str


@dataclass(frozen=True, slots=True)
class CopyCode:
    number: int
    """Of the code block in the message."""


@dataclass(frozen=True, slots=True)
class ToggleReasoning:
    pass


Command = Act | Turn | CopySelection | OpenLink | CopyLink | CopyCode | ToggleReasoning


def possible(entry: Entry, *, is_last: bool) -> Iterator[Act]:
    """A question that nothing follows was not answered yet, or its answer was deleted."""
    yield Act.COPY
    if entry.state is MessageState.STREAMING:
        return
    if entry.role is Role.ASSISTANT:
        yield Act.REGENERATE
        if entry.state is MessageState.STOPPED:
            yield Act.CONTINUE
    else:
        yield Act.EDIT
        if is_last:
            yield Act.REGENERATE
    yield Act.BRANCH
    yield Act.DELETE
