"""Calls of tools, as chats keep them."""

from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.types import ToolCall


class CallState(StrEnum):
    WAITING = "waiting"
    """For the user's consent, or running."""
    DONE = "done"
    FAILED = "failed"
    """The tool reported an error, or could not be called."""
    DENIED = "denied"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class CalledTool:
    """A call that a model wrote, as it is stored; its result is the message's text."""

    call: ToolCall
    server: str
    tool: str
    state: CallState = CallState.WAITING
