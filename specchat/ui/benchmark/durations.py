"""Formats approximate durations."""

from PySide6.QtCore import QCoreApplication

from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_MINUTE = 60
_HOUR = 60 * _MINUTE


def format_duration(seconds: float) -> str:
    if seconds < 0.75 * _MINUTE:
        return translate("Benchmark", "less than a minute")
    if seconds < 1.5 * _MINUTE:
        return translate("Benchmark", "about a minute")
    if seconds < 50 * _MINUTE:
        return translate("Benchmark", "about {n} minutes").format(n=format_number(round(seconds / _MINUTE)))
    if seconds < 1.5 * _HOUR:
        return translate("Benchmark", "about an hour")
    return translate("Benchmark", "about {n} hours").format(n=format_number(round(seconds / _HOUR)))


def format_duration_range(least: float, most: float) -> str:
    if format_duration(least) == format_duration(most):
        return format_duration(most)
    low, high = (max(1, round(seconds / _MINUTE)) for seconds in (least, most))
    if low < high < 50:
        return translate("Benchmark", "{low} to {high} minutes").format(
            low=format_number(low), high=format_number(high)
        )
    if high == 1:
        return format_duration(most)
    return translate("Benchmark", "{low} to {high}").format(low=format_duration(least), high=format_duration(most))
