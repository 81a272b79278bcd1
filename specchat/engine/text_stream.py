"""Decodes token bytes to text; characters and stop strings may span tokens."""

import codecs
from collections.abc import Sequence


class TextStream:
    def __init__(self, stops: Sequence[str] = ()) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._stops = [s for s in stops if s]
        self._held = ""
        self.stopped_at = ""
        """The stop string that was found."""

    @property
    def stopped(self) -> bool:
        return bool(self.stopped_at)

    def push(self, piece: bytes) -> str:
        """Returns the text that can be shown now. After a stop string, it returns nothing more."""
        if self.stopped:
            return ""
        text = self._decoder.decode(piece)
        if not self._stops:
            return text
        self._held += text
        return self._release()

    def finish(self) -> str:
        """Returns the rest. An incomplete character becomes U+FFFD."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(b"", final=True)
        shown = self._release()
        shown, self._held = shown + self._held, ""
        return shown

    def _release(self) -> str:
        ends = [(at, s) for s in self._stops if (at := self._held.find(s)) >= 0]
        if ends:
            end, self.stopped_at = min(ends)
            shown, self._held = self._held[:end], ""
            return shown
        cut = len(self._held) - self._possible_stop()
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown

    def _possible_stop(self) -> int:
        """Returns the length of the longest end of the text that may begin a stop string."""
        longest = max(map(len, self._stops), default=1) - 1
        for length in range(min(longest, len(self._held)), 0, -1):
            if any(s.startswith(self._held[-length:]) for s in self._stops):
                return length
        return 0
