"""What the header of a recording tells, and what a decoder gets of it."""

import struct
import wave
from io import BytesIO

import pytest
from support.pictures import jpeg_header, png
from support.recordings import flac, mp3, tones, wav, wav_of

from specchat.domain.errors import MediaError
from specchat.domain.pictures import Picture
from specchat.domain.recording_errors import require_hearable
from specchat.domain.recording_header import (
    MAX_RECORDING_BYTES,
    RecordingFormat,
    RecordingHeader,
    RecordingRefusal,
    check_recording,
    clean_recording,
    is_recording,
)
from specchat.domain.recordings import Recording, media_of

ID3 = b"ID3\x04\0\0" + bytes((0, 0, 7, 104)) + bytes(1000)
EXTENSIBLE = struct.pack("<HHIIHHHHIH14s", 0xFFFE, 1, 16000, 32000, 2, 16, 22, 16, 4, 1, bytes(14))


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def riff(*chunks: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 4 + sum(map(len, chunks))) + b"WAVE" + b"".join(chunks)


SECOND = tones(1.0).astype("<i2").tobytes()


@pytest.mark.parametrize(
    ("content", "kind", "seconds"),
    [
        (wav(tones(1.5)), RecordingFormat.WAV, 1.5),
        (wav(tones(1.0, rate=44100).repeat(2), 44100, 2), RecordingFormat.WAV, 1.0),
        (wav_of(bytes(48000), bits=24), RecordingFormat.WAV, 1.0),
        (wav_of(bytes(64000), bits=32, kind=3), RecordingFormat.WAV, 1.0),
        (wav_of(bytes(8000), 8000, bits=8, kind=6), RecordingFormat.WAV, 1.0),
        (riff(chunk(b"LIST", b"odd"), chunk(b"fmt ", EXTENSIBLE), chunk(b"data", SECOND)), RecordingFormat.WAV, 1.0),
        (wav(tones(1.0))[:-16000], RecordingFormat.WAV, 0.5),
        (
            wav(tones(1.0)).replace(b"data" + struct.pack("<I", 32000), b"data\xff\xff\xff\xff"),
            RecordingFormat.WAV,
            1.0,
        ),
        (flac(tones(0.5)), RecordingFormat.FLAC, 0.5),
        (ID3 + flac(tones(0.5)), RecordingFormat.FLAC, 0.5),
        (mp3(100), RecordingFormat.MP3, 100 * 1152 / 44100),
        (mp3(100, claimed=100, tag=ID3), RecordingFormat.MP3, 100 * 1152 / 44100),
        (mp3(100, claimed=1 << 31), RecordingFormat.MP3, 100 * 1152 / 44100),
        (mp3(50) + b"nonsense" * 20 + mp3(50) + b"TAG".ljust(128, b"\0"), RecordingFormat.MP3, 100 * 1152 / 44100),
    ],
)
def test_format_and_length(content: bytes, kind: RecordingFormat, seconds: float) -> None:
    found = check_recording(content)
    assert isinstance(found, RecordingHeader)
    assert found.format is kind
    assert found.seconds == pytest.approx(seconds)
    assert is_recording(content)
    assert check_recording(clean_recording(content)) == found


def test_a_decoder_gets_true_lengths_and_nothing_else() -> None:
    cut = riff(chunk(b"LIST", bytes(5000)), chunk(b"fmt ", EXTENSIBLE), chunk(b"data", SECOND))[:-1001]
    with wave.open(BytesIO(clean_recording(cut))) as read:
        assert read.getparams()[:4] == (1, 2, 16000, 15499)
    assert clean_recording(mp3(10, claimed=1 << 31, tag=ID3)) == mp3(10)
    assert clean_recording(mp3(10, claimed=5)) == mp3(10)
    assert clean_recording(mp3(10, claimed=10)) == mp3(10, claimed=10)
    covered = flac(tones(0.5))
    covered = covered[:4] + b"\0" + covered[5:42] + b"\x86" + struct.pack(">I", 5000)[1:] + bytes(5000) + covered[42:]
    assert clean_recording(covered) == flac(tones(0.5))


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", RecordingRefusal.UNKNOWN),
        (b"words", RecordingRefusal.UNKNOWN),
        (b"OggS" + bytes(100), RecordingRefusal.UNKNOWN),
        (png(), RecordingRefusal.UNKNOWN),
        (b"\xff" * 1_000_000, RecordingRefusal.UNKNOWN),
        (b"RIFF\0\0\0\0WAVE", RecordingRefusal.UNKNOWN),
        (riff(*[chunk(b"LIST", b"")] * 5000), RecordingRefusal.UNKNOWN),
        (riff(chunk(b"data", SECOND)), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, rate=0), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, rate=1 << 30), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, channels=0), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, channels=200), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, bits=13), RecordingRefusal.UNKNOWN),
        (wav_of(SECOND, bits=4, kind=2), RecordingRefusal.UNKNOWN),
        (wav_of(b""), RecordingRefusal.TOO_SHORT),
        (wav(tones(0.05)), RecordingRefusal.TOO_SHORT),
        (flac(tones(0.5), claimed=0), RecordingRefusal.UNKNOWN),
        (flac(tones(0.5))[:30], RecordingRefusal.UNKNOWN),
        (flac(tones(0.5), claimed=(1 << 36) - 1), RecordingRefusal.TOO_LONG),
        (mp3(1800 * 44100 // 1152 + 2), RecordingRefusal.TOO_LONG),
        (mp3(1), RecordingRefusal.TOO_SHORT),
        (mp3(20) + mp3(20, claimed=1 << 31), RecordingRefusal.UNKNOWN),
        (ID3[:500], RecordingRefusal.UNKNOWN),
        (wav(tones(1.0)) + bytes(MAX_RECORDING_BYTES), RecordingRefusal.TOO_LARGE),
    ],
)
def test_what_is_too_long_or_no_recording_is_refused(content: bytes, refusal: RecordingRefusal) -> None:
    assert check_recording(content) is refusal
    with pytest.raises(MediaError, match=r"^memo .*\.$") as refused:
        require_hearable(Recording(content, "memo"))
    assert refused.value.hint.endswith(".")


def test_the_first_bytes_tell_pictures_from_recordings() -> None:
    for content in (wav(tones(0.2)), mp3(), mp3(tag=ID3), flac(tones(0.2))):
        assert isinstance(media_of(content, ""), Recording)
    for content in (png(), jpeg_header(4, 4), b"\xff\xfeh\0i\0", b"RIFF\0\0\0\0WEBP"):
        assert isinstance(media_of(content, ""), Picture)
