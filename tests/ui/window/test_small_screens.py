import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import small_screen


@pytest.mark.parametrize(
    ("width", "height", "language"),
    [(640, 480, "en"), (640, 360, "de"), (800, 600, "de"), (960, 540, "en")],
)
def test_nothing_is_cut_off(width: int, height: int, language: str) -> None:
    """640 by 360 is what a screen of 1280 by 720 is at twice the size."""
    tests = Path(small_screen.__file__).parents[1]
    command = [sys.executable, "-m", "support.small_screen", str(width), str(height), language]
    done = subprocess.run(command, cwd=tests, env=os.environ | {"PYTHONPATH": str(tests)}, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert {name: cut for name, cut in found.items() if cut} == {}
    assert set(small_screen.NAMES) < found.keys()
