"""Sees to the system libraries that Qt needs to draw windows without showing them, as the tests do. Run with the
project's Python."""

from __future__ import annotations

import sys

import system_packages
from shell import SetupError, say

from specchat.ui.start.system_libraries import install_command, missing_libraries


def ensure() -> None:
    libraries = missing_libraries() if sys.platform == "linux" else []
    if libraries:
        files = ", ".join(library.file for library in libraries)
        system_packages.ensure(
            sorted({library.debian for library in libraries}),
            "Qt needs system libraries",
            install_command(libraries) or f"install the packages that contain {files}",
        )


def main() -> int:
    try:
        ensure()
    except SetupError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
