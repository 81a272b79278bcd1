"""Windows that come to a bad end, in processes of their own, and what the next start makes of it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot
from support import ending_window
from support.choices import choice_of
from support.desks import Person
from support.ggufs import ModelRecipe, make_model
from support.keyrings import MemoryKeyring, using
from support.windows import opened

from specchat.domain.conversations import MessageState
from specchat.domain.errors import UserError
from specchat.domain.types import ModelSettings, PairChoice, Role
from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.services.program.run_tracker import RunTracker
from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile, ThemeChoice
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.store.run_record import RunRecord
from specchat.ui.start.application import ThemeManager
from specchat.ui.start.last_run_reporter import LastRunReporter
from specchat.ui.window.error_remedies import Remedy
from specchat.window_bootstrap import build_services

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

SECONDS = 120
CRASHES = {
    "crashed": "specchat crashed last time: Segmentation fault.",
    "model": "specchat crashed last time while loading aborts-later: ggml-backend.cpp:",
    "computing": "specchat crashed last time while loading target: Segmentation fault.",
    "overflow": "specchat crashed last time: Segmentation fault.",
    "exception": "specchat crashed last time: ErrorDeviceLost",
    "python": "specchat crashed last time: nothing is left.",
    "driver": "specchat crashed last time while loading target on the GPU: Segmentation fault.",
    "start": "specchat crashed last time before its window opened: Segmentation fault.",
}


@pytest.fixture
def n_ctx() -> int:
    """Long enough to crash in the middle of an answer."""
    return 2048


@pytest.fixture(autouse=True)
def own_environment() -> Iterator[None]:
    with patch.dict(os.environ):
        yield


@pytest.fixture
def aborting(models_dir: Path) -> PairChoice:
    """Loads, and ends llama.cpp with the first token."""
    model = make_model(models_dir / "aborts-later.gguf", ModelRecipe(arch="lfm2", n_layer=1))
    return choice_of(model, None, ModelSettings(n_ctx=512, threads=1))


def first_start(way: str, places: Paths, shell: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*shell, sys.executable, ending_window.__file__, way],
        env={**os.environ, "SPECCHAT_HOME": str(places.data.parent), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=SECONDS,
    )


Start = Callable[[], AbstractContextManager[Person]]


@contextmanager
def next_start(qtbot: QtBot, qapp: QApplication, places: Paths) -> Iterator[Person]:
    runs = RunTracker(places.logs, RunRecord(None), GpuSwitch(JsonFile(places.config / "graphics.json")))
    last = runs.claim_last_run()
    with opened(build_services(places), ThemeManager(qapp), load_last=last is None or not last.may_recur) as controller:
        aftermath = LastRunReporter(controller, runs, last)
        with qtbot.waitSignal(controller.window.first_painted):
            controller.window.first_painted.connect(aftermath.start)
        yield Person(qtbot, controller)


@pytest.fixture
def remembered(places: Paths, choice: PairChoice) -> None:
    build_services(places).pair_settings.save(choice)


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, places: Paths) -> Start:
    return lambda: next_start(qtbot, qapp, places)


def message(person: Person) -> str:
    return person.find(QTextEdit, "problemMessage").toPlainText() if person.window.problem.isVisible() else ""


def notice(person: Person) -> str:
    return person.find(QLabel, "noticeText").text() if person.window.notice.isVisible() else ""


def button(person: Person, words: str) -> QPushButton:
    return next(button for button in person.window.problem.findChildren(QPushButton) if button.text() == words)


@pytest.mark.parametrize("way", CRASHES)
def test_a_crash_is_explained(start: Start, places: Paths, choice: PairChoice, aborting: PairChoice, way: str) -> None:
    build_services(places).pair_settings.save(aborting if way == "model" else choice)
    assert first_start(way, places).returncode < 0
    with start() as person:
        assert message(person).startswith(CRASHES[way])
        assert person.find(QTextEdit, "problemHint").toPlainText()
        assert (places.logs / "last-crash.txt").is_file()
        assert list(places.logs.glob("running-*")) == []
    with start() as person:
        assert message(person) == ""


@pytest.mark.vulkan
@pytest.mark.usefixtures("remembered")
def test_a_crash_on_a_graphics_card(start: Start, places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as computer:
        computer.setenv("GGML_BACKEND_PATH", os.environ["SPECCHAT_TEST_VULKAN"])
        computer.setenv("GGML_VK_VISIBLE_DEVICES", "0")
        assert first_start("computing", places).returncode < 0
    with start() as person:
        assert message(person) == ("specchat crashed last time while loading target on the GPU: Segmentation fault.")
        assert not person.controller.pair.is_loading


@pytest.mark.usefixtures("remembered")
def test_last_words_without_any_stream(start: Start, places: Paths) -> None:
    assert first_start("exception", places, ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]).returncode < 0
    with start() as person:
        assert message(person) == CRASHES["exception"]


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("way", ["crashed", "killed"])
def test_what_was_being_written_is_kept(start: Start, places: Paths, way: str) -> None:
    assert first_start(way, places).returncode < 0
    with start() as person:
        if way == "killed":
            assert message(person) == "specchat quit unexpectedly during an answer."
            person.click("problemAction")
        else:
            assert message(person)
            assert notice(person) == "The interrupted answer was kept."
            person.click("noticeAction")
        assert [stored.role for stored in person.path] == [Role.USER, Role.ASSISTANT]
        assert person.path[-1].state is MessageState.STOPPED
        assert person.path[-1].text
        answer = person.controller.services.messages.answer(person.path[-1].id)
        assert answer is not None
        assert answer.cut_off
    with start() as person:
        assert (notice(person), message(person)) == ("", "")


@pytest.mark.usefixtures("remembered")
def test_who_opens_the_chat_that_was_cut_off_need_not_be_told_of_it(start: Start, places: Paths) -> None:
    assert first_start("killed", places).returncode < 0
    with start() as person:
        cut_off = person.controller.services.conversations.find_interrupted()
        assert cut_off is not None
        person.controller.chat_list.new_chat()
        assert message(person) == "specchat quit unexpectedly during an answer."
        person.controller.chat.open(cut_off.id)
        assert message(person) == ""


@pytest.mark.usefixtures("remembered")
def test_nothing_that_is_told_at_the_start_hides_the_rest(start: Start, places: Paths) -> None:
    """Neither does what goes wrong meanwhile."""
    assert first_start("killed", places).returncode < 0
    settings = ApplicationSettingsFile(JsonFile(places.config / "settings.json"))
    settings.save(replace(settings.load(), serving=True, server_key=True))
    ended, gone = "specchat quit unexpectedly during an answer.", "The API server is off"
    with using(MemoryKeyring()), start() as person:
        failed: list[UserError] = []
        person.controller.notifications.error_reported.connect(failed.append)
        person.qtbot.waitUntil(lambda: bool(failed))
        assert message(person) == ended
        person.controller.notifications.show_error(UserError("The disk is full.", "Make room."))
        assert message(person) == "The disk is full."
        person.click("problemClose")
        assert message(person) == ended
        person.click("problemAction")
        assert [stored.role for stored in person.path] == [Role.USER, Role.ASSISTANT]
        assert message(person).startswith(gone)
        person.controller.settings_model.change(replace(person.controller.settings_model.value, serving=False))
        person.qtbot.waitUntil(lambda: message(person) == "")


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize(("way", "code"), [("closed", 0), ("log-out", 129), ("terminated", 143)])
def test_nothing_is_said_after_a_good_end(start: Start, places: Paths, way: str, code: int) -> None:
    assert first_start(way, places).returncode == code
    assert [file.name for file in places.logs.iterdir()] == ["specchat.log"]
    with start() as person:
        assert (message(person), notice(person)) == ("", "")


@pytest.mark.usefixtures("remembered")
def test_under_nohup_a_log_out_ends_nothing(places: Paths) -> None:
    assert first_start("nohup", places, ["nohup"]).returncode == 0


@pytest.mark.usefixtures("remembered")
def test_settings_that_could_not_be_read_are_told_once(start: Start, places: Paths) -> None:
    (places.config / "settings.json").write_text("{")
    with start() as person:
        assert message(person) == "The settings couldn't be read, so they were reset."
        kept = f"The old file was kept as settings.damaged.json in {places.config}."
        assert person.find(QTextEdit, "problemHint").toPlainText() == kept
        person.window.problem.dismiss()
        person.controller.settings_model.change(ApplicationSettings(colour_tokens=True))
    with start() as person:
        assert message(person) == ""


@pytest.mark.usefixtures("remembered")
def test_settings_with_a_value_of_another_type_are_named(start: Start, places: Paths) -> None:
    (places.config / "settings.json").write_text(json.dumps({"server_port": "eighty", "language": 7, "theme": "dark"}))
    with start() as person:
        assert message(person) == "These settings couldn't be read, so they were reset: language and server_port."
        kept = f"The old file was kept as settings.damaged.json in {places.config}."
        assert person.find(QTextEdit, "problemHint").toPlainText() == kept
        assert person.controller.settings_model.value == ApplicationSettings(ThemeChoice.DARK)
    with start() as person:
        assert message(person) == ""


@pytest.mark.usefixtures("remembered")
def test_killed_while_importing(start: Start, places: Paths) -> None:
    talk = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]
    file = places.data.parent / ending_window.IMPORTED
    file.write_text(json.dumps([{"title": "Greetings", "messages": talk}]), encoding="utf-8")
    assert first_start("killed-importing", places).returncode < 0
    with start() as person:
        assert message(person) == "specchat quit unexpectedly during an import of chats."
        assert button(person, "Import chats…").isVisible()
        person.window.problem.dismiss()
        person.controller.chat_files.import_from(file)
        person.qtbot.waitUntil(lambda: notice(person) == "1 chat imported")
        kept = person.controller.services.conversations.list_all()
        assert [chat.title for chat in kept].count("Greetings") == 1
    with start() as person:
        assert message(person) == ""


@pytest.mark.usefixtures("remembered")
def test_killed_while_loading(start: Start, places: Paths) -> None:
    """As the system does when memory runs out, which it would again."""
    assert first_start("killed-loading", places).returncode < 0
    with start() as person:
        assert "while loading target" in message(person)
        assert person.remedies() == [Remedy.SMALLER_CONTEXT, Remedy.OTHER_MODEL]
        assert not person.controller.pair.is_loading
        person.click("problemAction")
        person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=60_000)


@pytest.mark.usefixtures("remembered")
def test_going_on_without_the_graphics_card(start: Start, places: Paths) -> None:
    assert first_start("driver", places).returncode < 0
    with start() as person:
        assert not person.controller.pair.is_loading
        button(person, "Continue without the GPU").click()
        person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=60_000)
        assert os.environ["GGML_DISABLE_VULKAN"] == "1"
    with start() as person:
        assert notice(person) == "specchat is running without the GPU."
        person.click("noticeAction")
        assert "use the GPU again after you restart" in notice(person)
    with start() as person:
        assert notice(person) == ""


@pytest.mark.usefixtures("remembered")
def test_a_pair_that_was_loaded_with_it_is_loaded_again(start: Start, places: Paths, choice: PairChoice) -> None:
    assert first_start("driver", places).returncode < 0
    with start() as person:
        go_on = button(person, "Continue without the GPU")
        person.controller.pair.load(choice)
        person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=60_000)
        pair = person.controller.session.pair
        go_on.click()
        person.qtbot.waitUntil(lambda: person.controller.session.pair not in (None, pair), timeout=60_000)
        assert os.environ["GGML_DISABLE_VULKAN"] == "1"


@pytest.mark.usefixtures("remembered")
def test_the_last_crash_hides_none_that_has_a_reason(start: Start, places: Paths) -> None:
    assert first_start("crashed", places).returncode < 0
    (crashed,) = places.logs.glob("running-*")
    (places.logs / "running-9.txt").write_text("specchat 0.1.0\n- window\n")
    assert crashed.stat().st_mtime_ns < (places.logs / "running-9.txt").stat().st_mtime_ns
    with start() as person:
        assert message(person) == CRASHES["crashed"]
        assert list(places.logs.glob("running-*")) == []


@pytest.mark.usefixtures("remembered")
def test_a_report_names_nobody_and_quotes_nothing(
    start: Start, places: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home folder is one above everything here."""
    monkeypatch.setenv("HOME", str(tmp_path))
    first_start("crashed", places)
    file = tmp_path / "report.txt"
    with start() as person:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "nowhere" / "report.txt"), ""))
        button(person, "Save crash report…").click()
        assert message(person) == "Couldn't save the report: No such file or directory."
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
        person.click("problemAction")
        assert notice(person) == "Saved as report.txt"
        person.controller.chat.open(person.controller.services.conversations.list_all()[-1].id)
        answer = person.path[-1].text
        assert len(answer) > 3
    report = file.read_text(encoding="utf-8")
    assert report.startswith("specchat 0.1.0\n")
    for part in ("System: ", "Fatal Python error: Segmentation fault", "in segfault", "llama_model_loader: "):
        assert part in report
    assert str(tmp_path) not in report
    assert ending_window.QUESTION not in report
    assert answer not in report


@pytest.mark.usefixtures("remembered")
def test_the_folder_with_the_logs(start: Start, places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    first_start("crashed", places)
    asked: list[QUrl] = []

    def no_program_shows(url: QUrl) -> bool:
        asked.append(url)
        return False

    monkeypatch.setattr(QDesktopServices, "openUrl", no_program_shows)
    with start() as person:
        button(person, "Open logs folder").click()
        assert asked == [QUrl.fromLocalFile(str(places.logs))]
        assert message(person) == "Couldn't open a file manager."


@pytest.mark.usefixtures("remembered")
def test_the_whole_program_tells(places: Paths) -> None:
    first_start("crashed", places)
    second = first_start("read", places)
    assert second.returncode == 0
    assert second.stdout.splitlines() == [CRASHES["crashed"], "True"]
    first_start("driver", places)
    assert first_start("read", places).stdout.splitlines() == [CRASHES["driver"], "False"]


@pytest.mark.usefixtures("remembered")
def test_broken_settings_and_servers_are_both_told(start: Start, places: Paths) -> None:
    (places.config / "settings.json").write_text("{")
    (places.config / "mcp.json").write_text("{")
    with start() as person:
        servers = "mcp.json can't be used: line 1: Expecting property name enclosed in double quotes."
        assert message(person) == servers
        person.controller.notifications.show_error(UserError("The disk is full.", "Free up some space."))
        for told in (servers, "The settings couldn't be read, so they were reset.", ""):
            person.window.problem.dismiss()
            assert message(person) == told
