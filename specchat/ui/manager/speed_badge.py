"""What a draft should bring, or brought here, as a badge."""

from PySide6.QtCore import QCoreApplication

from specchat.services.drafts.values import Expected, is_faster
from specchat.ui.words.amounts import number
from specchat.ui.words.measured_speed import measured_speed, speed_in_chats

translate = QCoreApplication.translate

_SLOWER = 0.95


def speed_badge(expected: Expected, *, in_full: bool = False) -> tuple[str, str]:
    """Its words and their tone: only what was seen here is praised."""
    if expected.measured:
        guesses = expected.guesses if in_full else None
        return measured_speed(expected.speedup, guesses), "good" if expected.speedup > 1 else "warning"
    if expected.in_chats:
        return speed_in_chats(expected.speedup), "good" if is_faster(expected.speedup) else "warning"
    if expected.tiny:
        return translate("SpeedBadge", "speed not known yet"), "plain"
    words = translate("SpeedBadge", "estimate: {n}× as fast") if in_full else translate("SpeedBadge", "estimate: {n}×")
    return words.format(n=number(expected.speedup, 1)), "warning" if expected.speedup < _SLOWER else "plain"
