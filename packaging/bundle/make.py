"""What build.py runs in the environment it has made."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import app_folder
import build
from llama_build import LlamaBuild
from program_version import program_version
from shell import SetupError, say
from sizes import TOO_LARGE, report

DIST = build.FOLDER.parent


def main(arguments: Sequence[str]) -> int:
    try:
        _make(arguments)
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _make(arguments: Sequence[str]) -> None:
    folder_only = "--folder" in arguments
    timestamp = int(os.environ["SOURCE_DATE_EPOCH"])
    old = build.FOLDER if folder_only else DIST
    if old.exists():
        shutil.rmtree(old)
    llama = LlamaBuild(with_vulkan="--without-vulkan" not in arguments, for_tests="--for-tests" in arguments)
    program = app_folder.build(build.FOLDER, timestamp, llama)
    made = [] if folder_only else _downloads(program, program_version(app_folder.ROOT), timestamp)
    text = report(program, made)
    (DIST / "sizes.txt").write_text(text, encoding="utf-8")
    say(text)
    if TOO_LARGE in text:
        raise SetupError("The files are larger than allowed.")


def _downloads(program: Path, version: str, timestamp: int) -> list[Path]:
    match sys.platform:
        case "linux":
            import linux_downloads

            return linux_downloads.make(program, version, timestamp)
        case "win32":
            import windows_downloads

            return windows_downloads.make(program, version)
        case _:
            import mac_downloads

            return mac_downloads.make(program, version)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
