"""Small recordings as files of several kinds, made here."""

import struct

import numpy as np
from numpy.typing import NDArray

from specchat.domain.recordings import Recording

RATE = 16000
Samples = NDArray[np.int16]

_MP3_BYTES = 144 * 64000 // 44100
"""Of a frame: 64 kbit/s, one channel."""
_CRC8, _CRC16 = (0x07, 8), (0x8005, 16)


def tones(seconds: float = 1.0, seed: int = 0, rate: int = RATE) -> Samples:
    """A few tones one after another, different for each seed."""
    rng = np.random.default_rng(seed)
    at = np.arange(int(seconds * rate)) / rate
    heights = rng.integers(100, 3000, 8)[np.minimum(7, (at / max(seconds, 0.001) * 8).astype(int))]
    found: Samples = (np.sin(2 * np.pi * heights * at) * 12000).astype(np.int16)
    return found


def wav(samples: Samples, rate: int = RATE, channels: int = 1) -> bytes:
    return wav_of(samples.astype("<i2").tobytes(), rate, channels)


def wav_of(data: bytes, rate: int = RATE, channels: int = 1, bits: int = 16, kind: int = 1) -> bytes:
    frame = channels * bits // 8
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, kind, channels, rate, rate * frame, frame, bits)
    return (
        struct.pack("<4sI4s", b"RIFF", 36 + len(data), b"WAVE") + fmt + struct.pack("<4sI", b"data", len(data)) + data
    )


def recording(seconds: float = 1.0, seed: int = 0, name: str = "tones.wav") -> Recording:
    return Recording(wav(tones(seconds, seed)), name)


def mp3(n_frames: int = 40, *, claimed: int | None = None, tag: bytes = b"") -> bytes:
    """Silence. `claimed`: the number of frames that its first one tells."""
    frame = b"\xff\xfb\x50\xc0".ljust(_MP3_BYTES, b"\0")
    told = b"" if claimed is None else _told(claimed)
    return tag + told + frame * n_frames


def _told(n_frames: int) -> bytes:
    return (b"\xff\xfb\x50\xc0" + bytes(17) + b"Xing" + struct.pack(">II", 1, n_frames)).ljust(_MP3_BYTES, b"\0")


def flac(samples: Samples, rate: int = RATE, *, claimed: int | None = None) -> bytes:
    """Without compression. `claimed`: the number of samples that it tells."""
    n = len(samples) if claimed is None else claimed
    size = 4096
    packed = rate << 44 | 0 << 41 | 15 << 36 | n
    info = struct.pack(">HH", size, size) + bytes(6) + struct.pack(">Q", packed) + bytes(16)
    frames = (_frame(i, samples[i * size : (i + 1) * size]) for i in range(-(-len(samples) // size)))
    return b"fLaC" + struct.pack(">I", 1 << 31 | len(info)) + info + b"".join(frames)


def _frame(number: int, samples: Samples) -> bytes:
    """Block size in 16 bits; rate from the head of the file; one channel of 16 bits."""
    head = b"\xff\xf8" + bytes((0x70, 0x08)) + chr(number).encode() + struct.pack(">H", len(samples) - 1)
    head += bytes((_checksum(head, *_CRC8),))
    body = head + b"\x02" + samples.astype(">i2").tobytes()
    return body + struct.pack(">H", _checksum(body, *_CRC16))


def _checksum(data: bytes, polynomial: int, width: int) -> int:
    value, top, mask = 0, 1 << width - 1, (1 << width) - 1
    for byte in data:
        value ^= byte << width - 8
        for _ in range(8):
            value = (value << 1 ^ polynomial if value & top else value << 1) & mask
    return value
