"""Runs CMake, which comes as a Python package, as Ninja does."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from project_venv import ROOT
from shell import run, run_silently


def cmake(*arguments: str | Path) -> None:
    _install()
    # The shader generator, a build within the build, looks for them too.
    environment = {**os.environ, "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    run_silently([_PROGRAMS / "cmake", *arguments], "llama.cpp did not compile.", environment)


_PROGRAMS = Path(sys.executable).parent


def _install() -> None:
    if all(shutil.which(name, path=str(_PROGRAMS)) for name in ("cmake", "ninja")):
        return
    constraints: list[str | Path] = ["-c", ROOT / "constraints.txt"]
    run(
        [sys.executable, "-m", "pip", "install", "--quiet", *constraints, "cmake", "ninja"],
        "pip could not install CMake and Ninja.",
    )
