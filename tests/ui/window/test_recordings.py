"""Recordings on their way from the composer to the model and back."""

from pathlib import Path

import pytest
from support.audio_projectors import ULTRAVOX
from support.choices import choice_of
from support.desks import OpenScripted, Person
from support.paced_engine import PacedEngine, pieces_of
from support.recordings import recording

from specchat.domain.errors import IncapableError, UserError
from specchat.domain.types import Message, ModelSettings, PairChoice, Role

MEMO = recording(0.5, name="memo.wav")


def engine(*, hears: bool) -> PacedEngine:
    return PacedEngine(lambda _: pieces_of("Buy bread."), hears_recordings=hears)


def test_the_model_gets_it_now_and_later(open_scripted: OpenScripted, tmp_path: Path) -> None:
    hearing = engine(hears=True)
    with open_scripted(hearing) as person:
        person.attach(tmp_path, MEMO)
        chips = person.window.composer._chips._chips
        person.qtbot.waitUntil(lambda: chips[0].remove.accessibleDescription() == "0:01 · about 750 tokens")
        person.ask("What do I need?")
        person.ask("And then?")
        asked = Message(Role.USER, "What do I need?", recordings=(MEMO,))
        assert [task.messages[0] for task in hearing.asked] == [asked, asked]
        row = person.window.transcript.row_of(person.path[0].id)
        assert row is not None
        assert [each.name for each in row.chips] == ["memo.wav · 0:01"]


def test_a_model_that_cannot_hear_says_so(open_scripted: OpenScripted, tmp_path: Path) -> None:
    with open_scripted(engine(hears=True)) as person:
        person.attach(tmp_path, MEMO)
        person.ask("What do I need?")
        person.attach(tmp_path, recording(0.3, name="next.wav"))
    deaf = engine(hears=False)
    with open_scripted(deaf) as person:
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
        person.attach(tmp_path, MEMO)
        answer = person.ask("What is said?")
        heard = person.controller.services.messages.answer(answer.id)
        assert heard is not None
        assert heard.stats.n_generated == 8
        assert heard.stats.n_prompt > 187
        answer = person.ask("And now?")
        later = person.controller.services.messages.answer(answer.id)
        assert later is not None
        assert later.stats.n_prompt_reused >= heard.stats.n_prompt, "it is not heard again"
