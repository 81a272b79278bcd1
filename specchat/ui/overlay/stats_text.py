"""Texts for the speculation stats."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Answer
from specchat.domain.drafter_types import draft_type_of_origin, is_draft_origin
from specchat.domain.speculation_status import DrafterFailure, OffReason, SpeculationOff, parse_speculation
from specchat.domain.types import DRAFT, USER, FinishReason, GenerationStats, are_tokens
from specchat.domain.types import UNKNOWN as UNKNOWN_ORIGIN
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay.reply_stats import TotalStats
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import (
    SEPARATOR,
    UNKNOWN,
    drop_noise,
    format_number,
    format_percent,
    format_seconds,
    format_speed,
    is_negligible,
)

translate = QCoreApplication.translate

_NOTICEABLE = 0.05


def reason_text(reason: OffReason | str) -> str:
    match reason:
        case SpeculationOff():
            return _off_words(reason)
        case DrafterFailure(error, None):
            return translate("Figures", "the draft failed: {error}").format(error=translate_text(error))
        case DrafterFailure(error, name):
            return translate("Figures", "the drafter {name} failed: {error}").format(name=name, error=error)
    return reason


def _off_words(off: SpeculationOff) -> str:
    return {
        SpeculationOff.COSTS_MORE: translate("Figures", "speculation would cost more time than it saves"),
        SpeculationOff.MEASURING: translate("Figures", "still measuring whether speculation saves time"),
        SpeculationOff.ENDED_FIRST: translate("Figures", "the answer ended before the first guess"),
        SpeculationOff.NOTHING_TO_REPEAT: translate("Figures", "nothing in the earlier text was worth repeating"),
        SpeculationOff.NO_USABLE_GUESS: translate("Figures", "no guess could be verified by the target"),
        SpeculationOff.SWITCHED_OFF: translate("Figures", "“No speculation” is selected"),
        SpeculationOff.NOT_REPORTED: translate("Figures", "the engine doesn't report guesses"),
        SpeculationOff.NO_DRAFT: translate("Figures", "no draft is selected"),
        SpeculationOff.NO_LENGTH: translate("Figures", "the number of guesses is 0"),
        SpeculationOff.CANNOT_TAKE_BACK: translate("Figures", "the target can't roll back tokens"),
        SpeculationOff.RECURRENT_TARGET: translate(
            "Figures", "the target is a recurrent model and can't roll back tokens"
        ),
        SpeculationOff.ONE_BRANCH: translate("Figures", "the target can't verify several branches in one pass"),
        SpeculationOff.SHARED: translate("Figures", "other answers are written at the same time"),
        SpeculationOff.RECURRENT_DRAFT: translate(
            "Figures", "the draft is a recurrent model and can't roll back tokens"
        ),
    }[off]


def _brief(reason: OffReason | str) -> str:
    """Where there is no room for more."""
    match reason:
        case SpeculationOff.COSTS_MORE:
            return translate("Figures", "it saves no time")
        case SpeculationOff.MEASURING:
            return translate("Figures", "still measuring")
    return reason_text(reason)


def not_guessing_text(reason: OffReason | str) -> str:
    if reason is SpeculationOff.NOT_REPORTED:
        return translate("Figures", "Guesses not reported so far")
    return translate("Figures", "Not speculating: {reason}").format(reason=reason_text(reason))


def no_guesses_text(figures: StatsSnapshot) -> str:
    """Empty where guesses were made, or may still be."""
    if figures.drafted or not figures.final:
        return "" if figures.why_off is None else not_guessing_text(figures.why_off)
    if figures.why_off is None:  # an older version wrote the answer
        return translate("Figures", "No speculation")
    if figures.why_off is SpeculationOff.NOT_REPORTED:
        return translate("Figures", "Guesses: not reported by the engine")
    return translate("Figures", "No guesses: {reason}").format(reason=reason_text(figures.why_off))


def source_name(source: str, draft_name: str | None) -> str:
    if source == UNKNOWN_ORIGIN:
        return translate("Figures", "not reported")
    found = draft_type_of_origin(source)
    if found is None:
        return source
    return draft_name if found.is_draft and draft_name else translate_text(found.noun)


def drafters_text(sources: Iterable[str], draft_name: str | None) -> str:
    """All that guessed, the draft first; its name stands there even where none of them did."""
    known = set(sources)
    if known == {UNKNOWN_ORIGIN}:
        return translate("Figures", "Drafter not reported")
    if not known and draft_name is None:
        return translate("Figures", "No guesses yet")
    drafts = sorted(filter(is_draft_origin, known))
    others = sorted(known.difference(drafts))
    draft = source_name(drafts[0] if drafts else DRAFT, draft_name)
    named = translate("Figures", "Draft: {name}").format(name=draft)
    if not others:
        return named
    names = ", ".join(source_name(source, draft_name) for source in others)
    if drafts:
        return translate("Figures", "{draft} + {others}").format(draft=named, others=names)
    return translate("Figures", "Drafter: {name}").format(name=names)


def draft_off_text(figures: StatsSnapshot) -> str:
    """Empty where it guessed, or may still."""
    if figures.draft_off is None or any(map(is_draft_origin, figures.n_drafted_per_source)):
        return ""
    return translate("Figures", "Draft off: {reason}").format(reason=_brief(figures.draft_off))


def has_saving(n_drafted: int, saved_s: float) -> bool:
    """Whether there is something to tell: asking the draft takes time even if no guess came of it."""
    return n_drafted > 0 or drop_noise(saved_s) < 0


def time_saved_text(value: float, *, is_rough: bool = False) -> str:
    if is_negligible(value):
        return translate("Figures", "no time saved")
    words = translate("Figures", "{time} saved") if value > 0 else translate("Figures", "{time} lost")
    seconds = format_seconds(value)
    return words.format(time=f"≈ {seconds}" if is_rough else seconds)


def rough_text() -> str:
    return translate(
        "Figures",
        "Other programs kept the processor busy, now or when the models were measured, so this is a rough estimate.",
    )


def speedup_text(speedup: float | None) -> str:
    if speedup is None or abs(speedup - 1) < _NOTICEABLE:
        return ""
    return format_number(speedup, 1) + "×"


def accepted_text(figures: StatsSnapshot) -> str:
    if not figures.drafted:
        return ""
    words = translate("Figures", "{accepted} of {drafted} guesses accepted")
    return words.format(accepted=format_number(figures.accepted), drafted=format_number(figures.drafted))


def spoken_summary(figures: StatsSnapshot) -> str:
    """For a screen reader."""
    why_not = no_guesses_text(figures) or draft_off_text(figures)
    parts = [_spoken_guesses(figures) if figures.drafted else "", why_not]
    if not figures.is_saving_known and figures.tokens_per_s:
        parts.append(speed_text(figures.tokens_per_s))
    return ". ".join(filter(None, parts)) or translate("Figures", "No guesses yet")


def speed_text(tokens_per_s: float) -> str:
    return translate("Figures", "{n} tokens/s").format(n=format_speed(tokens_per_s))


def _spoken_guesses(figures: StatsSnapshot) -> str:
    if not figures.is_saving_known:
        words = translate("Figures", "{n} percent of {drafted} guesses accepted")
        n = format_number(100 * figures.acceptance_rate)
        return words.format(n=n, drafted=format_number(figures.drafted))
    if is_negligible(figures.saved_s):
        time = translate("Figures", "no time saved")
    else:
        saves = figures.saved_s > 0
        time = translate("Figures", "{n} seconds saved") if saves else translate("Figures", "{n} seconds lost")
        amount = abs(figures.saved_s)
        time = time.format(n=format_speed(amount) if amount >= 0.1 else format_number(amount, 3))
    if figures.is_saving_rough:
        time = translate("Figures", "{time}, roughly").format(time=time)
    words = translate("Figures", "{n} percent of {drafted} guesses accepted, {time}")
    return words.format(
        n=format_number(100 * figures.acceptance_rate), drafted=format_number(figures.drafted), time=time
    )


def conversation_summary(total: TotalStats) -> str:
    if not total.n_drafted:
        if total.why_none is None:
            return translate("Figures", "No guesses in this chat yet.")
        if total.why_none is SpeculationOff.NOT_REPORTED:
            return translate("Figures", "The engine doesn't report guesses.")
        words = translate("Figures", "No guesses in this chat: {reason}.")
        return words.format(reason=reason_text(total.why_none).rstrip("."))
    if not total.is_saving_known:
        words = translate(
            "Figures", "{accepted} of {drafted} guesses accepted. The engine doesn't report the time saved."
        )
        return words.format(accepted=format_number(total.n_accepted), drafted=format_number(total.n_drafted))
    if is_negligible(total.saved_s):
        return translate("Figures", "Speculation neither saved nor cost time in this chat.")
    if total.saved_is_rough:
        return _rough_summary(total)
    if total.saved_s < 0:
        words = translate(
            "Figures", "Speculation cost time in this chat: the answers took {took} instead of about {plain}."
        )
        return words.format(took=format_seconds(total.streaming_s), plain=format_seconds(total.plain_s))
    words = translate("Figures", "Speculation saved {saved} of {plain} in this chat. Answers were {n}× as fast.")
    times = format_number(total.plain_s / total.streaming_s, 2) if total.streaming_s else UNKNOWN
    return words.format(saved=format_seconds(total.saved_s), plain=format_seconds(total.plain_s), n=times)


def _rough_summary(total: TotalStats) -> str:
    cost = translate("Figures", "Speculation cost roughly {time} in this chat.")
    saved = translate("Figures", "Speculation saved roughly {time} in this chat.")
    why = translate("Figures", "Other programs kept the processor busy at times, so this is an estimate.")
    words = cost if total.saved_s < 0 else saved
    return f"{words.format(time=format_seconds(total.saved_s))} {why}"


def models_text(target: str, draft: str | None) -> str:
    """Those that wrote an answer, by what people call them."""
    of_target = translate("Figures", "Target: {name}").format(name=target)
    return f"{of_target}\n{translate('Figures', 'Draft: {name}').format(name=draft)}" if draft else of_target


def answer_footer(answer: Answer) -> str:
    """The line under an answer: what matters least comes last, as it is left out first where there is no room."""
    if answer.cut_off:
        return _cut_off(answer)
    stats = answer.stats
    if not stats.n_generated:  # what is left of one that nothing is known of
        tokens = _marked_tokens(answer) if answer.failed else []
        return SEPARATOR.join([*_edited(answer), *_end(answer), *tokens])
    return SEPARATOR.join([*_of_guesses(stats), *_edited(answer), *_end(answer), *_amounts(stats)])


def _amounts(stats: GenerationStats) -> list[str]:
    if not stats.is_length_known:
        return []
    speed = [speed_text(stats.tokens_per_s)] if stats.tokens_per_s > 0 else []
    return [*speed, _tokens(stats.n_generated)]


def _edited(answer: Answer) -> list[str]:
    own = [number for number, mark in enumerate(answer.marks) if mark.origin == USER]
    if not own:
        return []
    return [translate("Figures", "begun by you") if own == [0] else translate("Figures", "edited")]


def _cut_off(answer: Answer) -> str:
    """Its figures were lost; its tokens were not."""
    words = translate("Figures", "specchat quit unexpectedly")
    return SEPARATOR.join([words, *_marked_tokens(answer)])


def _marked_tokens(answer: Answer) -> list[str]:
    """Another engine's pieces may be several tokens each."""
    n = len(answer.marks)
    if not n or (answer.marks[-1].origin == UNKNOWN_ORIGIN and not are_tokens(answer.marks[-1].end, n)):
        return []
    return [_tokens(n)]


def _tokens(count: int) -> str:
    words = translate("Figures", "{n} token") if count == 1 else translate("Figures", "{n} tokens")
    return words.format(n=format_number(count))


def _of_guesses(stats: GenerationStats) -> list[str]:
    parts = []
    if stats.n_drafted:
        parts.append(translate("Figures", "{n} of guesses accepted").format(n=format_percent(stats.acceptance_rate)))
    if "saved_s" not in stats.unreported and has_saving(stats.n_drafted, stats.saved_s):
        parts.append(time_saved_text(stats.saved_s, is_rough=stats.saved_is_rough))
    state = guessing_text(stats)
    return [*parts, state] if state else parts


def guessing_text(stats: GenerationStats) -> str:
    """Empty while it goes on."""
    reason = parse_speculation(stats.speculation)
    if reason is None:
        return "" if stats.n_drafted else translate("Figures", "no guesses")
    if reason is SpeculationOff.NOT_REPORTED:
        return translate("Figures", "guesses not reported")
    words = translate("Figures", "speculation off: {reason}")
    if not stats.n_drafted:
        words = translate("Figures", "no guesses: {reason}")
    return words.format(reason=reason_text(reason))


def _end(answer: Answer) -> list[str]:
    exactness = [exactness_text(answer.exact)] if answer.exact else []
    return [*exactness, *finish_texts(answer)]


def finish_texts(answer: Answer) -> list[str]:
    """Why it is not whole."""
    parts = []
    if answer.failed:
        parts.append(translate("Figures", "cut off"))
    elif answer.finish is FinishReason.CANCELLED:
        closed, stopped = translate("Figures", "window closed"), translate("Figures", "stopped")
        parts.append(closed if answer.window_closed else stopped)
    elif answer.context_full:
        parts.append(translate("Figures", "context full"))
    elif answer.finish is FinishReason.LENGTH:
        parts.append(translate("Figures", "length limit reached"))
    return parts


def exactness_text(verdict: str) -> str:
    """With the reason, where it does not hold."""
    if verdict == "passed":
        return translate("Figures", "exact")
    if not verdict.startswith("failed"):
        return translate("Figures", "exactness not checked")
    reason = verdict.removeprefix("failed").lstrip(": ")
    if not reason:
        return translate("Figures", "not exact")
    if reason.startswith("logits computed in a batch"):
        reason = translate("Figures", "checking several tokens at once rounds differently on this computer")
    elif reason.startswith("the cache doesn't roll back"):
        reason = translate("Figures", "rolled-back tokens leave traces in the cache")
    return translate("Figures", "not exact: {reason}").format(reason=reason)
