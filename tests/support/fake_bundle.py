"""What install.sh installs, with a few lines of shell in the place of the program."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LINUX = Path(__file__).resolve().parents[2] / "packaging" / "linux"
SHARED = ("applications/specchat.desktop", "icons/hicolor/scalable/apps/specchat.svg", "mime/packages/specchat.xml")
_REAL = {SHARED[0]: "specchat.desktop", SHARED[2]: "specchat-mime.xml"}
_ENVIRONMENT = {"PATH": os.environ["PATH"], "PKGSYSTEM_ENABLE_FSYNC": "0"}
_PROGRAM = """\
#!/bin/sh
case ${{1:-}} in
    --version) echo 'specchat {version}' ;;
    *) printf '%s\\n' {version} "$@" >"$HOME/started" ;;
esac
"""
_KILLER = """\
#!/bin/sh
echo >>"{count}"
if [ "$(wc -l <"{count}")" -gt {allowed} ]; then kill -9 0; fi
exec "{tool}" "$@"
"""
_CHANGING = ("chmod", "cp", "ln", "mkdir", "mktemp", "mv", "rm", "rmdir", "sort", "sync", "touch")


def make_bundle(folder: Path, version: str, shared: Sequence[str] = SHARED) -> Path:
    program = folder / "specchat" / "specchat"
    program.parent.mkdir(parents=True)
    program.write_text(_PROGRAM.format(version=version))
    program.chmod(0o755)
    (program.parent / "_internal").mkdir()
    (program.parent / "_internal" / "lib.so.1").write_text(version)
    (program.parent / "_internal" / "lib.so").symlink_to("lib.so.1")
    for name in shared:
        file = folder / "share" / name
        file.parent.mkdir(parents=True)
        file.write_text(version)
    for name, original in _REAL.items():
        if name in shared:
            shutil.copy(LINUX / original, folder / "share" / name)
    shutil.copy(LINUX / "install.sh", folder)
    return folder


@dataclass(frozen=True, slots=True)
class Home:
    folder: Path
    shell: Sequence[str] = ("sh",)

    @property
    def lib(self) -> Path:
        return self.folder / ".local/lib/specchat"

    @property
    def entry(self) -> Path:
        return self.folder / ".local/share/applications/specchat.desktop"

    def install(self, bundle: Path, *arguments: str, **environment: str) -> str:
        return self._succeed(bundle / "install.sh", arguments, environment)

    def uninstall(self, **environment: str) -> str:
        return self._succeed(self.lib / "uninstall.sh", (), environment)

    def run(
        self, script: Path, arguments: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.shell, script, *arguments],
            env={"HOME": str(self.folder), **_ENVIRONMENT, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )

    def kept(self, copy: Path) -> Path:
        return Path(shutil.copytree(self.folder, copy, symlinks=True))

    def put_back(self, copy: Path) -> None:
        """Which is sooner than installing it again."""
        shutil.rmtree(self.folder)
        shutil.copytree(copy, self.folder, symlinks=True)

    def killed_after(self, changes: int, script: Path, tools: Path) -> bool:
        """Runs the script until it has changed something this often; false when it came to its end before."""
        shutil.rmtree(tools, ignore_errors=True)
        tools.mkdir()
        for name in _CHANGING:
            tool = tools / name
            tool.write_text(_KILLER.format(count=tools / "count", allowed=changes, tool=shutil.which(name)))
            tool.chmod(0o755)
        done = self.run(script, environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        return done.returncode == -signal.SIGKILL

    def contents(self) -> dict[str, str]:
        return {
            str(path.relative_to(self.folder)): _told(path)
            for path in sorted(self.folder.rglob("*"))
            if not path.is_dir() or path.is_symlink()
        }

    def names(self) -> list[str]:
        """Of files and folders, each version's without its chance part."""
        paths = (str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
        return sorted(re.sub(r"version\.\w+", "version", path) for path in paths)

    def _succeed(self, script: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
        done = self.run(script, arguments, environment)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        return done.stdout


def _told(path: Path) -> str:
    return f"-> {path.readlink()}" if path.is_symlink() else path.read_bytes().hex()
