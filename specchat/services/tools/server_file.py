"""Reads and edits mcp.json, in which other programs describe servers, too."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from specchat.domain.errors import SettingError
from specchat.domain.serialization import require_type
from specchat.domain.tool_servers import ToolServerConfig
from specchat.domain.translatable_text import TranslatableText
from specchat.store.json_file import JsonFile

_SERVERS, _EDITOR_SERVERS = "mcpServers", "servers"
"""The second is what VS Code writes."""
_LARGEST = 1 << 20
_LONGEST_NAME = 60
MOST_SERVERS = 50
_NO_COMMAND = TranslatableText("It has neither a command nor an address.")
_NO_OBJECT = TranslatableText("It must be an object.")
_NO_NAME = TranslatableText("It has no name.")
_NO_SSE = TranslatableText("It uses the old SSE transport. specchat needs Streamable HTTP.")
_BAD_NAME = TranslatableText("Its name is too long, or has characters that can't be shown.")
_BAD_URL = TranslatableText("Its address must start with http:// or https://.")
_KNOWN = ("command", "args", "env", "cwd", "url", "headers", "type")


class ServerFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def state(self) -> object:
        """Another value after each change of the file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def servers(self) -> list[ToolServerConfig]:
        """Entries that cannot be used have a `problem`. Raises a SettingError where the file itself cannot be."""
        entries = list(self._entries(self._read()).items())[:MOST_SERVERS]
        return [_config(name, entry) for name, entry in entries]

    def save(self, config: ToolServerConfig, replaced: str = "") -> None:
        """In place of `replaced`, if there is one. What else is in the file stays."""
        content = self._read()
        entries = self._entries(content)
        if config.name != replaced and config.name in entries:
            raise SettingError("There is a server named {name}.", "Choose another name.", name=config.name)
        if config.problem is not None:
            raise SettingError(config.problem, "Check the server's settings.")
        old = entries.get(replaced)
        kept = {key: value for key, value in old.items() if key not in _KNOWN} if isinstance(old, dict) else {}
        new = {**kept, **_plain(config)}
        if replaced in entries:
            changed = {config.name if n == replaced else n: new if n == replaced else e for n, e in entries.items()}
        else:
            changed = {**entries, config.name: new}
        self._write({**content, _servers_key(content): changed})

    def remove(self, name: str) -> None:
        content = self._read()
        kept = {n: e for n, e in self._entries(content).items() if n != name}
        self._write({**content, _servers_key(content): kept})

    def ensure_exists(self) -> Path:
        if not self.path.exists():
            self._write({_SERVERS: {}})
        return self.path

    def _read(self) -> dict[str, object]:
        try:
            with self.path.open("rb") as file:
                return _parse(file.read(_LARGEST + 1))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._error(error.strerror or "it can't be read") from error
        except json.JSONDecodeError as error:
            raise self._error(f"line {error.lineno}: {error.msg}") from error
        except (ValueError, RecursionError) as error:
            raise self._error(str(error)) from error

    def _entries(self, content: Mapping[str, object]) -> dict[str, object]:
        key = _servers_key(content)
        try:
            return require_type(dict, content.get(key, {}))
        except ValueError as error:
            raise self._error(f"{key} must be an object") from error

    def _write(self, content: Mapping[str, object]) -> None:
        JsonFile(self.path).write(content)

    def _error(self, reason: str) -> SettingError:
        return SettingError(
            "{name} can't be used: {reason}.", "Correct it in a text editor.", name=self.path.name, reason=reason
        )


def _parse(text: bytes) -> dict[str, object]:
    if len(text) > _LARGEST:
        raise ValueError("it is too large")
    return require_type(dict, json.loads(text.decode("utf-8-sig"))) if text.strip() else {}


def _servers_key(content: Mapping[str, object]) -> str:
    return _EDITOR_SERVERS if _SERVERS not in content and _EDITOR_SERVERS in content else _SERVERS


def make_config(
    name: str,
    *,
    command: str = "",
    args: tuple[str, ...] = (),
    env: Mapping[str, str] | None = None,
    cwd: str = "",
    url: str = "",
    headers: Mapping[str, str] | None = None,
) -> ToolServerConfig:
    """Checks it, too."""
    problem = _problem(name, command, url)
    program, folder = expand_home(command), expand_home(cwd)
    return ToolServerConfig(name, program, args, dict(env or {}), folder, url, dict(headers or {}), problem)


def expand_home(path: str) -> str:
    """As a shell would."""
    return os.path.expanduser(path) if path == "~" or path.startswith("~/") else path


def _config(name: str, entry: object) -> ToolServerConfig:
    """With all that can be read of it."""
    if not isinstance(entry, dict):
        return ToolServerConfig(name, problem=_NO_OBJECT)
    problems: list[TranslatableText] = []
    config = make_config(
        name,
        command=_text(entry, "command", problems),
        args=_list(entry, "args", problems),
        env=_texts(entry, "env", problems),
        cwd=_text(entry, "cwd", problems),
        url=_text(entry, "url", problems) or _text(entry, "serverUrl", problems),
        headers=_texts(entry, "headers", problems),
    )
    if entry.get("type") == "sse":
        problems.append(_NO_SSE)
    return replace(config, problem=problems[0]) if problems else config


def _problem(name: str, command: str, url: str) -> TranslatableText | None:
    if not name.strip():
        return _NO_NAME
    if len(name) > _LONGEST_NAME or not name.isprintable():
        return _BAD_NAME
    if not command and not url:
        return _NO_COMMAND
    if url and (command or not _is_web_address(url)):
        return _BAD_URL
    return None


def _is_web_address(url: str) -> bool:
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    return split.scheme in ("http", "https") and bool(split.hostname) and url.isprintable()


def _text(entry: Mapping[str, object], key: str, problems: list[TranslatableText]) -> str:
    value = entry.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    problems.append(TranslatableText("{key} must be a string.", key=key))
    return ""


def _list(entry: Mapping[str, object], key: str, problems: list[TranslatableText]) -> tuple[str, ...]:
    value = entry.get(key) or []
    if isinstance(value, list) and all(map(_is_word, value)):
        return tuple(map(_word, value))
    problems.append(TranslatableText("{key} must be a list of strings.", key=key))
    return ()


def _texts(entry: Mapping[str, object], key: str, problems: list[TranslatableText]) -> dict[str, str]:
    value = entry.get(key) or {}
    if isinstance(value, dict) and all(map(_is_word, value.values())):
        return {name: _word(each) for name, each in value.items()}
    problems.append(TranslatableText("{key} must be an object of strings.", key=key))
    return {}


def _is_word(value: object) -> bool:
    """People write numbers as such, too."""
    return isinstance(value, str | int | float)


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _plain(config: ToolServerConfig) -> dict[str, object]:
    if config.url:
        return {"url": config.url, **({"headers": dict(config.headers)} if config.headers else {})}
    plain: dict[str, object] = {"command": config.command, "args": list(config.args)}
    if config.env:
        plain["env"] = dict(config.env)
    if config.cwd:
        plain["cwd"] = config.cwd
    return plain
