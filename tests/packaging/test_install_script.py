import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.fake_bundle import LINUX, SHARED, Home, make_bundle
from trial.desktop_entry import command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux desktops")

SHELLS = [shell for shell in (["dash"], ["busybox", "sh"], ["bash", "--posix"]) if shutil.which(shell[0])]
HOMES = ("jo", "Jörg Test", 'Jo\'s "own" $HOME', "100 % `sure` \\ (or; not?) * ~ # & | < >", "家")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "Jörg's home"
    folder.mkdir()
    (folder / "letter.txt").touch()
    return Home(folder)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "specchat 0.1.0", "0.1.0")


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "specchat-0.2.0", "0.2.0", (*SHARED[:1], "metainfo/specchat.xml"))


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: str(shell[0]))
@pytest.mark.parametrize("name", HOMES)
def test_the_entry_starts_the_program_wherever_home_is(
    tmp_path: Path, bundle: Path, name: str, shell: list[str]
) -> None:
    home = Home(tmp_path / name, shell)
    home.folder.mkdir()
    home.install(bundle)
    file = str(home.folder / "a 50% model.gguf")
    subprocess.run(command(home.entry, file), env={"HOME": str(home.folder), "PATH": "/usr/bin:/bin"}, check=True)
    assert (home.folder / "started").read_text().splitlines() == ["0.1.0", file]
    assert command(home.entry) == [str(home.lib / "current/specchat")]
    (home.folder / "started").unlink()
    home.uninstall()
    assert list(home.folder.iterdir()) == []


@pytest.mark.parametrize("name", HOMES)
def test_the_entry_is_valid(tmp_path: Path, bundle: Path, name: str) -> None:
    if shutil.which("desktop-file-validate") is None:
        pytest.skip("desktop-file-validate is not installed")
    home = Home(tmp_path / name)
    home.folder.mkdir()
    home.install(bundle)
    found = subprocess.run(["desktop-file-validate", home.entry], capture_output=True, text=True, check=False)
    assert found.stdout == ""


def test_everything_is_placed_and_the_command_starts_it(home: Home, bundle: Path) -> None:
    assert "specchat 0.1.0 is installed." in home.install(bundle)
    assert (home.lib / "current/_internal/lib.so").readlink() == Path("lib.so.1")
    for name in SHARED:
        assert (home.folder / ".local/share" / name).is_file()
    ran = subprocess.run([home.folder / ".local/bin/specchat", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == "specchat 0.1.0\n"


def test_removing_leaves_what_was_there_before_and_what_the_user_made(home: Home, bundle: Path) -> None:
    for name in ("config/other.txt", "share/applications/other.desktop", "share/icons/hicolor/x.png", "bin/other"):
        file = home.folder / ".local" / name
        file.parent.mkdir(parents=True)
        file.touch()
    chats = home.folder / ".local/share/specchat/chats.db"
    chats.parent.mkdir()
    chats.touch()
    before = home.contents()
    home.install(bundle)
    assert "specchat was removed." in home.uninstall()
    after = home.contents()
    after.pop(".local/share/applications/mimeinfo.cache", None)  # of the other program's entry
    assert after == before
    assert not home.lib.parent.exists()


def test_removing_with_the_script_it_came_with_or_twice(home: Home, bundle: Path) -> None:
    before = home.contents()
    home.install(bundle)
    home.install(bundle, "--remove")
    assert home.contents() == before
    assert home.names() == ["letter.txt"]
    assert home.install(bundle, "--remove") == "specchat is not installed here.\n"


def test_an_update_replaces_the_older_version_whole(home: Home, bundle: Path, newer: Path, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    other.folder.mkdir()
    other.install(newer)
    home.install(bundle)
    home.install(newer)
    assert home.names() == [*other.names(), "letter.txt"]
    assert not (home.folder / ".local/share" / SHARED[1]).exists()
    assert (home.lib / "current/_internal/lib.so.1").read_text() == "0.2.0"


def test_what_is_installed_can_be_started_wherever_an_update_was_interrupted(
    home: Home, bundle: Path, newer: Path, tmp_path: Path
) -> None:
    home.install(newer)
    finished = home.names()
    home.install(bundle)
    installed = home.kept(tmp_path / "installed")
    changes, seen = 0, set()
    while home.killed_after(changes, newer / "install.sh", tmp_path / "tools"):
        version = [*command(home.entry), "--version"]
        seen.add(subprocess.run(version, capture_output=True, text=True, check=True).stdout)
        home.install(newer)
        assert home.names() == finished, f"killed after {changes}"
        home.put_back(installed)
        changes += 1
    assert seen == {"specchat 0.1.0\n", "specchat 0.2.0\n"}


def test_what_is_left_is_removed_wherever_an_installation_or_a_removal_was_interrupted(
    home: Home, bundle: Path, tmp_path: Path
) -> None:
    before = home.names()
    home.install(bundle)
    installed = home.kept(tmp_path / "installed")
    home.install(bundle, "--remove")
    for script, changes in ((bundle / "install.sh", 0), (home.lib / "uninstall.sh", 0)):
        while home.killed_after(changes, script, tmp_path / "tools"):
            home.install(bundle, "--remove")
            assert home.names() == before, f"{script.name} killed after {changes}"
            if script.name == "uninstall.sh":
                home.put_back(installed)
            changes += 1
        assert changes > len(SHARED)
        home.put_back(installed)


def test_a_version_that_does_not_run_here_is_not_installed(home: Home, bundle: Path, newer: Path) -> None:
    home.install(bundle)
    before = home.contents()
    (newer / "specchat/specchat").write_text("#!/bin/sh\necho 'no such library' >&2\nexit 127\n")
    done = home.run(newer / "install.sh")
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["no such library", "This specchat does not run on your system."]
    assert "Your chats and models are unchanged." in done.stdout
    assert home.contents() == before


def test_what_is_not_ours_is_left_alone(home: Home, bundle: Path) -> None:
    theirs = home.folder / ".local/bin/specchat"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    assert f"{theirs} belongs to another program and was not changed." in home.install(bundle)
    home.uninstall()
    assert theirs.read_text() == "theirs"


def test_a_folder_that_is_not_ours_stops_the_installation(home: Home, bundle: Path) -> None:
    home.lib.mkdir(parents=True)
    (home.lib / "theirs").touch()
    done = home.run(bundle / "install.sh")
    assert (done.returncode, done.stdout) == (1, "")
    assert "belongs to something else. Move it away" in done.stderr


def test_while_it_is_open_the_old_version_stays_and_nothing_is_removed(home: Home, bundle: Path, newer: Path) -> None:
    running = bundle / "specchat/specchat"
    shutil.copy("/bin/sleep", running)
    home.install(bundle)
    with subprocess.Popen([home.lib / "current/specchat", "600"]) as program:
        try:
            assert "specchat is open. Close it and start it again" in home.install(newer)
            assert Path(f"/proc/{program.pid}/exe").readlink().exists()
            done = home.run(home.lib / "uninstall.sh")
            assert (done.returncode, done.stderr) == (1, "specchat is open. Close it, then run this again.\n")
        finally:
            program.kill()
    home.install(newer)
    assert len(list(home.lib.glob("version.*"))) == 1


def test_the_data_folder_may_be_elsewhere(home: Home, bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "other data"
    data.mkdir()
    (data / "kept").touch()
    home.install(bundle, XDG_DATA_HOME=str(data))
    assert (data / SHARED[0]).is_file()
    assert not home.entry.exists()
    home.uninstall(XDG_DATA_HOME=str(data))
    assert [path.name for path in data.iterdir()] == ["kept"]


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["--frobnicate"], {}, "Unknown option: --frobnicate. See --help."),
        ([], {"HOME": ""}, "HOME is not set to your home folder."),
        ([], {"HOME": "/tmp/a\nb"}, "The path of your home folder contains a line break, which menus do not support."),
    ],
)
def test_what_cannot_be_done_is_told(
    home: Home, bundle: Path, arguments: list[str], environment: dict[str, str], words: str
) -> None:
    done = home.run(bundle / "install.sh", arguments, environment)
    assert (done.returncode, done.stderr) == (1, f"{words}\n")


def test_nothing_is_installed_from_half_an_archive(home: Home, tmp_path: Path) -> None:
    shutil.copy(LINUX / "install.sh", tmp_path)
    done = home.run(tmp_path / "install.sh")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Unpack the whole archive" in done.stderr
    assert not home.lib.exists()


def test_an_interrupt_takes_back_what_was_begun(home: Home, bundle: Path) -> None:
    interrupting = f"#!/bin/sh\nkill -{signal.SIGTERM.value} $PPID\n"
    (bundle / "specchat/specchat").write_text(interrupting)
    done = home.run(bundle / "install.sh")
    assert done.returncode == 130
    assert list(home.lib.iterdir()) == [home.lib / "uninstall.sh"]
    assert os.access(bundle / "specchat/specchat", os.X_OK)
