"""Question by question, in a terminal: a real one, as far as the program can tell."""

import json
import sys
import time
from pathlib import Path

import pytest
from support.commands import Commands
from support.ggufs import ModelRecipe, make_model
from support.scripted_engine import delta, events, reply, scripted_engine

if sys.platform == "win32":
    pytest.skip("its terminals cannot be driven from here", allow_module_level=True)

from support.terminals import ASKED, CTRL_C, CTRL_D, CTRL_Z, STOPPED, said_in, terminal


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
        asking.until(b"\n. ")
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
        assert asking.answer(b"/system ''") == asking.answer(b"/system")
        assert asking.answer(b"/system") == ["No system prompt. Set one with: /system TEXT"]
        asking.answer(b"/system Be wordy.")
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
        assert "Another program has changed" in " ".join(asking.answer(f"/save {file}".encode()))
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


@pytest.mark.parametrize("kind", ["dumb", "xterm"])
def test_after_ctrl_z_a_line_goes_on(home: Path, tmp_path: Path, kind: str) -> None:
    file, left = tmp_path / "talk.json", b"\x1b[D"
    with terminal(home, "-m", "demo", "-n", "3", "--save", file, kind=kind, in_shell=True) as asking:
        asking.until(b"> ")
        for typed, shown in ((b"one\\\r", b". "), (b"tw", b"tw")):
            asking.type(typed)
            asking.until(shown)
        time.sleep(0.2)  # nobody is quicker: in the instant after another key, Python would miss it
        asking.interrupt(CTRL_Z)
        asking.until(STOPPED)
        asking.type(b"\r")
        asking.until(b". tw")
        asking.type(left + b"_\r")
        asking.until(b"3 tokens")
        asking.until(b"> ")
        asking.type(CTRL_D)
        assert asking.code() == 0
    assert said_in(file)[0] == ("user", "one\nt_w")


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


def test_compared_answers_are_wrapped_too(home: Path) -> None:
    asked = ("-m", "demo", "-p", "What is a draft model?", "-n", "6", "--temp", "0", "-t", "1", "--compare")
    with terminal(home, *asked, columns=20) as it:
        assert "A draft model is a\r\nsmall\r\n" in it.until(b"Both answers are the same.")


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
