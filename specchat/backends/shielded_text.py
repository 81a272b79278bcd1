"""A str type for shadowed text (see `shielding`) that templates can search and compare."""

from collections.abc import Iterator, Mapping
from typing import Any, SupportsIndex

Table = Mapping[int, str]
"""Maps shadow characters to the characters they stand for."""


def shielded(text: str, table: Table) -> str:
    """Returns a shielded text, or the text itself if it contains no shadows."""
    if not table or text.isascii() or text.translate(table) == text:
        return text
    return ShieldedText(text, table)


def with_shielded_texts(value: Any, table: Table) -> Any:
    if isinstance(value, str):
        return shielded(value, table)
    if isinstance(value, list):
        return [with_shielded_texts(item, table) for item in value]
    if isinstance(value, dict):
        return {shielded(key, table): with_shielded_texts(item, table) for key, item in value.items()}
    return value


class ShieldedText(str):
    """A text whose slices and concatenations stay shielded."""

    def __new__(cls, text: str, table: Table) -> "ShieldedText":
        made = super().__new__(cls, text)
        made.table = table
        made.plain = text.translate(table)
        return made

    table: Table
    plain: str

    def __str__(self) -> str:
        return self

    def __eq__(self, other: object) -> bool:
        return bool(self.plain == _plain(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.plain)

    def __lt__(self, other: str) -> bool:
        return self.plain < str(_plain(other))

    def __le__(self, other: str) -> bool:
        return self.plain <= str(_plain(other))

    def __gt__(self, other: str) -> bool:
        return self.plain > str(_plain(other))

    def __ge__(self, other: str) -> bool:
        return self.plain >= str(_plain(other))

    def __iter__(self) -> Iterator[str]:
        return (self[at] for at in range(len(self)))

    def __contains__(self, part: object) -> bool:
        return _plain(part) in self.plain

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        return shielded(super().__getitem__(key), self.table)

    def __add__(self, other: str) -> str:
        return shielded(super().__add__(other), self.table)

    def __radd__(self, other: str) -> str:
        return shielded(other + str.__str__(self), self.table)

    def isspace(self) -> bool:
        return self.plain.isspace()

    def isalnum(self) -> bool:
        return self.plain.isalnum()

    def isupper(self) -> bool:
        return self.plain.isupper()

    def islower(self) -> bool:
        return self.plain.islower()

    def upper(self) -> str:
        return shielded(super().upper(), self.table)

    def lower(self) -> str:
        return shielded(super().lower(), self.table)

    def capitalize(self) -> str:
        return shielded(super().capitalize(), self.table)

    def title(self) -> str:
        return shielded(super().title(), self.table)

    def startswith(self, *arguments: Any) -> bool:
        return self.plain.startswith(*map(_plain, arguments))

    def endswith(self, *arguments: Any) -> bool:
        return self.plain.endswith(*map(_plain, arguments))

    def find(self, *arguments: Any) -> int:
        return self.plain.find(*map(_plain, arguments))

    def rfind(self, *arguments: Any) -> int:
        return self.plain.rfind(*map(_plain, arguments))

    def index(self, *arguments: Any) -> int:
        return self.plain.index(*map(_plain, arguments))

    def rindex(self, *arguments: Any) -> int:
        return self.plain.rindex(*map(_plain, arguments))

    def count(self, *arguments: Any) -> int:
        return self.plain.count(*map(_plain, arguments))

    def strip(self, characters: str | None = None) -> str:
        return shielded(self.lstrip(characters).rstrip(characters), self.table)

    def lstrip(self, characters: str | None = None) -> str:
        return self[len(self) - len(self.plain.lstrip(characters)) :]

    def rstrip(self, characters: str | None = None) -> str:
        return self[: len(self.plain.rstrip(characters))]

    def removeprefix(self, prefix: str) -> str:
        return self[len(prefix) :] if self.startswith(prefix) else self

    def removesuffix(self, suffix: str) -> str:
        return self[: len(self) - len(suffix)] if suffix and self.endswith(suffix) else self

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._pieces(self.plain.split(sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._pieces(self.plain.rsplit(sep, maxsplit), sep)

    def splitlines(self, keepends: bool = False) -> list[str]:
        return self._pieces(self.plain.splitlines(keepends))

    def partition(self, sep: str) -> tuple[str, str, str]:
        return self._three(*self.plain.partition(sep))

    def rpartition(self, sep: str) -> tuple[str, str, str]:
        return self._three(*self.plain.rpartition(sep))

    def replace(self, old: str, new: str, count: SupportsIndex = -1) -> str:
        if not old:
            return shielded(super().replace(old, new, count), self.table)
        return shielded(new.join(map(str.__str__, self.split(old, count))), self.table)

    def _pieces(self, pieces: list[str], separator: str | None = None) -> list[str]:
        """Returns the shielded pieces that correspond to `pieces` of the plain text."""
        end, found = 0, []
        for piece in pieces:
            start = self.plain.index(piece, end)
            found.append(self._at(start, piece))
            end = start + len(piece) + len(separator or "")
        return found

    def _three(self, before: str, found: str, after: str) -> tuple[str, str, str]:
        return self._at(0, before), self._at(len(before), found), self._at(len(before + found), after)

    def _at(self, start: int, piece: str) -> str:
        return self[start : start + len(piece)]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value.plain if isinstance(value, ShieldedText) else value
