import pytest

from specchat.engine.views import View, odds, views


def test_a_short_text_is_read_whole() -> None:
    assert views(200, 0, 200) == [View(200, 200)]


def test_a_long_text_may_be_read_from_its_last_tokens_on() -> None:
    assert views(1000, 0, 1000) == [View(1000, 1000), View(64, 64)]
    assert views(2000, 0, 2000) == [View(2000, 2000), View(64, 64), View(256, 256)]


def test_what_is_hidden_may_be_read_later() -> None:
    assert views(1000, 936, 1) == [View(64, 1), View(1000, 1000)]
    assert views(2000, 1936, 300) == [View(64, 300), View(2000, 2000), View(64, 64), View(256, 256)]


def test_what_is_known_is_not_read_anew_to_see_less() -> None:
    assert views(2000, 0, 10) == [View(2000, 10)]


def test_who_sees_more_guesses_better() -> None:
    assert odds(100, 100) == 1
    assert odds(100, 1000) < 1
    assert odds(1000, 100) == pytest.approx(1 / odds(100, 1000))
