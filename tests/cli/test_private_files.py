"""Nobody else on the computer reads chats, whatever the umask is."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.bench_reports import report
from support.chats import add
from support.commands import command, environment

from specchat.domain.conversations import ConversationSettings
from specchat.services.bench.report_export import write_report
from specchat.services.program.crash_report import save_report
from specchat.store.chat_store import open_chat_store
from specchat.store.json_file import JsonFile
from specchat.store.private_files import make_private_folder, restrict_permissions
from specchat.store.run_record import record_run
from specchat.store.set_aside import set_aside

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the folders of a user are their own")


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def chats(home: Path) -> Path:
    path = home / "data" / "chats.db"
    with closing(open_chat_store(path)) as store:
        add(store, store.add_conversation(ConversationSettings(), 200.0), "How high is the tide in June?")
    return path


def run(home: Path, *arguments: str | Path) -> None:
    done = subprocess.run(command(*arguments), env=environment(home), umask=0, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def readable_by_others(*tops: Path) -> list[str]:
    found = [path for top in tops for path in (top, *top.rglob("*")) if not path.is_symlink()]
    assert found
    return [f"{path} {path.stat().st_mode:o}" for path in found if path.stat().st_mode & 0o077]


def test_a_back_end_that_others_could_have_changed_is_not_made_private_and_loaded(home: Path) -> None:
    file = home / "data" / "backends" / "libggml-vulkan.so"
    file.parent.mkdir(parents=True, mode=0o755)
    file.write_bytes(b"\x7fELF")
    file.chmod(0o666)
    done = subprocess.run(command("devices", "--json"), env=environment(home), capture_output=True, check=True)
    (refused,) = json.loads(done.stdout)["refused"]
    assert refused == {"path": str(file), "reason": f"{file} can be changed by other users"}


def test_what_commands_make(home: Path, chats: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir(mode=0o755)
    exported = [folder / "chats.json", folder / "chats.md"]
    exported[0].write_text("of an earlier version")
    for path in exported:
        run(home, "chats", "export", path)
    run(home, "chats", "import", exported[0])
    assert readable_by_others(home, *exported) == []
    assert folder.stat().st_mode & 0o777 == 0o755


def test_a_log_of_what_is_just_written(chats: Path) -> None:
    with closing(open_chat_store(chats)) as store:
        add(store, store.conversation(1), "and in July?")
        assert {path.name for path in chats.parent.iterdir()} == {"chats.db", "chats.db-wal", "chats.db-shm"}
        assert readable_by_others(chats.parent) == []
        store.database.backup(chats.with_name("copy.db"))
    set_aside(chats)
    assert readable_by_others(chats.parent) == []


def test_what_else_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "deeper"
    JsonFile(kept / "settings.json").write({"a": 1})
    save_report(kept / "report.txt", "what happened")
    write_report(report(), kept / "bench.json")
    write_report(report(), kept / "bench.csv")
    with record_run(kept / "logs"):
        assert readable_by_others(tmp_path / "kept") == []


def test_what_an_earlier_version_left(home: Path, chats: Path) -> None:
    with closing(sqlite3.connect(chats)) as beside:  # so that its log is there
        beside.execute("INSERT INTO preset VALUES ('a', '{}')")
        beside.commit()
        (home / "logs").mkdir()
        (home / "logs" / "specchat.log").write_text("")
        for path in home.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert len(readable_by_others(home / "data")) == 4
        run(home, "chats", "list")
        assert readable_by_others(home / "data", home / "logs") == []


def test_what_is_not_ours_stays_as_it_is(tmp_path: Path, home: Path, chats: Path) -> None:
    elsewhere, gone = tmp_path / "elsewhere", tmp_path / "gone"
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "file").write_text("")
    (home / "data" / "link").symlink_to(elsewhere)
    (home / "data" / "nowhere").symlink_to(gone)
    run(home, "chats", "list")
    assert {elsewhere.stat().st_mode & 0o777, (elsewhere / "file").stat().st_mode & 0o777} == {0o755, 0o666}


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root can give files away")
def test_what_others_own_is_told_once(home: Path, chats: Path, caplog: pytest.LogCaptureFixture) -> None:
    theirs = [home / "data" / name for name in ("one", "two")]
    for path in theirs:
        path.write_text("")
    script = "import logging, os, sys; from pathlib import Path; "
    script += "from specchat.store.private_files import restrict_permissions; "
    script += "logging.basicConfig(level='INFO'); os.setuid(65534); restrict_permissions([Path(sys.argv[1])])"
    for path in (home.parent, home, home / "data"):
        path.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", script, home / "data"], capture_output=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr.count(b"Others may read what is kept") <= 1, done.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    restrict_permissions([tmp_path / "file" / "data"])
    with pytest.raises(OSError, match="nothing"):
        make_private_folder(Path("/proc/nothing/data") if sys.platform == "linux" else tmp_path / "file" / "nothing")
