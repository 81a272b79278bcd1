"""The .deb, the .tar.xz with its install script, and the .run that extracts itself."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tarfile
import tempfile
from pathlib import Path

from checksums import write_checksums
from debian_package import make_package
from linux_tree import desktop_files
from settled import settle
from shell import run, say

LINUX = Path(__file__).resolve().parents[1] / "linux"
_DIGEST_PLACE = "@SHA256@"
_THREADS = "4"  # fixed, since the number of blocks depends on it


def make(program: Path, version: str, timestamp: int) -> list[Path]:
    dist = program.parent
    package = make_package(program, version, timestamp)
    with tempfile.TemporaryDirectory(dir=dist) as work:
        name = f"specchat-{version}"
        tree = _tree(program, Path(work) / name, version, timestamp)
        archive = _archive(tree, dist / f"{name}-linux-{platform.machine()}.tar.xz")
    made = [package, archive, _self_extracting(archive)]
    write_checksums(made)
    return made


def _tree(program: Path, folder: Path, version: str, timestamp: int) -> Path:
    folder.mkdir()
    shutil.copytree(program, folder / program.name, symlinks=True, copy_function=os.link)
    desktop_files(folder / "share", version, timestamp)
    for name in ("install.sh", "README.txt"):
        shutil.copy(LINUX / name, folder)
    (folder / "install.sh").chmod(0o755)
    settle(folder, timestamp)
    return folder


def _archive(tree: Path, archive: Path) -> Path:
    say(f"Packing {archive.name} ...")

    def nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    plain = archive.with_suffix("")
    with tarfile.open(plain, "w", format=tarfile.GNU_FORMAT, dereference=False) as packed:
        for path in [tree, *sorted(tree.rglob("*"))]:
            packed.add(path, path.relative_to(tree.parent), recursive=False, filter=nobodys)
    run(["xz", "--force", "-9", f"--threads={_THREADS}", plain], "xz could not pack the program.")
    return archive


def _self_extracting(archive: Path) -> Path:
    payload = archive.read_bytes()
    stub = (LINUX / "self_extract.sh").read_text(encoding="utf-8")
    installer = archive.with_name(archive.name.removesuffix(".tar.xz") + ".run")
    installer.write_bytes(stub.replace(_DIGEST_PLACE, hashlib.sha256(payload).hexdigest()).encode() + payload)
    installer.chmod(0o755)
    return installer
