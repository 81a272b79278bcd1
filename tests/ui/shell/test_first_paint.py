"""What the first paint waits for, and what it leaves behind."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from support import first_paint
from support.commands import SECONDS


def test_nothing_heavy_comes_before_it_and_the_collector_is_back_after_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, first_paint.__file__, str(time.monotonic())],
        env=os.environ | {"SPECCHAT_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        check=True,
        timeout=SECONDS,
    )

    told = json.loads(done.stdout)

    assert told["imported"] == []
    assert told["collects"]
