"""Small pictures that would take gigabytes or hours to decode."""

from random import Random

import pytest
from support.drawings import JPEG, bmp, gif, jpeg_bomb, pixels, png, png_bomb

from specchat.domain.picture_bombs import is_bomb
from specchat.domain.picture_header import PictureHeader, check_picture

DRAWN = pixels(200, 120)


def judged(content: bytes) -> bool:
    header = check_picture(content)
    assert isinstance(header, PictureHeader)
    return is_bomb(content, header)


def test_far_more_is_packed_than_its_size_tells() -> None:
    assert judged(png_bomb(8 << 20))
    assert not judged(png_bomb(64 * (1 + 3 * 64)))


def test_far_too_many_scans() -> None:
    assert judged(jpeg_bomb(200))
    assert not judged(jpeg_bomb(20))


def test_a_gif_that_is_far_too_long() -> None:
    """Only its first picture is read, after whatever else there is."""
    whole = gif(9, 7)
    head, image = whole[:25], whole[25:-1]
    note = b"!\xfe" + b"\xff" * 256 * 20_000 + b"\0"
    endless = image[:11] + (b"\xff" + bytes(255)) * 9_000 + b"\0"
    assert image[0] == ord(",")
    assert judged(head + endless + b";")
    assert judged(head + note + endless + b";")
    assert not judged(head + note + image + endless + b";")
    assert not any(judged(head[:length]) for length in range(10, 26))


@pytest.mark.parametrize("content", [png(DRAWN), JPEG, bmp(DRAWN), gif(9, 7)])
def test_others_are_none(content: bytes) -> None:
    assert not judged(content)


def test_what_a_telephone_adds_to_a_jpeg_is_no_scan() -> None:
    """A film, say, in which the sign of a scan stands by chance."""
    assert not judged(JPEG + Random(1).randbytes(8 << 20))


def test_broken_ones_end() -> None:
    whole, random = png(DRAWN), Random(2)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(4):
            data[random.randrange(24, len(data))] = random.randrange(256)
        judged(bytes(data[: random.randrange(24, len(data))]))


def test_packed_without_end() -> None:
    assert not judged(png_bomb(1000)[:60])
