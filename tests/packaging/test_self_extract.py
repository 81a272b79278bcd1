import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.fake_bundle import LINUX, Home, make_bundle

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="for Linux desktops"),
    pytest.mark.skipif(shutil.which("xz") is None, reason="xz packs what is extracted"),
]

SHELLS = [shell for shell in (["dash"], ["busybox", "sh"], ["bash", "--posix"]) if shutil.which(shell[0])]
_SHOWING = """\
#!/bin/sh
printf '%s\\n' "$@" >>"$HOME/shown"
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "Jörg Test"
    folder.mkdir()
    return Home(folder)


@pytest.fixture
def installer(tmp_path: Path) -> Path:
    bundle = make_bundle(tmp_path / "made" / "specchat-0.1.0", "0.1.0")
    archive = subprocess.run(["tar", "-cJC", bundle.parent, bundle.name], stdout=subprocess.PIPE, check=True).stdout
    stub = (LINUX / "self_extract.sh").read_text().replace("@SHA256@", hashlib.sha256(archive).hexdigest())
    downloads = tmp_path / "Jörg's $downloads"
    downloads.mkdir()
    (downloads / "specchat 0.1.0.run").write_bytes(stub.encode() + archive)
    return downloads / "specchat 0.1.0.run"


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: str(shell[0]))
def test_it_installs_and_removes(home: Home, installer: Path, tmp_path: Path, shell: list[str]) -> None:
    temporary = tmp_path / "temporary files"
    temporary.mkdir()
    home = Home(home.folder, shell)
    done = home.run(installer, (), {"TMPDIR": str(temporary)})
    assert done.returncode == 0, done.stderr
    assert "specchat 0.1.0 is installed." in done.stdout
    assert (home.lib / "current/specchat").exists()
    assert list(temporary.iterdir()) == []
    done = home.run(installer, ["--remove"])
    assert "specchat was removed." in done.stdout
    assert list(home.folder.iterdir()) == []


def test_it_is_only_unpacked_where_that_is_asked_for(home: Home, installer: Path, tmp_path: Path) -> None:
    to = tmp_path / "new folder" / "inside"
    done = home.run(installer, ["--extract", str(to)])
    assert done.stdout == f"specchat was unpacked to {to}\n"
    assert (to / "specchat-0.1.0" / "install.sh").is_file()
    assert list(home.folder.iterdir()) == []


def test_other_arguments_go_to_the_install_script(home: Home, installer: Path) -> None:
    done = home.run(installer, ["--frobnicate"])
    assert (done.returncode, done.stderr) == (1, "Unknown option: --frobnicate. See --help.\n")


def test_help_and_removing_what_is_not_there(home: Home, installer: Path) -> None:
    assert "--extract FOLDER" in home.run(installer, ["--help"]).stdout
    done = home.run(installer, ["--remove"])
    assert (done.returncode, done.stderr) == (1, "specchat is not installed here.\n")


@pytest.mark.parametrize("damage", ["changed", "cut short"])
def test_a_damaged_file_installs_nothing(home: Home, installer: Path, damage: str) -> None:
    content = bytearray(installer.read_bytes())
    if damage == "changed":
        content[-100] ^= 1
    else:
        del content[-100:]
    installer.write_bytes(content)
    done = home.run(installer)
    assert (done.returncode, done.stderr) == (1, "This file is damaged or incomplete. Download it again.\n")
    assert list(home.folder.iterdir()) == []


def test_a_missing_tool_is_named_with_its_package(home: Home, installer: Path, tmp_path: Path) -> None:
    few = tmp_path / "few tools"
    few.mkdir()
    for name in ("mktemp", "rm", "sed", "sha256sum", "tail", "tar"):
        (few / name).symlink_to(str(shutil.which(name)))
    shell = str(shutil.which("sh"))
    done = Home(home.folder, [shell]).run(installer, (), {"PATH": str(few)})
    assert done.returncode == 1
    assert "xz is missing. Install the package xz-utils" in done.stderr


def test_without_room_the_way_out_is_told(home: Home, installer: Path) -> None:
    done = home.run(installer, ["--extract", "/dev/null/nowhere"])
    assert done.returncode == 1
    assert "set TMPDIR to another folder" in done.stderr


def test_double_clicked_it_shows_what_it_did_and_starts_the_program(
    home: Home, installer: Path, tmp_path: Path
) -> None:
    os.mkfifo(home.folder / "started")
    done = home.run(installer, (), _desktop(tmp_path / "tools"))
    assert done.returncode == 0, done.stderr
    assert (home.folder / "started").read_text() == "0.1.0\n"
    shown = (home.folder / "shown").read_text()
    assert "--info" in shown
    assert "specchat 0.1.0 is installed." in shown


def test_double_clicked_it_shows_what_went_wrong(home: Home, installer: Path, tmp_path: Path) -> None:
    installer.write_bytes(installer.read_bytes()[:-1])
    done = home.run(installer, (), _desktop(tmp_path / "tools"))
    assert done.returncode == 1
    shown = (home.folder / "shown").read_text()
    assert "--error" in shown
    assert "This file is damaged or incomplete. Download it again." in shown
    assert not home.lib.exists()


def _desktop(tools: Path) -> dict[str, str]:
    tools.mkdir()
    for name in ("zenity", "notify-send"):
        (tools / name).write_text(_SHOWING)
        (tools / name).chmod(0o755)
    return {"DISPLAY": ":nowhere", "PATH": f"{tools}:{os.environ['PATH']}"}
