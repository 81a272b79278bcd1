"""Chats and other programs at one pair: the real window, the real server, small models."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot
from support.api_servers import ANSWER_S, HOST, Api, Response
from support.choices import choice_of
from support.desks import Person
from support.held_engine import HeldEngine
from support.keyrings import MemoryKeyring, using

from specchat.container import Container
from specchat.domain.answer_tasks import AnswerEnded
from specchat.domain.completions import RequestStarted
from specchat.domain.types import GenerationFinished, PairChoice
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.services.settings.server_key import ServerKey
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.server.server_state import ServerPhase, ServerState
from specchat.ui.start.application import ThemeManager
from specchat.ui.threads.inference import ApiRequestProgressed, InferenceEvent
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services

CLIENT = {"User-Agent": "Continue/1.2", "Content-Type": "application/json"}
KEY = "canary-key"
PATIENCE_MS = 60_000


@pytest.fixture
def port() -> int:
    with closing(socket.create_server((HOST, 0))) as found:
        return int(found.getsockname()[1])


@pytest.fixture
def gate() -> threading.Event:
    """Cleared, it holds other programs' answers."""
    opened = threading.Event()
    opened.set()
    return opened


@pytest.fixture
def serving() -> bool:
    return True


@pytest.fixture
def person(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, gate: threading.Event, port: int, serving: bool
) -> Iterator[Person]:
    services = build_services(places)
    services.pair_settings.save(choice)
    services.ui_settings.save(ApplicationSettings(serving=serving, server_port=port))
    loader = Container(places).pair_loader
    controller = AppController(replace(services, make_engine=lambda: HeldEngine(loader(), gate)), ThemeManager(qapp))
    MenuActions(controller)
    controller.window.first_painted.connect(controller.start)
    controller.window.show()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE_MS)
    someone = Person(qtbot, controller)
    someone.keep_short()
    yield someone
    gate.set()
    controller.window.close()
    controller.close()
    shiboken6.delete(controller.window)


class Clients:
    def __init__(self, person: Person, port: int) -> None:
        self._person, self.pool = person, ThreadPoolExecutor(8)
        self.api = Api(f"http://{HOST}:{port}/v1")

    def ask(self, text: str = "Hello", max_tokens: int = 16) -> Future[Response]:
        asked = {"messages": [{"role": "user", "content": text}], "max_tokens": max_tokens, "ignore_eos": True}
        return self.pool.submit(self.api.send, "POST", "/v1/chat/completions", json.dumps(asked).encode(), CLIENT)

    def answer(self, asked: Future[Response]) -> Response:
        self._person.qtbot.waitUntil(asked.done, timeout=PATIENCE_MS)
        return asked.result()


@pytest.fixture
def clients(person: Person, port: int, gate: threading.Event) -> Iterator[Clients]:
    made = Clients(person, port)
    if person.controller.settings_model.value.serving:
        until_serving(person)
    yield made
    gate.set()
    made.pool.shutdown()


def until(person: Person, condition: Callable[[], bool]) -> None:
    person.qtbot.waitUntil(condition, timeout=PATIENCE_MS)


def sign(person: Person) -> str:
    label = person.find(QLabel, "servingLabel")
    assert label.accessibleName() == label.text()
    return "" if label.isHidden() else label.text()


def status(person: Person) -> str:
    person.controller.settings.page()
    return person.find(QLabel, "serverStatus").text()


def until_serving(person: Person) -> None:
    until(person, lambda: status(person) == "Server running")


def switch(person: Person) -> None:
    person.controller.settings.open("server")
    person.find(QCheckBox, "serveOthers").click()


def is_refused(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex((HOST, port)) != 0


@pytest.mark.parametrize("serving", [False])
def test_it_is_switched_on_and_off(person: Person, clients: Clients, port: int) -> None:
    assert sign(person) == ""
    assert is_refused(port)
    switch(person)
    until_serving(person)
    assert person.find(QLabel, "serverAddress").text() == clients.api.url
    assert sign(person) == "Server on"
    health = clients.answer(clients.pool.submit(clients.api.get, "/health"))
    assert health.json["model"] == "target.gguf"
    assert person.controller.services.ui_settings.load().serving
    switch(person)
    until(person, lambda: status(person) == "Server off")
    assert sign(person) == ""
    assert is_refused(port)
    assert not person.controller.services.ui_settings.load().serving


def test_nothing_of_it_is_imported_before() -> None:
    imports = "import sys, specchat.window_bootstrap, specchat.ui.start.run"
    script = f"{imports}; print({{'starlette', 'uvicorn', 'h11'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_window_shows_who_is_served(person: Person, clients: Clients, gate: threading.Event) -> None:
    assert sign(person) == "Server on"
    gate.clear()
    asked = [clients.ask()]
    until(person, lambda: sign(person) == "API: answering “Continue”")
    asked += [clients.ask(), clients.ask()]
    until(person, lambda: sign(person) == "API: answering “Continue”, 2 waiting")
    gate.set()
    assert [clients.answer(each).status for each in asked] == [200, 200, 200]
    until(person, lambda: sign(person) == "Server on")


def test_the_overlay_shows_what_the_answer_brings(person: Person, clients: Clients) -> None:
    person.ask("Tell me more.")
    others = person.controller.api_activity
    with person.qtbot.waitSignal(others.ended, timeout=PATIENCE_MS) as ended:
        answer = clients.answer(clients.ask(max_tokens=64))
    timings, metrics = answer.json["timings"], clients.api.metrics()
    figures = person.window.overlay._figures
    assert figures == ended.args[0]
    assert isinstance(figures, StatsSnapshot)
    assert figures.final
    shown = (figures.n_generated, figures.drafted, figures.accepted, figures.tokens_per_s)
    names = ("predicted_n", "draft_n", "draft_n_accepted", "predicted_per_second")
    assert shown == tuple(timings[name] for name in names)
    assert shown[1] > 0
    drafted = sum(n for name, n in metrics.items() if name.startswith("drafted_tokens_total"))
    accepted = sum(n for name, n in metrics.items() if name.startswith("accepted_tokens_total"))
    assert (drafted, accepted, metrics["tokens_per_second"]) == shown[1:]
    assert metrics["saved_seconds"] == figures.saved_s
    assert metrics["acceptance_rate"] == pytest.approx(figures.acceptance_rate)
    overlay = person.window.overlay
    assert overlay._card._readout.asked_by == "Another program"
    assert overlay.accessibleDescription().startswith("Another program: ")
    person.controller.stats_overlay._back.timeout.emit()
    own, again = person.controller.services.messages.answer(person.path[-1].id), overlay._figures
    assert own is not None
    assert isinstance(again, StatsSnapshot)
    assert again.n_generated == own.stats.n_generated
    assert overlay._card._readout.asked_by == ""
    person.ask("And more?")
    assert overlay._figures != figures
    assert overlay._card._readout.asked_by == ""


def test_a_chat_waits_for_its_turn_and_says_so(person: Person, clients: Clients, gate: threading.Event) -> None:
    seen: list[InferenceEvent] = []
    person.controller.inference.events_arrived.connect(seen.extend)
    gate.clear()
    first = clients.ask()
    until(person, lambda: person.controller.api_activity.is_active)
    others = [clients.ask(), clients.ask()]
    until(person, lambda: person.controller.api_activity.n_waiting == 2)
    person.write("And me?")
    person.click("sendButton")
    assert person.window.status.text() == "Waiting for another program's request to finish. Press Esc to cancel."
    assert person.window.status.accessibleName() == person.window.status.text()
    gate.set()
    answer = person.wait_for_answer()
    assert answer.text
    assert {clients.answer(each).status for each in (first, *others)} == {200}

    def order() -> list[type]:
        kinds = [type(event.event) if isinstance(event, ApiRequestProgressed) else type(event) for event in seen]
        return [kind for kind in kinds if kind in (RequestStarted, GenerationFinished, AnswerEnded)]

    until(person, lambda: len(order()) >= 4)
    assert order()[:4] == [RequestStarted, GenerationFinished, AnswerEnded, RequestStarted]


def test_a_chat_that_waits_can_be_stopped(person: Person, clients: Clients, gate: threading.Event) -> None:
    gate.clear()
    asked = clients.ask()
    until(person, lambda: person.controller.api_activity.is_active)
    person.write("Never mind")
    person.click("sendButton")
    assert person.window.status.text().startswith("Waiting")
    person.click("stopButton")
    assert not person.controller.chat.is_answering
    assert person.window.status.text() == ""
    assert person.path == []
    assert person.window.composer.text == "Never mind"
    gate.set()
    assert clients.answer(asked).json["usage"]["completion_tokens"] == 16
    assert person.ask("Now").text


def test_another_pair_is_loaded_meanwhile(
    person: Person, clients: Clients, gate: threading.Event, choice: PairChoice
) -> None:
    gate.clear()
    running = clients.ask(max_tokens=200)
    until(person, lambda: person.controller.api_activity.is_active)
    waiting = clients.ask()
    until(person, lambda: person.controller.api_activity.n_waiting == 1)
    assert choice.draft is not None
    person.controller.pair.load(PairChoice(choice.draft, target_settings=choice.target_settings, draft_type="none"))
    assert clients.answer(running).status == 503
    assert clients.answer(waiting).json["model"] == choice.draft.name


@pytest.mark.parametrize("serving", [False])
def test_a_port_that_is_in_use(person: Person, clients: Clients, port: int) -> None:
    with closing(socket.create_server((HOST, port))):
        switch(person)
        until(person, lambda: "another program is using" in status(person))
        assert "Choose another port" in status(person)
        until(person, person.find(QPushButton, "retryServer").isVisible)
        assert not person.window.problem.isVisible()  # the page says it
        assert sign(person) == ""
    person.click("retryServer")
    until_serving(person)
    switch(person)
    until(person, lambda: status(person) == "Server off")


@pytest.mark.parametrize("serving", [False])
def test_the_page_takes_the_place_of_the_message(person: Person, clients: Clients, port: int) -> None:
    settings = person.controller.settings_model
    with closing(socket.create_server((HOST, port))):
        settings.change(replace(settings.value, serving=True))
        until(person, person.window.problem.isVisible)
        person.click("problemAction")
        until(person, lambda: "another program is using" in status(person))
        assert not person.window.problem.isVisible()
    settings.change(replace(settings.value, serving=False))


@pytest.mark.parametrize("serving", [False])
def test_another_port_is_another_address(person: Person, clients: Clients, port: int) -> None:
    switch(person)
    until_serving(person)
    with closing(socket.create_server((HOST, 0))) as found:
        other = int(found.getsockname()[1])
    person.find(QSpinBox, "serverPort").setValue(other)
    until_serving(person)
    until(person, lambda: person.find(QLabel, "serverAddress").text() == f"http://{HOST}:{other}/v1")
    assert is_refused(port)


def test_with_a_key(person: Person, clients: Clients, places: Paths) -> None:
    with using(MemoryKeyring()):
        person.controller.settings.open("server")
        field, home = person.find(QLineEdit, "serverKey"), person.find(QLabel, "serverKeyHome")
        until(person, lambda: home.text().startswith("Without a key"))
        QTest.keyClicks(field, KEY)
        QTest.keyClick(field, Qt.Key.Key_Return)
        until(person, lambda: person.controller.settings_model.value.server_key)
        until_serving(person)
        assert clients.answer(clients.ask()).status == 401
        right = {**CLIENT, "Authorization": f"Bearer {KEY}"}
        assert clients.api.send("GET", "/v1/models", headers=right).status == 200
        assert KEY not in "".join(path.read_text() for path in places.config.rglob("*.json"))
        states: list[ServerState] = []
        person.controller.server.state_changed.connect(states.append)
        person.click("forgetServerKey")
        until(person, lambda: not person.controller.settings_model.value.server_key)
        until_serving(person)
        assert clients.answer(clients.ask()).status == 200
        assert ServerPhase.FAILED not in [state.phase for state in states]


def test_nobody_is_served_where_nothing_is_loaded(person: Person, choice: PairChoice, tmp_path: Path) -> None:
    until_serving(person)
    served = person.window.header.serving
    assert served.text() == "Server on"
    text = tmp_path / "text.gguf"
    text.write_text("Dear diary")
    with person.qtbot.waitSignal(person.controller.notifications.error_reported):
        person.controller.pair.load(choice_of(text, draft_type="none"))
    assert served.isHidden()
    with person.qtbot.waitSignal(person.controller.session.pair_loaded):
        person.controller.pair.load(choice)
    assert served.isVisible()


@pytest.mark.parametrize("serving", [False])
def test_without_its_key_nobody_is_served(person: Person, clients: Clients, port: int) -> None:
    """As when the keyring has lost it, or stays locked."""
    assert ServerKey()() == ""
    person.controller.settings_model.change(
        replace(person.controller.settings_model.value, serving=True, server_key=True)
    )
    until(person, lambda: "its key is missing" in status(person))
    assert is_refused(port)
    assert "The API server is off" in person.window.problem.accessibleName()
    person.click("problemAction")
    until(person, lambda: person.find(QLabel, "serverKeyHome").text().startswith("The key is missing"))
    assert not person.window.problem.isVisible()
    person.click("forgetServerKey")
    until_serving(person)


def test_the_end_of_the_window_ends_the_answer_properly(
    person: Person, clients: Clients, gate: threading.Event, port: int
) -> None:
    gate.clear()
    with closing(HTTPConnection(HOST, port, timeout=ANSWER_S)) as connection:
        asked = {"prompt": "Hello", "stream": True, "max_tokens": 200}
        connection.request("POST", "/v1/completions", json.dumps(asked), CLIENT)
        until(person, lambda: person.controller.api_activity.is_active)
        person.window.close()
        events = connection.getresponse().read().decode().split("\n\n")
    assert events[-1] == ""
    assert json.loads(events[-2].removeprefix("data: "))["error"]["code"] == "not_ready"
    assert is_refused(port)
