"""A real model writes a call, a real server carries it out, and the model answers with the result."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot
from support.api_servers import serving
from support.calling_model import ARGUMENTS, COLORS, make_calling_model
from support.choices import choice_of
from support.desks import Person
from support.tool_chats import enable, send, states, wait_for_card, wait_for_end, write_servers
from support.windows import window_with

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
