"""The state of the API server, as the window shows it."""

from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.errors import UserError


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
    can_retry: bool = False
    """The same settings may work later, as when another program leaves the port."""
