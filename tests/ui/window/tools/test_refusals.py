"""An engine elsewhere that takes no tools: the answer comes nevertheless, and the window says so once."""

from typing import Any

from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.scripted_engine import Reply, delta, events, reply, scripted_engine
from support.tool_chats import enable, send, wait_for_end, write_servers
from support.windows import window_with

from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager

CHAT = "/v1/chat/completions"


def test_it_answers_without_and_is_offered_none_again(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    def answer(body: Any) -> Reply:
        if "tools" in body:
            return reply({"message": '"auto" tool choice requires --enable-auto-tool-choice'}, status=400)
        return events(delta("It is blue.", "stop"))

    write_servers(places, raw="plain")
    with scripted_engine() as server:
        models = reply({"data": [{"id": "small", "owned_by": "vllm", "max_model_len": 4096}]})
        server.replies |= {"/v1/models": models, CHAT: answer}
        with window_with(places, PairChoice(ServedModel(server.url, "small")), ThemeManager(qapp)) as controller:
            person = Person(qtbot, controller)
            enable(person)
            send(person)
            wait_for_end(person)
            assert "can't call tools" in controller.window.problem.accessibleName()
            controller.window.problem.dismiss()
            n_asked = len(server.asked)
            send(person, "And now?")
            wait_for_end(person)
            assert [CHAT in asked.line for asked in server.asked[n_asked:]].count(True) == 1
            assert not controller.window.problem.isVisible()
            controller.settings.open("tools")
            words = [label.text() for label in controller.settings.page().tools_page.findChildren(QLabel)]
            assert "The loaded model can't call tools." in words
