"""Formats stats as the short texts of the overlay."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from specchat.domain.speculation_status import OffReason, SpeculationOff
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay import stats_text
from specchat.ui.words.number_format import (
    UNKNOWN,
    drop_noise,
    format_number,
    format_percent,
    format_seconds,
    format_speed,
)

translate = QCoreApplication.translate


class WhyEmpty(Enum):
    NO_ANSWER = auto()
    NO_STATS = auto()
    """Of the last answer: it was imported, say, or stopped before its first token."""
    WAS_OFF = auto()
    """Speculation, in the last answer; now it is on."""


@dataclass(frozen=True, slots=True)
class Readout:
    caption: str = ""
    saved: str = UNKNOWN
    """Or the speed, where the engine does not report what was saved."""
    loses: bool = False
    """So much was lost, not saved."""
    times_as_fast: str = ""
    """Empty where the difference is not worth a word, or not known well."""
    is_rough: bool = False
    """Other programs slow the answer down: what was saved is a rough estimate."""
    accepted: str = UNKNOWN
    speed: str = UNKNOWN
    """Empty where it is the headline."""
    per_pass: str = UNKNOWN
    who: str = ""
    name: str = ""
    """In `who`: what is cut where that is too long."""
    counts: str = ""
    why_not: str = ""
    """Takes the place of the two before."""
    asked_by: str = ""
    """Empty where it is the user's own chat."""
    pill: tuple[str, ...] = (UNKNOWN,)
    """All that the pill has room for: the longest first."""


def waiting_readout(
    draft_name: str | None, why_off: OffReason | str | None = None, why_empty: WhyEmpty = WhyEmpty.NO_ANSWER
) -> Readout:
    words = _empty_words(why_empty)
    if why_off is SpeculationOff.NOT_REPORTED:
        caption = translate("Figures", "Tokens per second")
        return Readout(caption=caption, speed="", who=words, pill=(words, UNKNOWN))
    pill = words if why_empty is WhyEmpty.NO_STATS else _nothing_yet() if why_off is None else _not_guessing(why_off)
    return Readout(
        caption=translate("Figures", "Time saved"),
        who=words,
        counts=stats_text.drafters_text((), draft_name) if draft_name else "",
        pill=(pill, UNKNOWN),
    )


def _empty_words(why: WhyEmpty) -> str:
    return {
        WhyEmpty.NO_ANSWER: translate("Figures", "No answer yet"),
        WhyEmpty.NO_STATS: translate("Figures", "No stats for the last answer"),
        WhyEmpty.WAS_OFF: translate("Figures", "No answer with speculation yet"),
    }[why]


def make_readout(figures: StatsSnapshot, draft_name: str | None) -> Readout:
    guessed = figures.drafted > 0
    saved = drop_noise(figures.saved_s)
    sources = [source for source, count in figures.n_drafted_per_source.items() if count]
    loses = saved < 0
    speed = _speed(figures) if figures.tokens_per_s else UNKNOWN
    is_rough = figures.is_saving_rough and bool(saved)
    seconds = f"≈ {format_seconds(saved)}" if is_rough else format_seconds(saved)
    headline = seconds if stats_text.has_saving(figures.drafted, saved) else UNKNOWN
    return Readout(
        caption=_caption(figures, loses=loses),
        saved=headline if figures.is_saving_known else speed,
        loses=loses,
        times_as_fast=stats_text.speedup_text(figures.speedup) if saved and not is_rough else "",
        is_rough=is_rough,
        accepted=format_percent(figures.acceptance_rate) if guessed else UNKNOWN,
        speed=speed if figures.is_saving_known else "",
        per_pass=format_number(figures.mean_accepted_length, 1) if figures.mean_accepted_length else UNKNOWN,
        who=stats_text.drafters_text(sources, draft_name),
        name=draft_name or "",
        counts=stats_text.draft_off_text(figures) or stats_text.accepted_text(figures),
        why_not=stats_text.no_guesses_text(figures),
        pill=_pill(figures),
    )


def _speed(figures: StatsSnapshot) -> str:
    if figures.final or figures.tokens_per_s < 10:
        return format_speed(figures.tokens_per_s)
    return format_number(figures.tokens_per_s)


def _caption(figures: StatsSnapshot, *, loses: bool) -> str:
    """The last answer may be out of sight."""
    if not figures.is_saving_known:
        last, this = translate("Figures", "Tokens/s, last answer"), translate("Figures", "Tokens/s, this answer")
        return last if figures.final else this
    if figures.is_saving_rough:
        lost, saved = (
            translate("Figures", "Time lost, rough estimate"),
            translate("Figures", "Time saved, rough estimate"),
        )
    elif figures.final:
        lost, saved = translate("Figures", "Time lost, last answer"), translate("Figures", "Time saved, last answer")
    else:
        lost, saved = translate("Figures", "Time lost, this answer"), translate("Figures", "Time saved, this answer")
    return lost if loses else saved


def _pill(figures: StatsSnapshot) -> tuple[str, ...]:
    if figures.drafted:
        rate = format_percent(figures.acceptance_rate)
        accepted = translate("Figures", "{n} accepted").format(n=rate)
        if not figures.is_saving_known:
            return f"{accepted} · {stats_text.speed_text(figures.tokens_per_s)}", accepted, rate
        both = f"{accepted} · {stats_text.time_saved_text(figures.saved_s, is_rough=figures.is_saving_rough)}"
        if not figures.final:
            return both, accepted, rate
        return translate("Figures", "Last answer: {figures}").format(figures=both), both, accepted, rate
    if figures.why_off is SpeculationOff.NOT_REPORTED:
        return (stats_text.speed_text(figures.tokens_per_s) if figures.tokens_per_s else UNKNOWN,)
    if figures.final:
        return translate("Figures", "No speculation"), UNKNOWN
    if figures.why_off is not None:
        return _not_guessing(figures.why_off), UNKNOWN
    return _nothing_yet(), UNKNOWN


def _not_guessing(why: OffReason | str) -> str:
    if why is SpeculationOff.SWITCHED_OFF:
        return translate("Figures", "No speculation")
    return translate("Figures", "Not speculating")


def _nothing_yet() -> str:
    return translate("Figures", "No guesses yet")
