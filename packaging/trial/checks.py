"""What is said of each thing that was tried."""

from __future__ import annotations

import time
from collections.abc import Callable

Seen = Callable[[], object] | object
"""What there is to say about it, or how to find that out."""


class Stopped(Exception):
    """What follows cannot be tried."""


class Checks:
    def __init__(self) -> None:
        self.failed = 0

    def begin(self, what: str) -> None:
        print(f"\n{what}", flush=True)

    def check(self, what: str, good: object, seen: Seen = "") -> bool:
        """One line; what was seen only where it was not good."""
        verdict = "ok" if good else f"FAILED  {_indented(seen)}"
        print(f"  {what}: {verdict}", flush=True)
        self.failed += not good
        return bool(good)

    def require(self, what: str, good: object, seen: Seen = "") -> None:
        if not self.check(what, good, seen):
            raise Stopped(what)

    def came(self, what: str, condition: Callable[[], object], seconds: float, seen: Seen) -> None:
        """Waits for it."""
        self.require(what, waited(condition, seconds), seen)


def waited(condition: Callable[[], object], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not (came := condition()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return bool(came)


def _indented(seen: Seen) -> str:
    told = str(seen() if callable(seen) else seen).strip()
    return told.replace("\n", "\n      ")
