"""The program in one folder: what PyInstaller collects, llama.cpp for every processor, and what a system may lack."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import contents
import licences
import system_packages
import visual_cpp
from llama_build import LlamaBuild
from llama_programs import RPC_SERVER
from program_version import program_version
from settled import settle
from shell import run, run_silently, say
from system_closure import SYSTEM_FOLDERS, system_libraries_of, with_what_they_need

from specchat.ui.start.system_libraries import BASE_LIBRARIES, PLATFORM_LIBRARIES, Library

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".cache" / "bundle"
LINUX = sys.platform == "linux"
WINDOWS = sys.platform == "win32"
MAC = sys.platform == "darwin"
FONTS = [
    Path("/usr/share/fonts/truetype/dejavu") / f"{name}.ttf"
    for name in ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono")
]


def build(destination: Path, timestamp: int, llama: LlamaBuild) -> Path:
    """The folder; on macOS the .app, which is a folder too. What it needs is looked for before what takes minutes."""
    visual_cpps = visual_cpp.libraries() if WINDOWS else []
    if LINUX:
        _ensure_system_packages()
    libraries = llama.libraries()
    _collect(destination.parent, timestamp)
    inside = _inside(destination)
    _place([*libraries, llama.server()], inside / "llama_cpp" / "lib")
    if MAC:
        (inside / "llama_cpp" / "lib" / "libllama.dylib").symlink_to("libllama.0.dylib")
    systems: list[Path] = []
    if LINUX:
        systems = _place_systems(inside, libraries)
        _strip(inside)
    if WINDOWS:
        visual_cpp.place(visual_cpps, inside)
    _write_licences(inside, llama, systems)
    _let_only_programs_run(destination)
    settle(destination, timestamp)
    _require_smoke_test(destination)
    return destination


def _ensure_system_packages() -> None:
    packages = {"binutils", "fonts-dejavu-core", "patchelf", "xz-utils", *(one.debian for one in _qts_libraries())}
    if sys.base_prefix == "/usr":
        packages.add(f"libpython3.{sys.version_info.minor}")
    system_packages.ensure(sorted(packages), "The bundle uses Debian packages", "build it on Debian")


def _qts_libraries() -> Iterator[Library]:
    yield from BASE_LIBRARIES
    for libraries in PLATFORM_LIBRARIES.values():
        yield from libraries


def _spares() -> dict[str, Path]:
    """Used where the system has none of its own."""
    return with_what_they_need(library.file for library in _qts_libraries())


def _openmp(libraries: Iterable[Path]) -> list[Path]:
    needed = system_libraries_of(list(libraries))
    return [path for name, path in needed.items() if name.startswith("libgomp.")]


def _collect(folder: Path, timestamp: int) -> None:
    say("Collecting the program, its Python and Qt ...")
    spec = Path(__file__).with_name("specchat.spec")
    # Sets have an order that is a matter of chance, and it would show in the compiled modules.
    environment = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(timestamp)}
    options: list[str | Path] = ["--noconfirm", "--clean", "--log-level=WARN", "--distpath", folder, "--workpath", WORK]
    command: list[str | Path] = [sys.executable, "-m", "PyInstaller", *options, spec]
    run_silently(command, "PyInstaller could not collect the program.", environment)
    if MAC:
        shutil.rmtree(folder / "specchat")  # the .app has all of it


def _inside(destination: Path) -> Path:
    return destination / ("Contents/Frameworks" if destination.suffix == ".app" else "_internal")


def _place(libraries: Iterable[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for library in libraries:
        shutil.copyfile(library.resolve(), folder / library.name)


def _place_systems(inside: Path, libraries: Iterable[Path]) -> list[Path]:
    """All that is of the system it is built on."""
    openmp, spares = _openmp(libraries), _spares()
    _place(openmp, inside / "llama_cpp" / "lib")
    _place((path for name, path in spares.items() if not (inside / name).exists()), inside / "spare")
    _place(FONTS, inside / "spare" / "fonts")
    return [*openmp, *spares.values(), *FONTS, *_pythons_system_libraries()]


def _strip(inside: Path) -> None:
    """Python itself may come with all that a debugger wants to know, and look for its libraries where it was made."""
    ours = [*inside.glob("libpython*.so*"), *inside.glob("python3*/lib-dynload/*.so")]
    run(["strip", "--strip-unneeded", *ours], "The libraries of Python could not be stripped.")
    run(["patchelf", "--remove-rpath", *ours], "The libraries of Python could not be freed from where they came from.")


def _write_licences(inside: Path, llama: LlamaBuild, systems: Iterable[Path]) -> None:
    all_of_them = licences.Licences(inside / "specchat" / "resources" / "licences")
    licences.add_ours(all_of_them, program_version(ROOT))
    licences.add_python(all_of_them)
    licences.add_qt(all_of_them)
    licences.add_font(all_of_them)
    licences.add_llama_cpp(all_of_them, llama.version, llama.licences())
    licences.add_python_packages(all_of_them, _modules())
    licences.add_system_libraries(all_of_them, systems)
    if WINDOWS:
        texts = [visual_cpp.LICENCE_TEXT]
        all_of_them.add(visual_cpp.NAME, visual_cpp.version(), "see text", visual_cpp.HOMEPAGE, texts)
    all_of_them.write()


def _modules() -> set[str]:
    pure = {name.partition(".")[0] for name, _, _ in _collected("PYZ-00.toc", 1)}
    compiled = {
        re.split(r"[./\\]", name)[0] for name, _, kind in _collected("COLLECT-00.toc", 0) if kind == "EXTENSION"
    }
    return {*pure, *compiled, "PyInstaller"}  # the program begins with a part of PyInstaller's


def _pythons_system_libraries() -> list[Path]:
    return [Path(source) for _, source, _ in _collected("COLLECT-00.toc", 0) if source.startswith(SYSTEM_FOLDERS)]


def _collected(file: str, place: int) -> list[contents.Entry]:
    entries: list[contents.Entry] = ast.literal_eval((WORK / "specchat" / file).read_text(encoding="utf-8"))[place]
    return entries


def _let_only_programs_run(folder: Path) -> None:
    """Libraries need no such right, whatever they came with."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            is_program = path.suffix == "" and path.parent in (folder, folder / "Contents" / "MacOS")
            runs = is_program or path.name == RPC_SERVER
            path.chmod(0o755 if runs else 0o644)


def _require_smoke_test(program: Path) -> None:
    say("Testing the program ...")
    started = {"darwin": "Contents/MacOS/specchat", "win32": "specchat-cli.exe"}.get(sys.platform, "specchat")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    run_silently([program / started, "--smoke-test"], "The program failed its smoke test.", environment)
