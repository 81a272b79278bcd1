"""Formats numbers, durations and dates for the user's language."""

import re

from PySide6.QtCore import QDate, QLocale, Qt

UNKNOWN = "\u2013"
SEPARATOR = " · "
"""Figures in one line."""
_NO_BREAK = "\u00a0"
_MINUS = "\u2212"
_SHORTEST = 0.0005
"""Rounded, less than a millisecond is none."""
_TENTH = 0.0995
"""Rounded, a tenth of a second: that and more is told in seconds."""
_NOISE = 0.05
_BEFORE_UNIT = re.compile(r"(?<=[\d}]) (?=(?:%|×|ms|s|[kKMGT]?B|[KMGT]iB)(?!\w))")


def format_number(value: float, decimals: int = 0) -> str:
    return _locale().toString(float(value), "f", decimals)


def format_percent(rate: float) -> str:
    return format_number(100 * rate) + _NO_BREAK + "%"


def join_units(text: str) -> str:
    """A figure, or the field for one, and its unit stay in one line, wherever the text is wrapped."""
    return _BEFORE_UNIT.sub(_NO_BREAK, text)


def format_seconds(value: float) -> str:
    amount = abs(value)
    if _SHORTEST <= amount < _TENTH:
        return format_number(1000 * amount) + _NO_BREAK + "ms"
    return _brief(amount) + _NO_BREAK + "s"


def format_axis_seconds(value: float) -> str:
    """Round numbers, without decimals that say nothing."""
    decimals = next(n for n in range(4) if n == 3 or round(value, n) == value)
    return (_MINUS if value < 0 else "") + format_number(abs(value), decimals) + _NO_BREAK + "s"


def is_negligible(value: float) -> bool:
    """No time is saved: less than a millisecond, or so little is lost that it may as well be noise."""
    return -_NOISE < value < _SHORTEST


def drop_noise(value: float) -> float:
    return 0.0 if is_negligible(value) else value


def format_speed(tokens_per_s: float) -> str:
    return _brief(tokens_per_s)


def format_size(count: int) -> str:
    """Three digits are enough, as in 4.7 GB or 400 MB."""
    digits = 0 if count < 1_000_000 or 10_000_000 <= count < 1_000_000_000 else 1
    return join_units(QLocale().formattedDataSize(count, digits, QLocale.DataSizeFormat.DataSizeSIFormat))


def format_parameters(count: int) -> str:
    """As models are called: 7.6 B, 494 M."""
    for unit, letter in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if count >= unit:
            return format_number(count / unit, 1 if count < 100 * unit and count % unit else 0) + _NO_BREAK + letter
    return format_number(count)


def format_date(date: QDate) -> str:
    """Where no language is chosen Qt would write 22 11 2026."""
    chosen = QLocale()
    if chosen.language() is QLocale.Language.C:
        return date.toString(Qt.DateFormat.ISODate)
    return chosen.toString(date, QLocale.FormatType.ShortFormat)


def _locale() -> QLocale:
    """Where none is chosen, numbers would be written for machines: 131072."""
    chosen = QLocale()
    return QLocale(QLocale.Language.English) if chosen.language() is QLocale.Language.C else chosen


def _brief(value: float) -> str:
    return format_number(value, 1 if value < 99.95 else 0)
