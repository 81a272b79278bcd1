"""Positions of a text's tokens in a cache: some models give a picture fewer of them than it has rows."""

from collections.abc import Iterable


class TextPositions:
    def __init__(self) -> None:
        self._pictures: list[tuple[int, int]] = []
        """The place after each picture, and by how many positions fewer all that follows comes."""

    def of(self, place: int) -> int:
        """Of a token, or of the next one; a part of a picture has none of its own."""
        for end, missing in reversed(self._pictures):
            if end <= place:
                return place - missing
        return place

    def add(self, end: int, missing: int) -> None:
        """A picture that ends there. In most models nothing is missing."""
        if missing:
            before = self._pictures[-1][1] if self._pictures else 0
            self._pictures.append((end, before + missing))

    def keep(self, length: int) -> None:
        while self._pictures and self._pictures[-1][0] > length:
            self._pictures.pop()

    @property
    def pictures(self) -> tuple[tuple[int, int], ...]:
        return tuple(self._pictures)

    def replace(self, pictures: Iterable[tuple[int, int]], length: int) -> None:
        """With those of another text, of which so much is the same."""
        self._pictures[:] = pictures
        self.keep(length)
