"""Weights as ggml stores them: rounding to nearest, without ggml's search for better scales."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Format:
    code: int
    file_type: int
    block: int
    block_bytes: int


FORMATS = {
    "F32": Format(0, 0, 1, 4),
    "F16": Format(1, 1, 1, 2),
    "Q4_0": Format(2, 2, 32, 18),
    "Q8_0": Format(8, 7, 32, 34),
    "Q4_K": Format(12, 14, 256, 144),
    "BF16": Format(30, 32, 1, 2),
}
SIZED = {**FORMATS, "Q6_K": Format(14, 18, 256, 210)}
"""With those that nothing here encodes."""


def encode(values: Floats, dtype: str) -> bytes:
    match dtype:
        case "F32":
            return values.astype("<f4").tobytes()
        case "F16":
            return values.astype("<f2").tobytes()
        case "BF16":
            return _bf16(values).tobytes()
        case "Q8_0":
            return _q8_0(values.reshape(-1, 32)).tobytes()
        case "Q4_0":
            return _q4_0(values.reshape(-1, 32)).tobytes()
        case "Q4_K":
            return _q4_k(values.reshape(-1, 8, 32)).tobytes()
    raise ValueError(f"no such weight type: {dtype}")


def _bf16(values: Floats) -> NDArray[np.uint16]:
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    to_even = 0x7FFF + ((bits >> 16) & 1)
    return ((bits + to_even) >> 16).astype("<u2")


def _q8_0(blocks: Floats) -> Bytes:
    scale = np.divide(np.abs(blocks).max(axis=1, keepdims=True), 127, dtype=np.float32)
    quants = np.rint(blocks * _inverse(scale)).astype(np.int8)
    return np.hstack([_half(scale), quants.view(np.uint8)])


def _q4_0(blocks: Floats) -> Bytes:
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=1, keepdims=True), axis=1)
    scale = np.divide(largest, -8, dtype=np.float32)
    quants = np.clip(np.rint(blocks * _inverse(scale)) + 8, 0, 15).astype(np.uint8)
    return np.hstack([_half(scale), quants[:, :16] | quants[:, 16:] << 4])


def _q4_k(blocks: Floats) -> Bytes:
    """Eight groups of 32 to a block, each with a 6-bit scale and a 6-bit minimum."""
    minimum = np.maximum(-blocks.min(axis=2), 0)
    scale = (blocks.max(axis=2) + minimum) / 15
    scale_unit = scale.max(axis=1, keepdims=True) / 63
    minimum_unit = minimum.max(axis=1, keepdims=True) / 63
    scale_6 = np.rint(scale * _inverse(scale_unit)).astype(np.uint8)
    minimum_6 = np.rint(minimum * _inverse(minimum_unit)).astype(np.uint8)
    lifted = blocks + (minimum_unit * minimum_6)[..., None]
    quants = np.clip(np.rint(lifted * _inverse(scale_unit * scale_6)[..., None]), 0, 15).astype(np.uint8)
    nibbles = quants[:, 0::2] | quants[:, 1::2] << 4
    return np.hstack([_half(scale_unit), _half(minimum_unit), _six_bits(scale_6, minimum_6), nibbles.reshape(-1, 128)])


def _six_bits(scale: Bytes, minimum: Bytes) -> Bytes:
    first = scale[:, :4] | scale[:, 4:] >> 4 << 6
    second = minimum[:, :4] | minimum[:, 4:] >> 4 << 6
    third = scale[:, 4:] & 15 | (minimum[:, 4:] & 15) << 4
    return np.hstack([first, second, third])


def _inverse(scale: Floats) -> Floats:
    return np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)


def _half(column: Floats) -> Bytes:
    return column.astype("<f2").view(np.uint8)
