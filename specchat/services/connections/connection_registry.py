"""Remembers the engines that the user added: their names and addresses, never their keys."""

import re

from specchat.domain.connections import Connection
from specchat.domain.engine_address import parse_engine_address
from specchat.domain.errors import SettingError
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.store.json_file import JsonFile

_VERSION = 1
_ENGINES = "engines"
_MOST = 200
_NAME = re.compile(r"[\w\[][\w .:\[\]-]{0,59}")
"""The host and port of an engine, too; the brackets are those of IPv6."""


class ConnectionRegistry:
    def __init__(self, file: JsonFile) -> None:
        self._file = file

    def connections(self) -> list[Connection]:
        """Returns the connections in the order in which they were added."""
        try:
            return [_connection(plain) for plain in require_type(list, self._file.read().get(_ENGINES, []))]
        except (ValueError, SettingError):
            self._file.set_aside()
            return []

    def find(self, name: str) -> Connection | None:
        return next((each for each in self.connections() if each.name.casefold() == name.casefold()), None)

    def add(self, name: str, url: str) -> Connection:
        """Adds a connection, or replaces the one with this name."""
        name = name.strip()
        if not _NAME.fullmatch(name):
            raise SettingError(
                "{name} is not a valid engine name.",
                "Use up to 60 letters, digits, spaces, dots, colons, and dashes.",
                name=name[:60] or '""',
            )
        added = Connection(name, str(parse_engine_address(url)))
        known = self.connections()
        if any(each.name.casefold() == name.casefold() for each in known):
            kept = [added if each.name.casefold() == name.casefold() else each for each in known]
        else:
            kept = [*known, added]
        self._keep(kept[-_MOST:])
        return added

    def remove(self, name: str) -> Connection:
        if not self.connections():
            raise SettingError("Unknown engine: {name}.", "There are no saved engines.", name=name)
        found = self.require(name)
        self._keep([each for each in self.connections() if each != found])
        return found

    def require(self, name: str) -> Connection:
        found = self.find(name)
        if found is None:
            names = ", ".join(each.name for each in self.connections())
            raise SettingError(
                "Unknown engine: {name}.",
                "Choose one of these: {names}" if names else "Add it: specchat engines add {name} URL",
                name=name,
                names=names,
            )
        return found

    def _keep(self, connections: list[Connection]) -> None:
        kept = [to_plain(each) for each in connections]
        self._file.write(self._file.read() | {"version": _VERSION, _ENGINES: kept})


def _connection(plain: object) -> Connection:
    saved = from_plain(Connection, plain)
    parse_engine_address(saved.url)  # which all who use it rely on
    return saved
