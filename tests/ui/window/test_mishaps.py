"""What happens around a chat: files that go, a clock that is set back, a paste of half a book, letters in pieces."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QPlainTextEdit,
    QTextEdit,
)
from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.desks import Person
from support.ggufs import ModelRecipe, make_model
from support.windows import opened, wait_for_pair

from specchat.domain.conversations import MessageState
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.composer import ContextPart
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.start.application import ThemeManager
from specchat.ui.words.number_format import format_number
from specchat.window_bootstrap import build_services

PATIENCE_MS = 120_000
DAY_S = 86400.0


def problem(person: Person) -> tuple[str, str]:
    person.qtbot.waitUntil(person.window.problem.isVisible, timeout=PATIENCE_MS)
    return person.find(QTextEdit, "problemMessage").toPlainText(), person.find(QTextEdit, "problemHint").toPlainText()


def test_files_removed_amid_a_chat(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, tmp_path: Path
) -> None:
    """What is loaded goes on; loading it again says what is missing, and the chat stays."""
    target, draft = tmp_path / "target.gguf", tmp_path / "draft.gguf"
    for copy, file in zip((target, draft), files_of(choice), strict=True):
        copy.write_bytes(file.read_bytes())
    mine = replace(choice, target=ModelFile(target), draft=ModelFile(draft))
    services = build_services(places)
    services.pair_settings.save(mine)
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.keep_short()
        person.ask("Before")
        target.unlink()
        draft.unlink()
        answer = person.ask("After")
        assert answer.text
        assert not person.window.problem.isVisible()
        controller.pair.load(mine)
        message, hint = problem(person)
        assert message == f"{target.name} wasn't found."
        assert hint.startswith("The current pair stays loaded.")
        assert [each.text for each in person.path[::2]] == ["Before", "After"]


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_a_clock_that_is_set_back(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> None:
    """By a year: the chat used last stays first, messages stay in their order, and the trash is not emptied."""
    clock = Clock()
    services = build_services(places)
    services.pair_settings.save(choice)

    def questions(person: Person) -> list[str]:
        return [each.text for each in person.path[::2]]

    def titles(controller: AppController) -> list[str]:
        return [each.title for each in controller.services.conversations.list_all() if each.title]

    with closing(open_chat_store(places.chats)) as kept:
        timed = replace(services, conversations=ConversationService(kept, clock), messages=MessageService(kept, clock))
        with opened(timed, ThemeManager(qapp)) as controller:
            wait_for_pair(controller)
            person = Person(qtbot, controller)
            for question in ("Gone", "First"):
                person.click("newChatButton")
                person.keep_short(4)
                person.ask(question)
            controller.chat_list.delete(kept.conversations()[-1].id)
            first = controller.session.conversation
            assert first is not None
            person.click("newChatButton")
            clock.now -= 365 * DAY_S
            person.keep_short(4)
            person.ask("Second")
            assert titles(controller) == ["Second", "First"]
            controller.chat.open(first.id)
            person.ask("And then?")
            assert questions(person) == ["First", "And then?"]
            assert titles(controller) == ["First", "Second"]
    later = ConversationService(kept := open_chat_store(places.chats), clock)
    with closing(kept):
        later.purge_old()
        assert [each.title for each in later.list_trash()] == ["Gone"]
        assert [each.title for each in later.list_all() if each.title] == ["First", "Second"]


@pytest.fixture
def roomy(qtbot: QtBot, qapp: QApplication, places: Paths, models_dir: Path) -> Iterator[Person]:
    """A model of 40,960 tokens."""
    model = make_model(models_dir / "roomy.gguf", ModelRecipe(n_ctx=40_960, n_layer=1))
    services = build_services(places)
    services.pair_settings.save(choice_of(model, None, ModelSettings(n_ctx=40_960), draft_type="ngram"))
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        yield Person(qtbot, controller)


def tokens_counted(person: Person) -> int:
    """Of the message, once all that is typed is counted."""
    composer, context = person.window.composer, person.controller.context

    def is_up_to_date() -> bool:
        task = context._task
        return task is not None and task is context._count_of and task.question == composer.text

    person.qtbot.waitUntil(is_up_to_date, timeout=PATIENCE_MS)
    assert composer._meter._use is not None
    return dict(composer._meter._use.parts)[ContextPart.MESSAGE]


def paste(person: Person, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    person.find(QPlainTextEdit, "composer").setFocus()
    person.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert person.window.composer.text == text


def test_a_paste_of_32_000_tokens(roomy: Person) -> None:
    """Counted at once: it is not sent where a quarter of the context would not be left for the answer."""
    line = "The tide comes in, and goes out again, twice a day.\n"
    paste(roomy, line * 100)
    n_lines = 100 * 32_000 // tokens_counted(roomy) + 1
    roomy.find(QPlainTextEdit, "composer").clear()
    text = (line * n_lines).rstrip()
    paste(roomy, text)
    assert 32_000 <= tokens_counted(roomy) < 33_000
    roomy.window.composer.send()
    assert problem(roomy) == (
        f"Message too long: {format_number(tokens_counted(roomy))} tokens, room for 30,720.",
        "The system prompt and the answer need the rest. Shorten the message, remove attachments, or load "
        "the model with a larger context.",
    )
    assert (roomy.path, roomy.window.composer.text) == ([], text)

    roomy.keep_short(8)
    tokens_counted(roomy)
    roomy.click("sendButton")
    status = roomy.window.status
    roomy.qtbot.waitUntil(lambda: status.text().startswith("Processing the prompt"), timeout=PATIENCE_MS)
    roomy.click("stopButton")
    stopped = roomy.wait_for_answer()
    assert (stopped.text, stopped.state) == ("", MessageState.STOPPED)
    assert roomy.path[0].text == text


def test_letters_in_pieces(qtbot: QtBot, qapp: QApplication, places: Paths, models_dir: Path) -> None:
    """A model that says lone bytes, so that characters arrive in parts: what is shown is what is kept."""
    model = make_model(models_dir / "bytes.gguf", ModelRecipe(speaks_bytes=True))
    services = build_services(places)
    services.pair_settings.save(choice_of(model, None, ModelSettings(n_ctx=1024), draft_type="ngram"))
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        question = "👩\u200d🚀 e\u0301 a\u0308\u0323 🇩🇪 नमस्ते ไทย"
        person.keep_short(200)
        person.window.composer.set_text(question)
        person.click("sendButton")
        answer = person.wait_for_answer()
        assert person.path[0].text == question
        assert any(ord(letter) > 127 for letter in answer.text)
        row = person.window.transcript.message_layout.cached_row(answer.id)
        assert row is not None
        assert all(a == b or ord(b) < ord(" ") for a, b in zip(row.text, answer.text, strict=True))
        answered = controller.services.messages.answer(answer.id)
        assert answered is not None
        assert answered.marks[-1].end == len(answer.text)


def test_a_template_that_throws(qtbot: QtBot, qapp: QApplication, places: Paths, models_dir: Path) -> None:
    """The question stays, to be asked again."""
    template = "{{ raise_exception('Only about tea') }}"
    model = make_model(models_dir / "throws.gguf", ModelRecipe(chat_template=template))
    services = build_services(places)
    services.pair_settings.save(choice_of(model, None, ModelSettings(n_ctx=1024), draft_type="ngram"))
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.write("About coffee?")
        person.click("sendButton")
        person.qtbot.waitUntil(lambda: not controller.chat.is_answering, timeout=PATIENCE_MS)
        assert problem(person) == (
            "The model's chat template rejected the chat: Only about tea.",
            "Choose a model file with a working chat template.",
        )
        assert [each.text for each in person.path] == ["About coffee?"]
        assert person.find(QAbstractButton, "problemAction").text() == "Try again"


def test_no_draft_suits(qtbot: QtBot, qapp: QApplication, places: Paths, tiny_llama: Path, tiny_t5: Path) -> None:
    """The list is not empty: it says who guesses instead, and of each other model why it cannot."""
    services = build_services(places)
    services.pair_settings.save(choice_of(tiny_llama))
    for model in (tiny_t5, tiny_llama):
        services.models.library.add(model)
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.click("pairButton")
        drafts = person.find(ChoiceList, "draftList")
        qtbot.waitUntil(lambda: bool(drafts.rows), timeout=PATIENCE_MS)
        lines = {row.title: (row.line, row.selectable) for row in drafts.rows}
        assert lines["Automatic"] == ("Guesses from earlier text: no draft on this computer is faster", True)
        reason = "The tokenizers have different types: gpt2 (bpe) and t5 (ugm)."
        assert lines["Tiny"] == (reason, False)
