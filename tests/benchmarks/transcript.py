"""How the transcript keeps up: 300 tokens/s into 500 messages, and opening 10,000 messages.

python tests/benchmarks/transcript.py [--seconds S] [--rate TOKENS_PER_S] [--colouring]
"""

import argparse
import os
import random
import time
from collections.abc import Iterator
from itertools import cycle

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from specchat.domain.conversations import Mark, MessageState
from specchat.domain.types import Role
from specchat.ui.transcript import Entry, EntryDetails, TranscriptView, preload
from specchat.ui.widgets.style_sheet import style_sheet
from specchat.ui.widgets.theme import LIGHT, palette

FRAME_MS = 16
PROBE_MS = 1
SIZE = (1100, 900)
ANSWER = """## Answer {n}

A paragraph with **bold** words, *others*, `inline code` and [a link](https://example.org/page) that goes on for a few
lines, because answers usually do, and then it ends.

1. First, something short.
2. Second, something with `code` in it.
   - and a nested point
3. Third.

```python
def answer(n: int) -> str:
    \"\"\"Says what there is to say.\"\"\"
    return f"the answer is {{n}}"  # always
```

| a | b |
|---|--:|
| x | {n} |

"""


def main() -> None:
    options = arguments()
    app = QApplication([])
    app.setStyle("Fusion")
    app.setPalette(palette(LIGHT))
    app.setStyleSheet(style_sheet(LIGHT))
    preload()
    view = TranscriptView(lambda number: EntryDetails(footer=f"message {number}", thought_s=1.0))
    view.set_colouring(options.colouring)
    view.resize(*SIZE)
    view.show()
    open_thread(view, 10)
    print(f"opening 10,000 messages: {open_thread(view, 10_000):.1f} ms")
    open_thread(view, 500)
    stream = Stream(view, options.seconds, options.rate)
    app.exec()
    report(stream.latencies)
    print(f"frames {stream.frames}, mean cost {1000 * stream.cost / max(1, stream.frames):.2f} ms")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--colouring", action="store_true")
    return parser.parse_args()


def thread(count: int) -> list[Entry]:
    roles = cycle((Role.USER, Role.ASSISTANT))
    return [
        Entry(n, role, f"Question {n}: what is it?" if role is Role.USER else ANSWER.format(n=n))
        for n, role in zip(range(count), roles, strict=False)
    ]


def open_thread(view: TranscriptView, count: int) -> float:
    """Milliseconds until it is on the screen."""
    entries = thread(count)
    start = time.perf_counter()
    view.show_entries(entries)
    view.viewport().repaint()
    return 1000 * (time.perf_counter() - start)


def tokens() -> Iterator[str]:
    """About four characters each."""
    for n in cycle(range(1000)):
        text = ANSWER.format(n=n)
        yield from (text[at : at + 4] for at in range(0, len(text), 4))


class Stream(QObject):
    """Tokens as they would come from the engine, a bundle per frame, and a probe of the event loop."""

    def __init__(self, view: TranscriptView, seconds: float, rate: float) -> None:
        super().__init__(view)
        self.latencies: list[float] = []
        self.frames, self.cost = 0, 0.0
        self._view, self._rate, self._seconds = view, rate, seconds
        self._tokens, self._sent, self._text = tokens(), 0, ""
        self._marks: list[Mark] = []
        self._random = random.Random(1)
        self._entry = Entry(1_000_000, Role.ASSISTANT, "", MessageState.STREAMING)
        view.append(self._entry)
        self._clock = QElapsedTimer()
        self._clock.start()
        self._last_probe = time.perf_counter()
        self._start(FRAME_MS, self._frame)
        self._start(PROBE_MS, self._probe)

    def _start(self, milliseconds: int, slot: object) -> None:
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(slot)
        timer.start(milliseconds)

    def _probe(self) -> None:
        now = time.perf_counter()
        self.latencies.append(1000 * (now - self._last_probe) - PROBE_MS)
        self._last_probe = now

    def _frame(self) -> None:
        elapsed = self._clock.elapsed() / 1000
        while self._sent < elapsed * self._rate:
            self._text += next(self._tokens)
            origin = self._random.choice(("target", "draft", "ngram"))
            self._marks.append(Mark(len(self._text), origin, 0, 0.5))
            self._sent += 1
        start = time.perf_counter()
        self._view.update_text(self._entry.id, self._text, self._marks)
        self.cost += time.perf_counter() - start
        self.frames += 1
        if elapsed > self._seconds:
            self._view.finish(Entry(self._entry.id, Role.ASSISTANT, self._text))
            QApplication.quit()


def report(latencies: list[float]) -> None:
    ordered = sorted(max(0.0, latency) for latency in latencies)
    p50, p99 = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99))
    print(f"event loop latency: p50 {p50:.1f} ms, p99 {p99:.1f} ms, max {ordered[-1]:.1f} ms ({len(ordered)} probes)")


if __name__ == "__main__":
    main()
