"""Reads format and length of a recording, without decoding it, and leaves out what decoders need not see.

Each start of the program imports this: it imports what it reads MP3s with when there is one.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

MAX_RECORDING_BYTES = 50 << 20
MAX_SECONDS = 30 * 60
LEAST_SECONDS = 0.1
"""Some encoders divide by the number of their frames."""
MOST_RECORDINGS = 16
"""In one message."""
_LEAST_RATE, _MAX_RATE = 4000, 384_000
_MOST_CHANNELS = 8
_PCM, _FLOAT, _A_LAW, _MU_LAW, _EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
_BITS = {_PCM: (8, 16, 24, 32), _FLOAT: (32, 64), _A_LAW: (8,), _MU_LAW: (8,)}
_FIRST_FRAMES = tuple(bytes((0xFF, second)) for second in (0xE2, 0xE3, 0xF2, 0xF3, 0xFA, 0xFB))
"""Of MP3s, which need not begin with a tag."""
_MOST_CHUNKS = 1000
_STREAM_INFO = 34
"""Bytes."""


class RecordingFormat(StrEnum):
    """The formats that llama.cpp reads, by their media types."""

    WAV = "audio/wav"
    MP3 = "audio/mpeg"
    FLAC = "audio/flac"


@dataclass(frozen=True, slots=True)
class RecordingHeader:
    format: RecordingFormat
    seconds: float


class RecordingRefusal(Enum):
    UNKNOWN = auto()
    """Not of a format that is read, or damaged."""
    TOO_LARGE = auto()
    TOO_LONG = auto()
    TOO_SHORT = auto()


_Sound = tuple[RecordingHeader, Sequence[bytes | memoryview]]
"""With the file in pieces, without all that is no sound, and with no length in it that is not true."""


def is_recording(content: bytes) -> bool:
    """Whether it is meant to be one: it may be damaged."""
    is_mp3 = content[:3] == b"ID3" or content[:2] in _FIRST_FRAMES
    return is_mp3 or content[:4] == b"fLaC" or (content[:4] == b"RIFF" and content[8:12] == b"WAVE")


def check_recording(content: bytes) -> RecordingHeader | RecordingRefusal:
    if len(content) > MAX_RECORDING_BYTES:
        return RecordingRefusal.TOO_LARGE
    sound = _read(content)
    if sound is None:
        return RecordingRefusal.UNKNOWN
    header, _ = sound
    if header.seconds > MAX_SECONDS:
        return RecordingRefusal.TOO_LONG
    return header if header.seconds >= LEAST_SECONDS else RecordingRefusal.TOO_SHORT


def clean_recording(content: bytes) -> bytes:
    """What a decoder gets. It would believe whatever lengths and pictures the file has in it."""
    sound = _read(content)
    return b"".join(sound[1]) if sound is not None else b""


def _read(content: bytes) -> _Sound | None:
    from specchat.domain.mp3_frames import skip_id3

    try:
        if content.startswith(b"RIFF") and content[8:12] == b"WAVE":
            return _read_wav(content)
        begin = skip_id3(content)
        if content[begin : begin + 4] == b"fLaC":
            return _read_flac(content, begin)
        return _read_mp3(content, begin)
    except struct.error:
        return None


def _read_mp3(content: bytes, begin: int) -> _Sound | None:
    from specchat.domain.mp3_frames import find_mp3_sound

    found = find_mp3_sound(content, begin, MAX_SECONDS)
    if found is None:
        return None
    return RecordingHeader(RecordingFormat.MP3, found.seconds), (memoryview(content)[found.begin : found.end],)


def _read_wav(content: bytes) -> _Sound | None:
    """What comes from a program that was stopped, or that wrote to a pipe, has no true lengths."""
    at, shape = 12, b""
    for _ in range(_MOST_CHUNKS):
        name, size = struct.unpack_from("<4sI", content, at)
        at += 8
        if name == b"fmt ":
            shape = content[at : at + min(size, 40)]
        elif name == b"data":
            return _wav_sound(shape, memoryview(content)[at : at + size])
        at += size + size % 2
    return None


def _wav_sound(shape: bytes, data: memoryview) -> _Sound | None:
    kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", shape)
    if kind == _EXTENSIBLE:
        (kind,) = struct.unpack_from("<H", shape, 24)
    if bits not in _BITS.get(kind, ()) or not _is_usual(channels, rate):
        return None
    frame = channels * bits // 8
    data = data[: len(data) // frame * frame]
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, kind, channels, rate, rate * frame, frame, bits)
    head = struct.pack("<4sI4s", b"RIFF", 4 + len(fmt) + 8 + len(data), b"WAVE")
    seconds = len(data) / frame / rate
    return RecordingHeader(RecordingFormat.WAV, seconds), (head, fmt, struct.pack("<4sI", b"data", len(data)), data)


def _read_flac(content: bytes, begin: int) -> _Sound | None:
    """Of what describes it, only the first block: its length is believed as far as a recording may be long."""
    info = content[begin + 8 : begin + 8 + _STREAM_INFO]
    (first,) = struct.unpack_from(">I", content, begin + 4)
    (packed,) = struct.unpack_from(">Q", info, 10)
    rate, channels, n_samples = packed >> 44, (packed >> 41 & 7) + 1, packed & (1 << 36) - 1
    if first & 0x7FFFFFFF != _STREAM_INFO or not n_samples or not _is_usual(channels, rate):
        return None
    at, is_last = begin + 8 + _STREAM_INFO, first >> 31
    for _ in range(_MOST_CHUNKS):
        if is_last:
            break
        (block,) = struct.unpack_from(">I", content, at)
        is_last, at = block >> 31, at + 4 + (block & 0xFFFFFF)
    if not is_last or content[at : at + 1] != b"\xff":
        return None
    head = struct.pack(">4sI", b"fLaC", 1 << 31 | _STREAM_INFO)
    return RecordingHeader(RecordingFormat.FLAC, n_samples / rate), (head, info, memoryview(content)[at:])


def _is_usual(channels: int, rate: int) -> bool:
    return 0 < channels <= _MOST_CHANNELS and _LEAST_RATE <= rate <= _MAX_RATE
