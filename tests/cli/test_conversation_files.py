"""Files, pictures and recordings for the next question of a chat in a terminal."""

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from support.documents import write_book
from support.ggufs import ModelRecipe, make_model
from support.pictures import png
from support.projectors import LLAVA
from support.scripted_engine import delta, events, reply, scripted_engine

from specchat.cli.attached_files import read_attachment
from specchat.cli.conversation_commands import CommandName, ConversationCommand
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import SettingError

if sys.platform == "win32":
    pytest.skip("its terminals cannot be driven from here", allow_module_level=True)

from support.terminals import ASKED, CTRL_D, said_in, terminal


def test_files_for_the_next_question(home: Path, tmp_path: Path) -> None:
    talk, notes, more = tmp_path / "talk.json", tmp_path / "my notes.txt", tmp_path / "more" / "my notes.txt"
    more.parent.mkdir()
    notes.write_text("The lighthouse is white.")
    more.write_text("The harbour is blue.")
    dropped = str(more).replace(" ", "\\ ")
    with terminal(home, "-m", "demo", "-n", "3", "--save", talk) as asking:
        asking.until(ASKED)
        assert "  /attach FILE " in "\n".join(asking.answer(b"/?"))
        for none in (b"/attach", b'/attach ""', b"/attach ''"):
            assert asking.answer(none) == ["No file given.", "hint: Add its name, as in: /attach FILE"]
        missing = tmp_path / "none.txt"
        assert asking.answer(f"/attach {missing}".encode()) == [f"File not found: {missing}.", "hint: Check the path."]
        assert asking.answer(f"/attach {notes}".encode()) == ["Attached to your next message: my notes.txt."]
        assert asking.answer(f"/attach {notes}".encode()) == ["Already attached: my notes.txt."]
        told = asking.answer(f"/read {dropped}".encode())
        assert told == ["Attached to your next message: my notes.txt, my notes (2).txt."]
        told = asking.answer(b"/clear")
        assert told[1:] == ["Attached to your next message: my notes.txt, my notes (2).txt."]
        for question in (b"Which color?", b"And now?"):
            assert "3 tokens" in asking.answer(question)[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0
    first, _, second, _ = (content for _, content in said_in(talk))
    assert [first.count(text) for text in ("is white.", "is blue.", "Which color?")] == [1, 1, 1]
    assert second == "And now?"


def test_files_are_detached(home: Path, tmp_path: Path) -> None:
    talk, notes, page = tmp_path / "talk.json", tmp_path / "my notes.txt", tmp_path / "page.txt"
    notes.write_text("The lighthouse is white.")
    page.write_text("The harbour is blue.")
    with terminal(home, "-m", "demo", "-n", "3", "--save", talk) as asking:
        asking.until(ASKED)
        assert asking.answer(b"/detach") == ["Nothing is attached to your next message."]
        asking.answer(f"/attach {notes}".encode())
        asking.answer(f"/attach {page}".encode())
        assert asking.answer(b"/detach pag.txt") == [
            "pag.txt is not attached to your next message.",
            "hint: Did you mean page.txt?",
        ]
        assert asking.answer(b"/detach map")[1] == "hint: Choose from: my notes.txt, page.txt"
        assert asking.answer(b"/detach my notes.txt") == ["Attached to your next message: page.txt."]
        assert asking.answer(b'/detach "page.txt"') == ["Nothing is attached to your next message."]
        asking.answer(f"/attach {notes}".encode())
        asking.answer(f"/attach {page}".encode())
        assert asking.answer(b"/detach") == ["Nothing is attached to your next message."]
        asking.answer(f"/attach {page}".encode())
        asking.answer(b"Which color?")
        asking.type(CTRL_D)
        assert asking.code() == 0
    first = said_in(talk)[0][1]
    assert [text in first for text in ("is white.", "is blue.")] == [False, True]


def test_paths_that_cannot_be(home: Path) -> None:
    long = "a" * 300
    with terminal(home, "-m", "demo", "-n", "3") as asking:
        asking.until(ASKED)
        assert asking.answer(f"/attach {long}".encode()) == [f"Can't read {long}.", "hint: Check the path."]
        told = asking.answer(b"/attach ~nobody-here/x")
        assert told == ["File not found: ~nobody-here/x.", "hint: Check the path."]
        assert asking.answer(f"/save {long}".encode())[0].startswith(f"Can't write {long}: ")
        assert asking.answer(b"/save ~nobody-here/x")[0].startswith("Can't write ~nobody-here/x: ")
        assert "3 tokens" in asking.answer(b"Hello")[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_a_file_in_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the program can tell: root may look into any folder."""
    secret = tmp_path / "secret.md"
    looked_at = os.stat

    def refuse(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
        if str(path) == str(secret):
            raise PermissionError(errno.EACCES, "Permission denied")
        return looked_at(path, *arguments, **named)

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(SettingError, match="No permission to read"):
        read_attachment(ConversationCommand(CommandName.ATTACH, str(secret)).path, CancelToken())


@pytest.mark.parametrize("n_lines", [400, 40_000])
def test_of_a_long_file_passages_are_read_for_each_question(home: Path, tmp_path: Path, n_lines: int) -> None:
    book = write_book(tmp_path / "book.txt", n_lines)
    with terminal(home, "-m", "demo", "-n", "3") as asking:
        asking.until(ASKED)
        asking.answer(f"/attach '{book}'".encode())
        for question in (b"Who painted the lighthouse?", b"And which color?"):
            assert asking.answer(question)[0].startswith(
                "Note: book.txt doesn't fit in the context. Passages read: line "
            )
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_a_short_file_in_a_full_context(home: Path, tmp_path: Path) -> None:
    """It is never read in passages, and goes with the oldest messages."""
    notes = tmp_path / "notes.txt"
    notes.write_text("Bees fly")
    with terminal(home, "-m", "demo", "-c", "1024", "-n", "3") as asking:
        asking.until(ASKED)
        asking.answer(f"/attach {notes}".encode())
        told = [asking.answer(b"bees fly " * 100) for _ in range(5)]
        assert all("3 tokens" in said[-1] for said in told)
        assert told[-1][0].startswith("The context is full. Oldest messages left out: ")
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_a_picture_for_the_next_question(home: Path, tmp_path: Path) -> None:
    target, _ = LLAVA.make(tmp_path)
    photo, notes, talk = tmp_path / "photo.png", tmp_path / "notes.txt", tmp_path / "talk.json"
    photo.write_bytes(png(8, 8))
    notes.write_text("no picture")
    with terminal(home, "-m", target, "-n", "3", "--save", talk) as asking:
        asking.until(ASKED)
        message, hint = asking.answer(f"/image {notes}".encode())
        assert message == "notes.txt is not a picture that llama.cpp can read."
        assert hint == "hint: Use PNG, JPEG, GIF or BMP."
        assert asking.answer(f"/audio {photo}".encode())[0] == "target.gguf can't hear recordings."
        hint = "hint: Show it to a model that sees pictures, with --image or /image."
        assert asking.answer(f"/attach {photo}".encode()) == [f"{photo} is an image.", hint]
        assert asking.answer(f"/image {photo}".encode()) == ["Attached to your next message: photo.png."]
        for question in (b"What is there?", b"Sure?", b"/retry"):
            assert "3 tokens" in asking.answer(question)[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0
    assert said_in(talk)[0] == ("user", "(Attached: photo.png)\n\nWhat is there?")


def test_a_picture_and_a_long_file(home: Path, tmp_path: Path) -> None:
    """In another process, which has prepared the whole prompt when passages turn out to be needed."""
    target, _ = LLAVA.make(tmp_path)
    photo, book = tmp_path / "photo.png", tmp_path / "book.txt"
    photo.write_bytes(png(8, 8))
    book.write_text("\n".join(f"The river flows past stone {n}." for n in range(150)))
    with terminal(home, "-m", target, "-c", "1024", "-n", "3") as asking:
        asking.until(ASKED)
        asking.answer(b"Hello")
        asking.answer(f"/image {photo}".encode())
        asking.answer(f"/attach {book}".encode())
        for question in (b"Which stone?", b"Sure?"):
            note, *_, about = asking.answer(question)
            assert note.startswith("Note: book.txt doesn't fit in the context. Passages read: line")
            assert "3 tokens" in about
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_a_target_that_neither_sees_nor_hears(home: Path, tmp_path: Path) -> None:
    hint = "hint: Load it with its mmproj file (--mmproj), or choose a model that has one."
    with terminal(home, "-m", "demo") as asking:
        asking.until(ASKED)
        assert asking.answer(b"/image photo.png") == ["demo-target.gguf can't see pictures.", hint]
        assert asking.answer(b"/audio memo.mp3") == ["demo-target.gguf can't hear recordings.", hint]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_files_of_a_message_that_is_not_answered(home: Path, models_dir: Path, tmp_path: Path) -> None:
    small, notes = make_model(models_dir / "of few tokens.gguf", ModelRecipe(n_ctx=256)), tmp_path / "notes.txt"
    notes.write_text("brief")
    with terminal(home, "-m", small, "-c", "256", "-n", "4") as asking:
        asking.until(ASKED)
        asking.answer(f"/attach {notes}".encode())
        assert asking.answer(b"the " * 400)[-1] == "To send your message again, type: /retry"
        assert "4 tokens" in asking.answer(b"Hello")[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_another_engine_gets_the_picture(home: Path, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(png(8, 8))
    with scripted_engine() as server:
        server.replies = {
            "/v1/models": reply({"data": [{"id": "small"}]}),
            "/v1/chat/completions": events(delta("A square.", "stop")),
        }
        with terminal(home, "--engine", server.url) as it:
            it.until(ASKED)
            it.answer(f"/image {photo}".encode())
            assert it.answer(b"What is there?")[0] == "A square."
            it.type(CTRL_D)
            assert it.code() == 0
        shown, text = server.last("/v1/chat/completions")["messages"][-1]["content"]
    assert shown["image_url"]["url"].startswith("data:image/png;base64,")
    assert text == {"type": "text", "text": "What is there?"}
