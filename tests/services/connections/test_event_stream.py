from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specchat.domain.errors import RemoteEngineError
from specchat.services.connections.event_stream import LONGEST_EVENT, read_events

STREAM = (
    "\ufeff: hello\r\n\r\ndata: one\r\n\r\n"
    "event: x\ndata:two\ndata: lines\nid: 7\n\n"
    "data\r\rdata: drei ü €\n\n\ndata: the last"
)
EVENTS = ["one", "two\nlines", "", "drei ü €", "the last"]


def events(*pieces: bytes) -> list[str]:
    return list(read_events(pieces, "http://engine"))


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=20))
def test_however_it_is_cut(places: list[int]) -> None:
    content = STREAM.encode()
    cuts = sorted({0, len(content), *places})
    pieces = [content[start:end] for start, end in zip(cuts, cuts[1:], strict=False)]
    assert events(*pieces) == EVENTS


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(RemoteEngineError, match="is invalid"):
        events(b"data: \xff\xfe\n\n")


@pytest.mark.parametrize(
    "piece",
    [b"data: x", b"x", b": nothing\n", b"data: x\n", b"event: x\n", b"\n", b"\r\n", b"\r", b"data\n"],
)
def test_what_never_ends_is_ended(piece: bytes) -> None:
    read = 0

    def pieces() -> Iterator[bytes]:
        nonlocal read
        for each in repeat(piece * 1000):
            read += len(each)
            yield each

    with pytest.raises(RemoteEngineError, match="too much data"):
        list(read_events(pieces(), "http://engine"))
    assert read < 3 * LONGEST_EVENT
