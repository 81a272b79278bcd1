"""Row heights with sums and look-ups in logarithmic time (a Fenwick tree)."""

from collections.abc import Iterable


class RowHeights:
    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        for height in heights:
            self.append(height)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        return self.top(len(self._heights))

    def append(self, height: int) -> None:
        self._heights.append(height)
        node = len(self._heights)
        below, start = node - 1, node - (node & -node)
        while below > start:
            height += self._tree[below]
            below -= below & -below
        self._tree.append(height)

    def truncate(self, length: int) -> None:
        del self._heights[length:]
        del self._tree[length + 1 :]

    def set(self, index: int, height: int) -> None:
        change = height - self._heights[index]
        if not change:
            return
        self._heights[index] = height
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def top(self, index: int) -> int:
        """Returns the height of all rows above one."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def index_at(self, y: int) -> int:
        """Returns the row at a height, or the first or last one outside."""
        index, step = 0, 1 << len(self._heights).bit_length()
        while step:
            node = index + step
            if node < len(self._tree) and self._tree[node] <= y:
                index = node
                y -= self._tree[node]
            step >>= 1
        return max(0, min(index, len(self._heights) - 1))
