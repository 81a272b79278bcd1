"""Words for what two compared answers show."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Answer
from specchat.domain.types import FinishReason
from specchat.services.engines.answer_comparison import CompleteAnswer, describe_comparison, is_noticeable, total_s
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay.stats_text import finish_texts, speed_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import SEPARATOR, format_number, format_percent, format_seconds

translate = QCoreApplication.translate


def figures_text(figures: StatsSnapshot, seconds: float | None = None) -> str:
    """`seconds`: what the whole answer took."""
    parts = [speed_text(figures.tokens_per_s)] if figures.tokens_per_s > 0 else []
    if seconds is not None:
        parts.append(format_seconds(seconds))
    if figures.drafted:
        accepted = format_percent(figures.acceptance_rate)
        parts.append(translate("Comparison", "{n} accepted").format(n=accepted))
    return SEPARATOR.join(parts)


def end_text(answer: Answer, figures: StatsSnapshot) -> str:
    """Of an answer that has ended: its stats, and why it is not whole."""
    if not answer.stats.n_generated and answer.finish is FinishReason.CANCELLED:
        return translate("Comparison", "Stopped")
    return SEPARATOR.join([figures_text(figures, total_s(answer.stats)), *finish_texts(answer)])


def ratio_text(ratio: float | None) -> str:
    """Empty if the other answer was faster, or the difference isn't noticeable."""
    if ratio is None or not is_noticeable(ratio):
        return ""
    return translate("Comparison", "wrote {n}× as fast").format(n=format_number(ratio, 1))


def verdict_text(one: CompleteAnswer, other: CompleteAnswer) -> str:
    return " ".join(map(translate_text, describe_comparison(one, other)))
