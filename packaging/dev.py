"""Run or test specchat from a checkout. Creates the virtual environment if necessary.

python3 packaging/dev.py run [--gpu NAMES] [ARGUMENTS OF SPECCHAT]
python3 packaging/dev.py test [ARGUMENTS OF PYTEST]

--gpu also compiles llama.cpp for a GPU, once. NAMES: cuda, rocm or vulkan; auto: those whose tools are installed;
rpc: for other machines; none: removes them all. Later runs use the compiled backends.

If the packaging has changed, test also builds and tests the packaged program.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import build
import packaging_changes
import programs_for_tests
import system_packages
from project_venv import DEVELOPMENT, ROOT
from shell import SetupError, run, say

_OF_OTHERS = {"Windows": "win32", "macOS": "darwin"}
CHECKS = {
    "ruff check": ["ruff", "check"],
    "ruff format": ["ruff", "format", "--check"],
    "mypy": ["mypy"],
    **{
        f"mypy for {system}": ["mypy", f"--platform={name}", f"--cache-dir=.mypy_cache/{name}", "specchat", "packaging"]
        for system, name in _OF_OTHERS.items()
    },
    "lint-imports": ["lint-imports"],
}

MODULES = "GGML_BACKEND_PATH"
LLAMA_SERVER = "SPECCHAT_TEST_LLAMA_SERVER"
"""The path of one, or "compile": that takes 8 minutes of a processor, once."""
WORKERS = min((os.cpu_count() or 1) + 1, 4)
"""One more than cores, because a test often waits for a process that it started."""
AT_ONCE = [f"--numprocesses={WORKERS}", "--dist=loadfile", "--no-loadscope-reorder"]
"""All tests: the files share a machine's cores. Otherwise slow files with few tests would come last, when the other
workers have nothing left to do."""


def main(arguments: Sequence[str]) -> int:
    commands = {"run": run_program, "test": run_checks}
    command = commands.get(arguments[0]) if arguments else None
    if command is None:
        say(__doc__.strip())
        return 2
    try:
        return command(arguments[1:])
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def run_program(arguments: Sequence[str]) -> int:
    DEVELOPMENT.ensure("", "dev")
    wanted, arguments = _gpu_option(arguments)
    if wanted or (DEVELOPMENT.python.parent.parent / "backends").exists():
        os.environ.setdefault(MODULES, os.pathsep.join(_modules(wanted)))
    program = DEVELOPMENT.program("specchat")
    if os.name == "posix":
        os.execv(program, [str(program), *arguments])
    return subprocess.run([program, *arguments], check=False).returncode


def _gpu_option(arguments: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """What it names, and the program's own arguments."""
    match arguments:
        case ["--gpu", names, *others]:
            return [names], others
        case [first, *others] if first.startswith("--gpu="):
            return [first.removeprefix("--gpu=")], others
        case ["--gpu"]:
            raise SetupError("--gpu needs a name: auto, cuda, rocm, vulkan, rpc or none.")
    return [], arguments


def _modules(wanted: Sequence[str]) -> list[str]:
    """Of llama.cpp, for what the CPU build has no backend of its own."""
    command: list[str | Path] = [DEVELOPMENT.python, Path(__file__).with_name("gpu_backends.py"), *wanted]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise SetupError("specchat was not started. The reason is above.")
    return result.stdout.split("\n")[:-1]


def run_checks(pytest_arguments: Sequence[str]) -> int:
    DEVELOPMENT.ensure("dev")
    with ThreadPoolExecutor(1) as beside:  # each check keeps one core busy
        checks = beside.submit(lambda: {name: _passes_quietly(name, command) for name, command in CHECKS.items()})
        tests = _run_tests(pytest_arguments)
        outcomes = {**checks.result(), **tests}
    print(", ".join(f"{name}: {'ok' if passed else 'FAILED'}" for name, passed in outcomes.items()))
    return 0 if all(outcomes.values()) else 1


def _run_tests(pytest_arguments: Sequence[str]) -> dict[str, bool]:
    run([DEVELOPMENT.python, Path(__file__).with_name("qt_libraries.py")], "The tests of the window cannot run.")
    programs_for_tests.ensure()
    source = _of_llama("source-for-tests", "llama.cpp's source could not be unpacked")
    module = _of_llama("vulkan-for-tests", "The Vulkan backend could not be built")
    rpc = _of_llama("rpc-for-tests", "The RPC backend could not be built") if os.name == "posix" else ""
    variables = {"SPECCHAT_TEST_LLAMA_SOURCE": source, "SPECCHAT_TEST_VULKAN": module, "SPECCHAT_TEST_RPC": rpc}
    variables[LLAMA_SERVER] = _llama_server()
    outcomes = {}
    if not system_packages.can_install():
        say("Building the packaged program needs apt-get, so its tests are skipped.")
    elif packaging_changes.are_there():
        outcomes["bundle"] = _bundle_is_made()
        variables["SPECCHAT_TEST_BUNDLE"] = str(build.FOLDER) if outcomes["bundle"] else ""
    return {**outcomes, "pytest": _passes("pytest", *_pytest(variables, pytest_arguments))}


def _bundle_is_made() -> bool:
    try:
        build.make(["--folder", "--for-tests"])
    except SetupError as error:
        say(str(error))
        return False
    return True


def _of_llama(task: str, failure: str) -> str:
    """The path that a task of llama_build.py prints."""
    command: list[str | Path] = [DEVELOPMENT.python, Path(__file__).with_name("llama_build.py"), task]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        say(f"{failure} (see above), so its tests are skipped.")
        return ""
    return result.stdout.strip()


def _llama_server() -> str:
    given = os.environ.get(LLAMA_SERVER, "")
    return _of_llama("llama-server-for-tests", "llama-server could not be built") if given == "compile" else given


def _pytest(variables: Mapping[str, str], arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """A test that is marked with what is not there is left out."""
    marks = {
        "SPECCHAT_TEST_LLAMA_SOURCE": "llama_source",
        "SPECCHAT_TEST_VULKAN": "vulkan",
        "SPECCHAT_TEST_RPC": "rpc",
        "SPECCHAT_TEST_BUNDLE": "bundle",
        LLAMA_SERVER: "llama_server",
    }
    left_out = " and ".join(f"not {mark}" for variable, mark in marks.items() if not variables.get(variable))
    selection = ["-m", left_out] if left_out else []
    return ["pytest", *selection, *(arguments or AT_ONCE)], {**os.environ, **variables}


def _passes(name: str, command: Sequence[str], environment: Mapping[str, str]) -> bool:
    print(f"\n== {name}", flush=True)
    return subprocess.run(_of_project(command), cwd=ROOT, env=environment, check=False).returncode == 0


def _passes_quietly(name: str, command: Sequence[str]) -> bool:
    """What it prints comes at once, so that it stays together beside what the tests print."""
    pipe = subprocess.PIPE
    done = subprocess.run(_of_project(command), cwd=ROOT, stdout=pipe, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"\n== {name}\n{done.stdout}", end="", flush=True)
    return done.returncode == 0


def _of_project(command: Sequence[str]) -> list[str]:
    program, *arguments = command
    return [str(DEVELOPMENT.program(program)), *arguments]


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - any Python may be the one that starts this file
        sys.exit(f"specchat needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    sys.exit(main(sys.argv[1:]))
