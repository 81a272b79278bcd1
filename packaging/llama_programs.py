"""Programs of llama.cpp that use the libraries of the installed llama-cpp-python: as parts of the whole build they
would wait for all of llama.cpp.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from cmake_build import cmake
from shell import SetupError, run_silently

RPC_SERVER, LLAMA_SERVER = "ggml-rpc-server", "llama-server"


def compile_rpc_server(source: Path, folder: Path) -> None:
    libraries = _installed_libraries()
    program = source / "tools" / "rpc" / "rpc-server.cpp"
    command: list[str | Path] = [os.environ.get("CXX", "c++"), "-std=c++17", "-O1", "-DNDEBUG"]
    command += ["-I", source / "ggml" / "include", program, "-o", folder / RPC_SERVER]
    command += ["-L", libraries, "-lggml", "-lggml-base", f"-Wl,-rpath,{libraries}"]
    if sys.platform == "linux":
        command += [f"-Wl,-rpath-link,{libraries}"]
    run_silently(command, f"{RPC_SERVER} did not compile.")


def compile_llama_server(source: Path, folder: Path) -> None:
    definitions = [f"-DSOURCE={source}", f"-DLIBRARIES={_installed_libraries()}"]
    cmake("-S", Path(__file__).with_name("llama_server"), "-B", folder, "-G", "Ninja", *definitions)
    cmake("--build", folder)


def _installed_libraries() -> Path:
    found = importlib.util.find_spec("llama_cpp")
    if found is None or found.origin is None:
        raise SetupError("This Python has no llama-cpp-python; start the script with the one in .venv.")
    return Path(found.origin).parent / "lib"
