"""What the figures come to, in words."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.benches import AUTO, EIGHT, FOUR, PLAIN, PROMPTS, TARGET, plan, runs

from specchat.domain.benchmark import BenchMethod, BenchRun
from specchat.services.bench.advice import best_row, is_conclusive
from specchat.services.bench.summary import summarize_runs

NGRAM = BenchMethod(TARGET, None, "ngram", None)
OTHER = Path("small.gguf")

SURELY = "on these prompts (median; with high confidence, at least 1.50×)."


def advice(*methods: BenchMethod, measured: Sequence[Sequence[BenchRun]]) -> tuple[str, ...]:
    return summarize_runs(plan(*methods, prompts=PROMPTS), [run for each in measured for run in each]).advice


def plain(method: BenchMethod = PLAIN) -> list[BenchRun]:
    return runs(method, (10, 10), (10, 10))


def test_the_best_and_what_loses() -> None:
    measured = [plain(), runs(AUTO, (15, 16), (16, 17)), runs(EIGHT, (8.8, 8.8), (8.8, 8.8))]
    assert advice(PLAIN, AUTO, EIGHT, measured=measured) == (
        f"Use draft with auto: 1.60× as fast as plain decoding {SURELY}",
        "draft with up to 8 guesses is 12.0 % slower than plain decoding.",
    )


def test_what_gains_with_some_prompts_only() -> None:
    assert advice(PLAIN, AUTO, measured=[plain(), runs(AUTO, (9, 8), (16, 17))]) == (
        "Use draft with auto for code, but not for chat: 1.25× as fast as plain decoding overall.",
        "2 of 4 answers were slower than plain decoding.",
    )
    assert advice(PLAIN, NGRAM, measured=[plain(), runs(NGRAM, (9, 11), (16, 17))]) == (
        "Use earlier text with auto: 1.35× as fast as plain decoding overall, and clearly faster for code.",
        "1 of 4 answers was slower than plain decoding.",
    )


def test_nothing_pays() -> None:
    assert advice(PLAIN, AUTO, measured=[plain(), runs(AUTO, (9, 8), (9, 9))]) == (
        "Plain decoding is fastest here. Next is draft with auto at 0.90×.",
    )


@pytest.mark.parametrize("others", [[], [EIGHT]])
def test_too_wide_to_tell(others: list[BenchMethod]) -> None:
    """Then nothing else is told: that another method loses would sound like a verdict."""
    losing = [runs(each, (4, 9), (4, 4)) for each in others]
    assert advice(PLAIN, AUTO, *others, measured=[plain(), runs(AUTO, (9, 12), (9, 12)), *losing]) == (
        "The results vary too much (not remembered): draft with auto was 1.05× as fast as plain decoding, "
        "with a range of 0.90× to 1.20×. Use more rounds.",
    )


def test_what_surely_gains_goes_before_what_may_gain_more() -> None:
    measured = [plain(), runs(AUTO, (9, 40), (9, 40)), runs(EIGHT, (15, 16), (15, 16))]
    assert advice(PLAIN, AUTO, EIGHT, measured=measured) == (
        f"Use draft with up to 8 guesses: 1.55× as fast as plain decoding {SURELY}",
    )


def test_auto_goes_before_a_number_of_guesses_that_is_hardly_faster() -> None:
    """If it surely gains as well, and with the same draft."""

    def best(*others: BenchRun, methods: Sequence[BenchMethod] = (AUTO,)) -> BenchMethod:
        measured = [*plain(), *runs(EIGHT, (9, 17), (18, 18)), *runs(FOUR, (17, 17), (17, 17)), *others]
        found = best_row(summarize_runs(plan(PLAIN, EIGHT, FOUR, *methods, prompts=PROMPTS), measured).rows)
        assert found is not None
        return found.method

    assert best(*runs(AUTO, (15, 16), (16, 17))) == AUTO
    assert best(*runs(AUTO, (14, 15), (15, 15))) == FOUR
    assert best(*runs(AUTO, (9, 16), (16, 17))) == FOUR
    assert best(*runs(NGRAM, (16, 16), (16, 16)), methods=(NGRAM,)) == FOUR


def test_says_why_auto_goes_before_what_was_faster() -> None:
    measured = [plain(), runs(AUTO, (15, 16), (16, 16)), runs(EIGHT, (17, 17), (17, 17))]
    assert advice(PLAIN, AUTO, EIGHT, measured=measured) == (
        f"Use draft with auto: 1.60× as fast as plain decoding {SURELY}",
        "It was a little faster on these prompts with up to 8 guesses (1.70×), but auto adapts to other text.",
    )


def test_one_answer_held_up_among_many_does_not_spoil_the_others() -> None:
    measured = [runs(PLAIN, [10] * 8), runs(AUTO, (4, 15, 16, 16, 16, 16, 17, 17))]
    assert advice(PLAIN, AUTO, measured=measured) == (
        f"Use draft with auto: 1.60× as fast as plain decoding {SURELY}",
        "1 of 8 answers was slower than plain decoding.",
    )


def test_whether_there_is_anything_to_go_by() -> None:
    def clear(*guessed: BenchRun) -> bool:
        return is_conclusive(summarize_runs(plan(PLAIN, AUTO, prompts=PROMPTS), [*plain(), *guessed]).rows)

    assert clear(*runs(AUTO, (15, 16), (16, 17)))
    assert clear(*runs(AUTO, (9, 8), (9, 9)))
    assert not clear(*runs(AUTO, (9, 12), (9, 12)))
    assert not clear(*runs(AUTO, (20,), (20,)))
    assert not clear()


def guessing(method: BenchMethod, speeds: Sequence[Sequence[float]], **values: object) -> list[BenchRun]:
    return [replace(each, stats=replace(each.stats, **values)) for each in runs(method, *speeds)]  # type: ignore[arg-type]


def test_what_the_guesses_cannot_explain_is_not_advised() -> None:
    """Two tokens saved of 32 do not make an answer half as fast again."""
    lucky = guessing(EIGHT, ((15, 16), (16, 17)), n_verify_steps=30)
    assert advice(PLAIN, EIGHT, measured=[plain(), lucky]) == (
        "draft with up to 8 guesses was 1.60× as fast as plain decoding, but accepted guesses explain "
        "only 1.07×: other programs were using this computer. The result was not remembered. Rerun the "
        "benchmark when the computer is idle.",
    )
    assert not is_conclusive(summarize_runs(plan(PLAIN, EIGHT), [*plain(), *lucky]).rows)
    surely = runs(AUTO, (13, 14), (14, 14))
    assert advice(PLAIN, EIGHT, AUTO, measured=[plain(), lucky, surely])[0].startswith("Use draft with auto: 1.40×")


def test_a_draft_that_guessed_nothing_is_named_as_in_the_table_and_said_to_be_unused() -> None:
    unused = "draft made no guesses: all of them came from earlier text."
    from_text = guessing(AUTO, ((15, 16), (16, 17)), drafted_per_source={"ngram": 40})
    assert advice(PLAIN, AUTO, measured=[plain(), from_text]) == (
        f"Use draft with auto: 1.60× as fast as plain decoding {SURELY}",
        unused,
    )
    unclear = guessing(AUTO, ((9, 12), (9, 12)), drafted_per_source={"ngram": 40})
    said, *others = advice(PLAIN, AUTO, measured=[plain(), unclear])
    assert "draft with auto was 1.05×" in said
    assert others == [unused]


@pytest.mark.parametrize("draft_type", ["auto", "mtp"])
def test_mtp_layers_have_the_credit(draft_type: str) -> None:
    method = BenchMethod(TARGET, None, draft_type, 4)
    guessed = guessing(method, ((15, 16), (16, 17)), drafted_per_source={"mtp": 40})
    assert advice(PLAIN, method, measured=[plain(), guessed])[0].startswith(
        "Use MTP layers with up to 4 guesses: 1.60×"
    )


def test_too_few_to_tell() -> None:
    assert advice(PLAIN, AUTO, measured=[plain(), runs(AUTO, (20,), (20,))]) == (
        "Too few answers for a result (not remembered): draft with auto was 2.00× as fast as plain decoding. "
        "Use more rounds.",
    )


def test_quantisations() -> None:
    other = BenchMethod(OTHER)
    measured = [plain(), runs(AUTO, (15, 16), (16, 17)), runs(other, (40, 40), (40, 40))]
    assert advice(PLAIN, AUTO, other, measured=measured) == (
        "small is fastest: 40.0 tokens/s with plain decoding. target reaches 16.0 with auto.",
        f"Use draft for target with auto: 1.60× as fast as plain decoding {SURELY}",
    )


def test_the_peer_is_no_advice() -> None:
    peer = BenchMethod(TARGET, peer=Path("llama-server"))
    assert advice(PLAIN, peer, measured=[plain(), runs(peer, (20, 20), (20, 20))]) == ()
