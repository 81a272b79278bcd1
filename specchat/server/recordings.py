"""Reads recordings from requests, as OpenAI's clients send them."""

import binascii
from base64 import b64decode
from collections.abc import Sequence

from specchat.domain.recording_header import (
    MAX_RECORDING_BYTES,
    MAX_SECONDS,
    MOST_RECORDINGS,
    RecordingRefusal,
)
from specchat.domain.recordings import Recording
from specchat.server.request_fields import RequestFields, raise_invalid_value

_WORDS = {
    RecordingRefusal.UNKNOWN: "is not a WAV, MP3, or FLAC recording, or it is damaged",
    RecordingRefusal.TOO_LARGE: f"is larger than {MAX_RECORDING_BYTES >> 20} MB",
    RecordingRefusal.TOO_LONG: f"is longer than {MAX_SECONDS // 60} minutes",
    RecordingRefusal.TOO_SHORT: "has no sound in it",
}
_FORMATS = ("wav", "mp3", "flac")


def recording_from_part(part: RequestFields) -> Recording:
    """A part of type input_audio. Its bytes tell the format, whatever is said."""
    part.required("input_audio")
    given = part.get_fields("input_audio")
    if (name := given.get_text("format")) is not None and name.lower() not in _FORMATS:
        raise_invalid_value(given.param("format"), f"must be one of {', '.join(_FORMATS)}")
    param = given.param("data")
    try:
        recording = Recording(b64decode(given.required_text("data"), validate=True))
    except (binascii.Error, ValueError):
        raise_invalid_value(param, "must be Base64")
    if isinstance(recording.found, RecordingRefusal):
        raise_invalid_value(param, _WORDS[recording.found])
    return recording


def check_recordings(recordings: Sequence[Recording], param: str) -> tuple[Recording, ...]:
    if len(recordings) > MOST_RECORDINGS:
        raise_invalid_value(param, f"must have at most {MOST_RECORDINGS} recordings")
    return tuple(recordings)
