"""The commands that can be executed on a message."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.transcript.entries import Entry


class ActionKind(Enum):
    """Named like its icon."""

    COPY = "copy"
    EDIT = "edit"
    REGENERATE = "regenerate"
    CONTINUE = "continue"
    BRANCH = "branch"
    DELETE = "trash"


@dataclass(frozen=True, slots=True)
class SwitchVersion:
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


Command = ActionKind | SwitchVersion | CopySelection | OpenLink | CopyLink | CopyCode | ToggleReasoning


def available_actions(entry: Entry, *, is_last: bool) -> Iterator[ActionKind]:
    """A question that nothing follows was not answered yet, or its answer was deleted."""
    yield ActionKind.COPY
    if entry.state is MessageState.STREAMING:
        return
    if entry.role is Role.ASSISTANT:
        yield ActionKind.REGENERATE
        if entry.state is MessageState.STOPPED:
            yield ActionKind.CONTINUE
    else:
        yield ActionKind.EDIT
        if is_last:
            yield ActionKind.REGENERATE
    yield ActionKind.BRANCH
    yield ActionKind.DELETE
