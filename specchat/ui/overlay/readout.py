"""Figures as the short texts that the overlay shows."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from specchat.domain.guessing import Off, WhyOff
from specchat.services.generation.live_figures import Figures
from specchat.ui.overlay import words
from specchat.ui.words.amounts import UNKNOWN, number, percent, seconds, speed, without_noise

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
    """All that the pill has room for; where it has less, `accepted`."""


def waiting(draft_name: str | None, why_off: WhyOff | str | None = None) -> Readout:
    return Readout(
        who=translate("Figures", "Waiting for an answer"),
        counts=words.guessers((), draft_name) if draft_name else "",
        short=_nothing_yet() if why_off is None else _not_guessing(why_off),
    )


def readout(figures: Figures, draft_name: str | None, *, tiny_target: bool = False) -> Readout:
    guessed = figures.drafted > 0
    saved = without_noise(figures.saved_s)
    loses = guessed and saved < 0
    sources = [source for source, count in figures.n_drafted_per_source.items() if count]
    return Readout(
        saved=seconds(saved) if guessed else UNKNOWN,
        loses=loses,
        times_as_fast=words.times_as_fast(figures.speedup) if saved else "",
        accepted=percent(figures.acceptance_rate) if guessed else UNKNOWN,
        speed=_speed(figures) if figures.tokens_per_s else UNKNOWN,
        per_pass=number(figures.mean_accepted_length, 1) if figures.n_generated else UNKNOWN,
        who=words.guessers(sources, draft_name),
        name=draft_name or "",
        counts=words.draft_off(figures) or words.guesses_accepted(figures),
        why_not=words.why_lost() if loses and tiny_target and figures.final else words.why_none(figures),
        short=_short(figures),
    )


def _speed(figures: Figures) -> str:
    if figures.final or figures.tokens_per_s < 10:
        return speed(figures.tokens_per_s)
    return number(figures.tokens_per_s)


def _short(figures: Figures) -> str:
    if figures.drafted:
        return f"{percent(figures.acceptance_rate)} · {words.saved(figures.saved_s)}"
    if figures.final:
        return translate("Figures", "No guesses")
    if figures.why_off is not None:
        return _not_guessing(figures.why_off)
    return _nothing_yet()


def _not_guessing(why: WhyOff | str) -> str:
    if why is Off.SWITCHED_OFF:
        return translate("Figures", "No guesses")
    return translate("Figures", "Not guessing")


def _nothing_yet() -> str:
    return translate("Figures", "No guesses yet")
