"""llama.cpp dies beside the window: what was written stays, the pair comes back, and the window goes on."""

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QAbstractButton, QTextEdit
from support.choices import choice_of
from support.desks import Person, wait_for_pair
from support.processes import engines_below

from specchat.domain.conversations import MessageState
from specchat.domain.errors import EngineStoppedError
from specchat.domain.types import ModelSettings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


@pytest.fixture
def n_ctx() -> int:
    """Room for an answer that takes its time."""
    return 4096


def engine_process() -> psutil.Process:
    (engine,) = engines_below(os.getpid())
    return engine


def kill_amid_an_answer(person: Person, number: signal.Signals = signal.SIGSEGV) -> str:
    """What was shown until then."""
    person.keep_short(3000)
    person.write("Tell me more")
    person.click("sendButton")
    person.wait_for_first_words()
    os.kill(engine_process().pid, number)
    person.qtbot.waitUntil(lambda: person.controller.answers.current() is None, timeout=30_000)
    return person.path[-1].text


def problem(person: Person) -> str:
    return person.find(QTextEdit, "problemMessage").toPlainText()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_the_answer_so_far_stays_and_goes_on(person: Person, number: signal.Signals) -> None:
    kept = kill_amid_an_answer(person, number)
    assert kept
    assert person.path[-1].state is MessageState.STOPPED
    assert problem(person).startswith("llama.cpp stopped: ")
    wait_for_pair(person)
    person.keep_short(16)
    assert person.find(QAbstractButton, "problemAction").text() == "Continue"
    person.click("problemAction")
    answer = person.wait_for_answer()
    assert answer.text.startswith(kept)
    assert len(answer.text) > len(kept)
    assert not person.window.problem.isVisible()


def test_the_next_question_is_answered_without_a_restart(person: Person) -> None:
    kill_amid_an_answer(person)
    wait_for_pair(person)
    person.keep_short()
    assert person.ask("And now?").text


def test_while_nothing_is_asked(person: Person) -> None:
    os.kill(engine_process().pid, signal.SIGKILL)
    person.keep_short()
    assert person.ask("Are you there?").text


def test_stopped_twice_it_is_left_to_the_user(person: Person) -> None:
    kill_amid_an_answer(person)
    wait_for_pair(person)
    person.window.problem.dismiss()
    kill_amid_an_answer(person)
    person.qtbot.waitUntil(lambda: person.controller.session.pair is None, timeout=30_000)
    assert person.find(QAbstractButton, "problemAction").text().startswith("Reload ")
    person.click("problemAction")
    wait_for_pair(person)
    person.keep_short()
    assert person.ask("Once more?").text


def test_unloaded_its_memory_is_free_and_the_next_message_loads_it(person: Person) -> None:
    engine = engine_process()
    person.controller.pair.unload()
    person.qtbot.waitUntil(lambda: not engine.is_running(), timeout=30_000)
    person.qtbot.waitUntil(lambda: "Not loaded" in person.window.header.pair.accessibleName())
    assert person.window.notice.text.endswith(" unloaded")
    person.keep_short()
    assert person.ask("Are you back?").text
    assert "Not loaded" not in person.window.header.pair.accessibleName()
    assert not person.window.notice.isVisible()
    assert engine_process().pid != engine.pid


def test_without_use_it_is_unloaded_where_that_is_wanted(person: Person) -> None:
    engine = engine_process()
    person.controller.inference.unload_after(0.2)
    person.qtbot.waitUntil(lambda: not engine.is_running(), timeout=30_000)
    person.controller.inference.unload_after(None)
    person.qtbot.waitUntil(lambda: "Not loaded" in person.window.header.pair.accessibleName())
    person.keep_short()
    assert person.ask("Are you back?").text


def test_after_a_crash_of_the_graphics_driver_to_go_on_without_it_is_offered(person: Person) -> None:
    done: list[bool] = []
    person.controller.notifications.gpu_disable_requested.connect(lambda: done.append(True))
    error = EngineStoppedError("llama.cpp stopped: vk::DeviceLostError.", "Continue the answer, or ask again.")
    error.used_gpu = True
    person.controller.notifications.show_error(error)
    (button,) = [each for each in person.window.problem.findChildren(QAbstractButton) if "the GPU" in each.text()]
    button.click()
    assert done


def test_nothing_is_left_when_the_window_is_closed(person: Person) -> None:
    process = engine_process()
    mine = [process, *process.children(recursive=True)]
    person.window.close()
    person.controller.close()
    _, alive = psutil.wait_procs(mine, timeout=10)
    assert not alive


def test_the_load_that_follows_is_stopped_by_the_user(person: Person) -> None:
    kill_amid_an_answer(person)
    person.qtbot.waitUntil(lambda: person.controller.pair.is_loading, timeout=30_000)
    person.controller.pair.stop_loading()
    assert person.controller.session.pair is None
    person.click("noticeAction")
    wait_for_pair(person)
    person.keep_short()
    assert person.ask("Are you back?").text


def test_another_pair_is_chosen_meanwhile(person: Person, tiny_llama: Path) -> None:
    kill_amid_an_answer(person)
    person.qtbot.waitUntil(lambda: person.controller.pair.is_loading, timeout=30_000)
    settings = ModelSettings(n_ctx=512, threads=1)
    person.controller.pair.load(choice_of(tiny_llama, target_settings=settings, draft_type="none"))
    assert wait_for_pair(person)[0] == tiny_llama.name
    person.keep_short()
    assert person.ask("Who are you?").text


def test_the_window_is_closed_meanwhile(person: Person) -> None:
    kill_amid_an_answer(person)
    person.qtbot.waitUntil(lambda: person.controller.pair.is_loading, timeout=30_000)
    person.window.close()
    person.controller.close()
    assert not engines_below(os.getpid())
