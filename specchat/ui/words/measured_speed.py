"""What a benchmark on this computer found, or answers here have shown, in a few words."""

from PySide6.QtCore import QCoreApplication

from specchat.services.bench.names import spoken_guesses
from specchat.services.drafts.values import is_faster, slower_by
from specchat.ui.words.amounts import number, percent
from specchat.ui.words.said import in_words

translate = QCoreApplication.translate


def measured_speed(speedup: float, guesses: int | None = None) -> str:
    """`guesses`: with at most so many in a pass; None: with as many as pay, or it is said elsewhere."""
    if slower := slower_by(speedup):
        words = translate("MeasuredSpeed", "measured here: {rate} slower").format(rate=percent(slower / 100))
    else:
        words = translate("MeasuredSpeed", "measured here: {n}×").format(n=number(speedup, 1))
    if guesses is None:
        return words
    length = in_words(spoken_guesses(guesses))
    return translate("MeasuredSpeed", "{speed} with {length}").format(speed=words, length=length)


def speed_in_chats(speedup: float) -> str:
    if is_faster(speedup):
        return translate("MeasuredSpeed", "in chats here: {n}×").format(n=number(speedup, 1))
    return translate("MeasuredSpeed", "no faster in chats here")
