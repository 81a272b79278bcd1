"""Small Debians, fetched once and kept in the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import debian_archive
from shell import SetupError, run, run_silently, say
from trial.machine import Machine

_APT_SETTINGS = ("Acquire::Check-Date", "Acquire::Check-Valid-Until", "Acquire::http::Proxy", "Acquire::https::Proxy")
_SCREEN = ("imagemagick", "xdotool", "xvfb")


class Debians:
    def __init__(self, cache: Path, work: Path, release: str) -> None:
        self._cache = cache
        self._release = release
        self._work = work
        self._packages = cache / "packages"
        self._sockets = work / "sockets"
        (self._packages / "partial").mkdir(parents=True, exist_ok=True)
        self._sockets.mkdir()
        self._sockets.chmod(0o1777)

    def minimal(self, *packages: str) -> Machine:
        return self._unpacked(self._kept(f"{self._release}-minimal", self._bootstrap), packages)

    def with_screen(self) -> Machine:
        """What shows windows, types and takes pictures is on another machine than what is tried."""
        return self._unpacked(self._kept(f"{self._release}-screen", lambda: self.minimal(*_SCREEN).root), ())

    def _kept(self, name: str, make: Callable[[], Path]) -> Path:
        archive = self._cache / f"{name}.tar"
        if not archive.exists():
            with _replacing(archive) as new:
                run(["tar", "--create", "--file", new, "--one-file-system", "-C", make(), "."], "tar failed.")
        return archive

    def _bootstrap(self) -> Path:
        say("Fetching a minimal Debian, once ...")
        root = self._new_folder()
        command = ["debootstrap", "--variant=minbase", self._release, str(root), debian_archive.address()]
        run_silently(command, "debootstrap could not make a minimal Debian.")
        (root / "etc/dpkg/dpkg.cfg.d/quick").write_text("force-unsafe-io\n")
        return root

    def _unpacked(self, archive: Path, packages: Sequence[str]) -> Machine:
        root = self._new_folder()
        run(["tar", "--extract", "--preserve-permissions", "--file", archive, "-C", root], "tar failed.")
        self._let_it_find_the_archive(root)
        machine = Machine(root, self._packages, self._sockets)
        if packages:
            machine.install(*packages)
        return machine

    def _let_it_find_the_archive(self, root: Path) -> None:
        for name in ("resolv.conf", "hosts"):
            (root / "etc" / name).write_bytes(Path("/etc", name).read_bytes())
        source = f"deb {debian_archive.address()} {self._release} main\n"
        (root / "etc/apt/sources.list").write_text(source)
        (root / "etc/apt/apt.conf.d/archive").write_text("".join(_apt_settings()))

    def _new_folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="debian-", dir=self._work))
        folder.chmod(0o755)
        return folder


@contextmanager
def debians(cache: Path, release: str = "") -> Iterator[Debians]:
    if not debian_archive.address():
        raise SetupError("The trial makes a small Debian from the archive of the one it runs on; there is none here.")
    work = cache / "work"
    shutil.rmtree(work, ignore_errors=True)  # of a trial that was killed
    work.mkdir(parents=True)
    try:
        yield Debians(cache, work, release or debian_archive.release())
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _apt_settings() -> Iterator[str]:
    dump = subprocess.run(["apt-config", "dump", *_APT_SETTINGS], capture_output=True, text=True, check=True)
    for line in dump.stdout.splitlines():
        if line.startswith(_APT_SETTINGS) and not line.endswith(' "";'):
            yield f"{line}\n"


@contextmanager
def _replacing(file: Path) -> Iterator[Path]:
    new = file.with_suffix(".new")
    yield new
    os.replace(new, file)
