"""Numbers and days as the user's language writes them."""

from PySide6.QtCore import QDate, QLocale, Qt

UNKNOWN = "\u2013"
BETWEEN = " · "
"""Figures in one line."""
_NO_BREAK = "\u00a0"
_MINUS = "\u2212"
_SHORTEST = 0.0005
"""Rounded, less than a millisecond is none."""
_TENTH = 0.0995
"""Rounded, a tenth of a second: that and more is told in seconds."""
_NOISE = 0.05


def number(value: float, decimals: int = 0) -> str:
    return _locale().toString(float(value), "f", decimals)


def percent(rate: float) -> str:
    return number(100 * rate) + _NO_BREAK + "%"


def seconds(value: float) -> str:
    amount = abs(value)
    if _SHORTEST <= amount < _TENTH:
        return number(1000 * amount) + _NO_BREAK + "ms"
    return _brief(amount) + _NO_BREAK + "s"


def axis_seconds(value: float) -> str:
    """Round numbers, without decimals that say nothing."""
    decimals = next(n for n in range(4) if n == 3 or round(value, n) == value)
    return (_MINUS if value < 0 else "") + number(abs(value), decimals) + _NO_BREAK + "s"


def is_nothing(value: float) -> bool:
    """No time is saved: less than a millisecond, or so little is lost that it may as well be noise."""
    return -_NOISE < value < _SHORTEST


def without_noise(value: float) -> float:
    return 0.0 if is_nothing(value) else value


def speed(tokens_per_s: float) -> str:
    return _brief(tokens_per_s)


def day(date: QDate) -> str:
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
    return number(value, 1 if value < 99.95 else 0)
