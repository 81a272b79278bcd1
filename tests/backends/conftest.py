from collections.abc import Iterator
from pathlib import Path

import pytest

from specchat.backends.child import Child
from specchat.backends.preflight import preflight_child
from specchat.store.json_cache import JsonCache


@pytest.fixture
def passed(tmp_path: Path) -> JsonCache:
    return JsonCache(tmp_path / "passed.json")


@pytest.fixture
def child() -> Iterator[Child]:
    with preflight_child() as made:
        yield made
