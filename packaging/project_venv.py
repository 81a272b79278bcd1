"""The checkout's own virtual environment: made once, renewed when the requirements change."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

import system_packages
from shell import output_of, run, say

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
REQUIREMENTS = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
_WINDOWS = os.name == "nt"
_PROGRAMS = FOLDER / ("Scripts" if _WINDOWS else "bin")


def program(name: str) -> Path:
    return _PROGRAMS / (f"{name}.exe" if _WINDOWS else name)


PYTHON = program("python")


def ensure(extra: str = "") -> None:
    """After this the project is installed in the environment, with the optional dependencies named."""
    if _up_to_date("dev") or _up_to_date(extra):
        return
    _create()
    _install(extra)
    _stamp(extra).write_text(_digest())


def _stamp(extra: str) -> Path:
    return FOLDER / f"installed-{extra or 'base'}"


def _up_to_date(extra: str) -> bool:
    stamp = _stamp(extra)
    return PYTHON.exists() and stamp.exists() and stamp.read_text() == _digest()


def _digest() -> str:
    digest = hashlib.sha256(str(PYTHON.resolve()).encode())
    for file in REQUIREMENTS:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _create() -> None:
    if PYTHON.exists() and output_of([PYTHON, "-m", "pip", "--version"]):
        return
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        system_packages.ensure(
            [package], "Python's venv module is missing", "install it from where this Python came from"
        )
    say(f"Creating {FOLDER} ...")
    run([sys.executable, "-m", "venv", "--clear", FOLDER], "Python could not create the virtual environment.")


def _install(extra: str) -> None:
    if _engine_installed():
        say("Updating the Python packages ...")
    else:
        _require_compiler()
        say("Installing the Python packages. Building llama.cpp, about 4 minutes, once ...")
    target = f".[{extra}]" if extra else "."
    run(
        [PYTHON, "-m", "pip", "install", "--editable", target],
        "pip could not install the packages; its own message stands above.",
        ROOT,
        _pip_environment(),
    )


def _engine_installed() -> bool:
    return any(FOLDER.glob("[Ll]ib/**/llama_cpp_python-*.dist-info"))


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
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    # As variables rather than -c the exact versions also hold for the packages that pip builds with: old pips
    # take the first variable for both, new ones the second. Relative, because pip splits them at spaces.
    for variable in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"):
        environment[variable] = f"{environment.get(variable, '')} constraints.txt".strip()
    return environment
