from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, QObject

from specchat.domain.conversations import Answer, Mark
from specchat.domain.speculation_status import SINGLE_ANSWER_REASONS, DrafterFailure, SpeculationOff, speculation_text
from specchat.domain.types import UNKNOWN, FinishReason, GenerationStats
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.costs import PassCosts
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.selftest import SelfTestResult
from specchat.services.chat.stats_text import format_amounts, format_guesses
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay import stats_text
from specchat.ui.overlay.readout import make_readout
from specchat.ui.overlay.reply_stats import ReplyStats, compute_total
from specchat.ui.overlay.reply_table_model import ReplyTableModel
from specchat.ui.words.number_format import format_axis_seconds, format_percent, format_seconds, format_speed

STATS = GenerationStats(
    n_generated=312, n_drafted=134, n_accepted=96, acceptance_rate=0.72, tokens_per_s=41.2, saved_s=2.3
)
PLAIN = GenerationStats(n_generated=10, tokens_per_s=5.0, speculation="off: no draft is selected")


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_amounts_are_short_and_signed() -> None:
    assert plain(format_percent(0.718)) == "72 %"
    assert (plain(format_seconds(0.0994)), plain(format_seconds(0.0996))) == ("99 ms", "0.1 s")
    assert plain(format_seconds(99.96)) == "100 s"
    assert plain(format_seconds(1234.6)) == "1,235 s"
    assert format_speed(8.31) == "8.3"
    assert [plain(format_axis_seconds(tick)) for tick in (-5.0, 0.0, 0.5, 0.05)] == [
        "\u22125 s",
        "0 s",
        "0.5 s",
        "0.05 s",
    ]


def test_amounts_follow_the_language() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German))
    assert plain(stats_text.time_saved_text(2.3)) == "2,3 s saved"


def test_the_footer_says_what_happened() -> None:
    assert (
        plain(stats_text.answer_footer(Answer("t", stats=STATS)))
        == "72 % of guesses accepted · 2.3 s saved · 41.2 tokens/s · 312 tokens"
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("t", finish=FinishReason.CANCELLED, stats=STATS), "72 % of guesses accepted · 2.3 s saved · stopped"),
        (Answer("t", finish=FinishReason.CANCELLED, window_closed=True), "window closed"),
        (Answer("t", finish=FinishReason.CANCELLED, failed=True), "cut off"),
        (Answer("t", finish=FinishReason.CANCELLED, failed=True, marks=(Mark(2, UNKNOWN),)), "cut off · 1 token"),
        (
            Answer("t", finish=FinishReason.LENGTH, context_full=True, stats=STATS),
            "72 % of guesses accepted · 2.3 s saved · context full",
        ),
        (
            Answer("t", finish=FinishReason.LENGTH, stats=STATS),
            "72 % of guesses accepted · 2.3 s saved · length limit reached",
        ),
        (Answer("t", exact="passed", stats=STATS), "72 % of guesses accepted · 2.3 s saved · exact"),
        (Answer("t", exact="failed: why", stats=STATS), "72 % of guesses accepted · 2.3 s saved · not exact: why"),
        (Answer("t", exact="failed", stats=STATS), "72 % of guesses accepted · 2.3 s saved · not exact"),
        (
            Answer("t", exact=SelfTestResult(1, rollback=True, details=()).verdict, stats=STATS),
            (
                "72 % of guesses accepted · 2.3 s saved · not exact: checking several tokens at once rounds "
                "differently on this computer"
            ),
        ),
        (
            Answer("t", exact=SelfTestResult(8, rollback=False, details=()).verdict, stats=STATS),
            "72 % of guesses accepted · 2.3 s saved · not exact: rolled-back tokens leave traces in the cache",
        ),
        (Answer("t", exact="not run", stats=STATS), "72 % of guesses accepted · 2.3 s saved · exactness not checked"),
        (Answer("t", stats=replace(STATS, saved_s=-0.42)), "72 % of guesses accepted · 0.4 s lost"),
        (Answer("t", stats=replace(STATS, saved_s=0.012)), "72 % of guesses accepted · 12 ms saved"),
        (Answer("t", stats=replace(STATS, saved_s=0.0)), "72 % of guesses accepted · no time saved"),
        (Answer("t", stats=replace(STATS, saved_s=-0.01)), "72 % of guesses accepted · no time saved"),
        (Answer("t", stats=PLAIN), "no guesses: no draft is selected · 5.0 tokens/s · 10 tokens"),
        (Answer("t", stats=replace(PLAIN, speculation="on")), "no guesses · 5.0 tokens/s · 10 tokens"),
        (
            Answer("t", stats=replace(PLAIN, n_generated=1, tokens_per_s=0.0)),
            "no guesses: no draft is selected · 1 token",
        ),
        (
            Answer(
                "t", stats=replace(PLAIN, speculation=f"off: {SpeculationOff.COSTS_MORE}"), finish=FinishReason.LENGTH
            ),
            f"no guesses: {SpeculationOff.COSTS_MORE} · length limit reached · 5.0 tokens/s · 10 tokens",
        ),
        (
            Answer("t", stats=replace(PLAIN, speculation=f"off: {SpeculationOff.MEASURING}")),
            f"no guesses: {SpeculationOff.MEASURING} · 5.0 tokens/s · 10 tokens",
        ),
        (
            Answer("t", stats=replace(STATS, speculation=f"off: {SpeculationOff.COSTS_MORE}")),
            f"72 % of guesses accepted · 2.3 s saved · speculation off: {SpeculationOff.COSTS_MORE}",
        ),
    ],
)
def test_the_footer_begins_with_what_matters_most(answer: Answer, said: str) -> None:
    assert plain(stats_text.answer_footer(answer)).startswith(said)


def test_the_footer_of_an_answer_that_was_cut_off_by_a_crash() -> None:
    begun = Answer("target.gguf", finish=FinishReason.CANCELLED, cut_off=True)
    assert stats_text.answer_footer(begun) == "specchat quit unexpectedly"
    written = replace(begun, marks=(Mark(3, "draft"), Mark(5, "target")))
    assert plain(stats_text.answer_footer(written)) == "specchat quit unexpectedly · 2 tokens"


def test_reasons_of_the_engine_are_known() -> None:
    reason = FixedLengthStrategy(SuffixDrafter(), 0, PassCosts()).off_reason
    assert reason is not None
    assert stats_text.not_guessing_text(reason) == "Not speculating: the number of guesses is 0"
    assert stats_text.reason_text(DrafterFailure("out of memory")) == "the draft failed: out of memory"
    assert stats_text.reason_text("it does not pay") == "it does not pay"


def test_the_window_has_its_own_words_for_each_reason() -> None:
    assert len({stats_text.reason_text(off) for off in SpeculationOff}) == len(SpeculationOff)


@pytest.mark.parametrize(
    ("sources", "words_for_them"),
    [
        ((), "Draft: qwen-0.5b"),
        (("draft",), "Draft: qwen-0.5b"),
        (("ngram",), "Drafter: earlier text"),
        (("ngram", "draft"), "Draft: qwen-0.5b + earlier text"),
        (("phrases",), "Drafter: phrases"),
        (("phrases", "ngram"), "Drafter: earlier text, phrases"),
        (("eagle3", "ngram"), "Draft: qwen-0.5b + earlier text"),
    ],
)
def test_whoever_guessed_is_named(sources: tuple[str, ...], words_for_them: str) -> None:
    assert stats_text.drafters_text(sources, "qwen-0.5b") == words_for_them


def test_a_draft_without_a_name_is_the_draft() -> None:
    assert stats_text.drafters_text(("draft",), None) == "Draft: the draft"
    assert stats_text.drafters_text((), None) == "No guesses yet"


def test_an_answer_of_an_older_version_has_no_reason() -> None:
    figures = StatsSnapshot(n_generated=20, final=True)
    assert stats_text.no_guesses_text(figures) == stats_text.spoken_summary(figures) == "No speculation"
    assert stats_text.no_guesses_text(replace(figures, final=False)) == ""
    assert stats_text.no_guesses_text(replace(figures, drafted=3)) == ""


@pytest.mark.parametrize("off", [SpeculationOff.MEASURING, SpeculationOff.COSTS_MORE, *sorted(SINGLE_ANSWER_REASONS)])
def test_why_an_answer_has_no_guesses_is_one_sentence_everywhere(off: SpeculationOff) -> None:
    stats = GenerationStats(n_generated=14, n_verify_steps=14, speculation=speculation_text(off))
    figures = StatsSnapshot.from_stats(stats)
    spoken, shown = stats_text.spoken_summary(figures), make_readout(figures, "qwen-0.5b")
    assert spoken == shown.why_not == f"No guesses: {off}"
    assert stats_text.answer_footer(Answer("t", stats=stats)).startswith(f"no guesses: {off}")
    assert stats_text.guessing_text(stats) == format_guesses(stats)[0] == f"no guesses: {off}", "as in the commands"


def test_times_as_fast_only_where_it_is_noticeable() -> None:
    assert stats_text.speedup_text(1.42) == "1.4×"
    assert stats_text.speedup_text(0.81) == "0.8×"
    assert stats_text.speedup_text(1.03) == stats_text.speedup_text(None) == ""


def test_one_sentence_for_a_screen_reader() -> None:
    figures = replace(StatsSnapshot.from_stats(STATS), why_off=None)
    assert stats_text.spoken_summary(figures) == "72 percent of 134 guesses accepted, 2.3 seconds saved"
    assert stats_text.spoken_summary(replace(figures, saved_s=-1.0)).endswith("1.0 seconds lost")
    assert stats_text.spoken_summary(replace(figures, saved_s=0.0)).endswith("no time saved")
    assert stats_text.spoken_summary(replace(figures, saved_s=0.012)).endswith("0.012 seconds saved")
    assert stats_text.spoken_summary(StatsSnapshot.from_stats(PLAIN)) == "No guesses: no draft is selected"
    assert stats_text.spoken_summary(StatsSnapshot()) == "No guesses yet"


def test_the_conversation_in_one_sentence() -> None:
    def said(*stats: GenerationStats) -> str:
        return plain(stats_text.conversation_summary(compute_total([ReplyStats("Hello", one, "t") for one in stats])))

    took = replace(STATS, n_generated=101, tokens_per_s=10.0)
    assert said(replace(took, saved_s=2.5), replace(took, saved_s=2.5)) == (
        "Speculation saved 5.0 s of 25.0 s in this chat. Answers were 1.25× as fast."
    )
    assert said(replace(took, saved_s=-2.0)) == (
        "Speculation cost time in this chat: the answers took 10.0 s instead of about 8.0 s."
    )
    assert said(replace(took, saved_s=0.0)) == "Speculation neither saved nor cost time in this chat."
    assert said(PLAIN) == said(PLAIN, PLAIN) == "No guesses in this chat: no draft is selected."
    others = replace(PLAIN, speculation=speculation_text(SpeculationOff.MEASURING))
    assert said(PLAIN, others) == said() == "No guesses in this chat yet."


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        (
            StatsSnapshot(draft_off=SpeculationOff.COSTS_MORE, n_drafted_per_source={"ngram": 9}),
            "Draft off: it saves no time",
        ),
        (StatsSnapshot(draft_off=SpeculationOff.MEASURING), "Draft off: still measuring"),
        (StatsSnapshot(draft_off=DrafterFailure("It is gone.")), "Draft off: the draft failed: It is gone."),
        (StatsSnapshot(draft_off=SpeculationOff.COSTS_MORE, n_drafted_per_source={"draft": 1, "ngram": 9}), ""),
        (StatsSnapshot(n_drafted_per_source={"ngram": 9}), ""),
    ],
)
def test_that_the_draft_is_off_is_told_though_others_guess(figures: StatsSnapshot, said: str) -> None:
    assert stats_text.draft_off_text(figures) == said
    assert make_readout(figures, "Hopeless").counts == said


UNTOLD = GenerationStats(
    n_generated=10, tokens_per_s=5.0, speculation="not reported", unreported=("n_verify_steps", "saved_s")
)
TOLD = GenerationStats(
    n_generated=20,
    n_drafted=10,
    n_accepted=5,
    n_verify_steps=10,
    acceptance_rate=0.5,
    mean_accepted_length=2.0,
    tokens_per_s=8.0,
    drafted_per_source={"unknown": 10},
    unreported=("saved_s",),
)


def test_what_an_engine_does_not_report_is_not_made_up() -> None:
    figures = StatsSnapshot.from_stats(UNTOLD)
    shown = make_readout(figures, None)
    assert (shown.caption, shown.saved) == ("Tokens/s, last answer", "5.0")
    assert (shown.accepted, shown.speed, shown.per_pass, shown.times_as_fast) == ("\u2013", "", "\u2013", "")
    assert (shown.why_not, shown.pill) == ("Guesses: not reported by the engine", ("5.0 tokens/s",))
    assert stats_text.answer_footer(Answer("t", stats=UNTOLD)) == "guesses not reported · 5.0 tokens/s · 10 tokens"
    assert stats_text.spoken_summary(figures) == "Guesses: not reported by the engine. 5.0 tokens/s"


def test_a_length_that_nobody_counted_is_not_shown() -> None:
    stats = replace(UNTOLD, unreported=(*UNTOLD.unreported, "n_generated", "tokens_per_s"))
    shown = make_readout(StatsSnapshot.from_stats(stats), None)
    assert (shown.saved, shown.pill) == ("\u2013", ("\u2013",))
    assert stats_text.answer_footer(Answer("t", stats=stats)) == "guesses not reported"
    assert format_amounts(stats) == ["tokens not reported"]
    pieces = (Mark(40, "unknown"), Mark(90, "unknown"))
    assert stats_text.answer_footer(Answer("t", marks=pieces, failed=True)) == "cut off"
    table = ReplyTableModel(owner := QObject())
    replies = [ReplyStats("Warm", each, "t") for each in (TOLD, stats)]
    table.show_replies(replies, compute_total(replies))
    shown_amounts = [[table.data(table.index(row, column)) for column in (1, 2)] for row in range(3)]
    assert shown_amounts == [["\u2013", "8.0"], ["20", "8.0"], ["\u2013", "\u2013"]]
    owner.deleteLater()


def test_guesses_without_the_time_that_they_saved() -> None:
    figures = StatsSnapshot.from_stats(TOLD)
    shown = make_readout(figures, None)
    assert (shown.saved, plain(shown.accepted), shown.per_pass, shown.who) == (
        "8.0",
        "50 %",
        "2.0",
        "Drafter not reported",
    )
    assert plain(shown.pill[0]) == "50 % accepted · 8.0 tokens/s"
    assert stats_text.spoken_summary(figures) == "50 percent of 10 guesses accepted. 8.0 tokens/s"


def test_a_chat_counts_what_is_reported_alone() -> None:
    replies = [ReplyStats("?", stats, "t") for stats in (UNTOLD, TOLD)]
    total = compute_total(replies)
    assert (total.mean_accepted_length, total.is_saving_known, total.n_generated) == (2.0, False, 30)
    expected = "5 of 10 guesses accepted. The engine doesn't report the time saved."
    assert stats_text.conversation_summary(total) == expected
    assert stats_text.conversation_summary(compute_total(replies[:1])) == "The engine doesn't report guesses."
    local = replace(STATS, n_verify_steps=216)
    assert compute_total([*replies, ReplyStats("?", local, "t")]).saved_s == local.saved_s


def test_beside_busy_programs_the_time_saved_is_an_estimate_everywhere() -> None:
    rough = replace(STATS, saved_is_rough=True)
    assert "≈ 2.3 s saved" in plain(stats_text.answer_footer(Answer("t", stats=rough)))
    assert "roughly 2.30 s saved: the computer was busy" in format_guesses(rough)
    shown = make_readout(StatsSnapshot.from_stats(rough), None)
    assert (plain(shown.saved), shown.times_as_fast) == ("≈ 2.3 s", "")
    assert shown.caption == "Time saved, rough estimate"
    assert "2.3 seconds saved, roughly" in stats_text.spoken_summary(StatsSnapshot.from_stats(rough))
    together = compute_total([ReplyStats("a", STATS, "t"), ReplyStats("b", rough, "t")])
    assert plain(stats_text.conversation_summary(together)).startswith("Speculation saved roughly 4.6 s in this chat.")


def test_what_is_no_time_at_all_needs_no_estimate() -> None:
    rough = StatsSnapshot.from_stats(replace(STATS, saved_s=0.0, saved_is_rough=True))
    assert make_readout(rough, None).saved == make_readout(replace(rough, is_saving_rough=False), None).saved


def test_time_that_was_lost_without_a_guess_is_told_everywhere() -> None:
    lost = replace(PLAIN, saved_s=-0.4, n_generated=40)
    assert "0.4 s lost" in plain(stats_text.answer_footer(Answer("t", stats=lost)))
    shown = make_readout(StatsSnapshot.from_stats(lost), None)
    assert (plain(shown.saved), shown.caption) == ("0.4 s", "Time lost, last answer")
    noise = replace(lost, saved_s=-0.01)
    assert "lost" not in stats_text.answer_footer(Answer("t", stats=noise))
    assert make_readout(StatsSnapshot.from_stats(noise), None).saved == "\u2013"
