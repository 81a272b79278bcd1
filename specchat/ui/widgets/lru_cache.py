"""A cache that drops the least recently used values."""

from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    def __init__(self, capacity: int, dropped: Callable[[V], None]) -> None:
        self._capacity = capacity
        self._dropped = dropped
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Returns a value and notes that it is in use."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def peek(self, key: K) -> V | None:
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)

    def trim(self, needed: Collection[K]) -> None:
        """Drops the oldest values beyond the capacity, except those that are needed."""
        surplus = len(self._kept) - self._capacity
        for key in [key for key in self._kept if key not in needed][: max(0, surplus)]:
            self._dropped(self._kept.pop(key))

    def pop(self, key: K) -> None:
        self._kept.pop(key, None)

    def clear(self) -> None:
        self._kept.clear()

    def values(self) -> list[V]:
        return list(self._kept.values())
