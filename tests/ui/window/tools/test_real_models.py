"""A real model writes a call, a real server carries it out, and the model answers with the result."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from support.api_servers import serving
from support.calling_model import ARGUMENTS, COLORS, make_calling_model
from support.choices import choice_of
from support.desks import Person
from support.tool_chats import enable, send, service, states, wait_for_card, wait_for_end, write_servers
from support.windows import wait_until, window_with

from specchat.domain.model_ref import ServedModel
from specchat.domain.tools import CallState
from specchat.domain.types import ModelSettings, PairChoice, Role
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager

SETTINGS = ModelSettings(n_ctx=1024, threads=1)


@pytest.fixture(params=[("here", COLORS[0]), ("specchat serve", COLORS[1])], ids=lambda each: each[0])
def answering(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[PairChoice, str]]:
    """By whom, and the color of the sky."""
    where, color = request.param
    model = make_calling_model(tmp_path / "caller.gguf")
    with ExitStack() as running:
        choice = choice_of(model, target_settings=SETTINGS, draft_type="none")
        if where == "here":
            request.getfixturevalue("engine_here")
        else:
            url = running.enter_context(serving(tmp_path / "served", "-m", model, "-c", "1024")).url
            choice = PairChoice(ServedModel(url, model.name))
        yield choice, color


def test_a_call_and_its_result(
    qtbot: QtBot, qapp: QApplication, places: Paths, answering: tuple[PairChoice, str]
) -> None:
    choice, color = answering
    write_servers(places, {"SKY": color}, raw="tells_color")
    with window_with(places, choice, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        enable(person)
        send(person)
        wait_for_card(person)
        assert json.loads(person.find(QPlainTextEdit, "toolCallArguments").toPlainText()) == ARGUMENTS
        person.click("allowCall")
        wait_for_end(person, f"{color} it is.")
        assert [each.role for each in person.path] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
        assert (states(person), person.path[2].text) == ([CallState.DONE], f"The sky is {color}.")
        assert not person.window.problem.isVisible()


def test_tools_for_which_the_context_has_no_room_are_named(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path, engine_here: None
) -> None:
    choice = choice_of(make_calling_model(tmp_path / "caller.gguf"), target_settings=SETTINGS, draft_type="none")
    write_servers(places, raw="floods_lists")
    with window_with(places, choice, ThemeManager(qapp)) as controller:
        enable(Person(qtbot, controller), tool="look_0")
        meter = controller.window.composer.findChild(QWidget, "contextMeter")
        assert meter is not None
        wait_until(lambda: "Tools left out: 12" in meter.accessibleDescription(), "they are not counted")
        controller.settings.open("tools")
        (card,) = controller.settings.page().tools_page.cards
        words = card.findChild(QLabel, "toolsWithoutRoom")
        assert words is not None
        assert words.text().startswith("Left out for lack of room: look_")
        assert "larger context" in words.text()
        for number in range(1, 128):
            tool = service(Person(qtbot, controller)).find("raw", f"look_{number}")
            assert tool is not None
            controller.tools.service.consents.set_off(tool, off=True)
        controller.tools.changed.emit("raw")
        wait_until(lambda: "Tools left out" not in meter.accessibleDescription(), "they are still left out")


def test_a_call_of_a_server_that_died_is_read(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path, engine_here: None
) -> None:
    """The model has seen in the chat how it is called."""
    choice = choice_of(make_calling_model(tmp_path / "caller.gguf"), target_settings=SETTINGS, draft_type="none")
    write_servers(places, raw="dies_in_call")
    with window_with(places, choice, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        enable(person)
        send(person)
        wait_for_card(person)
        person.click("allowCall")
        wait_until(lambda: person.window.problem.isVisible(), "it goes on")
        assert set(states(person)) == {CallState.FAILED}
        assert "<tool_call>" not in "".join(each.text for each in person.path)
