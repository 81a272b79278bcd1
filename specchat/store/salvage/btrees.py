"""Reads b-trees of a SQLite file (https://www.sqlite.org/fileformat2.html) without trusting it."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from specchat.store.salvage.pages import PageDamagedError, Pages

Value = int | float | str | bytes | None

_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


@dataclass(frozen=True, slots=True)
class BTreeRecord:
    id: int
    values: tuple[Value, ...]
    is_whole: bool = True
    """Every byte of its text is text."""


@dataclass(slots=True)
class BTree:
    records: list[BTreeRecord] = field(default_factory=list)
    is_whole: bool = True
    pages: set[int] = field(default_factory=set)


def read_btree(pages: Pages, root: int) -> BTree:
    """What can be reached from its root."""
    tree = BTree()
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in tree.pages:
            tree.is_whole = False
            continue
        tree.pages.add(number)
        try:
            page = _Page(pages, number)
            waiting += reversed(page.children())
        except (PageDamagedError, struct.error, IndexError):
            tree.is_whole = False
            continue
        for record in page.records():
            if record is None:
                tree.is_whole = False
            else:
                tree.records.append(record)
                tree.is_whole &= record.is_whole
        tree.is_whole &= _is_accounted_for(page)
    return tree


def _is_accounted_for(page: "_Page") -> bool:
    try:
        return page.is_accounted_for()
    except struct.error:
        return False


def unreached_leaves(pages: Pages, reached: set[int]) -> Iterator[list[BTreeRecord]]:
    """The records of tables' pages to which no way leads any more, page by page."""
    for number in range(1, pages.count + 1):
        if number in reached:
            continue
        try:
            page = _Page(pages, number)
            if page.kind == _TABLE_LEAF:
                yield [record for record in page.records() if record is not None]
        except (PageDamagedError, struct.error, IndexError):
            continue


class _Page:
    def __init__(self, pages: Pages, number: int) -> None:
        self._pages = pages
        self._content = pages.page(number)
        self._header = header = 100 if number == 1 else 0
        self._n_used = 0
        """Bytes of the records."""
        self.kind = self._content[header]
        if self.kind not in (_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF):
            raise PageDamagedError(number)
        (n_cells,) = struct.unpack_from(">H", self._content, header + 3)
        self._is_interior = self.kind in (_INDEX_INTERIOR, _TABLE_INTERIOR)
        self._right = struct.unpack_from(">I", self._content, header + 8)[0] if self._is_interior else None
        self._begin = header + (12 if self._is_interior else 8)
        self._cells: tuple[int, ...] = struct.unpack_from(f">{n_cells}H", self._content, self._begin)

    def children(self) -> list[int]:
        if self._right is None:
            return []
        lefts = [struct.unpack_from(">I", self._content, cell)[0] for cell in self._cells]
        if self.kind == _TABLE_INTERIOR:
            self._n_used += sum(_varint(self._content, cell + 4)[1] - cell for cell in self._cells)
        return [*lefts, self._right]

    def is_accounted_for(self) -> bool:
        """Once all records are read: every byte belongs to one, or is known to be free."""
        _, block, _, begin, fragments = struct.unpack_from(">BHHHB", self._content, self._header)
        n_free: int = (begin or 1 << 16) - self._begin - 2 * len(self._cells) + fragments
        blocks = 0
        while block and blocks < self._pages.size:
            block, size = struct.unpack_from(">HH", self._content, block)
            n_free, blocks = n_free + size, blocks + 1
        return self._begin + 2 * len(self._cells) + self._n_used + n_free == self._pages.size

    def records(self) -> Iterator[BTreeRecord | None]:
        """None: one that cannot be read."""
        if self.kind == _TABLE_INTERIOR:
            return
        for cell in self._cells:
            try:
                yield self._record(cell)
            except (PageDamagedError, struct.error, IndexError, ValueError):
                yield None

    def _record(self, at: int) -> BTreeRecord:
        begin = at
        at += 4 if self.kind == _INDEX_INTERIOR else 0
        size, at = _varint(self._content, at)
        rowid = 0
        if self.kind == _TABLE_LEAF:
            rowid, at = _varint(self._content, at)
            rowid -= 1 << 64 if rowid >= 1 << 63 else 0
        values, is_whole = _decoded(self._payload(begin, at, size))
        return BTreeRecord(rowid, values, is_whole)

    def _payload(self, begin: int, at: int, size: int) -> bytes:
        usable = self._pages.size
        most = usable - 35 if self.kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        here = size
        if size > most:
            least = (usable - 12) * 32 // 255 - 23
            here = least + (size - least) % (usable - 4)
            here = here if here <= most else least
        if at + here > usable or size > self._pages.count * usable:
            raise PageDamagedError
        self._n_used += max(4, at + here - begin + (4 if here < size else 0))
        parts = [self._content[at : at + here]]
        if here < size:
            parts += self._overflow(struct.unpack_from(">I", self._content, at + here)[0], size - here)
        return b"".join(parts)

    def _overflow(self, number: int, left: int) -> Iterator[bytes]:
        while left > 0:
            page = self._pages.page(number)
            (number,) = struct.unpack_from(">I", page)
            part = page[4 : 4 + left]
            left -= len(part)
            yield part
        if number != 0:
            raise PageDamagedError


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n_read in range(8):
        byte = content[at + n_read]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n_read + 1
    return value << 8 | content[at + 8], at + 9


def _decoded(payload: bytes) -> tuple[tuple[Value, ...], bool]:
    end, at = _varint(payload, 0)
    begin, is_whole = end, True
    values: list[Value] = []
    while at < end:
        kind, at = _varint(payload, at)
        value, size = _value(payload, begin, kind)
        if begin + size > len(payload):
            raise PageDamagedError
        if isinstance(value, str) and "\ufffd" in value:
            is_whole &= value.encode() == payload[begin : begin + size]
        begin += size
        values.append(value)
    if begin != len(payload) or at != end:
        raise PageDamagedError
    return tuple(values), is_whole


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, 0
    if kind in _INTEGERS:
        size = _INTEGERS[kind]
        return int.from_bytes(payload[at : at + size], "big", signed=True), size
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], 8
    if kind in (8, 9):
        return kind - 8, 0
    if kind < 12:
        raise PageDamagedError
    size = (kind - 12) // 2
    content = payload[at : at + size]
    return (content.decode(errors="replace") if kind % 2 else content), size
