import pytest

from specchat.engine.text_stream import TextStream


def said(pieces: list[bytes], stops: list[str] = []) -> tuple[list[str], str, bool]:  # noqa: B006
    stream = TextStream(stops)
    shown = [stream.push(piece) for piece in pieces]
    return shown, stream.finish(), stream.stopped


def test_characters_wait_for_their_last_byte() -> None:
    pieces = [bytes([b]) for b in "aé🙂".encode()]
    shown, rest, _ = said(pieces)
    assert shown == ["a", "", "é", "", "", "", "🙂"]
    assert rest == ""


def test_an_incomplete_character_is_replaced_at_the_end() -> None:
    assert said([b"a", "🙂".encode()[:3]])[:2] == (["a", ""], "�")


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert "".join(said([b"\xff", b"ok"])[0]) == "�ok"


def test_a_stop_string_ends_the_text_before_it() -> None:
    shown, rest, stopped = said([b"one ", b"EN", b"D two"], ["END"])
    assert "".join(shown) + rest == "one "
    assert stopped


def test_what_could_begin_a_stop_string_is_held_back_and_shown_later() -> None:
    shown, rest, stopped = said([b"a\nUs", b"ing it\nU"], ["\nUser:"])
    assert shown == ["a", "\nUsing it"]
    assert rest == "\nU"
    assert not stopped


def test_the_earliest_of_several_stops_wins() -> None:
    shown, _, stopped = said([b"abcdef"], ["ef", "cd"])
    assert shown == ["ab"]
    assert stopped


def test_a_stop_string_inside_bytes_of_a_character_is_found_whole() -> None:
    raw = "stop🙂here".encode()
    shown, rest, stopped = said([raw[:5], raw[5:7], raw[7:]], ["🙂"])
    assert "".join(shown) + rest == "stop"
    assert stopped


@pytest.mark.parametrize("stops", [[""], []])
def test_an_empty_stop_is_none(stops: list[str]) -> None:
    assert said([b"text"], stops)[0] == ["text"]
