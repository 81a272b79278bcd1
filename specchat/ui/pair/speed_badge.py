"""Builds the badge that shows the expected or measured speed-up of a draft."""

from PySide6.QtCore import QCoreApplication

from specchat.services.drafts.draft_candidates import SpeedupEstimate, is_faster
from specchat.ui.words.measured_speed import chat_speed_text, measured_speed_text
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_SLOWER = 0.95


def speed_badge(expected: SpeedupEstimate, *, in_full: bool = False) -> tuple[str, str]:
    """Its words and their tone: only what was seen here is praised."""
    if expected.measured:
        guesses = expected.guesses if in_full else None
        return measured_speed_text(expected.speedup, guesses), "good" if expected.speedup > 1 else "warning"
    if expected.in_chats:
        return chat_speed_text(expected.speedup), "good" if is_faster(expected.speedup) else "warning"
    if expected.tiny:
        return translate("SpeedBadge", "speed not known yet"), "plain"
    words = translate("SpeedBadge", "estimate: {n}× as fast") if in_full else translate("SpeedBadge", "estimate: {n}×")
    return words.format(n=format_number(expected.speedup, 1)), "warning" if expected.speedup < _SLOWER else "plain"
