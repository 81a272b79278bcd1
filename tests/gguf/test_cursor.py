from struct import Struct

import pytest
from support.gguf_bytes import BytesSource, string

from specchat.domain.errors import ModelFileError
from specchat.gguf.cursor import FIRST_BLOCK, LARGEST_BLOCK, MAX_STRING, Cursor

MIB = 1024 * 1024


def test_blocks_follow_one_another_and_double() -> None:
    source = BytesSource(bytes(8 * MIB))
    cursor = Cursor(source, 64 * MIB)
    for _ in range(7 * MIB // 1000):
        cursor.take(1000)
    offsets = [offset for offset, _ in source.requests]
    lengths = [length for _, length in source.requests]
    assert lengths[:3] == [FIRST_BLOCK, 2 * FIRST_BLOCK, 4 * FIRST_BLOCK]
    assert offsets == [sum(lengths[:i]) for i in range(len(lengths))]
    assert max(lengths) <= LARGEST_BLOCK
    assert len(lengths) <= 7


def test_a_small_file_is_read_once() -> None:
    source = BytesSource(bytes(100))
    cursor = Cursor(source, MIB)
    assert cursor.peek(500) == bytes(100)
    cursor.take(100)
    assert source.requests == [(0, 100)]


def test_sources_may_answer_with_less_than_asked() -> None:
    class Slow(BytesSource):
        def read(self, offset: int, length: int) -> bytes:
            return super().read(offset, min(length, 3))

    assert Cursor(Slow(b"0123456789"), MIB).take(10) == b"0123456789"


def test_the_end_of_the_file_is_known_before_reading() -> None:
    source = BytesSource(b"x" * 10)
    with pytest.raises(ModelFileError, match="ends within its header, after 10 bytes"):
        Cursor(source, MIB).take(11)
    assert source.requests == []


def test_a_file_shorter_than_its_source_said() -> None:
    with pytest.raises(ModelFileError, match="ends within its header, after 10 bytes"):
        Cursor(BytesSource(b"x" * 10, size=100), MIB).take(50)


def test_the_limit_holds() -> None:
    source = BytesSource(bytes(300))
    cursor = Cursor(source, 200)
    cursor.take(200)
    with pytest.raises(ModelFileError, match="header is longer than 200 bytes"):
        cursor.take(1)
    assert source.bytes_read == 200


def test_a_string_longer_than_allowed() -> None:
    with pytest.raises(ModelFileError, match="a string of 6 bytes"):
        Cursor(BytesSource(string("abcdef")), MIB).string(longest=5)


def test_strings_across_blocks() -> None:
    texts = [b"x" * (i % 700) for i in range(2000)]
    source = BytesSource(b"head" + b"".join(map(string, texts)) + b"tail")
    cursor = Cursor(source, 64 * MIB)
    cursor.take(4)
    strings = cursor.strings(len(texts))
    assert len(source.requests) > 2
    assert list(strings) == texts
    assert [strings[i] for i in range(len(texts))] == texts
    assert strings[-1] == texts[-1]
    assert strings[3:1990:400] == texts[3:1990:400]
    assert strings.raw == b"".join(map(string, texts))
    assert cursor.take(4) == b"tail"


def test_no_strings() -> None:
    strings = Cursor(BytesSource(b"x"), MIB).strings(0)
    assert (list(strings), len(strings), strings.raw) == ([], 0, b"")


def test_a_list_with_an_endless_string() -> None:
    endless = Struct("<Q").pack(MAX_STRING + 1)
    with pytest.raises(ModelFileError, match="a string of"):
        Cursor(BytesSource(string("a") + endless), MIB).strings(2)


def test_a_list_with_more_strings_than_bytes() -> None:
    with pytest.raises(ModelFileError, match="incomplete"):
        Cursor(BytesSource(string("a") * 5), MIB).strings(4_000_000)
