"""Why a picture is refused."""

import struct

import pytest
from support.drawings import JPEG, pixels, png

from specchat.domain.errors import MediaError
from specchat.domain.picture_errors import require_readable
from specchat.domain.picture_header import MAX_PICTURE_BYTES
from specchat.domain.pictures import Picture

DRAWN = png(pixels(20, 12))


def sized(width: int, height: int) -> bytes:
    return DRAWN[:16] + struct.pack(">II", width, height) + DRAWN[24:]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7", "is not a picture that llama.cpp can read"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "is a WebP picture"),
        (DRAWN[:20], "is damaged: its size can't be read"),
        (sized(0, 5), "is damaged: its size can't be read"),
        (JPEG[:20], "is damaged: its size can't be read"),
        (b"\xff\xd8\xff" + b"\0" * 30, "is damaged: its size can't be read"),
        (sized(20_000, 20_000), "20000 x 20000 pixels. A picture can have at most 40 million"),
        (sized(5000, 2), "is too narrow: 5000 x 2 pixels"),
        (DRAWN + bytes(MAX_PICTURE_BYTES), "is larger than 20 MB"),
    ],
)
def test_a_sentence_for_each_that_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(MediaError, match=f"^photo.png .*{reason}") as refused:
        require_readable(Picture(content, "photo.png"))
    assert refused.value.hint


def test_one_without_a_name() -> None:
    with pytest.raises(MediaError, match=r"^The picture is empty\.$"):
        require_readable(Picture(b""))


def test_one_that_is_readable() -> None:
    header = require_readable(Picture(DRAWN))
    assert (header.width, header.height) == (20, 12)


def test_the_same_content_has_the_same_digest() -> None:
    assert Picture(b"a", "x").digest == Picture(b"a", "y").digest != Picture(b"b").digest
