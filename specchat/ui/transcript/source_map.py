"""Maps offsets in the parser's content to offsets in the source text."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Each part begins at `starts` in the content and at `sources` in the source."""

    starts: Sequence[int]
    sources: Sequence[int]

    def source_at(self, at: int) -> int:
        part = max(0, bisect_right(self.starts, at) - 1)
        return self.sources[part] + at - self.starts[part]

    def next_part(self, at: int) -> tuple[int, int] | None:
        """Where it begins in the content and in the source."""
        part = bisect_right(self.starts, at)
        return (self.starts[part], self.sources[part]) if part < len(self.starts) else None


def paragraph_source_map(content: str, lines: Sequence[str], offsets: Sequence[int]) -> SourceMap:
    """Each line of the content is the end of its line in the source, after indents, `>` and list markers."""
    starts, sources, at = [], [], 0
    for line, source, offset in zip(content.split("\n"), lines, offsets, strict=False):
        shown = line.strip()
        starts.append(at + len(line) - len(line.lstrip()))
        sources.append(offset + max(0, source.rfind(shown)))
        at += len(line) + 1
    return SourceMap(starts or [0], sources or [0])


def cell_source_map(content: str, line: str, offset: int, search: int) -> tuple[SourceMap, int]:
    """The cells of a row stand in order on one line, `|` inside them as `\\|`. Also where the next one may begin."""
    pattern = "".join(r"\\?\|" if c == "|" else re.escape(c) for c in content)
    found = re.compile(pattern).search(line, search)
    if not found:
        return SourceMap([0], [offset + search]), search
    begin = offset + found.start()
    starts, sources = [0], [begin]
    for number, escape in enumerate(re.finditer(r"\\\|", found[0])):
        starts.append(escape.start() - number)
        sources.append(begin + escape.start() + 1)
    return SourceMap(starts, sources), found.end()
