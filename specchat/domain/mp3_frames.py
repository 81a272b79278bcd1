"""Finds the frames of an MP3, which nothing but their sum tells the length of."""

import struct
from dataclasses import dataclass

_BITRATES = (
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
)
"""In kbit/s, of MPEG-2 and MPEG-1."""
_RATES = {0: (11025, 12000, 8000), 2: (22050, 24000, 16000), 3: (44100, 48000, 32000)}
"""By the version in a header."""
_MPEG_1 = 3
_LAYER_3 = 1
_HEADER = 4
_MOST_SKIPPED = 1 << 16
"""Bytes that belong to no frame."""
_SAME = 0xFFFE0C00
"""What all frames of a recording have in common."""
_MOST_TAGS = 8
_TOLD_BYTES = 160
"""Of what the first frame may hold in place of sound: numbers, places to seek to, and what to cut off."""


@dataclass(frozen=True, slots=True)
class Mp3Sound:
    begin: int
    end: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Frame:
    size: int
    rate: int
    n_samples: int
    side: int
    """The size of its header, with what follows that before the sound."""


def skip_id3(content: bytes) -> int:
    """Where what comes after the tags begins: title and cover."""
    at = 0
    for _ in range(_MOST_TAGS):
        if content[at : at + 3] != b"ID3" or len(content) < at + 10:
            break
        size = 0
        for byte in content[at + 6 : at + 10]:
            size = size << 7 | byte & 0x7F
        at += 10 + size + (10 if content[at + 5] & 0x10 else 0)
    return at


def find_mp3_sound(content: bytes, at: int, most_seconds: float) -> Mp3Sound | None:
    """No further than `most_seconds`: what is longer has as many and a bit more."""
    begin = _next_frame(content, at, 0, _MOST_SKIPPED)
    if begin is None:
        return None
    first = _frame(content, begin)
    assert first is not None
    kind, n_frames, skipped, at = _bits(content, begin), 0, 0, begin
    rate, n_samples, most = first.rate, first.n_samples, most_seconds * first.rate / first.n_samples
    end = begin
    while n_frames <= most:
        frame = _frame(content, at) if (_bits(content, at) ^ kind) & _SAME == 0 else None
        if frame is not None and at + frame.size <= len(content):
            if n_frames and _claims_number(content, at, frame):
                return None  # a decoder that takes another frame for the first would believe it
            n_frames, at = n_frames + 1, at + frame.size
            end = at
            continue
        following = _next_frame(content, at + 1, kind, _MOST_SKIPPED - skipped)
        if following is None:
            break
        skipped, at = skipped + following - at, following
    if n_frames and _claims_number(content, begin, first):
        n_frames -= 1
        begin += 0 if _is_believable(content, begin, first, n_frames) else first.size
    return Mp3Sound(begin, end, n_frames * n_samples / rate) if n_frames else None


def _next_frame(content: bytes, at: int, kind: int, most: int) -> int | None:
    """The next one that another follows, or the end."""
    last = min(len(content) - _HEADER, at + most)
    while (at := content.find(b"\xff", at, last + 1)) >= 0:
        frame = _frame(content, at)
        if frame is not None and (not kind or (_bits(content, at) ^ kind) & _SAME == 0):
            after = at + frame.size
            is_same = (_bits(content, after) ^ _bits(content, at)) & _SAME == 0
            if after == len(content) or (is_same and _frame(content, after) is not None):
                return at
        at += 1
    return None


def _bits(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + _HEADER], "big")


def _frame(content: bytes, at: int) -> _Frame | None:
    """None: there is none of the kind that MP3 files have."""
    bits = _bits(content, at)
    version, layer, bitrate, rate = bits >> 19 & 3, bits >> 17 & 3, bits >> 12 & 15, bits >> 10 & 3
    if len(content) < at + _HEADER or bits >> 21 != 0x7FF or version == 1 or layer != _LAYER_3:
        return None
    if bitrate in (0, 15) or rate == 3:
        return None
    is_first = version == _MPEG_1
    n_samples, hertz = 1152 if is_first else 576, _RATES[version][rate]
    size = n_samples * 125 * _BITRATES[is_first][bitrate] // hertz + (bits >> 9 & 1)
    is_mono = bits >> 6 & 3 == 3
    side = (17 if is_mono else 32) if is_first else (9 if is_mono else 17)
    check = 0 if bits >> 16 & 1 else 2
    return _Frame(size, hertz, n_samples, _HEADER + check + side)


def _claims_number(content: bytes, begin: int, frame: _Frame) -> bool:
    return content[begin + frame.side : begin + frame.side + 4] in (b"Xing", b"Info")


def _is_believable(content: bytes, begin: int, frame: _Frame, n_frames: int) -> bool:
    """Without the right number, or without room for all that a decoder looks for behind it, it does no good."""
    flags, claimed = struct.unpack_from(">II", content, begin + frame.side + 4)
    return bool(flags & 1) and abs(claimed - n_frames) <= 1 and frame.size >= frame.side + _TOLD_BYTES
