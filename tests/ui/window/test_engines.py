"""Other engines in the window: added, tested, chosen, asked; scripted ones, and a specchat that serves."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QSpinBox, QTextEdit, QWidget
from pytestqt.qtbot import QtBot
from support.api_servers import serving
from support.desks import Person, pick, wait_for_pair
from support.keyrings import LockedKeyring, MemoryKeyring, using
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, scripted_engine, usage
from support.windows import opened

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import EngineReport
from specchat.domain.conversations import Attachment, MessageState
from specchat.domain.model_ref import ServedModel
from specchat.services.connections.connections import Connections
from specchat.store.paths import Paths
from specchat.ui.composer.context_meter import ContextMeter
from specchat.ui.engines.engine_card import EngineCard
from specchat.ui.engines.key_dialog import KeyDialog
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.error_remedies import Remedy
from specchat.window_bootstrap import build_services

KEY = "sk-very-secret"
CHAT = "/v1/chat/completions"
ANSWER = (delta("It"), delta(" is.", "stop"), usage(7, 2))
ID = "/models/small.gguf"
SMALL = {"id": ID, "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}


@pytest.fixture(autouse=True)
def keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    monkeypatch.delenv("SPECCHAT_ENGINE_KEY", raising=False)
    backend = MemoryKeyring()
    with using(backend):
        yield backend


@pytest.fixture
def server() -> Iterator[ScriptedEngine]:
    with scripted_engine() as server:
        server.replies = {"/v1/models": reply({"data": [SMALL]}), CHAT: events(*ANSWER)}
        yield server


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths) -> Iterator[Person]:
    with opened(build_services(places), ThemeManager(qapp), load_last=False) as controller:
        yield Person(qtbot, controller)


def locked(server: ScriptedEngine, replies: dict[str, Reply]) -> None:
    """Only who knows the key gets these."""

    def answer(path: str) -> Callable[[Any], Reply]:
        def of(_: Any) -> Reply:
            key = server.asked[-1].headers.get("authorization", "")
            return replies[path] if key == f"Bearer {KEY}" else reply({"error": "no"}, status=401)

        return of

    server.replies |= {path: answer(path) for path in replies}


def open_pane(person: Person) -> QWidget:
    person.controller.models.manager().open_at(ManagerSection.ENGINES)
    return person.find(QWidget, "enginesPane")


def add(person: Person, url: str, name: str = "box", key: str = "") -> None:
    open_pane(person)
    person.click("addEngineButton")
    for field, text in (("engineAddressField", url), ("engineNameField", name), ("engineKeyField", key)):
        person.find(QLineEdit, field).setText(text)
    person.click("addTheEngineButton")
    person.qtbot.waitUntil(lambda: _is_settled(person, 1))


def _is_settled(person: Person, count: int) -> bool:
    entries = person.controller.engines.entries
    return len(entries) == count and not any(entry.is_asked for entry in entries)


def told(pane: QWidget) -> str:
    """By the cards."""
    cards = [card for card in pane.findChildren(EngineCard) if card.isVisible()]
    return "\n".join(label.text() for card in cards for label in card.findChildren(QLabel) if label.isVisible())


def rows(person: Person) -> tuple[ChoiceRow, ...]:
    """Of the picker, once all engines have answered."""
    person.controller.pair.picker.open()
    person.qtbot.waitUntil(lambda: bool(person.controller.engines.entries))
    person.qtbot.waitUntil(lambda: _is_settled(person, len(person.controller.engines.entries)))
    return person.find(ChoiceList, "targetList").rows


def load(person: Person, model: ServedModel) -> None:
    rows(person)
    pick(person.find(ChoiceList, "targetList"), model)
    assert person.find(QAbstractButton, "loadButton").isEnabled()
    person.click("loadButton")


def action_of(person: Person) -> QAbstractButton:
    """What the error on show offers first."""
    found = person.window.problem.findChild(QAbstractButton, "problemAction")
    assert found is not None
    return found


def files(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_added_tested_and_asked(person: Person, server: ScriptedEngine, keyring: MemoryKeyring, tmp_path: Path) -> None:
    add(person, server.url, key=KEY)
    assert "llama-server serves 1 model. It can report accepted guesses." in told(open_pane(person))
    person.click("chooseEngineModelButton")
    assert person.controller.picker.isVisible()
    load(person, ServedModel(server.url, ID))
    assert wait_for_pair(person) == ("small.gguf", None, 4096)
    assert "small, served by box (llama-server)" in person.window.header.pair.accessibleName()
    assert person.ask("Is it warm?").text == "It is."
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    overlay = person.window.overlay
    assert "Guesses: not reported by the engine" in overlay.accessibleDescription()
    assert "tokens/s" in overlay.accessibleDescription()
    assert list(keyring.kept.values()) == [KEY]
    assert KEY.encode() not in files(tmp_path)


def test_the_picker_opens_at_the_models_of_the_engine(person: Person, server: ScriptedEngine, tiny_llama: Path) -> None:
    """Also where a local model is loaded."""
    first, second = ServedModel(server.url, ID), ServedModel(server.url, "/models/other.gguf")
    server.replies["/v1/models"] = reply({"data": [SMALL, SMALL | {"id": second.id}]})
    person.controller.pair.picker.add_file(tiny_llama)
    person.qtbot.waitUntil(lambda: person.controller.picker.target is not None)
    add(person, server.url)
    for loaded, chosen in ((None, first), (second, second)):
        if loaded is not None:
            load(person, loaded)
            wait_for_pair(person)
        open_pane(person)
        person.qtbot.waitUntil(lambda: _is_settled(person, 1))
        person.click("chooseEngineModelButton")
        person.qtbot.waitUntil(lambda: person.controller.picker.target == chosen)  # noqa: B023
        person.qtbot.waitUntil(lambda: _is_settled(person, 1))
        assert person.controller.picker.target == chosen


def test_what_was_chosen_is_loaded_again(
    qtbot: QtBot, qapp: QApplication, places: Paths, server: ScriptedEngine
) -> None:
    for load_last in (False, True):
        with opened(build_services(places), ThemeManager(qapp), load_last=load_last) as controller:
            person = Person(qtbot, controller)
            if not load_last:
                add(person, server.url)
                load(person, ServedModel(server.url, ID))
            assert wait_for_pair(person)[0] == "small.gguf"
            qtbot.waitUntil(lambda: "served by box" in person.window.header.pair.accessibleName())  # noqa: B023
            controller.models.open()  # the pair editor has nothing to say of it
            assert not person.window.problem.isVisible()


def test_without_engines_adding_one_is_the_thing_to_do(person: Person, server: ScriptedEngine) -> None:
    open_pane(person)
    button = person.find(QAbstractButton, "addEngineButton")
    assert button.property("primary")
    add(person, server.url)
    assert not button.property("primary")


def test_without_a_name_it_is_called_by_its_address(person: Person, server: ScriptedEngine) -> None:
    add(person, server.url, name="")
    assert [entry.connection.name for entry in person.controller.engines.entries] == [server.url.partition("://")[2]]


def test_mistakes_in_the_dialog(person: Person, server: ScriptedEngine) -> None:
    add(person, server.url)
    person.click("addEngineButton")
    button, problem = person.find(QAbstractButton, "addTheEngineButton"), person.find(QLabel, "engineDialogProblem")
    address = person.find(QLineEdit, "engineAddressField")
    address.setText("ftp://box")
    assert (button.isEnabled(), problem.text().split(".")[0]) == (False, "ftp://box is not the address of an engine")
    address.setText("http://192.0.2.1:8080")
    assert "is not encrypted" in person.find(QLabel, "engineDialogWarning").text()
    assert button.isEnabled()
    person.find(QLineEdit, "engineNameField").setText("BOX")
    assert (button.isEnabled(), problem.text()) == (False, "There is already an engine called BOX.")
    person.find(QLineEdit, "engineNameField").setText("other")
    person.find(QLineEdit, "engineKeyField").setText("two words")
    person.click("addTheEngineButton")
    person.qtbot.waitUntil(lambda: problem.text().startswith("Not a valid key"))
    assert len(person.controller.engines.entries) == 1


def test_one_that_does_not_answer(person: Person, server: ScriptedEngine) -> None:
    url = server.url
    server.shutdown()
    server.server_close()
    add(person, url)
    assert f"Can't reach {url}." in told(open_pane(person))
    (row,) = [row for row in rows(person) if row.title == "box"]
    assert (row.selectable, row.line) == (False, f"Can't reach {url}.")


def test_removed_with_its_key(person: Person, server: ScriptedEngine, keyring: MemoryKeyring) -> None:
    add(person, server.url, key=KEY)
    person.controller.models.manager().requests.engine_removal_requested.emit(
        person.controller.engines.entries[0].connection
    )
    person.qtbot.waitUntil(lambda: not keyring.kept)
    assert not person.controller.engines.entries
    assert not rows_of_engines(person)


def rows_of_engines(person: Person) -> list[ChoiceRow]:
    shown = person.find(ChoiceList, "targetList").rows
    return [row for row in shown if isinstance(row.key, ServedModel)]


def test_found_on_this_computer(person: Person, server: ScriptedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    find = Connections.find_here

    def here(connections: Connections, cancel: CancelToken) -> list[EngineReport]:
        return find(connections, cancel, [server.server_address[1]])

    monkeypatch.setattr(Connections, "find_here", here)
    open_pane(person)
    assert not server.asked
    person.click("findEnginesButton")
    person.qtbot.waitUntil(lambda: person.window.findChild(QAbstractButton, "addFoundEngineButton") is not None)
    person.click("addFoundEngineButton")
    person.qtbot.waitUntil(lambda: _is_settled(person, 1))
    assert person.controller.engines.entries[0].connection.name == "llama-server"
    person.click("findEnginesButton")
    outcome = person.find(QLabel, "findEnginesOutcome")
    person.qtbot.waitUntil(lambda: outcome.text() == "No other engines found on their usual ports.")


@pytest.mark.parametrize("has_keyring", [True, False])
def test_the_key_is_asked_for(
    person: Person, server: ScriptedEngine, tmp_path: Path, keyring: MemoryKeyring, has_keyring: bool
) -> None:
    add(person, server.url)
    locked(server, {CHAT: events(*ANSWER), "/v1/models": reply({"data": [SMALL]})})
    server.replies["/v1/models"], of_key = reply({"data": [SMALL]}), server.replies["/v1/models"]
    rows(person)
    server.replies["/v1/models"] = of_key
    pick(person.find(ChoiceList, "targetList"), ServedModel(server.url, ID))
    person.click("loadButton")
    with using(keyring if has_keyring else LockedKeyring()):
        person.qtbot.waitUntil(lambda: person.window.findChild(KeyDialog) is not None)
        assert Remedy.ENGINE_KEY in person.remedies()
        person.find(QLineEdit, "apiKeyField").setText("two words")
        person.click("saveEngineKeyButton")
        assert person.find(QLabel, "engineDialogProblem").text().startswith("Not a valid key")
        person.find(QLineEdit, "apiKeyField").setText(KEY)
        person.click("saveEngineKeyButton")
        assert wait_for_pair(person)[0] == "small.gguf"
        assert not person.window.problem.isVisible()
        assert person.ask("Is it warm?").text == "It is."
    assert KEY.encode() not in files(tmp_path)


def test_lost_amid_an_answer(person: Person, server: ScriptedEngine) -> None:
    add(person, server.url)
    load(person, ServedModel(server.url, ID))
    wait_for_pair(person)
    server.replies[CHAT] = events(delta("It"), delta(" is"), end=b"")
    answer = person.ask("Is it warm?")
    assert (answer.text, answer.state) == ("It is", MessageState.STOPPED)
    assert person.window.problem.isVisible()
    server.replies[CHAT] = events(delta(" indeed.", "stop"))
    action = action_of(person)
    assert action.text() == "Continue"
    action.click()
    person.qtbot.waitUntil(lambda: person.path[-1].text == "It is indeed.")
    assert server.last(CHAT)["continue_final_message"]


def test_lost_where_nothing_can_be_continued(person: Person, server: ScriptedEngine) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": ID}]})
    add(person, server.url)
    load(person, ServedModel(server.url, ID))
    wait_for_pair(person)
    server.replies[CHAT] = events(delta("It"), delta(" is"), end=b"")
    answer = person.ask("Is it warm?")
    hint = person.window.problem.findChild(QTextEdit, "problemHint")
    assert hint is not None
    assert hint.toPlainText() == "Check that the engine is running, then regenerate the answer."
    assert action_of(person).text() == "Regenerate"
    assert person.controller._entries.build_details(answer.id).footer == "cut off · 2 tokens"
    assert "tokens/s" in person.window.overlay.accessibleDescription()


def test_two_chats_are_asked_at_the_same_time(person: Person, server: ScriptedEngine) -> None:
    add(person, server.url)
    load(person, ServedModel(server.url, ID))
    wait_for_pair(person)
    server.replies[CHAT] = events(delta("It"), end=b"", holds=True)
    chats = []
    for question in ("Is it warm?", "Is it wet?"):
        person.controller.chat.start_chat()
        person.write(question)
        person.click("sendButton")
        assert person.controller.session.conversation is not None
        chats.append(person.controller.session.conversation.id)
    answers = person.controller.answers
    person.qtbot.waitUntil(lambda: answers.conversations()[0] == frozenset(chats))
    for chat in chats:
        answers.stop(chat)
    person.qtbot.waitUntil(lambda: answers.current() is None)


def test_what_it_cannot_do_is_greyed(person: Person, server: ScriptedEngine) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": "small", "owned_by": "someone"}]})
    add(person, server.url)
    load(person, ServedModel(server.url, "small"))
    wait_for_pair(person)
    server.replies[CHAT] = events(delta("It"), delta(" is"), end=b"")
    person.ask("Is it warm?")
    assert action_of(person).text() == "Regenerate"
    button = person.find(QAbstractButton, "continueMessageButton")
    assert (button.isEnabled(), "can't continue" in button.accessibleName()) == (False, True)
    person.controller.session.settings_requested.emit("conversation")
    top_k = person.find(QSpinBox, "topK")
    assert (top_k.isEnabled(), top_k.accessibleDescription()) == (False, "This engine doesn't support this setting.")
    assert person.find(QLabel, "topKExplanation").text() == "This engine doesn't support this setting."
    assert not person.find(QWidget, "contextMeter").isVisible()


def test_a_routers_model_is_loaded(person: Person, server: ScriptedEngine) -> None:
    state = {"value": "unloaded"}

    def models(_: Any) -> Reply:
        entry = {"id": "a/b/small.gguf", "owned_by": "llamacpp", "status": dict(state)}
        return reply({"data": [entry, {"id": "c/d/small.gguf", "owned_by": "llamacpp", "status": {"value": "loaded"}}]})

    def start(_: Any) -> Reply:
        state["value"] = "loaded"
        return reply({"success": True})

    props = reply({"default_generation_settings": {"n_ctx": 2048}})
    server.replies |= {"/v1/models": models, "/models": models, "/models/load": start, "/props": props}
    add(person, server.url)
    titles = [(row.title, row.line) for row in rows(person) if isinstance(row.key, ServedModel)]
    assert titles == [("a/b/small.gguf", "Loaded when you choose it"), ("c/d/small.gguf", "Loaded")]
    load(person, ServedModel(server.url, "a/b/small.gguf"))
    assert wait_for_pair(person) == ("small.gguf", None, 2048)
    assert server.last("/models/load") == {"model": "a/b/small.gguf"}


def test_a_specchat_that_serves(person: Person, tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    target, draft = tiny_pair
    with serving(tmp_path / "other", "-m", target, "-md", draft, "-c", "512", "--draft-max", "3") as api:
        add(person, api.url)
        (row,) = [row for row in rows(person) if isinstance(row.key, ServedModel)]
        assert isinstance(row.key, ServedModel)
        load(person, row.key)
        wait_for_pair(person)
        person.controller.chat.start_chat()
        person.keep_short()
        answer = person.ask("Go on")
    assert answer.text
    figures = person.controller.services.messages.answer(answer.id)
    assert figures is not None
    assert figures.stats.n_drafted > 0
    assert "guesses accepted" in person.window.overlay.accessibleDescription()


def test_the_tokens_of_a_file_are_estimated_as_the_meter_says(person: Person, server: ScriptedEngine) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": "small", "owned_by": "someone", "max_model_len": 8192}]})
    add(person, server.url)
    load(person, ServedModel(server.url, "small"))
    wait_for_pair(person)
    person.window.composer.set_attachments([Attachment("notes.txt", "It is warm. " * 20)])
    remove = person.find(QAbstractButton, "removeAttachment")
    person.qtbot.waitUntil(lambda: remove.accessibleDescription().startswith("about "))


def test_long_pieces_fill_the_context_while_they_arrive(person: Person, server: ScriptedEngine) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": "small", "owned_by": "someone", "max_model_len": 8192}]})
    add(person, server.url)
    load(person, ServedModel(server.url, "small"))
    wait_for_pair(person)
    person.ask("Is it wet?")
    meter = person.find(ContextMeter, "contextMeter")
    person.qtbot.waitUntil(lambda: meter._use is not None)
    server.replies[CHAT] = events(*[delta("It is warm today. " * 100)] * 2, end=b"", holds=True)
    person.write("Is it warm?")
    person.click("sendButton")
    person.qtbot.waitUntil(lambda: meter._use is not None and meter._use.used > 900)
    assert "tokens/s" not in person.window.overlay.accessibleDescription()
    assert person.controller.session.conversation is not None
    person.controller.answers.stop(person.controller.session.conversation.id)
    person.qtbot.waitUntil(lambda: person.controller.answers.current() is None)
    assert person.controller._entries.build_details(person.path[-1].id).footer == "guesses not reported · stopped"


@pytest.mark.parametrize("n_ctx", [8192, None])
def test_the_context_that_an_engine_lists_is_not_said_to_be_missing(
    person: Person, server: ScriptedEngine, n_ctx: int | None
) -> None:
    server.replies["/v1/models"] = reply({"data": [{"id": "small", "owned_by": "someone", "max_model_len": n_ctx}]})
    add(person, server.url)
    lacks = "This engine doesn't report the size of its context."
    rows(person)
    pick(person.find(ChoiceList, "targetList"), ServedModel(server.url, "small"))
    assert (lacks in person.find(QWidget, "engineNotes").accessibleDescription()) == (n_ctx is None)
