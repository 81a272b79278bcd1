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
