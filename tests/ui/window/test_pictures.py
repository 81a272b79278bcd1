"""Pictures on their way from the composer to the model and back, with an engine that sees, or does not."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu
from support.desks import OpenScripted, Person, wait_for_pair
from support.paced_engine import PacedEngine, pieces_of
from support.pictures import picture

from specchat.domain.conversations import Attachment
from specchat.domain.documents import DocumentSource, Passage, mark
from specchat.domain.errors import IncapableError, UserError
from specchat.domain.types import Message, Role
from specchat.ui.composer.context_usage import ContextPart
from specchat.ui.window.error_remedies import Remedy

RED, DARK = picture(width=280, height=280), picture("dark.png", red=20)


def engine(*, sees: bool) -> PacedEngine:
    return PacedEngine(lambda _: pieces_of("It is red."), sees_pictures=sees)


def open_last(person: Person) -> None:
    """A new chat is open at the start."""
    chats = person.controller.services.conversations.list_used()
    person.controller.chat.open(chats[0].id)


def test_the_model_gets_them_now_and_later(open_scripted: OpenScripted, tmp_path: Path) -> None:
    seeing = engine(sees=True)
    with open_scripted(seeing) as person:
        person.attach(tmp_path, RED, DARK)
        person.ask("What is this?")
        person.ask("And that?")
        first, second = (task.messages for task in seeing.asked)
        asked = Message(Role.USER, "What is this?", pictures=(RED, DARK))
        assert (first[-1], second[-3]) == (asked, asked)
        assert second[-1] == Message(Role.USER, "And that?")
        assert person.path[0].pictures == (RED, DARK)
        row = person.window.transcript.row_of(person.path[0].id)
        assert row is not None
        assert [each.picture for each in row.pictures] == [RED, DARK]


def test_without_words_they_are_sent_and_name_the_chat(open_scripted: OpenScripted, tmp_path: Path) -> None:
    seeing = engine(sees=True)
    with open_scripted(seeing) as person:
        person.attach(tmp_path, RED)
        person.click("sendButton")
        person.wait_for_answer()
        assert seeing.asked[0].messages[-1].pictures == (RED,)
        conversation = person.controller.session.conversation
        assert conversation is not None
        assert conversation.title == "red.png"


def test_their_tokens_are_estimated(open_scripted: OpenScripted, tmp_path: Path) -> None:
    with open_scripted(engine(sees=True)) as person:
        person.attach(tmp_path, RED)
        meter = person.window.composer._meter
        person.qtbot.waitUntil(lambda: meter._use is not None and meter._use.has_media)
        assert meter._use is not None
        assert dict(meter._use.parts)[ContextPart.ATTACHMENTS] == 100
        assert "about 1" in meter.accessibleDescription()
        assert "(pictures and recordings are estimated)" in meter.accessibleDescription()


def test_an_edit_and_a_restart_keep_them(open_scripted: OpenScripted, tmp_path: Path) -> None:
    seeing = engine(sees=True)
    with open_scripted(seeing) as person:
        person.attach(tmp_path, RED)
        person.ask("What is this?")
        person.controller.edits.edit_last_message()
        assert person.window.composer.attachments == (RED,)
        person.press(Qt.Key.Key_Escape)
        person.attach(tmp_path, DARK)
    with open_scripted(seeing) as person:
        open_last(person)
        assert person.window.composer.attachments == (DARK,)
        assert person.path[0].pictures == (RED,)


def test_that_it_cannot_see_is_told_until_the_next_message(open_scripted: OpenScripted, tmp_path: Path) -> None:
    (tmp_path / RED.name).write_bytes(RED.content)
    with open_scripted(engine(sees=False)) as person:
        wait_for_pair(person)
        notice = person.window.notice
        person.window.composer.attaching.load_files([tmp_path / RED.name])
        person.qtbot.waitUntil(notice.isVisible)
        person.ask("What else can you do?")
        assert not notice.isVisible()


def test_a_model_that_cannot_see_says_so(open_scripted: OpenScripted, tmp_path: Path) -> None:
    """Nothing is lost: what was attached stays until another model comes."""
    with open_scripted(engine(sees=True)) as person:
        person.attach(tmp_path, RED)
        person.ask("What is this?")
        person.attach(tmp_path, DARK)
    blind = engine(sees=False)
    with open_scripted(blind) as person:
        open_last(person)
        notice, errors = person.window.notice, list[UserError]()
        person.controller.notifications.error_reported.connect(errors.append)
        person.window.composer.attaching.load_files([tmp_path / RED.name])
        assert notice.text == "This model can't see pictures."
        person.click("sendButton")
        assert isinstance(errors[0], IncapableError)
        assert person.remedies() == [Remedy.OTHER_MODEL]
        for act in (person.controller.generation.regenerate, person.controller.generation.continue_answer):
            act(person.path[-1].id)
            assert isinstance(errors.pop(), IncapableError)
        assert person.window.composer.attachments == (DARK,)
        person.window.composer.set_attachments(())
        person.ask("And in words?")
        assert all(not message.pictures for message in blind.asked[0].messages)
        assert notice.text == "This model can't see the pictures in this chat."


def test_they_go_with_passages_of_a_long_document(open_scripted: OpenScripted, tmp_path: Path) -> None:
    seeing = engine(sees=True)
    book = "".join(
        f"{mark(f'p. {n}')}Rain falls on the quiet town. {'The keeper laughs.' * (n == 90)}\n" for n in range(1, 4000)
    )
    with open_scripted(seeing) as person:
        person.attach(tmp_path, RED)
        person.window.composer.set_attachments((RED, Attachment("book.pdf", book)))
        chips = person.window.composer._chips._chips
        person.qtbot.waitUntil(lambda: "searched" in chips[1].remove.accessibleDescription())
        assert chips[0].remove.accessibleDescription() == "about 100 tokens"
        person.ask("Who laughs in it?")
        (asked,) = seeing.asked[0].messages
        assert asked.pictures == (RED,)
        assert "[book.pdf, p. 90]" in asked.content
        assert asked.content.endswith("Who laughs in it?")


def test_a_folder_is_attached_by_a_dialog(open_scripted: OpenScripted, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("answer = 42\n")
    with open_scripted(engine(sees=True)) as person:
        composer = person.window.composer
        person.click("attachButton")
        menu = composer.findChild(QMenu, "attachMenu")
        assert menu is not None
        assert [action.text() for action in menu.actions()] == ["Pictures or files…", "Folder with code…"]
        menu.actions()[1].trigger()
        dialog = composer.findChild(QFileDialog)
        assert dialog is not None
        assert dialog.fileMode() is QFileDialog.FileMode.Directory
        dialog.filesSelected.emit([str(tmp_path), str(tmp_path / "code")])
        dialog.close()
        person.qtbot.waitUntil(lambda: len(composer.attachments) == 1)
        assert composer.attachments[0].name == "code/"


def test_passages_of_a_document_that_is_gone(open_scripted: OpenScripted) -> None:
    with open_scripted(engine(sees=True)) as person:
        person.ask("Hello?")
        source = DocumentSource("book.pdf", (Passage(0, 5, "p. 1"),))
        person.controller.documents._open_sources(person.path[-1].id, (source,))
        assert person.window.notice.text == "book.pdf isn't attached to this chat."
