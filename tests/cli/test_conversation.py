"""Question by question, in a terminal: a real one, as far as the program can tell."""

import errno
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.commands import SECONDS, Commands, command, environment
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

import pty
import termios

ASKED = b"\n> "
"""The models of the tests write anything, but for this."""
CTRL_C, CTRL_D = b"\x03", b"\x04"


class Terminal:
    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self.seen = b""

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def until(self, wanted: bytes) -> str:
        """What appeared since the last time."""
        while wanted not in self.seen:
            self.read()
        found, _, self.seen = self.seen.partition(wanted)
        return found.decode()

    def read(self) -> None:
        there, _, _ = select.select([self._master], [], [], SECONDS)
        assert there, self.seen
        try:
            self.seen += os.read(self._master, 1 << 16)
        except OSError as error:  # how Linux says that the other side is closed
            raise AssertionError(self.seen) from error

    def answer(self, question: bytes) -> list[str]:
        """Its lines, with the one about it."""
        self.type(question + b"\r")
        self.until(question.rpartition(b"\r")[2] + b"\r\n")
        return self.until(ASKED).strip().splitlines()

    def interrupt(self) -> None:
        """Python misses a Ctrl-C in the instant between its prompt and its waiting; people press it again."""
        assert not self.seen
        self.type(CTRL_C)
        there, _, _ = select.select([self._master], [], [], SECONDS / 12)
        if not there:
            self.type(CTRL_C)

    def code(self) -> int:
        return self.process.wait(SECONDS)


@contextmanager
def terminal(home: Path, *arguments: str | Path, kind: str = "dumb", columns: int = 4000) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))  # with many, what is typed stays in one line
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_THIS_TERMINAL, *command("chat", *arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(home, {"TERM": kind}),
        start_new_session=True,
    )
    os.close(slave)
    with process:
        try:
            yield Terminal(process, master)
        finally:
            process.kill()
            os.close(master)


_IN_THIS_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that its Ctrl-C arrives
os.execvp(sys.argv[1], sys.argv[1:])
"""


def test_a_question_is_asked_in_view_of_those_before(home: Path, commands: Commands, tmp_path: Path) -> None:
    with terminal(home, "-m", "demo", "--temp", "0", "-t", "1") as asking:
        assert "Ctrl-D, or Ctrl-C twice, quits." in asking.until(ASKED)
        first, about = asking.answer(b"What is a draft model?")
        assert "tokens per pass" in about
        second, _ = asking.answer(b"How many guesses?")
        asking.type(CTRL_D)
        assert asking.code() == 0
    messages = tmp_path / "messages.json"
    asked = [("user", "What is a draft model?"), ("assistant", first), ("user", "How many guesses?")]
    messages.write_text(json.dumps([{"role": role, "content": content} for role, content in asked]))
    assert commands.answer("-m", "demo", "--temp", "0", "--messages", messages)["text"].strip() == second


def test_a_line_goes_on_and_an_empty_one_asks_nothing(home: Path) -> None:
    with terminal(home, "-m", "demo", "--temp", "0", "-n", "3") as asking:
        asking.until(ASKED)
        asking.type(b"\r")
        asking.until(ASKED)
        asking.type(b"What is\\\r")
        asking.until(ASKED)
        assert "3 tokens" in asking.answer(b"a draft model?")[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_pasted_lines_are_one_question(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    with terminal(home, "-m", "demo", "-n", "3", "--save", file, kind="xterm") as asking:
        asking.until(b"> ")
        asking.type(b"\x1b[200~What is\ra draft model?\r\x1b[201~\r")
        asking.until(b"3 tokens")
        asking.until(b"> ")
        asking.type(CTRL_D)
        assert asking.code() == 0
    assert [text for role, text in said_in(file) if role == "user"] == ["What is\na draft model?"]


def test_commands(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    with terminal(home, "-m", "demo", "--temp", "0", "-n", "3", "--system", "Be brief.") as asking:
        asking.until(ASKED)
        assert "  /clear " in "\n".join(asking.answer(b"/help"))
        assert asking.answer(b"/claer") == ["Unknown command: /claer.", "hint: Did you mean /clear?"]
        assert asking.answer(b"/save") == ["No file given.", "hint: Add its name, as in: /save talk.json"]
        asking.answer(b"/etc/hosts is what?")
        asking.answer(f"/save {file}".encode())
        assert asking.answer(b"/clear") == ["The model no longer sees the messages above."]
        assert asking.answer(b"/system Be wordy.") == ["System prompt: Be wordy."]
        asking.answer(b" /help")
        asking.type(b"/bye\r")
        assert asking.code() == 0
    said = [content for _, content in said_in(file)]
    assert (said[:2], said[3], len(said)) == (["Be wordy.", "/etc/hosts is what?"], "/help", 5)


def test_the_last_message_is_answered_again(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    with terminal(home, "-m", "demo", "-n", "3", "--system", "Be brief.", "--save", file) as asking:
        asking.until(ASKED)
        assert asking.answer(b"/retry") == ["There is no message to answer again.", "hint: Type a message."]
        asking.answer(b"What is a draft model?")
        assert "3 tokens" in asking.answer(b"/retry")[-1]
        asking.answer(b"And a target?")
        assert "3 tokens" in asking.answer(b"/regen")[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0
    said = said_in(file)
    assert [role for role, _ in said] == ["system", "user", "assistant", "user", "assistant"]
    assert said[3] == ("user", "And a target?")


def seed_in(summary: str) -> str:
    return summary.partition("· seed ")[2].split()[0]


def test_each_answer_has_a_seed_of_its_own_unless_one_is_given(home: Path) -> None:
    with terminal(home, "-m", "demo", "-n", "3") as asking:
        asking.until(ASKED)
        seeds = [seed_in(asking.answer(typed)[-1]) for typed in (b"Hello", b"/retry", b"/retry")]
        assert len(set(seeds)) == len(seeds)
        asking.type(CTRL_D)
        assert asking.code() == 0
    with terminal(home, "-m", "demo", "-n", "3", "--seed", "7") as asking:
        asking.until(ASKED)
        assert {seed_in(asking.answer(typed)[-1]) for typed in (b"Hello", b"/retry")} == {"7"}
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_files_for_the_next_question(home: Path, tmp_path: Path) -> None:
    talk, notes, more = tmp_path / "talk.json", tmp_path / "my notes.txt", tmp_path / "more" / "my notes.txt"
    more.parent.mkdir()
    notes.write_text("The lighthouse is white.")
    more.write_text("The harbour is blue.")
    dropped = str(more).replace(" ", "\\ ")
    with terminal(home, "-m", "demo", "-n", "3", "--save", talk) as asking:
        asking.until(ASKED)
        assert "  /attach FILE " in "\n".join(asking.answer(b"/?"))
        assert asking.answer(b"/attach") == ["No file given.", "hint: Add its name, as in: /attach FILE"]
        missing = tmp_path / "none.txt"
        assert asking.answer(f"/attach {missing}".encode()) == [f"File not found: {missing}.", "hint: Check the path."]
        assert asking.answer(f"/attach {notes}".encode()) == ["Attached to your next message: my notes.txt."]
        assert asking.answer(f"/attach {notes}".encode()) == ["Already attached: my notes.txt."]
        told = asking.answer(f"/read {dropped}".encode())
        assert told == ["Attached to your next message: my notes.txt, my notes (2).txt."]
        for question in (b"Which color?", b"And now?"):
            assert "3 tokens" in asking.answer(question)[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0
    first, _, second, _ = (content for _, content in said_in(talk))
    assert [first.count(text) for text in ("is white.", "is blue.", "Which color?")] == [1, 1, 1]
    assert second == "And now?"


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
    lines = [f"The river flows past stone {n}." for n in range(n_lines)]
    lines[n_lines * 2 // 3] = "Ada Vonk painted the lighthouse purple."
    book = tmp_path / "book.txt"
    book.write_text("\n".join(lines))
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


def test_what_was_not_answered_is_what_is_sent_again(home: Path, models_dir: Path, tmp_path: Path) -> None:
    """Not the message before, whose answer would be replaced."""
    small, file = make_model(models_dir / "of few tokens.gguf", ModelRecipe(n_ctx=256)), tmp_path / "talk.json"
    with terminal(home, "-m", small, "-c", "256", "-n", "4", "--save", file) as asking:
        asking.until(ASKED)
        asking.answer(b"Hello")
        before = file.read_text()
        asking.answer(b"the " * 400)
        assert asking.answer(b"/retry")[-1] == "To send your message again, type: /retry"
        assert file.read_text() == before
        asking.answer(b"Hello again")
        asking.answer(b"/retry")
        assert [each["content"] for each in json.loads(file.read_text())][::2] == ["Hello", "Hello again"]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_a_chat_that_another_program_saved_meanwhile_is_not_overwritten(
    home: Path, models_dir: Path, tmp_path: Path
) -> None:
    small, file = make_model(models_dir / "small.gguf", ModelRecipe(n_ctx=256)), tmp_path / "talk.json"
    with terminal(home, "-m", small, "-c", "256", "-n", "4", "--save", file) as asking:
        asking.until(ASKED)
        file.write_text(theirs := '[{"role": "user", "content": "theirs"}]')
        said = " ".join(asking.answer(b"Hello"))
        assert "Another program has changed" in said
        assert file.read_text() == theirs
        asking.answer(f"/save {tmp_path / 'mine.json'}".encode())
        assert len(json.loads((tmp_path / "mine.json").read_text())) == 2
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_ctrl_c_stops_the_answer_and_then_the_program(home: Path, models_dir: Path) -> None:
    recipe = ModelRecipe(n_embd=512, n_layer=4, n_head=8, n_ff=2048, n_ctx=8192)
    slow = make_model(models_dir / "slow to talk.gguf", recipe)
    with terminal(home, "-m", slow, "-c", "8192", "-t", "1", "--ignore-eos") as asking:
        asking.until(ASKED)
        asking.type(b"Hello\r")
        asking.until(b"Hello\r\n")
        while len(asking.seen) < 20:
            asking.read()
        asking.type(CTRL_C)
        assert "interrupted · " in asking.until(ASKED)
        asking.type(b"never asked")
        asking.until(b"never asked")
        for _ in range(2):
            asking.interrupt()
            asking.until(ASKED)
        asking.interrupt()
        assert asking.code() == 130


@pytest.mark.parametrize("kind", ["dumb", "xterm"])
def test_ctrl_c_only_clears_a_line_with_text(home: Path, kind: str) -> None:
    asked = b"> "
    with terminal(home, "-m", "demo", kind=kind) as asking:
        asking.until(asked)
        for typed in (b"wrong one", b"wrong two", b"", b"wrong three"):
            asking.type(typed)
            if typed:
                asking.until(typed)
            asking.interrupt()
            asking.until(asked)
        asking.interrupt()
        asking.until(asked)
        asking.interrupt()
        assert asking.code() == 130


def test_what_the_model_refuses_is_said_and_the_conversation_goes_on(home: Path, models_dir: Path) -> None:
    small = make_model(models_dir / "of few tokens.gguf", ModelRecipe(n_ctx=256))
    with terminal(home, "-m", small, "-c", "256", "-n", "4") as asking:
        asking.until(ASKED)
        assert any(line.startswith("hint: ") for line in asking.answer(b"the " * 400))
        assert "4 tokens" in asking.answer(b"Hello")[-1]
        asking.type(CTRL_D)
        assert asking.code() == 0


def test_it_is_saved_and_goes_on_another_time(home: Path, commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    asking_again = ("-m", "demo", "--temp", "0", "-t", "1", "--save", file)
    with terminal(home, *asking_again, "--system", "Be brief.") as asking:
        asking.until(ASKED)
        first, _ = asking.answer(b"What is a draft model?")
        assert said_in(file) == [("system", "Be brief."), ("user", "What is a draft model?"), ("assistant", first)]
        asking.type(CTRL_D)
        assert asking.code() == 0
    with terminal(home, *asking_again, "--system", "Be wordy.") as asking:
        begun = asking.until(ASKED)
        assert f"Continuing {file}. Messages so far: 3." in begun
        assert "Note: --system replaces the system prompt in the file." in begun
        asking.answer("Grüße?".encode())
        asking.type(CTRL_D)
        assert asking.code() == 0
    said = said_in(file)
    assert [role for role, _ in said] == ["system", "user", "assistant", "user", "assistant"]
    assert [content for _, content in said][:4] == ["Be wordy.", "What is a draft model?", first, "Grüße?"]
    assert [path.name for path in tmp_path.iterdir()] == ["talk.json"]
    assert commands.answer("-m", "demo", "-n", "2", "--messages", file)["stats"]["n_generated"] == 2


def said_in(file: Path) -> list[tuple[str, str]]:
    return [(entry["role"], entry["content"].strip()) for entry in json.loads(file.read_text("utf-8"))]


def test_what_cannot_be_saved_is_said_and_the_conversation_goes_on(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with terminal(home, "-m", "demo", "-n", "2", "--save", folder / "talk.json") as asking:
        asking.until(ASKED)
        folder.rmdir()
        *_, message, hint = asking.answer(b"Hello")
        assert message == f"Can't write {folder / 'talk.json'}: No such file or directory."
        assert hint.startswith("hint: ")
        folder.mkdir()
        asking.answer(b"Hello again")
        assert len(said_in(folder / "talk.json")) == 4


def test_a_file_that_holds_something_else_is_not_replaced(home: Path, tmp_path: Path) -> None:
    (tmp_path / "diary.json").write_text('{"dear": "diary"}')
    for file, said in (
        (tmp_path / "diary.json", "{} contains no messages.\r\nhint: Write a JSON list such as"),
        (tmp_path / "gone" / "talk.json", "Can't write {}: No such file or directory.\r\nhint: "),
        (tmp_path, "{} is a folder.\r\nhint: Specify a file inside it."),
    ):
        with terminal(home, "-m", "demo", "--save", file) as asking:
            assert asking.until(b"hint: ") + "hint: " == said.format(file).partition("hint: ")[0] + "hint: "
            assert asking.code() == 1
    assert (tmp_path / "diary.json").read_text() == '{"dear": "diary"}'


@pytest.mark.parametrize(
    "option", [("-p", "Hello"), ("--messages", "messages.json"), ("--json",), ("--raw",), ()], ids=" ".join
)
def test_only_a_conversation_is_saved(commands: Commands, tmp_path: Path, option: tuple[str, ...]) -> None:
    outcome = commands.run("chat", "-m", "demo", "--save", tmp_path / "talk.json", *option)
    assert outcome.code == 2
    assert "error: " in outcome.err
    assert "--save" in outcome.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--json", "--raw", "--ignore-eos"])
def test_where_nobody_can_be_asked_something_must_be_given(commands: Commands, option: str) -> None:
    outcome = commands.run("chat", "-m", "demo", option)
    assert outcome.code == 2
    assert "add -p PROMPT" in outcome.err


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ((), "The moon pulls the\r\nwater."),
        (("--no-wrap",), "The moon pulls the water."),
        (("--json-schema", "{}"), "The moon pulls the water."),
    ],
)
def test_lines_are_broken_between_words(home: Path, options: tuple[str, ...], written: str) -> None:
    with scripted_engine() as server:
        server.replies = {
            "/v1/models": reply({"data": [{"id": "small"}]}),
            "/v1/chat/completions": events(delta("The moon pu"), delta("lls the wat"), delta("er.", "stop")),
        }
        with terminal(home, "--engine", server.url, "-p", "Why?", *options, columns=20) as it:
            assert f"{written}\r\n" in it.until(b" tokens")


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


def test_another_engine_answers(home: Path, tmp_path: Path) -> None:
    """What it said before its connection was lost belongs to the chat."""
    replies = [events(delta("Yes.", "stop")), events(delta("It"), end=b"")]
    with scripted_engine() as server:
        server.replies = {
            "/v1/models": reply({"data": [{"id": "small"}]}),
            "/v1/chat/completions": lambda _: replies.pop(0),
        }
        with terminal(home, "--engine", server.url, "--save", tmp_path / "talk.json") as it:
            it.until(ASKED)
            assert it.answer(b"Is it?")[0] == "Yes."
            assert "was cut off" in " ".join(it.answer(b"And now?"))
            it.type(CTRL_D)
            assert it.code() == 0
    said = json.loads((tmp_path / "talk.json").read_text())
    assert [message["content"] for message in said] == ["Is it?", "Yes.", "And now?", "It"]
