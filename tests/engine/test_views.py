import pytest

from specchat.engine.lookback import Lookback, lookback_odds, lookback_options


def test_a_short_text_is_read_whole() -> None:
    assert lookback_options(200, 0, 200) == [Lookback(200, 200)]


def test_a_long_text_may_be_read_from_its_last_tokens_on() -> None:
    assert lookback_options(1000, 0, 1000) == [Lookback(1000, 1000), Lookback(64, 64)]
    assert lookback_options(2000, 0, 2000) == [Lookback(2000, 2000), Lookback(64, 64), Lookback(256, 256)]


def test_what_is_hidden_may_be_read_later() -> None:
    assert lookback_options(1000, 936, 1) == [Lookback(64, 1), Lookback(1000, 1000)]
    assert lookback_options(2000, 1936, 300) == [
        Lookback(64, 300),
        Lookback(2000, 2000),
        Lookback(64, 64),
        Lookback(256, 256),
    ]


def test_what_is_known_is_not_read_anew_to_see_less() -> None:
    assert lookback_options(2000, 0, 10) == [Lookback(2000, 10)]


def test_who_sees_more_guesses_better() -> None:
    assert lookback_odds(100, 100) == 1
    assert lookback_odds(100, 1000) < 1
    assert lookback_odds(1000, 100) == pytest.approx(1 / lookback_odds(100, 1000))
