"""Parses and formats sizes, counts and durations."""

import argparse
import re

_WRITTEN = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>[kmgbt]?)", re.IGNORECASE)
_BYTES = ("B", "kB", "MB", "GB", "TB")
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9, "t": 10**12}


def parse_amount(text: str) -> int:
    """8B, 500M, 1.5G"""
    found = _WRITTEN.fullmatch(text.strip())
    value = int(float(found["number"]) * _UNITS[found["unit"].lower()]) if found else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount such as 500M or 1.5G")
    return value


def format_size(count: int) -> str:
    """Three digits are enough, as in 4.7 GB or 400 MB."""
    return _short(count, _BYTES, " ")


def format_partial_size(done: int, whole: int) -> str:
    """What is not whole does not look whole: 3.9 GB of 4.0 GB, to the last byte."""
    so_far = format_size(done) if done >= whole else _short(done, _BYTES, " ", down=True)
    return f"{so_far} of {format_size(whole)}"


def format_parameters(count: int) -> str:
    """Empty: not known."""
    return _short(count, ("", "K", "M", "B", "T"), "") if count else ""


def format_duration(seconds: float) -> str:
    minutes, left = divmod(max(1, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min" if hours < 100 else "days"
    return f"{minutes} min" if minutes >= 10 else f"{minutes} min {left} s" if minutes else f"{left} s"


def _short(count: int, units: tuple[str, ...], between: str, *, down: bool = False) -> str:
    """`down`: not rounded up."""
    too_long, two_digits = (1000, 10.0) if down else (999.5, 9.95)
    value, unit = float(count), 0
    while value >= too_long and unit < len(units) - 1:
        value, unit = value / 1000, unit + 1
    digits = 1 if unit and value < two_digits else 0
    if down:
        value = (count * 10**digits // 1000**unit) / 10**digits
    return f"{value:.{digits}f}{between}{units[unit]}"
