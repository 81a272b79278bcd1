"""What the first command from a checkout prints."""

import os
import sys
from pathlib import Path

import pytest
from shell import SetupError, run_in_stages

STAGES = {"Collecting": "Collecting them ...", "Building wheel for llama": "Building llama.cpp ..."}
PROGRAM = """
import sys
print("Collecting h11", "WARNING: nothing", "Collecting idna", sep="\\n")
print("  Building wheel for llama_cpp_python: started")
print("a reason", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""


def install(folder: Path, code: int) -> None:
    run_in_stages([sys.executable, "-c", PROGRAM, str(code)], STAGES, "It failed.", folder, dict(os.environ))


def test_only_the_stages_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tmp_path, 0)
    assert capsys.readouterr() == ("", "Collecting them ...\nBuilding llama.cpp ...\n")


def test_all_is_told_when_it_fails(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as told:
        install(tmp_path, 3)
    words = str(told.value)
    assert "WARNING: nothing" in words
    assert "a reason" in words
    assert words.endswith("\nIt failed.")
