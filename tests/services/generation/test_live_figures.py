from dataclasses import replace
from pathlib import Path

import pytest
from support.choices import choice_of

from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import ON, SpeculationOff, speculation_text
from specchat.domain.types import GenerationFinished, GenerationRequest, SamplingParams, StepStats, TokenEvent
from specchat.engine.stats import StatsRecorder
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.stats_tracker import (
    KEPT_STEPS,
    StatsSnapshot,
    StatsTracker,
    StepSummary,
    compute_speedup,
    streaming_s,
)
from specchat.store.json_cache import JsonCache

FIRST = StepStats(drafted=0, accepted=0, emitted=1, draft_s=0.0, target_s=0.1, sample_s=0.0)
OFF = replace(FIRST, why_off=SpeculationOff.COSTS_MORE)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(clock: Clock) -> StatsTracker:
    return StatsTracker(clock)


def guessed(drafted: int, accepted: int, origin: str = "draft", saved_s: float = 0.0) -> StepStats:
    return StepStats(drafted, accepted, accepted + 1, 0.01, 0.1, 0.0, (origin,) * drafted, saved_s)


def test_before_the_first_step_nothing_is_claimed(live: StatsTracker) -> None:
    assert live.snapshot() == StatsSnapshot()


def test_counts_agree_with_the_engine_s_own(live: StatsTracker, clock: Clock) -> None:
    recorder = StatsRecorder(clock)
    steps = [FIRST, guessed(4, 4, saved_s=0.3), guessed(3, 1, "ngram", saved_s=-0.1), *[guessed(4, 0)] * 4]
    for step in steps:
        clock.now += 0.5
        live.add_step(step)
        recorder.record_step(step, from_prompt=step is FIRST)
    stats, now = recorder.result(ON), live.snapshot()
    final = live.finish(stats)
    for name in ("n_generated", "drafted", "accepted", "acceptance_rate", "mean_accepted_length", "saved_s"):
        assert getattr(now, name) == pytest.approx(getattr(final, name)), name
    assert now.n_drafted_per_source == final.n_drafted_per_source == {"draft": 20, "ngram": 3}
    assert now.tokens_per_s == pytest.approx(final.tokens_per_s)
    assert now.speedup == pytest.approx(final.speedup) == pytest.approx(16 / 15)
    assert final == replace(StatsSnapshot.from_stats(stats), steps=now.steps)
    assert final.final
    assert not now.final


def test_live_figures_of_a_real_answer_end_where_its_statistics_are(
    tiny_pair: tuple[Path, Path], tmp_path: Path
) -> None:
    loader = PairLoader(JsonCache(tmp_path / "loads.json"), JsonCache(tmp_path / "tests.json"))
    target, draft = tiny_pair
    pair = loader.load(choice_of(target, draft, draft_max=3), CancelToken(), raw=True, selftest=False)
    live, end = StatsTracker(), None
    try:
        request = GenerationRequest(
            pair.prompts.tokenize("once upon"), SamplingParams(temperature=0.0), max_tokens=40, ignore_eos=True
        )
        for event in pair.generate(request, CancelToken()):
            if isinstance(event, TokenEvent) and event.step is not None:
                live.add_step(event.step)
            elif isinstance(event, GenerationFinished):
                end = event.stats
    finally:
        pair.close()
    assert end is not None
    now, final = live.snapshot(), live.finish(end)
    assert (now.n_generated, now.drafted, now.accepted) == (final.n_generated, final.drafted, final.accepted)
    assert now.drafted > 0
    assert now.saved_s == pytest.approx(final.saved_s)
    assert now.n_drafted_per_source == final.n_drafted_per_source == {"draft": now.drafted}


def test_several_steps_at_once_do_not_show_in_the_speed(live: StatsTracker, clock: Clock) -> None:
    speeds = []
    for _ in range(100):
        clock.now += 0.3
        for _ in range(2):
            live.add_step(guessed(4, 2))
        speeds.append(live.snapshot().tokens_per_s)
    assert all(speed == pytest.approx(20, rel=0.05) for speed in speeds[20:])


def test_steps_that_all_arrive_at_once_took_what_they_took(live: StatsTracker, clock: Clock) -> None:
    """As those of an answer that was written before anybody looked."""
    for _ in range(40):
        clock.now += 0.000_01
        live.add_step(guessed(4, 2))
    assert live.snapshot().tokens_per_s == pytest.approx(3 / 0.11)


def test_the_speed_holds_between_two_steps_and_falls_in_a_pause(live: StatsTracker, clock: Clock) -> None:
    for _ in range(20):
        clock.now += 0.1
        live.add_step(FIRST)
    clock.now += 0.09
    assert live.snapshot().tokens_per_s == pytest.approx(10)
    clock.now += 4
    assert live.snapshot().tokens_per_s < 5


def test_the_speed_follows_the_last_seconds(live: StatsTracker, clock: Clock) -> None:
    for pause in [0.01] * 200 + [0.5] * 20:
        clock.now += pause
        live.add_step(FIRST)
    assert live.snapshot().tokens_per_s == pytest.approx(2, rel=0.01)


def test_a_slow_model_has_a_speed_too(live: StatsTracker, clock: Clock) -> None:
    for _ in range(3):
        clock.now += 10
        live.add_step(FIRST)
    assert live.snapshot().tokens_per_s == pytest.approx(0.1)


def test_only_the_last_steps_are_kept(live: StatsTracker) -> None:
    live.add_step(guessed(4, 2))
    for _ in range(KEPT_STEPS - 1):
        live.add_step(FIRST)
    assert live.snapshot().steps[0] == StepSummary(4, 2, bonus=True, origin="draft")
    live.add_step(replace(guessed(2, 2, "ngram"), emitted=2))
    steps = live.snapshot().steps
    assert len(steps) == KEPT_STEPS
    assert steps[0] == StepSummary(0, 0, bonus=True, origin=None)
    assert steps[-1] == StepSummary(2, 2, bonus=False, origin="ngram")


def test_why_drafting_is_off_stays_on_show_while_it_is_tried_again(live: StatsTracker) -> None:
    live.add_step(OFF)
    assert live.snapshot().why_off is SpeculationOff.COSTS_MORE
    for _ in range(3):
        live.add_step(FIRST)
        live.add_step(OFF)
        assert live.snapshot().why_off is not None
    for _ in range(16):
        live.add_step(FIRST)
    assert live.snapshot().why_off is None


def test_speedup_is_told_of_answers_with_enough_tokens_however_quick() -> None:
    assert compute_speedup(2.0, 1.0, 12) == 1.5
    assert compute_speedup(4.0, -1.0, 80) == 0.75
    assert compute_speedup(0.02, 0.01, 12) == pytest.approx(1.5)
    assert compute_speedup(4.0, 2.0, 11) is None
    assert compute_speedup(0.0, 0.0, 12) is None


def test_steps_that_arrive_at_once_took_the_time_that_they_say(live: StatsTracker, clock: Clock) -> None:
    live.add_step(FIRST)
    for _ in range(10):
        live.add_step(guessed(4, 3, saved_s=0.11))
    assert live.snapshot().speedup == pytest.approx(2.0)
    clock.now += 4.4
    live.add_step(guessed(4, 3, saved_s=1.1))
    assert live.snapshot().speedup == pytest.approx(1.5)


def test_state_and_streaming_time_come_from_the_statistics(clock: Clock) -> None:
    off = StatsRecorder(clock).result(speculation_text(SpeculationOff.NO_DRAFT))
    assert StatsSnapshot.from_stats(off).why_off is SpeculationOff.NO_DRAFT
    recorder = StatsRecorder(clock)
    on = recorder.result(ON)
    assert StatsSnapshot.from_stats(on).why_off is None
    assert streaming_s(on) == 0.0
    for _ in range(5):
        clock.now += 2
        recorder.record_step(FIRST, from_prompt=False)
    assert streaming_s(recorder.result(ON)) == pytest.approx(8 * 4 / 5)


def test_that_the_draft_is_off_is_known_to_the_end(live: StatsTracker, clock: Clock) -> None:
    recorder = StatsRecorder(clock)
    for _ in range(3):
        live.add_step(replace(guessed(2, 2, "ngram"), draft_off=SpeculationOff.COSTS_MORE))
    assert live.snapshot().draft_off is SpeculationOff.COSTS_MORE
    assert live.finish(recorder.result(ON)).draft_off is SpeculationOff.COSTS_MORE
