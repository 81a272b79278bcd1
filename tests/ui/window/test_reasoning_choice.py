"""Reasoning that is turned off in the settings of a chat."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from support import chat_templates
from support.choices import choice_of
from support.desks import Person, store_of
from support.ggufs import ModelRecipe, make_model

from specchat.domain.types import ModelSettings, PairChoice

pytestmark = pytest.mark.usefixtures("engine_here")


def load(person: Person, choice: PairChoice) -> None:
    person.controller.pair.load(choice)
    person.qtbot.waitUntil(lambda: person.controller.pair.choice == choice, timeout=60_000)


def test_the_template_is_told(person: Person, tmp_path: Path) -> None:
    model = make_model(tmp_path / "switch.gguf", ModelRecipe(chat_template=chat_templates.CHATML))
    person.controller.settings.open()
    field = person.find(QComboBox, "reasoning")
    assert not field.isEnabled(), "the template of the loaded model has no switch"
    load(person, choice_of(model, target_settings=ModelSettings(n_ctx=512, threads=1), draft_type="none"))
    assert [field.itemText(place) for place in range(field.count())] == ["Model default", "Off", "On"]
    lengths = []
    for place in range(2):
        person.click("newChatButton")
        person.keep_short()
        person.controller.settings.open()
        field.setCurrentIndex(place)
        person.window.show_chat()
        answer = person.ask("Why?")
        stats = store_of(person.controller).tree(answer.conversation).answers[answer.id].stats
        assert stats is not None
        lengths.append(stats.n_prompt)
    assert lengths[0] < lengths[1], "a closed thought is a part of the prompt"
