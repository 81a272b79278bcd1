"""Virtual environments of the checkout: made once, renewed when the requirements change."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import system_packages
from shell import output_of, run, run_in_stages, say

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
_WINDOWS = os.name == "nt"
_STAGES = {
    "Collecting": "Collecting them ...",
    "Building wheel for llama": "Building llama.cpp; this takes a few minutes, but only once ...",
    "Building editable for specchat": "Building specchat ...",
    "Installing collected packages": "Installing them ...",
}
"""What the lines of pip begin with that tell something."""


class Venv:
    def __init__(self, folder: Path, variables: Mapping[str, str] | None = None, *, always_new: bool = False) -> None:
        """`variables` of the environment in which pip works there. `always_new`: rather than changed."""
        self._folder = folder
        self._variables = dict(variables or {})
        self._always_new = always_new
        self._programs = folder / ("Scripts" if _WINDOWS else "bin")
        self.python = self.program("python")

    def program(self, name: str) -> Path:
        return self._programs / (f"{name}.exe" if _WINDOWS else name)

    def ensure(self, *extras: str) -> None:
        """After this the project is installed in it, with one of these optional dependencies: the first, if it is
        not there yet."""
        if any(self._up_to_date(extra) for extra in extras):
            return
        self._create()
        self._install(extras[0])
        self._stamp(extras[0]).write_text(self._digest())

    def _stamp(self, extra: str) -> Path:
        return self._folder / f"installed-{extra or 'base'}"

    def _up_to_date(self, extra: str) -> bool:
        stamp = self._stamp(extra)
        return self.python.exists() and stamp.exists() and stamp.read_text() == self._digest()

    def _digest(self) -> str:
        digest = hashlib.sha256(str(self.python.resolve()).encode())
        for file in REQUIREMENTS:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def _create(self) -> None:
        if not self._always_new and self.python.exists() and output_of([self.python, "-m", "pip", "--version"]):
            return
        if importlib.util.find_spec("ensurepip") is None:
            package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
            system_packages.ensure(
                [package], "Python's venv module is missing", "install it the way you installed Python"
            )
        say(f"Creating {self._folder} ...")
        run(
            [sys.executable, "-m", "venv", "--clear", self._folder],
            "Python could not create the virtual environment.",
        )

    def _install(self, extra: str) -> None:
        _require_compiler()
        say(f"Installing the Python packages in {self._folder.name} ...")
        target = f".[{extra}]" if extra else "."
        run_in_stages(
            [self.python, "-m", "pip", "install", "--editable", target],
            _STAGES,
            "pip could not install the packages. Its message is above.",
            ROOT,
            {**_pip_environment(), **self._variables},
        )


WITHOUT_AMX = "-U__AMX_INT8__"
"""llama.cpp's AMX code crashes where GCC compiled it: https://github.com/ggml-org/llama.cpp/pull/26954."""

DEVELOPMENT = Venv(ROOT / ".venv")


def _require_compiler() -> None:
    if _WINDOWS or "CXX" in os.environ or any(map(shutil.which, ("c++", "g++", "clang++"))):
        return
    system_packages.ensure(
        ["g++"],
        "Building llama.cpp needs a C++ compiler",
        "install one first (macOS: xcode-select --install; Fedora: sudo dnf install gcc-c++)",
    )


def _pip_environment() -> dict[str, str]:
    environment = dict(os.environ)
    if not _WINDOWS:
        for variable in ("CFLAGS", "CXXFLAGS"):
            environment[variable] = f"{environment.get(variable, '')} {WITHOUT_AMX}".strip()
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    # As variables rather than -c the exact versions also hold for the packages that pip builds with: old pips
    # take the first variable for both, new ones the second. Relative, because pip splits them at spaces.
    for variable in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"):
        environment[variable] = f"{environment.get(variable, '')} constraints.txt".strip()
    return environment
