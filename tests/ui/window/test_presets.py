"""What is done to a preset can be taken back."""

import sqlite3
from contextlib import closing

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from support.desks import Person

from specchat.domain.conversations import ConversationSettings
from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_choice
from specchat.services.settings.preset_service import CREATIVE
from specchat.store.paths import Paths
from specchat.ui.settings.preset import Preset

pytestmark = pytest.mark.usefixtures("engine_here")

SHORT, LONG = ConversationSettings("Be short."), ConversationSettings("Be long.")


@pytest.fixture
def saved(person: Person) -> ConversationSettings:
    """In use in a conversation that is shown in the settings."""
    presets = person.controller.services.presets
    person.controller.chat.start_chat(presets.save("Mine", SHORT))
    person.controller.settings.open()
    return presets.list_presets()[-1]


def undo(person: Person, happened: str) -> None:
    assert person.find(QLabel, "noticeText").text() == happened
    person.find(QAbstractButton, "noticeAction").click()


def test_a_deleted_preset_comes_back(person: Person, saved: ConversationSettings) -> None:
    presets = person.controller.services.presets
    person.find(QAbstractButton, "deletePreset").click()
    assert presets.find_own("Mine") is None
    undo(person, "Preset “Mine” deleted")
    assert presets.find_own("Mine") == saved
    assert person.find(QAbstractButton, "deletePreset").isEnabled()


def test_a_replaced_preset_comes_back(person: Person, saved: ConversationSettings) -> None:
    presets, dialog = person.controller.services.presets, person.controller.settings.page()
    dialog.conversation_page.preset_saved.emit(Preset("mine", LONG))
    replaced = presets.find_own("Mine")
    assert replaced is not None
    assert replaced.system_prompt == "Be long."
    undo(person, "Preset “Mine” replaced")
    assert presets.find_own("mine") == saved


def test_settings_that_a_preset_replaces_come_back(person: Person, saved: ConversationSettings) -> None:
    """Only where no preset has them; also once another chat is open."""
    controller, page = person.controller, person.controller.settings.page().conversation_page
    page.preset_bar.picked.emit(Preset("Creative", CREATIVE, True))
    assert not person.find(QLabel, "noticeText").isVisible()
    controller.chat.change_settings(LONG)
    changed = controller.session.conversation
    assert changed is not None
    page.preset_bar.picked.emit(Preset("Creative", CREATIVE, True))
    assert preset(person) == "Creative"
    controller.chat.start_chat()
    undo(person, "Settings of the chat replaced")
    assert controller.services.conversations.get(changed.id).settings == LONG
    assert controller.session.conversation != changed
    controller.chat.open(changed.id)
    controller.settings.open()
    assert page._prompt.toPlainText() == "Be long."


def test_what_is_still_typed_comes_back_too(person: Person, saved: ConversationSettings) -> None:
    """Not everywhere does a click into a list of choices take the focus from the text."""
    page = person.controller.settings.page().conversation_page
    page._prompt.setPlainText("Be kind.")
    page.preset_bar.picked.emit(Preset("Creative", CREATIVE, True))
    undo(person, "Settings of the chat replaced")
    assert page._prompt.toPlainText() == "Be kind."


def test_settings_open_although_a_preset_is_damaged(person: Person, places: Paths) -> None:
    with closing(sqlite3.connect(places.data / "chats.db")) as database, database:
        database.execute("INSERT INTO preset (name, settings) VALUES ('Odd', '[]')")
    person.controller.settings.open("application")
    page = person.controller.settings.page()
    assert page.application_page.isVisible()
    assert "chats.db is damaged" in person.window.problem.accessibleName()
    assert not person.window.problem.isHidden()
    page.conversation_page.preset_saved.emit(Preset("Mine", LONG))
    page.turn_to("conversation")
    assert page.conversation_page.isVisible()


def test_a_new_preset_leaves_nothing_to_take_back(person: Person, saved: ConversationSettings) -> None:
    person.controller.settings.page().conversation_page.preset_saved.emit(Preset("Another", LONG))
    person.controller.settings.page().conversation_page.preset_saved.emit(Preset("Mine", SHORT))
    assert not person.find(QLabel, "noticeText").isVisible()


def test_an_empty_chat_begins_as_the_models_want_it_that_are_loaded(person: Person, choice: PairChoice) -> None:
    chat, pair, demo = person.controller.chat, person.controller.pair, demo_choice()
    session = person.controller.session
    assert demo is not None

    def begins_with(wanted: PairChoice) -> str | None:
        pair.load(wanted)
        person.qtbot.waitUntil(lambda: pair.choice == wanted, timeout=60_000)
        assert session.conversation is not None
        return session.conversation.settings.preset

    person.controller.chat_list.new_chat()
    assert [begins_with(wanted) for wanted in (demo, choice)] == ["Precise", "Balanced"]
    chat.change_settings(CREATIVE)
    assert begins_with(demo) == "Creative", "as chosen"


def preset(person: Person) -> str:
    conversation = person.controller.session.conversation
    assert conversation is not None
    return conversation.settings.preset


def test_what_is_chosen_for_an_empty_chat_is_for_the_next_one_as_well(person: Person) -> None:
    """Also where something is typed, which stays in the chat that it was typed in; not once something was asked."""
    person.controller.chat.change_settings(CREATIVE)
    person.click("newChatButton")
    assert preset(person) == "Creative"
    person.write("not sent")
    before = person.controller.session.conversation
    person.click("newChatButton")
    assert person.controller.session.conversation != before
    assert (preset(person), person.window.composer.text) == ("Creative", "")
    person.keep_short()
    person.ask("One")
    person.click("newChatButton")
    assert preset(person) == "Balanced"


def test_what_was_chosen_goes_with_the_chat_that_is_deleted(person: Person) -> None:
    person.controller.chat.change_settings(CREATIVE)
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.controller.chat_list.delete(conversation.id)
    assert preset(person) == "Balanced"
