"""Reads a source forward with bounds on every length."""

from array import array
from struct import Struct

from specchat.gguf.file_errors import damaged_file_error, truncated_header_error
from specchat.gguf.source import ByteSource
from specchat.gguf.string_array import StringArray

FIRST_BLOCK = 128 * 1024
LARGEST_BLOCK = 4 * 1024 * 1024
MAX_STRING = 16 * 1024 * 1024

_LENGTH = Struct("<Q")


class Cursor:
    """Blocks double in size: few requests for a long header, little waste for a short one."""

    def __init__(self, source: ByteSource, limit: int) -> None:
        self.name = source.name
        self.position = 0
        self._source = source
        self._limit = limit
        self._data = bytearray()
        self._block = FIRST_BLOCK

    def peek(self, length: int) -> bytes:
        self._require(min(self.position + length, self._source.size))
        return bytes(self._data[self.position : self.position + length])

    def take(self, length: int) -> bytes:
        start, self.position = self.position, self.position + length
        self._require(self.position)
        return bytes(self._data[start : self.position])

    def taken_since(self, start: int) -> bytes:
        """What was read from there on."""
        return bytes(self._data[start : self.position])

    def number(self, layout: Struct) -> int:
        value: int = layout.unpack(self.take(layout.size))[0]
        return value

    def string(self, longest: int = MAX_STRING) -> bytes:
        length = self.number(_LENGTH)
        if length > longest:
            raise damaged_file_error(self.name, "a string of {length} bytes", length=length)
        return self.take(length)

    def strings(self, count: int) -> StringArray:
        """A tight loop: vocabularies have a quarter of a million of them."""
        data, unpack, name_length = self._data, _LENGTH.unpack_from, _LENGTH.size
        first = self.position
        position, available = first, len(data)
        starts = array("I")
        for _ in range(count):
            start = position + name_length
            if start > available:
                self._require(start)
                available = len(data)
            (length,) = unpack(data, position)
            if length > MAX_STRING:
                raise damaged_file_error(self.name, "a string of {length} bytes", length=length)
            starts.append(start - first)
            position = start + length
        return StringArray(self.take(position - first), starts)

    def _require(self, end: int) -> None:
        if end <= len(self._data):
            return
        if end > self._source.size:
            raise truncated_header_error(self.name, self._source.size)
        if end > self._limit:
            raise damaged_file_error(self.name, "its header is longer than {limit} bytes", limit=self._limit)
        while len(self._data) < end:
            self._fetch(end)

    def _fetch(self, end: int) -> None:
        have = len(self._data)
        block = self._source.read(have, min(self._block, min(self._source.size, self._limit) - have))
        if not block:
            raise truncated_header_error(self.name, have)
        self._data += block
        self._block = min(2 * self._block, LARGEST_BLOCK)
