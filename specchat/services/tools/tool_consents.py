"""Remembers what the user consented to: which servers run, and which tools need not ask.

By fingerprints, so that another command, or a tool that describes itself in another way, needs consent again. Nothing
of this comes from chats.
"""

from threading import RLock
from typing import Any

from specchat.domain.tool_servers import ServerTool, ToolServerConfig
from specchat.store.json_file import JsonFile

_VERSION = 1
_SERVERS, _ALWAYS, _OFF = "servers", "always", "off"


class ToolConsents:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self._lock = RLock()
        self._content: dict[str, Any] | None = None

    def is_enabled(self, config: ToolServerConfig) -> bool:
        """Exactly this command or address."""
        return config.problem is None and self._get(_SERVERS, config.name) == config.fingerprint

    def was_changed(self, config: ToolServerConfig) -> bool:
        """The user enabled a server of this name, but not this one."""
        return self._get(_SERVERS, config.name) not in (None, config.fingerprint)

    def enable(self, config: ToolServerConfig) -> None:
        self._put(_SERVERS, config.name, config.fingerprint)

    def disable(self, server: str) -> None:
        self._put(_SERVERS, server, None)

    def forget(self, server: str) -> None:
        """Forgets also what was decided about its tools."""
        with self._lock:
            tools = _key_of(server, "")
            kept = {
                part: {key: value for key, value in values.items() if key != server and not key.startswith(tools)}
                for part, values in self._read().items()
                if part in (_SERVERS, _ALWAYS, _OFF) and isinstance(values, dict)
            }
            self._write({**self._read(), **kept})

    def is_always_allowed(self, tool: ServerTool) -> bool:
        return self._get(_ALWAYS, _key(tool)) == tool.fingerprint

    def set_always_allowed(self, tool: ServerTool, *, allowed: bool) -> None:
        self._put(_ALWAYS, _key(tool), tool.fingerprint if allowed else None)

    def is_off(self, tool: ServerTool) -> bool:
        return self._get(_OFF, _key(tool)) is not None

    def set_off(self, tool: ServerTool, *, off: bool) -> None:
        self._put(_OFF, _key(tool), True if off else None)

    def _get(self, part: str, key: str) -> object:
        with self._lock:
            found = self._read().get(part)
            return found.get(key) if isinstance(found, dict) else None

    def _put(self, part: str, key: str, value: object) -> None:
        with self._lock:
            content = self._read()
            before = content.get(part)
            kept = {k: v for k, v in before.items() if k != key} if isinstance(before, dict) else {}
            self._write({**content, part: kept if value is None else {**kept, key: value}})

    def _write(self, content: dict[str, Any]) -> None:
        changed = {**content, "version": _VERSION}
        self._file.write(changed)
        self._content = changed

    def _read(self) -> dict[str, Any]:
        if self._content is None:
            self._content = self._file.read()
        return self._content


def _key(tool: ServerTool) -> str:
    return _key_of(tool.server, tool.name)


def _key_of(server: str, tool: str) -> str:
    """Names of servers have no line breaks."""
    return f"{server}\n{tool}"
