"""One round for each file that people download."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import system_packages
from shell import SetupError, say
from trial import desktop_entry
from trial.chats import DATABASE, answers
from trial.checks import Checks, Stopped
from trial.debian import Debians, debians
from trial.files import Files, differences, files_in
from trial.machine import Machine, User
from trial.person import Person
from trial.screen import Screen, screen_of

ROOT = Path(__file__).resolve().parents[2]
JOERG = User("joerg", "/home/Jörg Test")
ENTRY = "share/applications/specchat.desktop"
_NOT_OF_PACKAGES = ("dev", "home", "proc", "run", "sys", "tmp", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log")
_OF_THE_USER = (".cache", ".config/specchat", ".local/share/specchat", ".local/state/specchat")
_ANY_DESKTOP = ("fontconfig-config", "fonts-dejavu-core", "libx11-data", "xkb-data")
"""Fonts and keyboards, but none of the libraries: those that the system lacks are in the archive."""
_NOT_NEEDED = ("python3", "gcc", "cc", "c++")


@dataclass(frozen=True, slots=True)
class Rounds:
    debians: Debians
    screen: Screen
    checks: Checks
    pictures: Path

    def deb(self, package: Path) -> None:
        machine = self.debians.minimal()
        person = self._person(machine, "deb")
        before = files_in(machine.root, _NOT_OF_PACKAGES)
        shutil.copy(package, machine.root / "tmp")
        machine.install(f"/tmp/{package.name}")
        entry = machine.root / "usr" / ENTRY
        self._chat(person, entry)
        machine.do("apt-get", "purge", "--yes", "specchat")
        machine.do("apt-get", "autoremove", "--purge", "--yes")
        self._nothing_left(before, files_in(machine.root, _NOT_OF_PACKAGES))
        self._chats_kept(person)

    def tar(self, archive: Path) -> None:
        machine = self.debians.minimal(*_ANY_DESKTOP, "xz-utils")
        person = self._person(machine, "tar")
        self._as_user(person, "the archive is unpacked", "tar", "-xf", self._downloaded(person, archive))
        before = files_in(person.home, _OF_THE_USER)
        folder = next(person.home.glob("specchat-*")).name
        self._as_user(person, "install.sh installs it", "sh", f"{folder}/install.sh")
        self._chat(person, person.home / ".local" / ENTRY)
        self._as_user(person, "uninstall.sh removes it", "sh", ".local/lib/specchat/uninstall.sh")
        self._nothing_left(before, files_in(person.home, _OF_THE_USER))
        self._chats_kept(person)

    def run(self, installer: Path) -> None:
        machine = self.debians.minimal(*_ANY_DESKTOP)
        person = self._person(machine, "run")
        downloaded = self._downloaded(person, installer)
        refused = machine.run(["sh", downloaded], JOERG)
        self.checks.check("without xz it says what to install", "xz-utils" in refused.stderr, refused)
        machine.install("desktop-file-utils", "shared-mime-info", "xz-utils")
        before = files_in(person.home, _OF_THE_USER)
        person.double_click(downloaded)
        self._chat(person, person.home / ".local" / ENTRY)
        self._as_user(person, "--remove removes it", "sh", downloaded, "--remove")
        self._nothing_left(before, files_in(person.home, _OF_THE_USER))
        self._chats_kept(person)

    def _person(self, machine: Machine, name: str) -> Person:
        machine.add_user(JOERG)
        return Person(JOERG, machine, self.screen, self.checks, self.pictures, name)

    def _chat(self, person: Person, entry: Path) -> None:
        self.checks.require("it is in the menu", entry.is_file(), entry)
        there = [name for name in _NOT_NEEDED if person.machine.run(["which", name]).returncode == 0]
        self.checks.check("there is no Python and no compiler", not there, there)
        person.smoke_test(desktop_entry.command(entry))
        person.chat(entry)
        person.open_model(entry)

    def _as_user(self, person: Person, what: str, *command: str) -> None:
        done = person.machine.run(command, JOERG)
        self.checks.require(what, done.returncode == 0 and not done.stderr, f"{done.stdout}{done.stderr}")

    def _downloaded(self, person: Person, file: Path) -> str:
        shutil.copy(file, person.home)
        (person.home / file.name).chmod(0o755)
        return f"{JOERG.home}/{file.name}"

    def _nothing_left(self, before: Files, after: Files) -> None:
        left = differences(before, after)
        self.checks.check("nothing of it is left, and nothing else is changed", not left, "\n".join(left))

    def _chats_kept(self, person: Person) -> None:
        self.checks.check("the chats are still there", answers(person.home), person.home / DATABASE)


def main(arguments: Sequence[str]) -> int:
    wanted = _parser().parse_args(arguments)
    checks = Checks()
    try:
        _try(wanted, checks)
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\n{f'{checks.failed} FAILED' if checks.failed else 'all is well'}")
    return 1 if checks.failed else 0


def _try(wanted: argparse.Namespace, checks: Checks) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        raise SetupError("The trial makes a small Debian, which needs Debian and root: start it with sudo.")
    chosen = [name for name in _FILES if getattr(wanted, name)] or list(_FILES)
    files = {name: _file(wanted.dist, _FILES[name]) for name in chosen}
    system_packages.ensure(["debootstrap"], "The trial makes a small Debian", "it needs Debian")
    with debians(ROOT / ".cache" / "trial", wanted.debian) as sources, screen_of(sources.with_screen()) as screen:
        rounds = Rounds(sources, screen, checks, wanted.out.resolve())
        tried: dict[str, Callable[[Path], None]] = {"deb": rounds.deb, "tar": rounds.tar, "run": rounds.run}
        for name, file in files.items():
            checks.begin(file.name)
            try:
                tried[name](file)
            except Stopped:
                continue


_FILES = {"deb": "specchat_*.deb", "tar": "specchat-*.tar.xz", "run": "specchat-*.run"}


def _file(dist: Path, pattern: str) -> Path:
    found = sorted(dist.glob(pattern))
    if not found:
        raise SetupError(f"There is no {dist / pattern}; python3 packaging/build.py makes it.")
    return found[-1]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="trial.py", description="Tries what people download, in a minimal Debian.")
    for name, pattern in _FILES.items():
        parser.add_argument(f"--{name}", action="store_true", help=f"try {pattern}; without any such choice, all")
    parser.add_argument("--debian", metavar="RELEASE", default="", help="another Debian than the one this runs on")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder with the files")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "trial", help="the folder for pictures")
    return parser
