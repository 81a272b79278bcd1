"""Times, and how far a benchmark has come."""

from PySide6.QtCore import QCoreApplication

from specchat.ui.words.amounts import number

translate = QCoreApplication.translate

_MINUTE = 60
_HOUR = 60 * _MINUTE


def about(seconds: float) -> str:
    if seconds < 0.75 * _MINUTE:
        return translate("Benchmark", "less than a minute")
    if seconds < 1.5 * _MINUTE:
        return translate("Benchmark", "about a minute")
    if seconds < 50 * _MINUTE:
        return translate("Benchmark", "about {n} minutes").format(n=number(round(seconds / _MINUTE)))
    if seconds < 1.5 * _HOUR:
        return translate("Benchmark", "about an hour")
    return translate("Benchmark", "about {n} hours").format(n=number(round(seconds / _HOUR)))


def between(least: float, most: float) -> str:
    if about(least) == about(most):
        return about(most)
    low, high = (max(1, round(seconds / _MINUTE)) for seconds in (least, most))
    if low < high < 50:
        return translate("Benchmark", "{low} to {high} minutes").format(low=number(low), high=number(high))
    if high == 1:
        return about(most)
    return translate("Benchmark", "{low} to {high}").format(low=about(least), high=about(most))
