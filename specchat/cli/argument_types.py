"""Argument types for numbers, with messages that name the allowed range."""

import argparse
from collections.abc import Callable

MAX_GUESSES = 64
"""The most guesses per pass; more are never accepted, and each takes time."""


def integer_in_range(low: float, high: float, *, least: float | None = None) -> Callable[[str], int]:
    """`least`: what messages call the lower end, where less is accepted and raised."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is not between {low if least is None else least} and {high}")
        return value

    return parse


def parse_answer_length(text: str) -> int | None:
    """None: no limit."""
    length = integer_in_range(-1, 1 << 24)(text)
    if length == 0:
        raise argparse.ArgumentTypeError("must be at least 1, or -1 for no limit")
    return None if length == -1 else length


def number_in_range(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not low <= value <= high:  # also refuses nan
            raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
        return value

    return parse


def parse_draft_length(text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is neither an integer nor auto")
    return integer_in_range(0, MAX_GUESSES)(text)
