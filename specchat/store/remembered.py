"""Small facts that are costly to find out again, one JSON file a kind."""

import json
import logging
from pathlib import Path

log = logging.getLogger(__name__)

_MOST = 1000


class Remembered:
    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> object:
        return self._read().get(key)

    def put(self, key: str, value: object) -> None:
        facts = self._read() | {key: value}
        kept = dict(list(facts.items())[-_MOST:])
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._path.with_suffix(".new")
            temporary.write_text(json.dumps(kept), encoding="utf-8")
            temporary.replace(self._path)
        except OSError as error:
            log.warning("%s could not be written: %s", self._path, error)

    def _read(self) -> dict[str, object]:
        try:
            facts = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return facts if isinstance(facts, dict) else {}
