"""The pages of a SQLite file and of its log, as bytes."""

import struct
import time
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"SQLite format 3\0"
_USUAL_PAGE = 4096
_LOG_HEADER, _FRAME_HEADER = 32, 24
_LOG_MAGIC = 0x377F0682
_AT_REST_S = 0.02


class PageDamagedError(Exception):
    pass


class Pages:
    """Numbered from 1. What the log has of a page is newer."""

    def __init__(self, path: Path, *, with_log: bool = True) -> None:
        content = path.read_bytes()
        self._content = content
        self._log = _read_log(path) if with_log else b""
        self.header = content[:100] if content.startswith(_MAGIC) else b""
        size = int.from_bytes(self.header[16:18], "big")
        self.size = size if size >= 512 and size & (size - 1) == 0 else _USUAL_PAGE
        self._frames = dict(_newest_frames(self._log, self.size))
        self.count = max([len(content) // self.size, *self._frames])

    def page(self, number: int) -> bytes:
        begin = self._frames.get(number)
        source = self._content if begin is None else self._log
        begin = (number - 1) * self.size if begin is None else begin
        found = source[begin : begin + self.size]
        if number < 1 or len(found) < self.size:
            raise PageDamagedError(number)
        return found

    @property
    def version(self) -> int | None:
        """Of the schema; None where it cannot be read."""
        try:
            first = self.page(1)
        except PageDamagedError:
            return None
        return int.from_bytes(first[60:64], "big") if first.startswith(_MAGIC) else None

    def free(self) -> set[int]:
        """Pages whose content was deleted."""
        found: set[int] = set()
        try:
            trunk = int.from_bytes(self.page(1)[32:36], "big") if self.header else 0
            while trunk and trunk not in found:
                found.add(trunk)
                page = self.page(trunk)
                following, count = struct.unpack_from(">II", page)
                if count > self.size // 4 - 2:
                    break
                found.update(struct.unpack_from(f">{count}I", page, 8))
                trunk = following
        except PageDamagedError:
            pass
        return found


def is_log_intact(path: Path) -> bool:
    """SQLite takes a damaged log for one that ends earlier, and overwrites the rest of it.

    A frame that another program is just writing looks damaged for a moment: only a log at rest is called so.
    """
    log = _read_log(path)
    while not _is_whole(log):
        time.sleep(_AT_REST_S)
        before, log = log, _read_log(path)
        if log == before:
            return False
    return True


def _is_whole(log: bytes) -> bool:
    if len(log) <= _LOG_HEADER:
        return True
    magic, _, size = struct.unpack_from(">III", log)
    if magic & ~1 != _LOG_MAGIC or size < 512 or size & (size - 1):
        return False
    order = ">" if magic & 1 else "<"
    sums = _checksum(log[:24], order, (0, 0))
    if sums != struct.unpack_from(">II", log, 24):
        return False
    salts = log[16:24]
    is_whole = True
    for begin in range(_LOG_HEADER, len(log) - size - _FRAME_HEADER + 1, size + _FRAME_HEADER):
        if log[begin + 8 : begin + 16] != salts:
            continue
        if is_whole:
            sums = _checksum(log[begin : begin + 8], order, sums)
            sums = _checksum(log[begin + _FRAME_HEADER : begin + _FRAME_HEADER + size], order, sums)
            is_whole = sums == struct.unpack_from(">II", log, begin + 16)
        if not is_whole and any(log[begin + 4 : begin + 8]):  # the end of a transaction that SQLite does not see
            return False
    return True


def _read_log(path: Path) -> bytes:
    try:
        return path.with_name(path.name + "-wal").read_bytes()
    except OSError:
        return b""


def _newest_frames(log: bytes, size: int) -> Iterator[tuple[int, int]]:
    """What was written since the log began anew: its two random numbers tell."""
    begins = range(_LOG_HEADER, len(log) - size - _FRAME_HEADER + 1, size + _FRAME_HEADER)
    marks = [log[begin + 8 : begin + 16] for begin in begins]
    if not marks:
        return
    current = log[16:24] if log[16:24] in marks else marks[0]
    last = max(at for at, mark in enumerate(marks) if mark == current)
    for begin, mark in zip(begins, marks[: last + 1], strict=False):
        number = int.from_bytes(log[begin : begin + 4], "big")
        if mark == current and 0 < number < 1 << 31:
            yield number, begin + _FRAME_HEADER


def _checksum(content: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    for one, two in struct.iter_unpack(f"{order}II", content):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second
