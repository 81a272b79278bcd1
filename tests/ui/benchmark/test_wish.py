"""What the form asks for."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support import benches

from specchat.domain.benchmark import BenchMethod, BenchPrompt
from specchat.domain.serialization import from_plain, to_plain
from specchat.services.bench.summary import summarize_runs
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.benchmark.bench_config import (
    BenchConfig,
    DrafterChoice,
    PromptKind,
    estimate_answer_seconds,
    estimate_total_seconds,
    measured_answer_seconds,
    other_quantisations,
    short_model_names,
)
from specchat.ui.benchmark.durations import format_duration, format_duration_range

TARGET, DRAFT, OTHER = Path("target.gguf"), Path("draft.gguf"), Path("target-q8.gguf")
WISH = BenchConfig(TARGET, (DrafterChoice("auto", DRAFT),), (), PromptKind.WORKLOADS, ("chat",), (2, None), 0.0, 100, 2)
SHORT = (BenchPrompt("chat", "Why?"),)
MODEL = LocalModel(TARGET, "Model 7B Q4_K_M", parameters=7, n_layer=3, quantization="Q4_K_M")


def test_each_target_is_measured_plainly_too() -> None:
    methods = replace(WISH, quantisations=(OTHER,)).methods
    assert methods[:3] == (
        BenchMethod(TARGET),
        BenchMethod(TARGET, DRAFT, "auto", 2),
        BenchMethod(TARGET, DRAFT, "auto", None),
    )
    assert [method.target for method in methods[3:]] == [OTHER] * 3


def test_no_model_guesses_for_itself() -> None:
    wish = replace(WISH, guessers=(DrafterChoice("auto", OTHER),), quantisations=(OTHER,))
    assert [method.draft for method in wish.methods if method.target == OTHER] == [None]


def test_plain_decoding_alone_compares_nothing() -> None:
    assert WISH.has_comparison
    assert not replace(WISH, guessers=()).has_comparison
    assert not replace(WISH, lengths=()).has_comparison
    assert replace(WISH, guessers=(), quantisations=(OTHER,)).has_comparison


def test_the_estimate_grows_with_what_is_asked() -> None:
    an_answer = estimate_answer_seconds(WISH, SHORT, 10.0)
    seconds = estimate_total_seconds(WISH, 4, an_answer)
    assert seconds > 3 * 4 * 2 * 100 / 10.0
    assert estimate_total_seconds(replace(WISH, repeat=4), 4, an_answer) > 1.8 * seconds


def test_reading_a_long_prompt_and_warming_up_count() -> None:
    """Of the prompts that are built in, some take as long to read as to answer."""
    long = (BenchPrompt("edit", "word " * 400, "Be brief. " * 20),)
    assert estimate_answer_seconds(WISH, SHORT, 10.0) == pytest.approx(100 / 10, rel=0.01)
    assert estimate_answer_seconds(WISH, long, 10.0) == pytest.approx((2200 / 4 / 5 + 100) / 10)
    assert estimate_answer_seconds(WISH, long, 10.0, 0.5) == pytest.approx((2200 / 4 / 5 + 50) / 10)
    loading, three_methods = 2 * 3, 3
    assert estimate_total_seconds(WISH, 1, 10.0) == pytest.approx(loading + three_methods * (2 + 32 / 100) * 10)
    assert estimate_total_seconds(replace(WISH, max_tokens=16), 1, 10.0) == pytest.approx(
        loading + three_methods * 3 * 10
    )


def test_answers_take_as_long_as_those_that_were_measured() -> None:
    """Reading the prompt takes half a second. What was cut off at 32 tokens would go on to 100."""
    measured = replace(benches.plan(benches.PLAIN), max_tokens=32)

    def seconds(*lengths: int, wish: BenchConfig = WISH) -> float | None:
        runs = tuple(benches.run(benches.PLAIN, 10, n=length) for length in lengths)
        return measured_answer_seconds(wish, replace(summarize_runs(measured, runs), complete=False))

    assert seconds(8, 20) == pytest.approx(0.5 + 14 / 10)
    assert seconds(20, 32) == pytest.approx(0.5 + 60 / 10)
    assert seconds(20, wish=replace(WISH, max_tokens=16)) == pytest.approx(0.5 + 16 / 10)
    assert seconds() is None
    assert seconds(20, wish=replace(WISH, target=OTHER)) is None
    assert seconds(20, wish=replace(WISH, target=OTHER, quantisations=(TARGET,))) is not None


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (replace(MODEL, path=OTHER, name="Model 7B Q8_0", quantization="Q8_0"), True),
        (replace(MODEL, path=OTHER, name="Model 7B", quantization="F16"), True),
        (replace(MODEL, path=OTHER, name="Another 7B", quantization="Q8_0"), False),
        (replace(MODEL, path=OTHER, name="Model 7B", quantization="Q8_0", n_layer=4), False),
        (replace(MODEL, path=OTHER, name="Model 7B", quantization="Q8_0", problems=("damaged",)), False),
        (MODEL, False),
    ],
)
def test_other_files_of_the_same_model_are_found(other: LocalModel, expected: bool) -> None:
    assert (other_quantisations(MODEL, [MODEL, other]) == [other]) is expected


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5, "less than a minute"),
        (60, "about a minute"),
        (340, "about 6 minutes"),
        (3590, "about an hour"),
        (7100, "about 2 hours"),
    ],
)
def test_times_are_told_roughly(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (5, 15, "less than a minute"),
        (25, 75, "about a minute"),
        (60, 180, "1 to 3 minutes"),
        (340, 345, "about 6 minutes"),
        (1200, 3600, "about 20 minutes to about an hour"),
        (7200, 21600, "about 2 hours to about 6 hours"),
    ],
)
def test_what_is_but_a_guess_is_a_range(least: float, most: float, words: str) -> None:
    assert format_duration_range(least, most) == words


def test_names_are_as_short_as_they_can_be_told_apart() -> None:
    draft = LocalModel(DRAFT, "Model 1B", quantization="Q8_0")
    assert short_model_names(WISH.methods, [MODEL, draft]) == {TARGET: "Model 7B Q4_K_M", DRAFT: "Model 1B"}
    target, other = (replace(MODEL, path=path, name="Model", quantization=path.stem) for path in (TARGET, OTHER))
    methods = replace(WISH, quantisations=(OTHER,)).methods
    assert short_model_names(methods, [target, other]) == {TARGET: "Model · target", OTHER: "Model · target-q8"}
    same = replace(other, quantization=target.quantization)
    assert short_model_names(methods, [target, same]) == {}


def test_a_wish_is_kept_from_run_to_run() -> None:
    wish = replace(
        WISH, guessers=(DrafterChoice("auto", DRAFT), DrafterChoice("ngram")), quantisations=(OTHER,), temperature=0.7
    )
    plain = json.loads(json.dumps(to_plain(replace(wish, exact=True))))
    assert from_plain(BenchConfig, plain) == replace(wish, exact=True)
    del plain["exact"]  # as an earlier version kept it
    assert from_plain(BenchConfig, plain) == wish
    unfit: tuple[object, ...] = (None, [], {}, {"target": 3})
    for each in unfit:
        with pytest.raises(ValueError, match="belongs|missing"):
            from_plain(BenchConfig, each)
