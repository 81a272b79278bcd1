import pytest
from support.pictures import bmp, gif_header, jpeg_header, picture, png, png_of

from specchat.domain.data_uris import decode_data_uri, to_data_uri
from specchat.domain.picture_header import (
    MAX_PICTURE_BYTES,
    PictureFormat,
    PictureHeader,
    PictureRefusal,
    check_picture,
    estimate_picture_tokens,
    read_picture_header,
)
from specchat.domain.pictures import Picture


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (png(40, 30), PictureFormat.PNG),
        (jpeg_header(40, 30), PictureFormat.JPEG),
        (gif_header(40, 30), PictureFormat.GIF),
        (bmp(40, 30), PictureFormat.BMP),
        (bmp(40, -30), PictureFormat.BMP),
    ],
)
def test_the_header_tells_format_and_size(content: bytes, format_: PictureFormat) -> None:
    assert read_picture_header(content) == PictureHeader(format_, 40, 30)


@pytest.mark.parametrize("make", [png, jpeg_header, gif_header, bmp])
def test_no_beginning_of_a_header_is_one(make: object) -> None:
    assert callable(make)
    whole = make(300, 200)
    found = {length: read_picture_header(whole[:length]) for length in range(min(len(whole), 80))}
    assert {header for header in found.values() if header is not None} <= {read_picture_header(whole)}
    assert found[10] is None or whole.startswith(b"GIF")


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", PictureRefusal.UNKNOWN),
        (b"no picture at all", PictureRefusal.UNKNOWN),
        (b"\xff\xd8" + b"\xff" * 1_000_000, PictureRefusal.UNKNOWN),
        (b"RIFF\0\0\0\0WEBPVP8 ", PictureRefusal.UNKNOWN),
        (png_of(0, 5, b""), PictureRefusal.UNKNOWN),
        (png_of(1 << 30, 1 << 30, b""), PictureRefusal.UNKNOWN),
        (png_of(20_000, 20_000, b""), PictureRefusal.TOO_MANY_PIXELS),
        (png_of(1010, 10, b""), PictureRefusal.TOO_NARROW),
        (png() + bytes(MAX_PICTURE_BYTES), PictureRefusal.TOO_LARGE),
    ],
)
def test_what_is_too_large_or_no_picture_is_refused(content: bytes, refusal: PictureRefusal) -> None:
    assert check_picture(content) is refusal


def test_estimates_grow_with_the_picture_up_to_a_limit() -> None:
    estimates = [estimate_picture_tokens(Picture(png_of(side, side, b""))) for side in (1, 280, 560, 5000)]
    assert estimates == [1, 100, 400, 1280]


def test_a_data_uri_leads_back() -> None:
    uri = to_data_uri(picture())
    assert uri.startswith("data:image/png;base64,")
    assert decode_data_uri(uri) == picture().content


@pytest.mark.parametrize("text", ["", "data:", "data:image/png,abc", "data:image/png;base64,a b", "http://x/a.png"])
def test_what_is_no_data_uri_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="data URI|base64|Non-base64|padding|Excess"):
        decode_data_uri(text)
