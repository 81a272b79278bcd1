"""llama.cpp's Vulkan backend as a module for the installed CPU build to load: on Mesa's software driver it is
a GPU for the tests on a machine without one. Run with the project's Python, it prints the module's path."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import system_packages
from shell import SetupError, run, run_silently, say
from vulkan_headers import find_headers

ROOT = Path(__file__).resolve().parent.parent
MODULE = "libggml-vulkan.so"
RUNTIME_PACKAGES = ("libvulkan1", "mesa-vulkan-drivers")
BUILD_PACKAGES = ("g++", "glslc", "libvulkan-dev", "spirv-headers")
_VENDORED = "vendor/llama.cpp"
_CMAKE_OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    # No path to the libggml-base of this build: the module must bind to the one that is already loaded.
    "CMAKE_SKIP_RPATH": "ON",
    "BUILD_SHARED_LIBS": "ON",
    "GGML_BACKEND_DL": "ON",
    "GGML_CPU": "OFF",
    "GGML_VULKAN": "ON",
    "LLAMA_BUILD_APP": "OFF",
    "LLAMA_BUILD_COMMON": "OFF",
    "LLAMA_BUILD_EXAMPLES": "OFF",
    "LLAMA_BUILD_SERVER": "OFF",
    "LLAMA_BUILD_TESTS": "OFF",
    "LLAMA_BUILD_TOOLS": "OFF",
}


def default_destination() -> Path:
    return ROOT / ".cache" / f"vulkan-{_engine_version()}"


def build(destination: Path) -> Path:
    """The module in this folder, built there unless it already is."""
    module = destination / MODULE
    needed = RUNTIME_PACKAGES if module.exists() else (*RUNTIME_PACKAGES, *BUILD_PACKAGES)
    system_packages.ensure(
        needed, "The Vulkan tests need Mesa's software device", "they run where apt-get can install it"
    )
    if module.exists():
        return module
    say("Building llama.cpp's Vulkan backend for the tests, about 2 minutes, once ...")
    destination.mkdir(parents=True, exist_ok=True)
    _install_build_tools()
    with tempfile.TemporaryDirectory(dir=destination) as work:
        built = _compile(_unpack_source(Path(work)), Path(work))
        os.replace(built, module)
    return module


def _engine_version() -> str:
    try:
        return importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        raise SetupError("This Python has no llama-cpp-python; start the script with the one in .venv.") from None


def _unpack_source(work: Path) -> Path:
    requirement = f"llama-cpp-python=={_engine_version()}"
    source_only = ["--no-deps", "--no-binary", "llama-cpp-python", "--dest", str(work)]
    run(
        [sys.executable, "-m", "pip", "download", "--quiet", *source_only, requirement],
        "pip could not download llama.cpp's source.",
    )
    archive = next(work.glob("llama_cpp_python-*.tar.gz"))
    with tarfile.open(archive) as source:
        # As an attribute, because Debian 12's Python 3.11.2 has no filters yet.
        source.extraction_filter = getattr(tarfile, "data_filter", None)
        source.extractall(work, [member for member in source if f"/{_VENDORED}/" in member.name])
    return next(work.glob(f"llama_cpp_python-*/{_VENDORED}"))


def _compile(source: Path, work: Path) -> Path:
    folder = work / "build"
    options = {**_CMAKE_OPTIONS, "Vulkan_INCLUDE_DIR": str(find_headers(work))}
    definitions = [f"-D{name}={value}" for name, value in options.items()]
    _run_cmake(["-S", str(source), "-B", str(folder), "-G", "Ninja", *definitions])
    _run_cmake(["--build", str(folder), "--target", "ggml-vulkan"])
    return folder / "bin" / MODULE


def _run_cmake(arguments: Sequence[str]) -> None:
    # CMake and Ninja come as Python packages; the shader generator, a build within the build, looks for them too.
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    run_silently([programs / "cmake", *arguments], "The Vulkan backend did not compile.", environment)


def _install_build_tools() -> None:
    constraints = ["-c", str(ROOT / "constraints.txt")]
    run(
        [sys.executable, "-m", "pip", "install", "--quiet", *constraints, "cmake", "ninja"],
        "pip could not install CMake and Ninja.",
    )


def main() -> int:
    try:
        print(build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default_destination()))
    except SetupError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
