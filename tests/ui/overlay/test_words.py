from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale

from specchat.domain.conversations import Answer, Mark
from specchat.domain.guessing import OF_ONE_ANSWER, Failed, Off, as_text
from specchat.domain.types import FinishReason, GenerationStats
from specchat.drafters.suffix import Suffix
from specchat.engine.costs import PassCosts
from specchat.engine.fixed import FixedLength
from specchat.engine.selftest import SelfTest
from specchat.services.chat.figures import guesses
from specchat.services.generation.live_figures import Figures
from specchat.ui.overlay import words
from specchat.ui.overlay.readout import readout
from specchat.ui.overlay.replies import ReplyFigures, total
from specchat.ui.words.amounts import axis_seconds, percent, seconds, speed

STATS = GenerationStats(
    n_generated=312, n_drafted=134, n_accepted=96, acceptance_rate=0.72, tokens_per_s=41.2, saved_s=2.3
)
PLAIN = GenerationStats(n_generated=10, tokens_per_s=5.0, speculation="off: no draft chosen")


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_amounts_are_short_and_signed() -> None:
    assert plain(percent(0.718)) == "72 %"
    assert (plain(seconds(0.0994)), plain(seconds(0.0996))) == ("99 ms", "0.1 s")
    assert plain(seconds(99.96)) == "100 s"
    assert plain(seconds(1234.6)) == "1,235 s"
    assert speed(8.31) == "8.3"
    assert [plain(axis_seconds(tick)) for tick in (-5.0, 0.0, 0.5, 0.05)] == ["\u22125 s", "0 s", "0.5 s", "0.05 s"]


def test_amounts_follow_the_language() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German))
    assert plain(words.saved(2.3)) == "2,3 s saved"


def test_the_footer_says_what_happened() -> None:
    assert plain(words.footer(Answer("t", stats=STATS))) == "72 % accepted · 2.3 s saved · 41.2 tokens/s · 312 tokens"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("t", finish=FinishReason.CANCELLED, stats=STATS), "72 % accepted · 2.3 s saved · stopped"),
        (Answer("t", finish=FinishReason.CANCELLED, window_closed=True), "window closed"),
        (
            Answer("t", finish=FinishReason.LENGTH, context_full=True, stats=STATS),
            "72 % accepted · 2.3 s saved · context full",
        ),
        (Answer("t", finish=FinishReason.LENGTH, stats=STATS), "72 % accepted · 2.3 s saved · length limit reached"),
        (Answer("t", exact="passed", stats=STATS), "72 % accepted · 2.3 s saved · exact"),
        (Answer("t", exact="failed: why", stats=STATS), "72 % accepted · 2.3 s saved · not exact: why"),
        (Answer("t", exact="failed", stats=STATS), "72 % accepted · 2.3 s saved · not exact"),
        (
            Answer("t", exact=SelfTest(1, rollback=True, details=()).verdict, stats=STATS),
            "72 % accepted · 2.3 s saved · not exact: passes over several tokens round differently here",
        ),
        (
            Answer("t", exact=SelfTest(8, rollback=False, details=()).verdict, stats=STATS),
            "72 % accepted · 2.3 s saved · not exact: tokens that are taken back leave traces in the cache",
        ),
        (Answer("t", exact="not run", stats=STATS), "72 % accepted · 2.3 s saved · exactness not checked"),
        (Answer("t", stats=replace(STATS, saved_s=-0.42)), "72 % accepted · 0.4 s lost"),
        (Answer("t", stats=replace(STATS, saved_s=0.012)), "72 % accepted · 12 ms saved"),
        (Answer("t", stats=replace(STATS, saved_s=0.0)), "72 % accepted · no time saved"),
        (Answer("t", stats=replace(STATS, saved_s=-0.01)), "72 % accepted · no time saved"),
        (Answer("t", stats=PLAIN), "no guesses: no draft is chosen · 5.0 tokens/s · 10 tokens"),
        (Answer("t", stats=replace(PLAIN, speculation="on")), "no guesses · 5.0 tokens/s · 10 tokens"),
        (
            Answer("t", stats=replace(PLAIN, n_generated=1, tokens_per_s=0.0)),
            "no guesses: no draft is chosen · 1 token",
        ),
        (
            Answer("t", stats=replace(PLAIN, speculation=f"off: {Off.COSTS_MORE}"), finish=FinishReason.LENGTH),
            f"no guesses: {Off.COSTS_MORE} · length limit reached · 5.0 tokens/s · 10 tokens",
        ),
        (
            Answer("t", stats=replace(PLAIN, speculation=f"off: {Off.MEASURING}")),
            f"no guesses: {Off.MEASURING} · 5.0 tokens/s · 10 tokens",
        ),
        (
            Answer("t", stats=replace(STATS, speculation=f"off: {Off.COSTS_MORE}")),
            f"72 % accepted · 2.3 s saved · guessing off: {Off.COSTS_MORE}",
        ),
    ],
)
def test_the_footer_begins_with_what_matters_most(answer: Answer, said: str) -> None:
    assert plain(words.footer(answer)).startswith(said)


def test_the_footer_of_an_answer_that_was_cut_off_by_a_crash() -> None:
    begun = Answer("target.gguf", finish=FinishReason.CANCELLED, cut_off=True)
    assert words.footer(begun) == "specchat ended unexpectedly"
    written = replace(begun, marks=(Mark(3, "draft"), Mark(5, "target")))
    assert plain(words.footer(written)) == "specchat ended unexpectedly · 2 tokens"


def test_reasons_of_the_engine_are_known() -> None:
    reason = FixedLength(Suffix(), 0, PassCosts()).off_reason
    assert reason is not None
    assert words.not_guessing(reason) == "Not guessing: the number of guesses is set to 0"
    assert words.reason_words(Failed("out of memory")) == "the draft failed: out of memory"
    assert words.reason_words("it does not pay") == "it does not pay"


def test_the_window_has_its_own_words_for_each_reason() -> None:
    assert len({words.reason_words(off) for off in Off}) == len(Off)


@pytest.mark.parametrize(
    ("sources", "words_for_them"),
    [
        ((), "Draft: qwen-0.5b"),
        (("draft",), "Draft: qwen-0.5b"),
        (("ngram",), "Guesses: earlier text"),
        (("ngram", "draft"), "Draft: qwen-0.5b + earlier text"),
        (("phrases",), "Guesses: phrases"),
        (("phrases", "ngram"), "Guesses: earlier text, phrases"),
        (("eagle3", "ngram"), "Draft: qwen-0.5b + earlier text"),
    ],
)
def test_whoever_guessed_is_named(sources: tuple[str, ...], words_for_them: str) -> None:
    assert words.guessers(sources, "qwen-0.5b") == words_for_them


def test_a_draft_without_a_name_is_the_draft() -> None:
    assert words.guessers(("draft",), None) == "Draft: the draft"
    assert words.guessers((), None) == "No guesses yet"


def test_an_answer_of_an_older_version_has_no_reason() -> None:
    figures = Figures(n_generated=20, final=True)
    assert words.why_none(figures) == words.sentence(figures) == "No guesses"
    assert words.why_none(replace(figures, final=False)) == ""
    assert words.why_none(replace(figures, drafted=3)) == ""


@pytest.mark.parametrize("off", [Off.MEASURING, Off.COSTS_MORE, *sorted(OF_ONE_ANSWER)])
def test_why_an_answer_has_no_guesses_is_one_sentence_everywhere(off: Off) -> None:
    stats = GenerationStats(n_generated=14, n_verify_steps=14, speculation=as_text(off))
    figures = Figures.from_stats(stats)
    spoken, shown = words.sentence(figures), readout(figures, "qwen-0.5b")
    assert spoken == shown.why_not == f"No guesses: {off}"
    assert words.footer(Answer("t", stats=stats)).startswith(f"no guesses: {off}")
    assert words.guessing(stats) == guesses(stats)[0] == f"no guesses: {off}", "as in the commands"


def test_times_as_fast_only_where_it_is_noticeable() -> None:
    assert words.times_as_fast(1.42) == "1.4×"
    assert words.times_as_fast(0.81) == "0.8×"
    assert words.times_as_fast(1.03) == words.times_as_fast(None) == ""


def test_one_sentence_for_a_screen_reader() -> None:
    figures = replace(Figures.from_stats(STATS), why_off=None)
    assert words.sentence(figures) == "72 percent of 134 guesses accepted, 2.3 seconds saved"
    assert words.sentence(replace(figures, saved_s=-1.0)).endswith("1.0 seconds lost")
    assert words.sentence(replace(figures, saved_s=0.0)).endswith("no time saved")
    assert words.sentence(replace(figures, saved_s=0.012)).endswith("0.012 seconds saved")
    assert words.sentence(Figures.from_stats(PLAIN)) == "No guesses: no draft is chosen"
    assert words.sentence(Figures()) == "No guesses yet"


def test_the_conversation_in_one_sentence() -> None:
    def said(*stats: GenerationStats) -> str:
        return plain(words.conversation(total([ReplyFigures("Hello", one, "t") for one in stats])))

    took = replace(STATS, n_generated=101, tokens_per_s=10.0)
    assert said(replace(took, saved_s=2.5), replace(took, saved_s=2.5)) == (
        "In this conversation guesses saved 5.0 s of 25.0 s: 1.25 times as fast."
    )
    assert said(replace(took, saved_s=-2.0)) == (
        "In this conversation guesses lost time: the answers took 10.0 s, without guesses about 8.0 s."
    )
    assert said(replace(took, saved_s=0.0)) == "In this conversation guesses neither saved nor cost time."
    assert said(PLAIN) == said(PLAIN, PLAIN) == "Nothing has been guessed in this conversation: no draft is chosen."
    others = replace(PLAIN, speculation=as_text(Off.MEASURING))
    assert said(PLAIN, others) == said() == "Nothing has been guessed in this conversation."


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        (Figures(draft_off=Off.COSTS_MORE, n_drafted_per_source={"ngram": 9}), "Draft off: it saves no time"),
        (Figures(draft_off=Off.MEASURING), "Draft off: still measuring"),
        (Figures(draft_off=Failed("It is gone.")), "Draft off: the draft failed: It is gone."),
        (Figures(draft_off=Off.COSTS_MORE, n_drafted_per_source={"draft": 1, "ngram": 9}), ""),
        (Figures(n_drafted_per_source={"ngram": 9}), ""),
    ],
)
def test_that_the_draft_is_off_is_told_though_others_guess(figures: Figures, said: str) -> None:
    assert words.draft_off(figures) == said
    assert readout(figures, "Hopeless").counts == said
