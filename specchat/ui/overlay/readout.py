"""Formats stats as the short texts of the overlay."""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Readout:
    saved: str = UNKNOWN
    loses: bool = False
    """So much was lost, not saved."""
    times_as_fast: str = ""
    """Empty where the difference is not worth a word."""
    accepted: str = UNKNOWN
    speed: str = UNKNOWN
    per_pass: str = UNKNOWN
    who: str = ""
    name: str = ""
    """In `who`: what is cut where that is too long."""
    counts: str = ""
    why_not: str = ""
    """Takes the place of the two before."""
    asked_by: str = ""
    """Empty where it is the user's own chat."""
    short: str = ""
    """All that the pill has room for."""
    shortest: str = UNKNOWN
    """Where it has less."""


def waiting_readout(draft_name: str | None, why_off: OffReason | str | None = None) -> Readout:
    return Readout(
        who=translate("Figures", "Waiting for an answer"),
        counts=stats_text.drafters_text((), draft_name) if draft_name else "",
        short=_nothing_yet() if why_off is None else _not_guessing(why_off),
    )


def make_readout(figures: StatsSnapshot, draft_name: str | None) -> Readout:
    guessed = figures.drafted > 0
    saved = drop_noise(figures.saved_s)
    sources = [source for source, count in figures.n_drafted_per_source.items() if count]
    return Readout(
        saved=format_seconds(saved) if guessed and figures.is_saving_known else UNKNOWN,
        loses=guessed and saved < 0,
        times_as_fast=stats_text.speedup_text(figures.speedup) if saved else "",
        accepted=format_percent(figures.acceptance_rate) if guessed else UNKNOWN,
        speed=_speed(figures) if figures.tokens_per_s else UNKNOWN,
        per_pass=format_number(figures.mean_accepted_length, 1) if figures.n_generated else UNKNOWN,
        who=stats_text.drafters_text(sources, draft_name),
        name=draft_name or "",
        counts=stats_text.draft_off_text(figures) or stats_text.accepted_text(figures),
        why_not=stats_text.no_guesses_text(figures),
        short=_short(figures),
        shortest=_accepted(figures) if guessed else UNKNOWN,
    )


def _speed(figures: StatsSnapshot) -> str:
    if figures.final or figures.tokens_per_s < 10:
        return format_speed(figures.tokens_per_s)
    return format_number(figures.tokens_per_s)


def _accepted(figures: StatsSnapshot) -> str:
    return translate("Figures", "{n} accepted").format(n=format_percent(figures.acceptance_rate))


def _short(figures: StatsSnapshot) -> str:
    if figures.drafted and not figures.is_saving_known:
        return _accepted(figures)
    if figures.drafted:
        return f"{_accepted(figures)} · {stats_text.time_saved_text(figures.saved_s)}"
    if figures.final:
        return translate("Figures", "No speculation")
    if figures.why_off is not None:
        return _not_guessing(figures.why_off)
    return _nothing_yet()


def _not_guessing(why: OffReason | str) -> str:
    if why is SpeculationOff.SWITCHED_OFF:
        return translate("Figures", "No speculation")
    return translate("Figures", "Not speculating")


def _nothing_yet() -> str:
    return translate("Figures", "No guesses yet")
