"""The programs that some tests call: without them those tests are left out."""

from __future__ import annotations

import shutil

import system_packages
from shell import SetupError, say

PACKAGES = {
    "appstreamcli": "appstream",
    "bash": "bash",
    "cc": "gcc",
    "curl": "curl",
    "desktop-file-validate": "desktop-file-utils",
    "fish": "fish",
    "makensis": "nsis",
    "openssl": "openssl",
    "xz": "xz-utils",
    "zsh": "zsh",
}
"""In which of Debian's packages each of them is."""


def ensure() -> None:
    missing = [program for program in PACKAGES if shutil.which(program) is None]
    if not missing:
        return
    purpose = f"Some tests need {', '.join(missing)}"
    try:
        system_packages.ensure([PACKAGES[program] for program in missing], purpose, "install what is missing")
    except SetupError as error:
        say(f"{error}\nThese tests are skipped.")
