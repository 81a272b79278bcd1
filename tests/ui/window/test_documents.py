"""Documents at the window: attached, read in a child, searched, cited and opened."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget, QPlainTextEdit, QTextEdit
from support.desks import Person
from support.documents import make_pdf, write_file

from specchat.domain.conversations import Answer, Attachment
from specchat.domain.documents import DocumentSource, mark, regions
from specchat.ui.documents.document_links import document_link, passages_link

BOOK = "".join(
    f"{mark(f'p. {n}')}{'The keeper laughs. ' if n == 90 else ''}{'Rain falls on the quiet town. ' * 3}\n\n"
    for n in range(1, 101)
)


@pytest.fixture
def n_ctx() -> int:
    return 4096


def attach(person: Person, *paths: Path) -> None:
    composer = person.window.composer
    composer.attaching.load_files(paths)
    person.qtbot.waitUntil(lambda: not composer.attaching.is_reading)


def viewer_text(person: Person) -> str:
    return person.find(QPlainTextEdit, "documentText").toPlainText()


def test_a_pdf_is_read_beside_the_window_and_attached(person: Person, tmp_path: Path) -> None:
    composer = person.window.composer
    path = write_file(tmp_path / "report.pdf", make_pdf(["First words", "Last words"]))
    composer.attaching.load_files([path])
    assert composer._reading.isVisible()
    person.write("Sum it up")
    assert not person.find(QAbstractButton, "sendButton").isEnabled()
    person.qtbot.waitUntil(lambda: bool(composer.attachments))
    assert composer.attachments == (Attachment("report.pdf", "\f[p. 1]\nFirst words\n\n\f[p. 2]\nLast words\n\n"),)
    assert not composer._reading.isVisible()
    (chip,) = composer._chips._chips
    person.qtbot.waitUntil(lambda: chip.remove.accessibleDescription().startswith("2 pages · "))
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert viewer_text(person) == "[p. 1]\nFirst words\n\n[p. 2]\nLast words\n\n"


def test_what_cannot_be_read_is_told(person: Person, tmp_path: Path) -> None:
    attach(person, write_file(tmp_path / "scan.pdf", make_pdf([""])))
    assert person.find(QTextEdit, "problemMessage").toPlainText() == (
        "Can't attach scan.pdf: The PDF has no text: it seems to be scanned. Run text recognition (OCR) on it first."
    )
    assert person.window.composer.attachments == ()


def test_reading_can_be_stopped(person: Person, tmp_path: Path) -> None:
    composer = person.window.composer
    path = write_file(tmp_path / "long.pdf", make_pdf(["words " * 50] * 500))
    composer.attaching.load_files([path, path])
    person.click("stopReading")
    assert not composer.attaching.is_reading
    assert composer.attachments == ()


def test_what_is_being_read_is_for_its_chat(person: Person, tmp_path: Path) -> None:
    composer, chat = person.window.composer, person.controller.chat
    person.keep_short(8)
    person.ask("Hello")
    conversation = person.controller.session.conversation
    assert conversation is not None
    path = write_file(tmp_path / "report.pdf", make_pdf(["First words"]))
    composer.attaching.load_files([path])
    chat.open(conversation.id)
    assert composer.attaching.is_reading
    chat.new_chat()
    assert not composer.attaching.is_reading
    assert composer.attachments == ()


def test_a_long_document_is_searched(person: Person) -> None:
    person.keep_short(8)
    person.window.composer.set_attachments([Attachment("book.pdf", BOOK)])
    chips = person.window.composer._chips
    person.qtbot.waitUntil(lambda: "searched" in chips._chips[0].remove.accessibleDescription())
    answer = person.ask("Who laughs?")
    kept = person.controller.services.messages.answer(answer.id)
    assert kept is not None
    (source,) = kept.sources
    assert "p. 90" in [passage.label for passage in source.passages]
    transcript = person.window.transcript
    row = transcript.row_of(answer.id)
    assert row is not None
    details = transcript._details(answer.id)
    assert "book.pdf, p" in details.footer
    transcript.link_requested.emit(f"passages:{answer.id}")
    listed = person.find(QListWidget, "documentPassages")
    assert "p. 90" in [listed.item(n).text() for n in range(listed.count())]
    follow_up = person.ask("And page 42?")
    kept = person.controller.services.messages.answer(follow_up.id)
    assert kept is not None
    assert "p. 42" in [passage.label for each in kept.sources for passage in each.passages]


def test_citations_open_their_place(person: Person) -> None:
    conversation = person.controller.session.conversation
    assert conversation is not None
    messages = person.controller.services.messages
    messages.add_question(conversation.id, "Who laughs?", [Attachment("book.pdf", BOOK)])
    person.controller.chat.reload_path()
    person.window.transcript.link_requested.emit(document_link("book.pdf", "p. 90"))
    text = person.find(QPlainTextEdit, "documentText")
    assert text.textCursor().block().text().startswith("The keeper laughs.")
    (selection,) = text.extraSelections()
    assert selection.cursor.selectedText().startswith("The keeper laughs.")
    person.window.transcript.link_requested.emit(document_link("other.pdf", "p. 1"))
    assert person.window.notice.text == "other.pdf isn't attached to this chat."


def test_sources_are_in_the_document_that_was_attached_then(person: Person) -> None:
    conversation = person.controller.session.conversation
    assert conversation is not None
    messages = person.controller.services.messages
    asked = messages.add_question(conversation.id, "Who laughs?", [Attachment("book.pdf", BOOK)])
    sources = (DocumentSource("book.pdf", regions(BOOK)[89:90]),)
    answer = messages.begin_answer(asked.id, Answer("target.gguf", sources=sources))
    messages.mark_stopped(answer.id)
    messages.add_question(conversation.id, "And here?", [Attachment("book.pdf", f"{mark('p. 1')}Another one.\n")])
    person.controller.chat.reload_path()
    person.window.transcript.link_requested.emit(passages_link(answer.id))
    text = person.find(QPlainTextEdit, "documentText")
    assert text.textCursor().block().text().startswith("The keeper laughs.")
