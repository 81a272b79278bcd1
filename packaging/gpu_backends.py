"""llama.cpp's backends for graphics cards and other machines, compiled as modules that the installed CPU build loads.
Run with the project's Python:

python packaging/gpu_backends.py [NAMES]    compiles these (cuda, rocm, vulkan, rpc; auto: the first whose tools are
                                            here; none: forgets all), and prints the modules that are there then
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from llama_build import LlamaBuild
from llama_programs import RPC_SERVER
from shell import SetupError, say

_NVIDIA = Path("/proc/driver/nvidia/gpus")


@dataclass(frozen=True)
class Backend:
    tool: str
    """Without it, it cannot be compiled."""
    needs: str
    target: str = ""
    """CMake's; empty: it is compiled as for the tests."""
    options: Mapping[str, str] = field(default_factory=dict)
    minutes: int = 1


BACKENDS = {
    "cuda": Backend("nvcc", "NVIDIA's CUDA toolkit (nvcc)", "ggml-cuda", {"GGML_CUDA": "ON"}, 20),
    "rocm": Backend("hipcc", "AMD's ROCm (hipcc)", "ggml-hip", {"GGML_HIP": "ON"}, 20),
    "vulkan": Backend("glslc", "the Vulkan headers and glslc (Debian: libvulkan-dev, glslc)"),
    "rpc": Backend("cmake", "CMake"),
}
"""The best for a card first."""
_FOR_CARDS = ("cuda", "rocm", "vulkan")


def chosen_backends(names: str) -> list[str]:
    """In the given order. What cannot be compiled here is a SetupError that says what it needs."""
    wanted = [name for name in names.split(",") if name]
    if wanted == ["auto"]:
        return [] if sys.platform == "darwin" else [_first_possible()]
    for name in wanted:
        if name == "metal" and sys.platform == "darwin":
            continue  # a part of what pip builds
        if name not in BACKENDS:
            known = ", ".join([*BACKENDS, "metal (on a Mac)", "auto", "none"])
            raise SetupError(f"There is no backend {name!r} for this system. Choose one of: {known}.")
        if name in ("cuda", "rocm") and not _is_possible(name):
            raise SetupError(f"{name} needs {BACKENDS[name].needs}. Install it first, or choose another backend.")
    return [name for name in wanted if name != "metal"]


def _first_possible() -> str:
    for name in _FOR_CARDS:
        if _is_possible(name):
            return name
    needs = "\n".join(f"  {name}: {BACKENDS[name].needs}" for name in _FOR_CARDS)
    raise SetupError(f"No tools to compile llama.cpp for a GPU were found. Install one of these:\n{needs}")


def _is_possible(name: str) -> bool:
    return shutil.which(BACKENDS[name].tool) is not None


def compile_backend(build: LlamaBuild, name: str) -> list[Path]:
    """Its module, and what belongs to it."""
    if name == "vulkan":
        return [build.vulkan_module()]
    if name == "rpc":
        return sorted(build.rpc_folder().iterdir())
    backend = BACKENDS[name]
    options = dict(backend.options)
    if name == "cuda" and _NVIDIA.exists():
        options["CMAKE_CUDA_ARCHITECTURES"] = "native"
    say(f"Compiling llama.cpp for {name}, which takes about {backend.minutes} minutes, but only once ...")
    return [build.module(backend.target, options)]


def folder_of_modules(build: LlamaBuild) -> Path:
    return Path(sys.prefix) / "backends" / build.engine_version


def main(arguments: Sequence[str]) -> int:
    build = LlamaBuild()
    folder = folder_of_modules(build)
    try:
        for names in arguments:
            if names == "none":
                shutil.rmtree(folder, ignore_errors=True)
                continue
            for name in chosen_backends(names):
                made = compile_backend(build, name)
                folder.mkdir(parents=True, exist_ok=True)
                for file in made:
                    shutil.copy2(file, folder)
    except SetupError as error:
        say(str(error))
        return 1
    for file in sorted(folder.glob("*ggml-*")):
        if file.stem != RPC_SERVER:
            print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
