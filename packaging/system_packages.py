"""What pip cannot bring: Debian's own packages, installed where that is allowed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from shell import SetupError, output_of, run_silently, say


def can_install() -> bool:
    return sys.platform != "win32" and shutil.which("apt-get") is not None and os.geteuid() == 0


def ensure(packages: Sequence[str], purpose: str, elsewhere: str) -> None:
    """Raises SetupError with what to do when the packages are missing and cannot be installed from here."""
    if sys.platform == "win32" or shutil.which("apt-get") is None:
        raise SetupError(f"{purpose}: {elsewhere}.")
    missing = [package for package in packages if not _installed(package)]
    if not missing:
        return
    if os.geteuid() != 0:
        raise SetupError(f"{purpose}; install it with: sudo apt-get install {' '.join(missing)}")
    say(f"{purpose}; installing {', '.join(missing)} ...")
    _install(missing)


def _installed(package: str) -> bool:
    return output_of(["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]) == "installed"


def _install(packages: Sequence[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["install", "--yes", "--no-install-recommends", *packages]
    for arguments in (["update"], install):
        run_silently(["apt-get", *arguments], f"apt-get could not install {' '.join(packages)}.", environment)
