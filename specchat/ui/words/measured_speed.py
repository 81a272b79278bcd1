"""Short texts for a speed-up measured by a benchmark or seen in chats."""

from PySide6.QtCore import QCoreApplication

from specchat.services.bench.method_names import guess_count_phrase
from specchat.services.drafts.draft_candidates import is_faster, slowdown_percent
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_percent

translate = QCoreApplication.translate


def measured_speed_text(speedup: float, guesses: int | None = None) -> str:
    """`guesses`: with at most so many in a pass; None: with as many as pay, or it is said elsewhere."""
    if slower := slowdown_percent(speedup):
        words = translate("MeasuredSpeed", "measured here: {rate} slower").format(rate=format_percent(slower / 100))
    else:
        words = translate("MeasuredSpeed", "measured here: {n}×").format(n=format_number(speedup, 1))
    if guesses is None:
        return words
    length = translate_text(guess_count_phrase(guesses))
    return translate("MeasuredSpeed", "{speed} with {length}").format(speed=words, length=length)


def chat_speed_text(speedup: float) -> str:
    if is_faster(speedup):
        return translate("MeasuredSpeed", "in chats here: {n}×").format(n=format_number(speedup, 1))
    return translate("MeasuredSpeed", "no faster in chats here")
