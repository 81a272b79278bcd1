"""Recordings on their way from the composer to the model and back."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.audio_projectors import ULTRAVOX
from support.choices import choice_of
from support.desks import Person
from support.paced_engine import PacedEngine, pieces_of
from support.recordings import recording
from support.windows import empty_pair, window_with

from specchat.domain.errors import IncapableError, UserError
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, ModelSettings, PairChoice, Role
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager

MEMO = recording(0.5, name="memo.wav")
Opened = Callable[[PacedEngine], AbstractContextManager[Person]]


def engine(*, hears: bool) -> PacedEngine:
    return PacedEngine(lambda _: pieces_of("Buy bread."), hears_recordings=hears)


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication, places: Paths) -> Opened:
    @contextmanager
    def window(paced: PacedEngine) -> Iterator[Person]:
        with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: paced) as controller:
            person = Person(qtbot, controller)
            qtbot.waitUntil(lambda: controller.session.conversation is not None)
            yield person

    return window


def attach(person: Person, folder: Path, *recordings: Recording) -> None:
    for each in recordings:
        (folder / each.name).write_bytes(each.content)
    person.window.composer.attaching.load_files([folder / each.name for each in recordings])
    person.qtbot.waitUntil(lambda: set(recordings) <= set(person.window.composer.attachments))


def test_the_model_gets_it_now_and_later(opened: Opened, tmp_path: Path) -> None:
    hearing = engine(hears=True)
    with opened(hearing) as person:
        attach(person, tmp_path, MEMO)
        chips = person.window.composer._chips._chips
        person.qtbot.waitUntil(lambda: chips[0].remove.accessibleDescription() == "0:01 · about 750 tokens")
        person.ask("What do I need?")
        person.ask("And then?")
        asked = Message(Role.USER, "What do I need?", recordings=(MEMO,))
        assert [task.messages[0] for task in hearing.asked] == [asked, asked]
        row = person.window.transcript.row_of(person.path[0].id)
        assert row is not None
        assert [each.name for each in row.chips] == ["memo.wav · 0:01"]


def test_a_model_that_cannot_hear_says_so(opened: Opened, tmp_path: Path) -> None:
    with opened(engine(hears=True)) as person:
        attach(person, tmp_path, MEMO)
        person.ask("What do I need?")
        attach(person, tmp_path, recording(0.3, name="next.wav"))
    deaf = engine(hears=False)
    with opened(deaf) as person:
        chats = person.controller.services.conversations.list_used()
        person.controller.chat.open(chats[0].id)
        errors = list[UserError]()
        person.controller.notifications.error_reported.connect(errors.append)
        person.window.composer.attaching.load_files([tmp_path / MEMO.name])
        assert person.window.notice.text == "This model can't hear recordings."
        person.click("sendButton")
        assert isinstance(errors[0], IncapableError)
        assert [each.name for each in person.window.composer.attachments] == ["next.wav"]
        person.window.composer.set_attachments(())
        person.ask("And in words?")
        assert all(not message.recordings for message in deaf.asked[0].messages)
        assert person.window.notice.text == "This model can't hear the recordings in this chat."


class TestOfARealModel:
    @pytest.fixture
    def choice(self, tmp_path: Path) -> PairChoice:
        target, _ = ULTRAVOX.make(tmp_path / "hearing")
        return choice_of(target, None, ModelSettings(n_ctx=1024, threads=2), draft_type="none")

    def test_it_answers_what_it_hears(self, person: Person, tmp_path: Path) -> None:
        person.keep_short(8)
        attach(person, tmp_path, MEMO)
        answer = person.ask("What is said?")
        heard = person.controller.services.messages.answer(answer.id)
        assert heard is not None
        assert heard.stats.n_generated == 8
        assert heard.stats.n_prompt > 187
        answer = person.ask("And now?")
        later = person.controller.services.messages.answer(answer.id)
        assert later is not None
        assert later.stats.n_prompt_reused >= heard.stats.n_prompt, "it is not heard again"
