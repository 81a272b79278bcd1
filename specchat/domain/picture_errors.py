"""Why the engine refuses a picture. Its header is checked before anything decodes it."""

from specchat.domain.errors import IncapableError, MediaError
from specchat.domain.media import OTHER_MODEL, WITH_MMPROJ
from specchat.domain.picture_header import (
    MAX_PICTURE_BYTES,
    MAX_PIXELS,
    PictureHeader,
    PictureRefusal,
    check_picture,
    read_picture_header,
)
from specchat.domain.pictures import Picture
from specchat.domain.translatable_text import TranslatableText

_UNNAMED = TranslatableText("The picture")
_READABLE = TranslatableText("Use PNG, JPEG, GIF or BMP.")
_ANOTHER = TranslatableText("Save the picture again, or choose another one.")
_SMALLER = TranslatableText("Make the picture smaller.")
_STARTS = b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM"


def require_readable(picture: Picture) -> PictureHeader:
    """Raises a MediaError for all that models must not get to see."""
    found = check_picture(picture.content)
    if isinstance(found, PictureHeader):
        return found
    if found is PictureRefusal.UNKNOWN:
        raise _unknown_error(picture)
    if found is PictureRefusal.TOO_LARGE:
        message = TranslatableText("{name} is larger than {n} MB.")
        raise _error(picture, message, _SMALLER, n=MAX_PICTURE_BYTES >> 20)
    header = read_picture_header(picture.content)
    assert header is not None
    size = {"width": header.width, "height": header.height}
    if found is PictureRefusal.TOO_NARROW:
        raise _error(picture, TranslatableText("{name} is too narrow: {width} x {height} pixels."), _ANOTHER, **size)
    raise _error(
        picture,
        TranslatableText("{name} has {width} x {height} pixels. A picture can have at most {n} million."),
        _SMALLER,
        **size,
        n=MAX_PIXELS // 1_000_000,
    )


def blind_error(model: str, *, is_elsewhere: bool = False) -> IncapableError:
    """`is_elsewhere`: another engine has loaded it."""
    return IncapableError(
        "{name} can't see pictures.",
        OTHER_MODEL if is_elsewhere else WITH_MMPROJ,
        name=model,
    )


def undecodable_error(picture: Picture) -> MediaError:
    return _error(picture, TranslatableText("{name} is damaged: it can't be decoded."), _ANOTHER)


def _unknown_error(picture: Picture) -> MediaError:
    content = picture.content
    if not content:
        return _error(picture, TranslatableText("{name} is empty."), TranslatableText("Choose another picture."))
    if content.startswith(_STARTS):
        return _error(picture, TranslatableText("{name} is damaged: its size can't be read."), _ANOTHER)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _error(picture, TranslatableText("{name} is a WebP picture, which llama.cpp can't read."), _READABLE)
    return _error(picture, TranslatableText("{name} is not a picture that llama.cpp can read."), _READABLE)


def _error(picture: Picture, message: TranslatableText, hint: TranslatableText, **values: object) -> MediaError:
    return MediaError(message, hint, name=picture.name or _UNNAMED, **values)
