"""The Debian package: the program in /usr/lib/specchat, and where the desktop looks for it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from linux_tree import desktop_files
from needed_versions import needed_versions
from settled import settle
from shell import run, say

from specchat.ui.start.system_libraries import BASE_LIBRARIES, PLATFORM_LIBRARIES

LINUX = Path(__file__).resolve().parents[1] / "linux"
_ARCHITECTURES = {"x86_64": "amd64"}
_CONTROL = """\
Package: specchat
Version: {version}
Architecture: {architecture}
Maintainer: The specchat developers <specchat@users.noreply.github.com>
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: libvulkan1, mesa-vulkan-drivers, xdg-utils, gnome-keyring | kwalletmanager | keepassxc
Section: utils
Priority: optional
Homepage: https://github.com/specchat/specchat
Description: chat with local language models, faster
 A small draft model guesses ahead. The large target checks all guesses in one
 pass and accepts those that it would have written itself. You get the same
 answer, just sooner. specchat shows how many guesses were accepted and how
 much time they saved.
 .
 Models are GGUF files on this computer or from Hugging Face. A demo is
 included. specchat sends no data about you anywhere.
"""


def make_package(program: Path, version: str, timestamp: int) -> Path:
    architecture = _ARCHITECTURES[platform.machine()]
    package = program.parent / f"specchat_{version}_{architecture}.deb"
    say(f"Packing {package.name} ...")
    with tempfile.TemporaryDirectory(dir=program.parent) as work:
        root = Path(work) / "root"
        fill(root, program, version, timestamp)
        _describe(root, version, architecture)
        settle(root, timestamp)
        command: list[str | Path] = [
            "dpkg-deb",
            "--root-owner-group",
            "-Zxz",
            "-z9",
            "--threads-max=4",
            "--build",
            root,
            package,
        ]
        run(command, "dpkg-deb could not make the package.")
    return package


def fill(root: Path, program: Path, version: str, timestamp: int) -> None:
    usr = root / "usr"
    (usr / "lib").mkdir(parents=True)
    shutil.copytree(program, usr / "lib" / "specchat", symlinks=True, copy_function=os.link)
    (usr / "bin").mkdir()
    (usr / "bin" / "specchat").symlink_to("../lib/specchat/specchat")
    desktop_files(usr / "share", version, timestamp)
    zsh = usr / "share" / "zsh"
    (zsh / "site-functions").rename(zsh / "vendor-completions")  # where Debian's looks
    documents = usr / "share" / "doc" / "specchat"
    documents.mkdir(parents=True)
    shutil.copy(LINUX / "copyright", documents)


def _describe(root: Path, version: str, architecture: str) -> None:
    kilobytes = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    control = root / "DEBIAN" / "control"
    control.parent.mkdir()
    depends = ", ".join(_depends(root / "usr" / "lib" / "specchat"))
    control.write_text(
        _CONTROL.format(
            version=debians_version(version), architecture=architecture, kilobytes=kilobytes, depends=depends
        ),
        encoding="utf-8",
    )


def debians_version(version: str) -> str:
    """What comes before a release is to be sorted before it."""
    return re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"~\1", version)


def _depends(program: Path) -> Iterable[str]:
    """Qt's libraries from the system rather than those that are shipped for the case that it has none."""
    needed = needed_versions(program)
    yield f"libc6 (>= {needed['GLIBC']})"
    yield "libstdc++6 (>= 12)"
    yield "fonts-dejavu-core | fonts-noto-core | fonts-liberation"
    yield "xkb-data"
    yield from sorted({library.debian for library in (*BASE_LIBRARIES, *PLATFORM_LIBRARIES["xcb"])})
