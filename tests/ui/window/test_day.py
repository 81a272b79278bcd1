import json
import subprocess
import sys
from pathlib import Path

DAY = Path(__file__).parents[2] / "benchmarks" / "day.py"
SMALL = ("--rounds", "2", "--chats", "6", "--messages", "60", "--models", "6")
COUNTED = ("widgets", "qt_objects", "processes")


def test_using_it_again_and_again_holds_no_more(tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    found = tmp_path / "found.json"
    done = subprocess.run(
        [sys.executable, DAY, *tiny_pair, *SMALL, "--out", found], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    _, first, second = json.loads(found.read_text())["samples"]
    assert {name: second["vitals"][name] for name in COUNTED} == {name: first["vitals"][name] for name in COUNTED}
