"""Values shown on the settings pages: presets and the state of the server."""

from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    settings: ConversationSettings
    built_in: bool = False
    """Cannot be deleted."""


class ServerPhase(StrEnum):
    OFF = "off"
    WAITING = "waiting"
    """For a first pair to be loaded."""
    STARTING = "starting"
    SERVING = "serving"
    STOPPING = "stopping"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ServerState:
    phase: ServerPhase = ServerPhase.OFF
    url: str = ""
    """Where it is serving."""
    error: UserError | None = None
    """Why it has failed."""
