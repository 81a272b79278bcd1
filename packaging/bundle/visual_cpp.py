"""The runtime of Visual C++, which not every Windows has: one for all, that of the compiler which made llama.cpp.

Not run on Windows; the tests use folders that look like Visual Studio's. Qt, Python and llama.cpp each want it, whoever
is loaded first brings it for all, and none works with one that is older than its compiler.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from shell import SetupError

_LIBRARY = re.compile(r"(concrt|msvcp|vcomp|vcruntime)140\w*\.dll", re.IGNORECASE)
NAME = "Microsoft Visual C++ Runtime"
HOMEPAGE = "https://learn.microsoft.com/cpp/windows/latest-supported-vc-redist"
LICENCE_TEXT = Path(__file__).resolve().parents[1] / "windows" / "visual_cpp_licence.txt"


def version(environment: Mapping[str, str] = os.environ) -> str:
    return _redistributable(environment).name


def libraries(environment: Mapping[str, str] = os.environ) -> list[Path]:
    folders = ("Microsoft.VC*.CRT", "Microsoft.VC*.OpenMP")
    found = [path for name in folders for path in (_redistributable(environment) / "x64").glob(f"{name}/*.dll")]
    return sorted(path for path in found if _LIBRARY.fullmatch(path.name))


def place(runtime: list[Path], inside: Path) -> None:
    for path in list(inside.rglob("*.dll")):
        if _LIBRARY.fullmatch(path.name):
            path.unlink()
    for library in runtime:
        shutil.copyfile(library, inside / library.name)


def _redistributable(environment: Mapping[str, str]) -> Path:
    folder = environment.get("VCToolsRedistDir", "")
    if not folder or environment.get("VSCMD_ARG_TGT_ARCH") != "x64":
        raise SetupError("Start this from Visual Studio's x64 Native Tools Command Prompt, which finds its compiler.")
    return Path(folder)
