"""What the window says about the context, with real models whose context is small."""

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QTextEdit, QWidget
from support.desks import Person

from specchat.domain.answer_tasks import CountTask
from specchat.domain.conversations import Attachment
from specchat.domain.types import PairChoice, Role
from specchat.services.chat.text_files import MAX_TEXT_BYTES
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.chat.entry_builder import EntryBuilder
from specchat.ui.composer import ContextPart, ContextUsage
from specchat.ui.composer.context_usage import FillLevel
from specchat.ui.threads.inference import ContextCounted, ContextCountFailed, InferenceEvent
from specchat.ui.window.error_remedies import Remedy, remedy_label
from specchat.ui.words.number_format import format_number

pytestmark = pytest.mark.usefixtures("engine_here")

LONG = "Tell me more about all of that, please. " * 3


class Meter:
    """Read once all is counted."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._counted: CountTask | None = None
        person.controller.inference.events_arrived.connect(self._take)

    def _take(self, events: list[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, ContextCounted):
                self._counted = event.task

    def use(self) -> ContextUsage:
        controller = self._person.controller
        self._person.qtbot.waitUntil(
            lambda: controller.context._task is not None and self._counted is controller.context._task
        )
        use = controller.window.composer._meter._use
        assert use is not None
        return use

    def tokens(self, part: ContextPart) -> int:
        return dict(self.use().parts)[part]


@pytest.fixture
def meter(person: Person) -> Meter:
    person.keep_short(8)
    return Meter(person)


def ask(person: Person, text: str) -> int:
    person.window.composer.set_text(text)
    person.click("sendButton")
    return person.wait_for_answer().id


def test_while_an_answer_is_written_its_prompt_counts(person: Person, meter: Meter) -> None:
    """Also where it was not counted before: as a suggestion, which is asked with a click."""
    shown: list[int] = []

    def note() -> None:
        use = person.window.composer._meter._use
        assert use is not None
        shown.append(use.used)

    assert meter.use().used == 0
    person.controller.answers.updated.connect(lambda *_: note())
    for question in (LONG, "And then?"):
        shown.clear()
        person.controller.generation.send_suggestion(question)
        person.wait_for_answer()
        answered = meter.use().used
        assert shown == sorted(shown)
        assert answered - 16 < shown[0] <= shown[-1]
        assert abs(answered - shown[-1]) < 8


def test_while_a_message_is_edited_what_would_be_sent_is_counted(person: Person, meter: Meter) -> None:
    ask(person, "One")
    first = meter.tokens(ContextPart.CONVERSATION)
    person.window.composer.set_attachments((Attachment("a.txt", "some lines"),))
    ask(person, "Two")
    both = meter.tokens(ContextPart.CONVERSATION)
    assert both > first > 0

    person.window.transcript.edit_requested.emit(person.path[2].id)
    assert meter.tokens(ContextPart.CONVERSATION) == first
    assert meter.tokens(ContextPart.ATTACHMENTS) > 0
    assert meter.tokens(ContextPart.MESSAGE) > 0
    person.window.composer.cancel_edit()
    assert meter.tokens(ContextPart.CONVERSATION) == both
    assert meter.tokens(ContextPart.ATTACHMENTS) == meter.tokens(ContextPart.MESSAGE) == 0

    person.window.transcript.edit_requested.emit(person.path[0].id)
    assert meter.tokens(ContextPart.CONVERSATION) == 0
    person.find(QPlainTextEdit, "composer").setPlainText("Instead")
    person.click("sendButton")
    person.wait_for_answer()
    assert [message.text for message in person.path[::2]] == ["Instead"]
    assert 0 < meter.tokens(ContextPart.CONVERSATION) < both


def test_what_could_not_be_counted_is_not_shown(person: Person, meter: Meter) -> None:
    ask(person, "One")
    assert meter.tokens(ContextPart.CONVERSATION) > 0
    context = person.controller.context
    assert context._task is not None
    person.controller.inference.events_arrived.emit([ContextCountFailed(context._task)])
    assert person.window.composer._meter._use is None


def test_an_answer_that_comes_while_a_message_is_edited_does_not_count(person: Person, meter: Meter) -> None:
    answer = ask(person, "One")
    person.window.transcript.edit_requested.emit(person.path[0].id)
    before = meter.use()
    person.window.transcript.regenerate_requested.emit(answer)
    person.wait_for_answer()
    assert meter.use() == before


def test_what_is_left_out_is_told_once_and_can_be_read_later(person: Person, meter: Meter) -> None:
    notice = person.window.notice
    entries = EntryBuilder(person.controller.services.messages, person.controller.answers, str)
    footers: list[str] = []
    while not notice.isVisible():
        foreseen = meter.use()
        footers.append(entries.build_details(ask(person, LONG)).footer)
        assert len(footers) < 20
    assert not any("left out" in footer for footer in footers[:-1])
    assert footers[-1].startswith("Oldest messages left out: 2 · ")
    assert notice.text == "The 2 oldest messages no longer fit in the context."
    assert person.find(QAbstractButton, "noticeAction").text() == remedy_label(Remedy.LARGER_CONTEXT)
    notice.dismiss()
    assert foreseen.n_left_out == 0

    person.window.composer.set_text(LONG)
    assert meter.use().n_left_out == 4
    meter_words = person.find(QWidget, "contextMeter").accessibleDescription()
    assert "Oldest messages left out: 4." in meter_words
    assert meter.use().used < meter.use().n_ctx
    person.click("sendButton")
    assert entries.build_details(person.wait_for_answer().id).footer.startswith("Oldest messages left out: 4 ")
    assert not notice.isVisible()


def test_nothing_is_counted_for_a_window_that_is_gone(person: Person) -> None:
    person.controller.context.count_tokens()
    person.window.close()
    person.controller.close()
    shiboken6.delete(person.window)
    with person.qtbot.capture_exceptions() as raised:
        person.qtbot.wait(1)
    assert not raised


REST = "The system prompt and the answer need the rest."


def too_long(person: Person) -> str:
    assert person.controller.session.pair is not None
    return "much too long " * person.controller.session.pair.n_ctx


def problem(person: Person) -> tuple[str, str]:
    assert person.window.problem.isVisible()
    return person.find(QTextEdit, "problemMessage").toPlainText(), person.find(QTextEdit, "problemHint").toPlainText()


@pytest.mark.parametrize(
    ("n_ctx", "advice"),
    [
        (512, f"{REST} Shorten the message, remove attachments, or load the model with a larger context."),
        (2048, f"{REST} Shorten the message or remove attachments."),
    ],
    ids=["small", "as large as the model can have"],
)
def test_a_message_that_cannot_fit_is_not_sent(
    person: Person, meter: Meter, choice: PairChoice, n_ctx: int, advice: str
) -> None:
    person.controller.services.models.library.add(path_for_ref(choice.target))
    person.controller.pair.refresh_models()
    person.qtbot.waitUntil(lambda: person.controller.session.can_grow is (n_ctx == 512))
    ask(person, "One")
    before = list(person.path)
    person.window.composer.set_text(too_long(person))
    assert meter.use().fill is FillLevel.TOO_LONG
    assert not person.find(QAbstractButton, "sendButton").isEnabled()
    person.window.composer.send()
    message, hint = problem(person)
    use = meter.use()
    assert message == f"Message too long: {format_number(use.asked)} tokens, room for {format_number(use.limit or 0)}."
    assert hint == advice
    assert person.path == before
    assert person.window.composer.text == too_long(person)
    written_in = person.controller.session.conversation
    person.controller.chat_list.new_chat()
    assert not person.window.problem.isVisible(), "it is of another chat"
    assert written_in is not None
    person.controller.chat.open(written_in.id)
    person.window.composer.set_text("Two")
    assert meter.use().fill is FillLevel.ROOMY
    person.click("sendButton")
    assert person.wait_for_answer().parent is not None
    assert [message.text for message in person.path[::2]] == ["One", "Two"]
    assert not person.window.problem.isVisible()


def test_that_it_is_too_long_is_said_as_long_as_it_is(person: Person, meter: Meter) -> None:
    composer = person.window.composer
    composer.set_attachments((Attachment("a.txt", too_long(person)), Attachment("b.txt", "some lines")))
    composer.set_text("Read this.")
    assert meter.use().fill is FillLevel.TOO_LONG
    composer.send()
    assert problem(person)[0].startswith("Message too long: ")
    composer.set_attachments(composer.attachments[1:])
    assert meter.use().fill is FillLevel.ROOMY
    assert not person.window.problem.isVisible()


def test_what_turns_out_to_be_too_long_is_taken_back(person: Person, meter: Meter) -> None:
    """Sent before it was counted."""
    ask(person, "One")
    attached = (Attachment("a.txt", too_long(person)),)
    person.window.composer.set_attachments(attached)
    person.window.composer.set_text("Read this.")
    person.click("sendButton")
    assert len(person.path) == 4
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering)
    assert problem(person)[0].startswith("Message too long: ")
    assert len(person.path) == 2
    assert person.window.composer.text == "Read this."
    assert person.window.composer.attachments == attached
    assert person.controller.trash.contents() == [], "nobody deleted it"
    person.window.composer.set_attachments(())
    person.click("sendButton")
    assert person.wait_for_answer().versions == 1
    assert [message.text for message in person.path[::2]] == ["One", "Read this."]


def test_what_is_stopped_before_its_answer_begins_is_taken_back(person: Person, meter: Meter) -> None:
    ask(person, "One")
    person.occupy_the_models()
    person.window.composer.set_text("Two")
    person.click("sendButton")
    person.controller.generation.stop()
    assert len(person.path) == 2
    assert person.window.composer.text == "Two"
    assert person.controller.trash.contents() == []
    person.click("sendButton")
    assert person.wait_for_answer().text
    assert not person.window.problem.isVisible()


def test_what_cannot_be_attached_is_told_until_something_else_is(person: Person, tmp_path: Path) -> None:
    empty, large, notes = (tmp_path / name for name in ("empty.txt", "large.txt", "notes.txt"))
    empty.touch()
    large.write_text("a" * (MAX_TEXT_BYTES + 1))
    notes.write_text("Some notes")
    allowed = "You can attach text, PDF, DOCX, ODT, EPUB, HTML and CSV files, and folders with code."
    composer = person.window.composer
    composer.attaching.load_files([empty, notes])
    assert problem(person) == ("Can't attach empty.txt: The file is empty.", allowed)
    composer.attaching.load_files([large])
    assert problem(person) == ("Can't attach large.txt: The file is larger than 8 MB.", allowed)
    composer.attaching.load_files([notes])
    assert not person.window.problem.isVisible()
    composer.attaching.load_files([empty, large])
    both = "Can't attach empty.txt: The file is empty.\nCan't attach large.txt: The file is larger than 8 MB."
    assert problem(person) == (both, allowed)
    composer.attaching.load_files([empty] * 6)
    assert problem(person)[0].splitlines()[2:] == ["Can't attach empty.txt: The file is empty.", "3 more"]


def test_what_was_refused_is_told_until_something_else_is_written(person: Person, meter: Meter) -> None:
    """Refused by the models, as it was sent before it was counted."""
    person.window.composer.set_text(too_long(person))
    person.click("sendButton")
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering)
    assert problem(person)[0].startswith("Message too long: ")
    editor = person.find(QPlainTextEdit, "composer")
    editor.selectAll()
    editor.insertPlainText("Two")
    assert not person.window.problem.isVisible()


def test_what_can_be_tried_again_is_told_whatever_is_written(person: Person, meter: Meter) -> None:
    """A question that is there already, and cannot be answered."""
    assert person.controller.session.conversation is not None
    person.controller.services.messages.add_question(person.controller.session.conversation.id, too_long(person))
    person.controller.chat.reload_path()
    person.write("Two")
    person.controller.generation.regenerate_last()
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering)
    assert problem(person)[0].startswith("Message too long: ")
    person.write(" and three")
    assert person.window.problem.isVisible()


def test_an_edit_that_turns_out_to_be_too_long_can_be_edited_again(person: Person, meter: Meter) -> None:
    ask(person, "One")
    before = [message.id for message in person.path]
    person.window.transcript.edit_requested.emit(person.path[0].id)
    person.window.composer._editor.setPlainText(too_long(person))
    person.click("sendButton")
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering)
    assert [message.id for message in person.path] == before
    assert person.window.composer.is_editing
    assert person.window.composer.text == too_long(person).rstrip()
    assert person.controller.trash.contents() == []


def test_a_question_that_cannot_be_answered_does_not_hinder_those_after_it(person: Person, meter: Meter) -> None:
    """It was there already, or something else was being written when it failed."""
    ask(person, "One")
    assert person.controller.session.conversation is not None
    person.controller.services.messages.add_question(person.controller.session.conversation.id, too_long(person))
    person.controller.chat.reload_path()
    assert meter.use().n_left_out > 0
    ask(person, "Two")
    assert [message.role for message in person.path[-2:]] == [Role.USER, Role.ASSISTANT]
    assert person.path[-1].text
