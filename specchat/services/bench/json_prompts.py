"""Reads prompts from a JSON Lines file."""

import json
from pathlib import Path
from typing import Any

from specchat.domain.benchmark import BenchPrompt
from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import TranslatableText

UNNAMED = "own"
"""The workload of prompts that name none."""
MAX_FILE_BYTES = 64 << 20
"""Bytes."""
_HINT = TranslatableText('Write one object per line, such as {"workload": "code", "prompt": "Write a loop."}.')
_TEXTS, _WORKLOADS = ("prompt", "text", "turns"), ("workload", "category")


def read_json_prompts(path: Path) -> tuple[BenchPrompt, ...]:
    lines = enumerate(read_content(path).splitlines(), 1)
    prompts = tuple(_prompt(path, number, line) for number, line in lines if line.strip())
    if not prompts:
        raise SettingError("{name} contains no prompts.", _HINT, name=path.name)
    return prompts


def read_content(path: Path) -> str:
    try:
        with path.open("rb") as file:
            found = file.read(MAX_FILE_BYTES + 1)
        if len(found) > MAX_FILE_BYTES:
            raise SettingError("{name} is too large.", "The limit is {n} MB.", name=path.name, n=MAX_FILE_BYTES >> 20)
        return found.decode("utf-8-sig")
    except OSError as error:
        raise SettingError(
            "Can't read {path}: {reason}.", "Check the path.", path=path, reason=error.strerror
        ) from error
    except UnicodeDecodeError as error:
        raise SettingError("{name} is not a text file.", "Save it as UTF-8.", name=path.name) from error


def _prompt(path: Path, number: int, line: str) -> BenchPrompt:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise SettingError("Line {n} of {name} is not a JSON object.", _HINT, name=path.name, n=number)
    text, system = _text(entry), entry.get("system", "")
    workload = next((entry[key] for key in _WORKLOADS if key in entry), UNNAMED)
    if not text or not all(isinstance(part, str) for part in (text, system, workload)):
        raise SettingError("Line {n} of {name} contains no prompt.", _HINT, name=path.name, n=number)
    return BenchPrompt(workload or UNNAMED, text, system)


def _text(entry: dict[str, Any]) -> Any:
    """A conversation's first turn: the others would need its answer."""
    found = next((entry[key] for key in _TEXTS if key in entry), None)
    return found[0] if isinstance(found, list) and found else found
