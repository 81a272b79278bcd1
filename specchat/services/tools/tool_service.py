"""Offers the tools of enabled servers to the model, and calls them: the only way to a call, so nobody skips consent."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from specchat.domain.errors import SettingError
from specchat.domain.tool_servers import (
    ConsentRequiredError,
    OfferedTool,
    RunningCall,
    ServerState,
    ServerStatus,
    ServerTool,
    ToolHost,
    ToolResult,
    ToolServerConfig,
)
from specchat.domain.tools import NAME_SEPARATOR, CallState
from specchat.services.lazy import Lazy
from specchat.services.tools.server_file import ServerFile
from specchat.services.tools.tool_consents import ToolConsents

CALL_S = 120.0
"""The time limit of a call."""
_MOST_TOOLS = 128
_LONGEST_NAME = 64
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


class Decision(Enum):
    ASK = auto()
    ALLOW = auto()
    DENY = auto()
    """Also a tool that is not there any more."""


@dataclass(frozen=True, slots=True)
class ToolServer:
    """A server as the settings show it."""

    config: ToolServerConfig
    is_enabled: bool
    was_changed: bool
    """It was enabled with another command, and has to be enabled again."""
    status: ServerStatus

    @property
    def has_failed(self) -> bool:
        return self.is_enabled and self.status.state is ServerState.FAILED


class ToolService:
    def __init__(self, file: ServerFile, consents: ToolConsents, make_host: Callable[[], ToolHost]) -> None:
        """`make_host` is called when the first server starts."""
        self.file, self.consents = file, consents
        self._host = Lazy(make_host)
        self._started: set[str] = set()

    def servers(self) -> list[ToolServer]:
        """Raises a SettingError if mcp.json cannot be used."""
        return [
            ToolServer(
                config, self.consents.is_enabled(config), self.consents.was_changed(config), self._status(config.name)
            )
            for config in self.file.servers()
        ]

    def refresh(self) -> None:
        """Starts enabled servers and stops others, as mcp.json has them now. Raises a SettingError if it cannot be
        used.
        """
        servers = {server.config.name: server for server in self.servers()}
        for server in servers.values():
            if server.is_enabled and server.status.state is ServerState.STOPPED:
                self._start(server.config)
        for name in list(self._started):
            if name not in servers or not servers[name].is_enabled:
                self._stop(name)

    def enable(self, config: ToolServerConfig) -> None:
        """The user saw its command, and consents."""
        self.consents.enable(config)
        self._start(config)

    def disable(self, server: str) -> None:
        self.consents.disable(server)
        self._stop(server)

    def restart(self, server: str) -> None:
        config = self._enabled_config(server)
        if config is None:
            raise ConsentRequiredError("{name} is not enabled.", "Enable it in the settings.", name=server)
        self._start(config)

    def save(self, config: ToolServerConfig, replaced: str = "") -> None:
        """It has to be enabled again if it changes."""
        self.file.save(config, replaced)
        if replaced and replaced != config.name:
            self._forget(replaced)
        elif replaced and not self.consents.is_enabled(config):
            self.disable(replaced)

    def remove(self, server: str) -> None:
        """With what was decided about its tools: a server that is added later under its name is a new one."""
        self.file.remove(server)
        self._forget(server)

    def offered(self) -> tuple[OfferedTool, ...]:
        """The tools of enabled servers that run, under unique names. Nothing is waited for."""
        taken: dict[str, OfferedTool] = {}
        for tool in self._wanted_tools()[:_MOST_TOOLS]:
            name = _unique_name(tool, taken)
            taken[name] = OfferedTool(name, tool)
        return tuple(taken.values())

    def beyond_limit(self) -> tuple[ServerTool, ...]:
        """Those that are not offered because there are too many."""
        return tuple(self._wanted_tools()[_MOST_TOOLS:])

    def find(self, server: str, name: str) -> ServerTool | None:
        """As it is described now."""
        found = (tool for tool in self._running_tools() if (tool.server, tool.name) == (server, name))
        return next(found, None)

    def decide(self, tool: ServerTool | None) -> Decision:
        if tool is None or self.consents.is_off(tool):
            return Decision.DENY
        return Decision.ALLOW if self.consents.is_always_allowed(tool) else Decision.ASK

    def call(
        self,
        tool: ServerTool,
        arguments: str,
        done: Callable[[ToolResult], None],
        *,
        consent: bool,
        seconds: float = CALL_S,
    ) -> RunningCall:
        """`consent`: the user saw this tool with these arguments and allowed the call. Without it, or where the server
        is not enabled as it is now, this raises a ConsentRequiredError.
        """
        config = self._enabled_config(tool.server)
        is_allowed = consent or self.decide(tool) is Decision.ALLOW
        if config is None or config.fingerprint != tool.server_fingerprint or not is_allowed:
            raise ConsentRequiredError(
                "{tool} of {server} was not called without your consent.",
                "Enable the server in the settings, and allow the call.",
                tool=tool.name,
                server=tool.server,
            )
        read = _arguments(arguments)
        if read is None:
            done(ToolResult(CallState.FAILED, "The arguments are not a JSON object."))
            return _Ended()
        return self._host().call(tool, read, seconds, done)

    def close(self) -> None:
        host = self._host.created_value
        if host is not None:
            host.close()

    def _wanted_tools(self) -> list[ServerTool]:
        if self._host.created_value is None:
            return []
        return [tool for tool in self._running_tools() if not self.consents.is_off(tool)]

    def _running_tools(self) -> list[ServerTool]:
        try:
            servers = self.servers()
        except SettingError:
            return []
        return [
            tool
            for server in servers
            if server.is_enabled and server.status.state is ServerState.RUNNING
            for tool in server.status.tools
            if tool.server_fingerprint == server.config.fingerprint
        ]

    def _enabled_config(self, server: str) -> ToolServerConfig | None:
        for config in self.file.servers():
            if config.name == server and self.consents.is_enabled(config):
                return config
        return None

    def _status(self, server: str) -> ServerStatus:
        host = self._host.created_value
        return host.status(server) if host is not None else ServerStatus()

    def _start(self, config: ToolServerConfig) -> None:
        self._started.add(config.name)
        self._host().start(config)

    def _forget(self, server: str) -> None:
        self.consents.forget(server)
        self._stop(server)

    def _stop(self, server: str) -> None:
        self._started.discard(server)
        host = self._host.created_value
        if host is not None:
            host.stop(server)


class _Ended:
    def cancel(self) -> None:
        pass


def _unique_name(tool: ServerTool, taken: Mapping[str, object]) -> str:
    """With the server's name: two servers may have tools of one name."""
    words = f"{_NOT_IN_NAMES.sub('_', tool.server)}{NAME_SEPARATOR}{_NOT_IN_NAMES.sub('_', tool.name)}"
    name, number = words[:_LONGEST_NAME], 2
    while name in taken:
        end = f"_{number}"
        name, number = f"{words[: _LONGEST_NAME - len(end)]}{end}", number + 1
    return name


def _arguments(text: str) -> dict[str, object] | None:
    try:
        read = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None
