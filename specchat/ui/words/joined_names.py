"""Joins names to a list in a sentence."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def join_names(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    words = translate("Names", "{names} and {last}")
    return words.format(names=", ".join(names[:-1]), last=names[-1])
