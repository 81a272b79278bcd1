"""Reads what engines report about themselves: a figure that cannot be true is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

MOST_TOKENS = 1 << 24
"""The largest plausible number of tokens in a prompt, an answer or a context."""


def read_count(value: object, most: int = MOST_TOKENS) -> int | None:
    if type(value) is float and isfinite(value) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value <= most else None


def read_object(value: object) -> Mapping[str, object]:
    """Empty where it is none."""
    return value if isinstance(value, dict) else {}


def read_objects(value: object, most: int = 10_000) -> list[Mapping[str, object]]:
    return [each for each in value[:most] if isinstance(each, dict)] if isinstance(value, list) else []


def read_text(value: object) -> str:
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class GuessReport:
    """Of an answer so far, or of the whole."""

    drafted: int
    accepted: int
    steps: int | None = None
    """Passes with or without guesses; None: not told."""


def read_guesses(drafted: object, accepted: object, steps: object = None) -> GuessReport | None:
    n_drafted, n_accepted = read_count(drafted), read_count(accepted)
    if n_drafted is None or n_accepted is None or n_accepted > n_drafted:
        return None
    return GuessReport(n_drafted, n_accepted, read_count(steps))
