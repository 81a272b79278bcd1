from dataclasses import replace

import pytest
from ui.models.download_pane.panes import BUSY, GIGA, job

from specchat.services.hub.download_jobs import JobState
from specchat.ui.models import download_text as words
from specchat.ui.widgets.hysteresis_rounder import HysteresisRounder


def test_what_is_fetched_again_has_a_speed_and_no_end() -> None:
    shown = replace(job(JobState.RUNNING, part=1, speed=2e6), again=BUSY)
    pace = words.DownloadRateText()
    assert [pace.words(shown) for _ in range(9)] == 9 * [("2.0\u00a0MB/s", "")]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (0, "less than a minute left"),
        (29, "less than a minute left"),
        (50, "about a minute left"),
        (4 * 60 + 10, "about 4 minutes left"),
        (38 * 60, "about 40 minutes left"),
        (100 * 60, "about 2 hours left"),
        (26 * 3600, "about 26 hours left"),
        (70 * 3600, "about 3 days left"),
    ],
)
def test_time_left(seconds: float | None, said: str) -> None:
    assert words.format_time_left(seconds, HysteresisRounder()) == said


@pytest.mark.parametrize(
    ("per_second", "said"),
    [(0, ""), (340, "0\u00a0kB/s"), (47_200, "47\u00a0kB/s"), (3_140_000, "3.1\u00a0MB/s"), (112e6, "112\u00a0MB/s")],
)
def test_speed(per_second: float, said: str) -> None:
    assert words.format_speed(per_second, HysteresisRounder()) == said


@pytest.mark.parametrize(
    ("done", "whole", "said"),
    [
        (0, 12_345, "0 of 12\u00a0kB"),
        (3_000_000, 40_000_000, "3 of 40\u00a0MB"),
        (999_999_999, 5 * GIGA, "0.9 of 5.0\u00a0GB"),
        (1_000_000_000, 5 * GIGA, "1.0 of 5.0\u00a0GB"),
        (11_880_000, 11_900_000, "11 of 12\u00a0MB"),
        (11_900_000, 11_900_000, "12 of 12\u00a0MB"),
    ],
)
def test_amounts(done: int, whole: int, said: str) -> None:
    assert words.format_amount(done, whole) == said


def test_no_digit_flickers() -> None:
    speed, time = HysteresisRounder(), HysteresisRounder()
    assert {words.format_speed(each, speed) for each in (12.4e6, 12.6e6, 12.4e6, 11.5e6)} == {"12\u00a0MB/s"}
    assert {words.format_time_left(each, time) for each in (4 * 60, 4.6 * 60, 3.4 * 60)} == {"about 4 minutes left"}


def test_the_time_left_waits_for_a_speed_to_trust() -> None:
    pace, shown = words.DownloadRateText(), job(JobState.RUNNING, speed=10e6)
    said = [pace.words(shown)[1] for _ in range(7)]
    assert said[0] == ""
    assert said[-1] == "about 3 minutes left"
    assert pace.words(job(JobState.PAUSED)) == ("", "")
    assert pace.words(shown)[1] == ""
