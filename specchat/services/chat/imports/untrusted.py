"""Reads values from files of other programs, which may have any type."""

import binascii
import math
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from specchat.domain.data_uris import decode_data_uri, is_data_uri
from specchat.domain.picture_header import PictureHeader, check_picture
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import RecordingHeader
from specchat.domain.recordings import Recording

Plain = Mapping[str, object]
FindPicture = Callable[[str], Picture | None]
"""Finds a picture of the export by its ID in a message."""

_UNITS = (1.0, 1e3, 1e6, 1e9)
"""Seconds, milliseconds, microseconds and nanoseconds."""
_THIS_AGE = 1e11
"""Seconds until the year 5138. Larger numbers have another unit."""


def as_object(value: object) -> Plain:
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Drops NUL and lone surrogates, which can't be stored."""
    if not isinstance(value, str):
        return ""
    return value.replace("\0", "").encode(errors="replace").decode()


def as_time(value: object) -> float | None:
    """Returns seconds, or None if it is not a time. A text has to be an ISO 8601 date."""
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    with suppress(OverflowError, ValueError):
        seconds = _seconds(value) if isinstance(value, str) else float(value)
        if math.isfinite(seconds) and seconds > 0:
            return next((seconds / unit for unit in _UNITS if seconds / unit < _THIS_AGE), None)
    return None


def _seconds(text: str) -> float:
    date = datetime.fromisoformat(text)
    return (date if date.tzinfo is not None else date.replace(tzinfo=UTC)).timestamp()


def first_time(*values: object) -> float | None:
    return next((time for time in map(as_time, values) if time is not None), None)


def joined(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())


def as_thought(text: str) -> str:
    """Formats reasoning with the tags that models use."""
    return f"<think>\n{text.strip()}\n</think>" if text.strip() else ""


def picture_from_content(content: bytes | None, name: str = "") -> Picture | None:
    """Returns None if there is no picture, or if it can't be shown."""
    if content is None or not isinstance(check_picture(content), PictureHeader):
        return None
    return Picture(content, name)


def picture_from_text(value: object, name: str = "") -> Picture | None:
    """Decodes a data URI, or Base64 alone. Never fetches anything from an address."""
    text = as_text(value)
    with suppress(ValueError, binascii.Error):
        content = decode_data_uri(text) if is_data_uri(text) else b64decode(text, validate=True)
        return picture_from_content(content, name)
    return None


def recording_from_text(value: object) -> Recording | None:
    """From Base64. None: there is none, or it can't be heard."""
    with suppress(ValueError, binascii.Error):
        recording = Recording(b64decode(as_text(value), validate=True))
        return recording if isinstance(recording.found, RecordingHeader) else None
    return None
