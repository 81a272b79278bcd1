"""What a benchmark on this computer found, or answers here have shown, in a few words."""

from PySide6.QtCore import QCoreApplication

from specchat.services.drafts.values import is_faster, slower_by
from specchat.ui.words.amounts import number, percent

translate = QCoreApplication.translate


def measured_speed(speedup: float) -> str:
    if slower := slower_by(speedup):
        return translate("MeasuredSpeed", "measured here: {rate} slower").format(rate=percent(slower / 100))
    return translate("MeasuredSpeed", "measured here: {n}×").format(n=number(speedup, 1))


def speed_in_chats(speedup: float) -> str:
    if is_faster(speedup):
        return translate("MeasuredSpeed", "in chats here: {n}×").format(n=number(speedup, 1))
    return translate("MeasuredSpeed", "no faster in chats here")
