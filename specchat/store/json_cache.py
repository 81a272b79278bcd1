"""A cache of small facts that are costly to find out, one JSON file for each kind."""

import json
import logging
from pathlib import Path
from threading import RLock

from specchat.domain.errors import SettingError
from specchat.store.json_file import JsonFile
from specchat.store.logs import UNWRITABLE

log = logging.getLogger(__name__)

MOST = 5000
_LOCK = RLock()
"""One for all: several may remember in the same file."""


class JsonCache:
    """Another program that writes at the same time may win: what was put here is put again with the next fact."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = JsonFile(path)
        self._state: object = None
        self._facts: dict[str, object] = {}
        """As the file had them in that state."""
        self._own: dict[str, object] = {}

    def get(self, key: str) -> object:
        with _LOCK:
            facts = self._read()
            return facts[key] if key in facts else self._own.get(key)

    def put(self, key: str, value: object) -> None:
        with _LOCK:
            self._own = _newest(self._own, {key: value})
            there = self._read()
            lost = {name: fact for name, fact in self._own.items() if name not in there}
            facts = _newest(there, lost, {key: value})
            try:
                self._file.write(facts)
            except SettingError as error:
                log.warning(UNWRITABLE, self._path, error.message.values["reason"])
            else:
                self._state, self._facts = _state(self._path), facts

    def _read(self) -> dict[str, object]:
        state = _state(self._path)
        if state is None or state != self._state:
            self._state, self._facts = state, _facts_in(self._path)
        return self._facts


def _newest(*facts: dict[str, object]) -> dict[str, object]:
    """The last ones count, and what was put last stays longest."""
    joined: dict[str, object] = {}
    for each in facts:
        for key, value in each.items():
            joined.pop(key, None)
            joined[key] = value
    return dict(list(joined.items())[-MOST:])


def _facts_in(path: Path) -> dict[str, object]:
    """What is damaged is found out again, and nobody needs to know."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _state(path: Path) -> object:
    """None: there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
