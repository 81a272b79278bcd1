import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import small_screen


@pytest.mark.parametrize(("width", "height"), [(640, 360), (800, 600)])
def test_nothing_is_cut_off(width: int, height: int) -> None:
    """In German, whose words are longer than the English ones."""
    require_whole(width, height, "de")


def test_nothing_is_cut_off_at_twice_the_size() -> None:
    require_whole(1280, 720, "de", QT_SCALE_FACTOR="2")


def require_whole(width: int, height: int, language: str, **environment: str) -> None:
    tests = Path(small_screen.__file__).parents[1]
    command = [sys.executable, "-m", "support.small_screen", str(width), str(height), language]
    own = os.environ | {"PYTHONPATH": str(tests)} | environment
    done = subprocess.run(command, cwd=tests, env=own, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert {name: cut for name, cut in found.items() if cut} == {}
    assert set(small_screen.NAMES) < found.keys()
