"""Calls of tools, as chats keep them."""

from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.types import ToolCall

NAME_SEPARATOR = "__"
"""Between the server and the tool, in the names that models are given."""


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

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The server and the tool. Those of a tool that wasn't offered are only in the name that the model wrote."""
        parts = (self.server, self.tool) if self.server else tuple(self.tool.split(NAME_SEPARATOR, 1))
        return parts if all(parts) else (self.tool,)
