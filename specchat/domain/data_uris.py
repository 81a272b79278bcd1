"""Pictures and recordings as data URIs, as APIs and Markdown carry them."""

from base64 import b64decode, b64encode

from specchat.domain.media import Media
from specchat.domain.picture_header import read_picture_header
from specchat.domain.recording_header import RecordingHeader
from specchat.domain.recordings import Recording

_BEGIN, _ENCODING, _ANY = "data:", ";base64", "application/octet-stream"


def to_data_uri(media: Media) -> str:
    return f"{_BEGIN}{_media_type(media)}{_ENCODING},{b64encode(media.content).decode()}"


def _media_type(media: Media) -> str:
    if isinstance(media, Recording):
        return media.found.format if isinstance(media.found, RecordingHeader) else _ANY
    header = read_picture_header(media.content)
    return header.format if header is not None else _ANY


def is_data_uri(text: str) -> bool:
    return text[: len(_BEGIN)].lower() == _BEGIN


def decode_data_uri(text: str) -> bytes:
    """Raises a ValueError where it is none, or not in Base64. What type it claims to be doesn't matter."""
    head, comma, content = text.partition(",")
    if not (is_data_uri(text) and comma and head.lower().endswith(_ENCODING)):
        raise ValueError("not a data URI in Base64")
    return b64decode(content, validate=True)
