"""Pictures as data URIs, as APIs and Markdown carry them."""

from base64 import b64decode, b64encode

from specchat.domain.picture_header import media_type
from specchat.domain.pictures import Picture

_BEGIN, _ENCODING = "data:", ";base64"


def to_data_uri(picture: Picture) -> str:
    return f"{_BEGIN}{media_type(picture)}{_ENCODING},{b64encode(picture.content).decode()}"


def is_data_uri(text: str) -> bool:
    return text[: len(_BEGIN)].lower() == _BEGIN


def decode_data_uri(text: str) -> bytes:
    """Raises a ValueError where it is none, or not in Base64. What type it claims to be doesn't matter."""
    head, comma, content = text.partition(",")
    if not (is_data_uri(text) and comma and head.lower().endswith(_ENCODING)):
        raise ValueError("not a data URI in Base64")
    return b64decode(content, validate=True)
