"""Recordings in messages."""

from dataclasses import dataclass, field
from math import ceil

from specchat.domain.media import Media
from specchat.domain.picture_header import estimate_picture_tokens
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import RecordingHeader, RecordingRefusal, check_recording, is_recording

_PIECE_S, _TOKENS_PER_PIECE = 30, 750
"""As the encoders of Whisper have them."""


@dataclass(frozen=True, slots=True)
class Recording(Media):
    """A recording of speech or other sound, as the bytes of its file."""

    found: RecordingHeader | RecordingRefusal = field(init=False, repr=False, compare=False)
    """Read once: that of an MP3 is the sum of all its frames."""

    def __post_init__(self) -> None:
        Media.__post_init__(self)
        object.__setattr__(self, "found", check_recording(self.content))

    @property
    def seconds(self) -> float:
        return self.found.seconds if isinstance(self.found, RecordingHeader) else 0.0


def media_of(content: bytes, name: str) -> Picture | Recording:
    """By its first bytes."""
    return Recording(content, name) if is_recording(content) else Picture(content, name)


def estimate_media_tokens(media: Media) -> int:
    """Encoders differ: some make a fourth of that."""
    if isinstance(media, Recording):
        return max(1, ceil(media.seconds / _PIECE_S)) * _TOKENS_PER_PIECE
    return estimate_picture_tokens(media) if isinstance(media, Picture) else 0
