"""What the window says about the context, with real models whose context is small."""

import pytest
import shiboken6
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from support.desks import Person

from specchat.domain.answering import CountTask
from specchat.domain.conversations import Attachment
from specchat.ui.chat.entries import Entries
from specchat.ui.composer import ContextPart, ContextUse
from specchat.ui.inference import Counted, InferenceEvent, NotCounted

LONG = "Tell me more about all of that, please. " * 3


class Meter:
    """Read once all is counted."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._counted: CountTask | None = None
        person.desk.inference.arrived.connect(self._take)

    def _take(self, events: list[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, Counted):
                self._counted = event.task

    def use(self) -> ContextUse:
        desk = self._person.desk
        self._person.qtbot.waitUntil(lambda: desk.context._task is not None and self._counted is desk.context._task)
        use = desk.window.composer._meter._use
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


def test_while_a_message_is_edited_what_would_be_sent_is_counted(person: Person, meter: Meter) -> None:
    ask(person, "One")
    first = meter.tokens(ContextPart.CONVERSATION)
    person.window.composer.set_attachments((Attachment("a.txt", "some lines"),))
    ask(person, "Two")
    both = meter.tokens(ContextPart.CONVERSATION)
    assert both > first > 0

    person.window.transcript.editRequested.emit(person.path[2].id)
    assert meter.tokens(ContextPart.CONVERSATION) == first
    assert meter.tokens(ContextPart.ATTACHMENTS) > 0
    assert meter.tokens(ContextPart.MESSAGE) > 0
    person.window.composer.cancel_edit()
    assert meter.tokens(ContextPart.CONVERSATION) == both
    assert meter.tokens(ContextPart.ATTACHMENTS) == meter.tokens(ContextPart.MESSAGE) == 0

    person.window.transcript.editRequested.emit(person.path[0].id)
    assert meter.tokens(ContextPart.CONVERSATION) == 0
    person.find(QPlainTextEdit, "composer").setPlainText("Instead")
    person.click("sendButton")
    person.wait_for_answer()
    assert [message.text for message in person.path[::2]] == ["Instead"]
    assert 0 < meter.tokens(ContextPart.CONVERSATION) < both


def test_what_could_not_be_counted_is_not_shown(person: Person, meter: Meter) -> None:
    ask(person, "One")
    assert meter.tokens(ContextPart.CONVERSATION) > 0
    context = person.desk.context
    assert context._task is not None
    person.desk.inference.arrived.emit([NotCounted(context._task)])
    assert person.window.composer._meter._use is None


def test_an_answer_that_comes_while_a_message_is_edited_does_not_count(person: Person, meter: Meter) -> None:
    answer = ask(person, "One")
    person.window.transcript.editRequested.emit(person.path[0].id)
    before = meter.use()
    person.window.transcript.regenerateRequested.emit(answer)
    person.wait_for_answer()
    assert meter.use() == before


def test_what_is_left_out_is_told_once_and_can_be_read_later(person: Person, meter: Meter) -> None:
    told: list[str] = []
    person.desk.context.noticed.connect(told.append)
    entries = Entries(person.desk.services.messages, person.desk.answers)
    footers: list[str] = []
    while not told:
        foreseen = meter.use()
        footers.append(entries.details(ask(person, LONG)).footer)
        assert len(footers) < 20
    assert not any("left out" in footer for footer in footers[:-1])
    assert footers[-1].startswith("Oldest 2 messages left out · 8 tokens")
    words = "The context is full: the oldest 2 messages were left out. Use a larger context or start a new chat."
    assert told == [words]
    assert person.find(QWidget, "notice").isVisible()
    assert foreseen.n_left_out == 0

    person.window.composer.set_text(LONG)
    assert meter.use().n_left_out == 4
    meter_words = person.find(QWidget, "contextMeter").accessibleDescription()
    assert "Full: the oldest 4 messages are left out." in meter_words
    assert meter.use().used < meter.use().n_ctx
    person.click("sendButton")
    assert entries.details(person.wait_for_answer().id).footer.startswith("Oldest 4 messages left out")
    assert told == [words]


def test_nothing_is_counted_for_a_window_that_is_gone(person: Person) -> None:
    person.desk.context.count()
    person.window.close()
    person.desk.close()
    shiboken6.delete(person.window)
    with person.qtbot.capture_exceptions() as raised:
        person.qtbot.wait(1)
    assert not raised
