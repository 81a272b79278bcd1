"""Short texts for a speed-up that was measured by a benchmark, seen in chats, or estimated."""

from PySide6.QtCore import QCoreApplication

from specchat.services.bench.method_names import guess_count_phrase
from specchat.services.drafts.draft_candidates import SpeedupEstimate, is_faster, slowdown_percent
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_percent

translate = QCoreApplication.translate

_SLOWER = 0.95


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
        return translate("MeasuredSpeed", "{n}× in your chats").format(n=format_number(speedup, 1))
    return translate("MeasuredSpeed", "no faster in your chats")


def estimated_speed_text(speedup: float) -> str:
    return translate("SpeedBadge", "estimate: {n}×").format(n=format_number(speedup, 1))


def speed_badge(expected: SpeedupEstimate, *, in_full: bool = False) -> tuple[str, str]:
    """Its words and their tone: only what was seen here is praised."""
    if expected.measured:
        guesses = expected.guesses if in_full else None
        return measured_speed_text(expected.speedup, guesses), "good" if expected.speedup > 1 else "warning"
    if expected.in_chats:
        return chat_speed_text(expected.speedup), "good" if is_faster(expected.speedup) else "warning"
    if expected.tiny:
        return translate("SpeedBadge", "speed unknown"), "plain"
    words = estimated_speed_text(expected.speedup)
    if in_full:
        words = translate("SpeedBadge", "estimate: {n}× as fast").format(n=format_number(expected.speedup, 1))
    return words, "warning" if expected.speedup < _SLOWER else "plain"
