"""Vulkan headers new enough for llama.cpp: the system's own, or those of a newer Debian, unpacked beside."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import debian_archive
from shell import SetupError, run, say

NEWER_DEBIAN = "trixie"
_SYSTEM = Path("/usr/include")
_FAILURE = "The system's Vulkan headers are too old, and newer ones could not be downloaded from Debian."


def find_headers(folder: Path) -> Path:
    """`folder`: where newer ones are kept."""
    if _new_enough(_SYSTEM):
        return _SYSTEM
    if not _new_enough(folder):
        shutil.rmtree(folder, ignore_errors=True)
        with TemporaryDirectory(dir=folder.parent) as work:
            os.replace(_newer_headers(Path(work)), folder)
    return folder


def _new_enough(include: Path) -> bool:
    core = include / "vulkan" / "vulkan_core.h"
    return core.exists() and "VkLayerSettingEXT" in core.read_text()


def _newer_headers(work: Path) -> Path:
    archive = debian_archive.address()
    if not archive or not debian_archive.KEYRING.exists():
        raise SetupError(_FAILURE)
    say(f"Fetching the Vulkan headers of Debian {NEWER_DEBIAN} ...")
    lists = work / "lists"
    (lists / "partial").mkdir(parents=True)
    sources = work / "sources.list"
    sources.write_text(f"deb [signed-by={debian_archive.KEYRING}] {archive} {NEWER_DEBIAN} main\n")
    apt = ["apt-get", "--quiet=2", *_private_to(work, sources, lists)]
    run([*apt, "update"], _FAILURE, work)
    run([*apt, "download", f"libvulkan-dev/{NEWER_DEBIAN}"], _FAILURE, work)
    run(["dpkg", "--extract", next(work.glob("libvulkan-dev_*.deb")), work], _FAILURE)
    return work / "usr" / "include"


def _private_to(work: Path, sources: Path, lists: Path) -> list[str]:
    """Options that keep apt away from the system's own sources and package lists."""
    settings = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": lists,
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "",
    }
    return [f"-o{name}={value}" for name, value in settings.items()]
