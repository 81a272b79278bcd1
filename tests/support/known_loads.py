"""What first loads and self-tests have found, so that the processes for them run once for each file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specchat.services.generation.pair_loader import PairLoader


class Facts(dict[str, object]):
    def put(self, key: str, value: object) -> None:
        self[key] = value


FIRST_LOADS, SELFTESTS = Facts(), Facts()
_FILES = {"first-loads.json": FIRST_LOADS, "self-tests.json": SELFTESTS}


def knowing_loader() -> PairLoader:
    return PairLoader(FIRST_LOADS, SELFTESTS)


@contextmanager
def known_loads(cache: Path) -> Iterator[None]:
    """In the cache folder of a program that uses the same files as others before it."""
    cache.mkdir(parents=True, exist_ok=True)
    for name, facts in _FILES.items():
        (cache / name).write_text(json.dumps(facts))
    yield
    for name, facts in _FILES.items():
        if (cache / name).exists():
            facts.update(json.loads((cache / name).read_text()))
