"""Servers of tools (MCP): their settings, their state, and the tools that they offer."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from specchat.domain.consent_text import shown_command, shown_url, shown_variable
from specchat.domain.errors import UserError
from specchat.domain.server_secrets import HIDDEN, find_in_header, find_in_setting, find_in_url, find_in_words, hide
from specchat.domain.tools import CallState
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Tool

_SHORTEST_SECRET = 4
"""Shorter ones are parts of other words."""


class ToolError(UserError):
    """A tool cannot be called."""


class ConsentRequiredError(ToolError):
    pass


@dataclass(frozen=True)
class ToolServerConfig:
    """A server as mcp.json describes it: a program to start, or an address."""

    name: str
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    cwd: str = ""
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    problem: TranslatableText | None = None
    """Why the entry cannot be used."""

    @cached_property
    def fingerprint(self) -> str:
        """Of all that decides what is started or asked."""
        asked = [self.name, self.command, self.args, sorted(self.env.items()), self.cwd]
        return _digest([*asked, self.url, sorted(self.headers.items())])

    @property
    def description(self) -> str:
        """The command line or the address, without secrets."""
        return shown_url(self.url) if self.url else shown_command((self.command, *self.args))

    @property
    def shown_settings(self) -> tuple[str, ...]:
        """Folder, environment and headers, without secrets."""
        folder = [f"cwd: {self.cwd}"] if self.cwd else []
        environment = [shown_variable(name, value, self.args) for name, value in self.env.items()]
        return (*folder, *environment, *(f"{name}: {HIDDEN}" for name in self.headers))

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        found = [
            *find_in_words((self.command, *self.args)),
            *(find_in_setting(name, value) for name, value in self.env.items()),
            *map(find_in_header, self.headers.values()),
            find_in_url(self.url),
        ]
        return tuple({each for some in found for each in some if len(each) >= _SHORTEST_SECRET})

    def redact(self, text: str) -> str:
        return hide(self.secrets, text)


@dataclass(frozen=True)
class ServerTool:
    """A tool as its server describes it."""

    server: str
    name: str
    description: str
    schema: str
    """Of its arguments, as JSON."""
    server_fingerprint: str

    @cached_property
    def fingerprint(self) -> str:
        """Another one for each change of the tool, or of the server that runs it."""
        return _digest([self.server_fingerprint, self.name, self.description, self.schema])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()


class ServerState(StrEnum):
    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    state: ServerState = ServerState.STOPPED
    tools: tuple[ServerTool, ...] = ()
    left_out: tuple[str, ...] = ()
    """Tools that cannot be offered, with the reason."""
    reason: TranslatableText | None = None
    """Why it failed."""
    output: tuple[str, ...] = ()
    """The last lines of its error output."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    state: CallState
    text: str


class RunningCall(Protocol):
    def cancel(self) -> object:
        """From any thread; the result comes as for any other call."""


class ToolHost(Protocol):
    """Runs the servers. It asks nobody for consent: `ToolService` does. Callbacks come from its own thread."""

    def start(self, config: ToolServerConfig) -> None:
        """Again, where it runs already."""

    def stop(self, server: str) -> None: ...
    def status(self, server: str) -> ServerStatus: ...
    def call(
        self, tool: ServerTool, arguments: Mapping[str, object], seconds: float, done: Callable[[ToolResult], None]
    ) -> RunningCall:
        """Not if the server describes it in another way by now."""

    def close(self) -> None:
        """Ends all servers with their children."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool under the name by which a model calls it, unique among all servers."""

    name: str
    tool: ServerTool

    @property
    def as_tool(self) -> Tool:
        """As a model's chat template expects it."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.tool.description,
                "parameters": json.loads(self.tool.schema),
            },
        }
