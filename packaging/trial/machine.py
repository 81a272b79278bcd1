"""A Debian in a folder. Each command runs in namespaces of its own: its mounts and processes end with it, always."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from shell import SetupError

_ROOTS_ENVIRONMENT = {"HOME": "/root", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
# Not the last command, so that the shell stays: the first process of a namespace cannot be ended by ordinary signals.
_ENTER = """\
set -e
root=$1 packages=$2 sockets=$3
shift 3
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount --bind "$packages" "$root/var/cache/apt/archives"
mkdir -p "$root/tmp/.X11-unix"
mount --bind "$sockets" "$root/tmp/.X11-unix"
chroot "$@" || exit $?
"""


@dataclass(frozen=True, slots=True)
class User:
    name: str
    home: str

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": self.home,
            "LANG": "C.UTF-8",
            "LOGNAME": self.name,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "USER": self.name,
            "XDG_RUNTIME_DIR": f"/run/user/{self.name}",
        }


@dataclass(frozen=True, slots=True)
class Machine:
    root: Path
    packages: Path
    """Shared by all machines, as what follows: what apt downloaded."""
    sockets: Path
    """Where displays are found."""

    def run(
        self, command: Sequence[str], user: User | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self._entered(command, user, environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def start(
        self, command: Sequence[str], user: User | None, output: IO[bytes], **environment: str
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._entered(command, user, environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def do(self, *command: str) -> str:
        """As root, and it must succeed."""
        done = self.run(command, DEBIAN_FRONTEND="noninteractive")
        if done.returncode != 0:
            raise SetupError(f"{done.stdout}{done.stderr}\n{' '.join(command)} failed in the small Debian.")
        return done.stdout

    def install(self, *packages: str) -> None:
        """From Debian, or a .deb by its path."""
        self.do("apt-get", "--quiet=2", "update")
        self.do("apt-get", "--quiet", "install", "--yes", "--no-install-recommends", *packages)

    def add_user(self, user: User) -> None:
        self.do("useradd", "--create-home", "--home-dir", user.home, user.name)
        runtime = user.environment["XDG_RUNTIME_DIR"]
        self.do("install", "--directory", "--mode=700", f"--owner={user.name}", runtime)

    def inside(self, path: str) -> Path:
        """Where a path of this machine is for us."""
        return self.root / path.lstrip("/")

    def _entered(self, command: Sequence[str], user: User | None, environment: Mapping[str, str]) -> list[str]:
        alone = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"]
        enter = ["sh", "-c", _ENTER, "sh", str(self.root), str(self.packages), str(self.sockets)]
        name, folder = (user.name, user.home) if user else ("root", "/")
        own = user.environment if user else _ROOTS_ENVIRONMENT
        variables = [f"{key}={value}" for key, value in {**own, **environment}.items()]
        chroot = ["--userspec", name, str(self.root), "env", "-i", "-C", folder, *variables]
        return [*alone, *enter, *chroot, *command]
