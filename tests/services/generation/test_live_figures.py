from dataclasses import replace
from pathlib import Path

import pytest
from support.choices import choice_of

from specchat.domain.cancel import CancelToken
from specchat.domain.guessing import ON, Off, as_text
from specchat.domain.types import Finished, GenerationRequest, SamplingParams, StepStats, TokenEvent
from specchat.engine.stats import Recorder
from specchat.services.generation.live_figures import KEPT_STEPS, Figures, LiveFigures, Step, speedup, streaming_s
from specchat.services.generation.loading import PairLoader
from specchat.store.remembered import Remembered

FIRST = StepStats(drafted=0, accepted=0, emitted=1, draft_s=0.0, target_s=0.1, sample_s=0.0)
OFF = replace(FIRST, why_off=Off.COSTS_MORE)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(clock: Clock) -> LiveFigures:
    return LiveFigures(clock)


def guessed(drafted: int, accepted: int, origin: str = "draft", saved_s: float = 0.0) -> StepStats:
    return StepStats(drafted, accepted, accepted + 1, 0.01, 0.1, 0.0, (origin,) * drafted, saved_s)


def test_before_the_first_step_nothing_is_claimed(live: LiveFigures) -> None:
    assert live.snapshot() == Figures()


def test_counts_agree_with_the_engine_s_own(live: LiveFigures, clock: Clock) -> None:
    recorder = Recorder(clock)
    steps = [FIRST, guessed(4, 4, saved_s=0.3), guessed(3, 1, "ngram", saved_s=-0.1), *[guessed(4, 0)] * 4]
    for step in steps:
        clock.now += 0.5
        live.add(step)
        recorder.step(step, from_prompt=step is FIRST)
    stats, now = recorder.result(ON), live.snapshot()
    final = live.finished(stats)
    for name in ("n_generated", "drafted", "accepted", "acceptance_rate", "mean_accepted_length", "saved_s"):
        assert getattr(now, name) == pytest.approx(getattr(final, name)), name
    assert now.n_drafted_per_source == final.n_drafted_per_source == {"draft": 20, "ngram": 3}
    assert now.tokens_per_s == pytest.approx(final.tokens_per_s)
    assert now.speedup == pytest.approx(final.speedup) == pytest.approx(16 / 15)
    assert final == replace(Figures.from_stats(stats), steps=now.steps)
    assert final.final
    assert not now.final


def test_live_figures_of_a_real_answer_end_where_its_statistics_are(
    tiny_pair: tuple[Path, Path], tmp_path: Path
) -> None:
    loader = PairLoader(Remembered(tmp_path / "loads.json"), Remembered(tmp_path / "tests.json"))
    target, draft = tiny_pair
    pair = loader.load(choice_of(target, draft, draft_max=3), CancelToken(), raw=True, selftest=False)
    live, end = LiveFigures(), None
    try:
        request = GenerationRequest(
            pair.tokenize("once upon"), SamplingParams(temperature=0.0), max_tokens=40, ignore_eos=True
        )
        for event in pair.generate(request, CancelToken()):
            if isinstance(event, TokenEvent) and event.step is not None:
                live.add(event.step)
            elif isinstance(event, Finished):
                end = event.stats
    finally:
        pair.close()
    assert end is not None
    now, final = live.snapshot(), live.finished(end)
    assert (now.n_generated, now.drafted, now.accepted) == (final.n_generated, final.drafted, final.accepted)
    assert now.drafted > 0
    assert now.saved_s == pytest.approx(final.saved_s)
    assert now.n_drafted_per_source == final.n_drafted_per_source == {"draft": now.drafted}


def test_several_steps_at_once_do_not_show_in_the_speed(live: LiveFigures, clock: Clock) -> None:
    speeds = []
    for _ in range(100):
        clock.now += 0.3
        for _ in range(2):
            live.add(guessed(4, 2))
        speeds.append(live.snapshot().tokens_per_s)
    assert all(speed == pytest.approx(20, rel=0.05) for speed in speeds[20:])


def test_steps_that_all_arrive_at_once_took_what_they_took(live: LiveFigures, clock: Clock) -> None:
    """As those of an answer that was written before anybody looked."""
    for _ in range(40):
        clock.now += 0.000_01
        live.add(guessed(4, 2))
    assert live.snapshot().tokens_per_s == pytest.approx(3 / 0.11)


def test_the_speed_holds_between_two_steps_and_falls_in_a_pause(live: LiveFigures, clock: Clock) -> None:
    for _ in range(20):
        clock.now += 0.1
        live.add(FIRST)
    clock.now += 0.09
    assert live.snapshot().tokens_per_s == pytest.approx(10)
    clock.now += 4
    assert live.snapshot().tokens_per_s < 5


def test_the_speed_follows_the_last_seconds(live: LiveFigures, clock: Clock) -> None:
    for pause in [0.01] * 200 + [0.5] * 20:
        clock.now += pause
        live.add(FIRST)
    assert live.snapshot().tokens_per_s == pytest.approx(2, rel=0.01)


def test_a_slow_model_has_a_speed_too(live: LiveFigures, clock: Clock) -> None:
    for _ in range(3):
        clock.now += 10
        live.add(FIRST)
    assert live.snapshot().tokens_per_s == pytest.approx(0.1)


def test_only_the_last_steps_are_kept(live: LiveFigures) -> None:
    live.add(guessed(4, 2))
    for _ in range(KEPT_STEPS - 1):
        live.add(FIRST)
    assert live.snapshot().steps[0] == Step(4, 2, bonus=True, origin="draft")
    live.add(replace(guessed(2, 2, "ngram"), emitted=2))
    steps = live.snapshot().steps
    assert len(steps) == KEPT_STEPS
    assert steps[0] == Step(0, 0, bonus=True, origin=None)
    assert steps[-1] == Step(2, 2, bonus=False, origin="ngram")


def test_why_drafting_is_off_stays_on_show_while_it_is_tried_again(live: LiveFigures) -> None:
    live.add(OFF)
    assert live.snapshot().why_off is Off.COSTS_MORE
    for _ in range(3):
        live.add(FIRST)
        live.add(OFF)
        assert live.snapshot().why_off is not None
    for _ in range(16):
        live.add(FIRST)
    assert live.snapshot().why_off is None


def test_speedup_is_told_of_answers_with_enough_tokens_however_quick() -> None:
    assert speedup(2.0, 1.0, 12) == 1.5
    assert speedup(4.0, -1.0, 80) == 0.75
    assert speedup(0.02, 0.01, 12) == pytest.approx(1.5)
    assert speedup(4.0, 2.0, 11) is None
    assert speedup(0.0, 0.0, 12) is None


def test_steps_that_arrive_at_once_took_the_time_that_they_say(live: LiveFigures, clock: Clock) -> None:
    live.add(FIRST)
    for _ in range(10):
        live.add(guessed(4, 3, saved_s=0.11))
    assert live.snapshot().speedup == pytest.approx(2.0)
    clock.now += 4.4
    live.add(guessed(4, 3, saved_s=1.1))
    assert live.snapshot().speedup == pytest.approx(1.5)


def test_state_and_streaming_time_come_from_the_statistics(clock: Clock) -> None:
    off = Recorder(clock).result(as_text(Off.NO_DRAFT))
    assert Figures.from_stats(off).why_off is Off.NO_DRAFT
    recorder = Recorder(clock)
    on = recorder.result(ON)
    assert Figures.from_stats(on).why_off is None
    assert streaming_s(on) == 0.0
    for _ in range(5):
        clock.now += 2
        recorder.step(FIRST, from_prompt=False)
    assert streaming_s(recorder.result(ON)) == pytest.approx(8 * 4 / 5)


def test_that_the_draft_is_off_is_known_to_the_end(live: LiveFigures, clock: Clock) -> None:
    recorder = Recorder(clock)
    for _ in range(3):
        live.add(replace(guessed(2, 2, "ngram"), draft_off=Off.COSTS_MORE))
    assert live.snapshot().draft_off is Off.COSTS_MORE
    assert live.finished(recorder.result(ON)).draft_off is Off.COSTS_MORE
