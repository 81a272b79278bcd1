"""Whatever is wrong, the answer is one sentence, a hint, and the right exit code."""

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from support.commands import SECONDS, Argument, Commands, command, environment, run_process


def truncated(path: Path, model: bytes) -> None:
    path.write_bytes(model[: len(model) // 2])


def without_weights(path: Path, model: bytes) -> None:
    path.write_bytes(model[:4000])


def empty(path: Path, _: bytes) -> None:
    path.touch()


def bits_flipped(path: Path, model: bytes) -> None:
    random, data = Random(1), bytearray(model)
    for _ in range(200):
        data[random.randrange(10_000)] ^= 1 << random.randrange(8)
    path.write_bytes(data)


def text(path: Path, _: bytes) -> None:
    path.write_text("This is no model.\n")


def web_page(path: Path, _: bytes) -> None:
    path.write_text("<!DOCTYPE html><title>Sign in</title>")


def archive(path: Path, _: bytes) -> None:
    path.write_bytes(b"PK\x03\x04" + bytes(100))


def folder(path: Path, _: bytes) -> None:
    path.mkdir()


def missing(_path: Path, _: bytes) -> None:
    pass


def below_a_file(path: Path, model: bytes) -> None:
    path.parent.rmdir()
    path.parent.write_bytes(model)


def link_to_itself(path: Path, _: bytes) -> None:
    path.symlink_to(path)


def pipe(path: Path, _: bytes) -> None:
    os.mkfifo(path)


def unix_socket(path: Path, _: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


BROKEN: dict[Callable[[Path, bytes], None], str] = {
    truncated: "incomplete",
    without_weights: "incomplete",
    empty: "empty",
    bits_flipped: "damaged",
    text: "not a GGUF model",
    web_page: "web page",
    archive: "zip",
    folder: "is a folder",
    missing: "File not found",
    below_a_file: "File not found",
    link_to_itself: "Can't read",
    pipe: "not a regular file",
    unix_socket: "not a regular file",
}


@pytest.mark.parametrize("make", BROKEN, ids=lambda make: make.__name__)
def test_files_that_are_no_model(
    commands: Commands, tmp_path_factory: pytest.TempPathFactory, tiny_llama: Path, make: Callable[[Path, bytes], None]
) -> None:
    path = tmp_path_factory.mktemp("f") / "model.gguf"
    make(path, tiny_llama.read_bytes())
    uses: list[tuple[Argument, ...]] = [
        ("inspect", path),
        ("chat", "-p", "Hello", "-m", path),
        ("chat", "-p", "Hello", "-m", tiny_llama, "-md", path),
        ("compat", tiny_llama, path),
        ("compat", path, tiny_llama),
        ("selftest", "-m", path),
    ]
    for use in uses:
        outcome = commands.run(*use, "--json")
        assert outcome.code == 1, use
        message, hint = outcome.refusal
        assert BROKEN[make] in message
        assert outcome.json == {"error": message, "hint": hint}
        assert commands.run(*use).stdout == b""


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_without_permission(commands: Commands, tmp_path: Path, tiny_llama: Path) -> None:
    path = tmp_path / "secret.gguf"
    path.write_bytes(tiny_llama.read_bytes())
    path.chmod(0)
    with as_nobody():
        outcome = commands.run("inspect", path, "--json")
    assert outcome.code == 1
    assert "No permission to read" in outcome.json["error"]


@pytest.mark.parametrize(
    "reference", ["a" * 5000, "owner/" + "a" * 5000 + ":model.gguf", "~nobody-of-this-name/model.gguf", "", "."]
)
def test_references_that_no_file_can_have(commands: Commands, reference: str) -> None:
    outcome = commands.run("inspect", reference)
    assert outcome.code == 1
    assert outcome.refusal


def test_a_name_that_would_move_the_cursor(commands: Commands) -> None:
    outcome = commands.run("inspect", "one\ntwo\x1b[31m.gguf", "--json")
    assert outcome.refusal[0] == "File not found: one\ufffdtwo\ufffd.gguf."
    assert outcome.json["error"] == "File not found: one\ntwo\x1b[31m.gguf."


@pytest.mark.parametrize("name", [b"gr\xc3\xb6\xc3\x9fe.gguf", b"m\xff.gguf", b" \n.gguf"])
def test_files_with_strange_names(home: Path, tmp_path: Path, tiny_pair: tuple[Path, Path], name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(tiny_pair[0].read_bytes())
    for options in (("-m", path), ("-m", tiny_pair[0], "-md", path)):
        assert run_process(home, "chat", *options, *PROMPT, "-n", "2").code == 0
    assert run_process(home, "inspect", path).code == 0


@pytest.mark.parametrize("reference", ["owner/repo:model.gguf", "owner/repo@main:folder/model-Q4_K_M.gguf"])
def test_references_to_the_hub(commands: Commands, reference: str) -> None:
    outcome = commands.run("chat", "-p", "Hello", "-m", reference)
    assert outcome.code == 1
    assert outcome.refusal == (
        f"{reference} is not on this computer.",
        f"Download it: specchat models pull {reference}",
    )


MODEL = ("-m", "model.gguf")
PROMPT = ("-p", "Hello")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sing",),
        ("--json",),
        ("model.gguf", "--smoke-test"),
        ("one.gguf", "two"),
        ("inspect",),
        ("inspect", "one", "two"),
        ("compat", "one"),
        ("selftest",),
        ("chat", *MODEL),
        ("chat", *PROMPT),
        ("chat", *MODEL, *PROMPT, "--messages", "messages.json"),
        ("chat", *MODEL, *PROMPT, "--unknown"),
        ("chat", *MODEL, *PROMPT, "--js"),
        ("chat", *MODEL, *PROMPT, "-n", "many"),
        ("chat", *MODEL, *PROMPT, "-n", "-2"),
        ("chat", *MODEL, *PROMPT, "-n", "0"),
        ("chat", *MODEL, *PROMPT, "-n", "9" * 5000),
        ("chat", *MODEL, *PROMPT, "-c", "0"),
        ("chat", *MODEL, *PROMPT, "-t", "0"),
        ("chat", *MODEL, *PROMPT, "--temp", "-1"),
        ("chat", *MODEL, *PROMPT, "--temp", "nan"),
        ("chat", *MODEL, *PROMPT, "--temp", "inf"),
        ("chat", *MODEL, *PROMPT, "--top-p", "1.5"),
        ("chat", *MODEL, *PROMPT, "--min-p", "x"),
        ("chat", *MODEL, *PROMPT, "--repeat-penalty", "0"),
        ("chat", *MODEL, *PROMPT, "--seed", "-2"),
        ("chat", *MODEL, *PROMPT, "--seed", str(1 << 64)),
        ("chat", *MODEL, *PROMPT, "--cache-type", "q5_1"),
        ("chat", *MODEL, *PROMPT, "--draft-max", "65"),
    ],
    ids=" ".join,
)
def test_wrong_arguments(commands: Commands, arguments: tuple[str, ...]) -> None:
    outcome = commands.run(*arguments)
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert outcome.err.startswith("usage: specchat")
    error, *hint = outcome.err[outcome.err.index("error: ") :].splitlines()
    assert error
    assert all(line.startswith("hint: ") for line in hint)


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (
            ("chat", *MODEL, *PROMPT, "--temp", "x"),
            "argument --temp: 'x' is not a number",
            "Run: specchat chat --help",
        ),
        (("chat", "-m", "model.gguf"), "--json needs a prompt: add -p PROMPT; -p - reads standard input", None),
        (("chats", "exprot"), "argument TASK: invalid choice: 'exprot'", "Did you mean specchat chats export?"),
        (("models", "search", "--limt", "3"), "unrecognized arguments: --limt", "Did you mean --limit?"),
    ],
)
def test_wrong_arguments_as_json(commands: Commands, arguments: tuple[str, ...], error: str, hint: str | None) -> None:
    outcome = commands.run(*arguments, "--json")
    assert outcome.code == 2
    assert f"error: {outcome.json['error']}\n" in outcome.err
    assert outcome.json["error"].startswith(error)
    assert hint is None or outcome.json["hint"] == hint


def test_a_wrong_command_is_no_file(commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat").touch()
    assert "error: 'chta' is neither a .gguf file nor a command; the commands are chat, " in commands.run("chta").err
    assert "specchat chat" in commands.run("chat").err
    assert "specchat FILE.gguf ...\n       specchat demo\n" in commands.run("--help").out


def test_a_folder_is_no_file(commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    outcome = commands.run("docs")
    assert outcome.code == 2
    assert outcome.err.endswith("specchat: error: docs is a folder: specify a .gguf file in it\n")
    assert "'gone.txt' is neither a .gguf file nor a command" in commands.run("demo", "gone.txt").err
    assert "--json can't be combined with model files" in commands.run("demo", "--json").err


@pytest.mark.parametrize("words", [("demo", "--help"), ("-h", "model.gguf"), ("model.gguf", "-h")], ids=" ".join)
def test_help_beside_a_file(commands: Commands, words: tuple[str, ...]) -> None:
    outcome = commands.run(*words)
    assert outcome.code == 0
    assert outcome.out == commands.run("--help").out


def test_an_unknown_device(commands: Commands, tiny_llama: Path) -> None:
    outcome = commands.run("chat", "-m", tiny_llama, *PROMPT, "-dev", "Quantum7")
    assert outcome.code == 1
    assert "Quantum7" in outcome.refusal[0]
    assert "CPU" in outcome.refusal[1]


def test_nonsense_as_log_level(home: Path, tiny_llama: Path) -> None:
    outcome = run_process(home, "inspect", tiny_llama, "--json", changes={"SPECCHAT_LOG": "loud"})
    assert outcome.code == 1
    assert "SPECCHAT_LOG" in outcome.refusal[0]
    assert "DEBUG" in outcome.refusal[1]
    assert outcome.json["error"] == outcome.refusal[0]


@pytest.mark.parametrize("below", ["", "sub/folder"])
def test_a_home_that_cannot_be_written(tmp_path: Path, tiny_llama: Path, below: str) -> None:
    (tmp_path / "home").write_text("in the way")
    outcome = run_process(tmp_path / "home" / below, "chat", "-m", tiny_llama, *PROMPT, "-n", "2", "--json")
    assert outcome.code == 0
    assert len(outcome.json["tokens"]) == 2
    (told,) = outcome.err.splitlines()
    assert told.startswith("WARNING ")
    assert told.endswith("set SPECCHAT_HOME to another folder.")


def test_warnings_stand_in_no_line_of_the_answer(tmp_path: Path) -> None:
    """Though both go to one terminal, and much cannot be kept while it is written."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "cache").write_text("in the way")
    asked = ("chat", "-m", "demo", "-p", "Hello", "-n", "12", "--temp", "0")
    answer = run_process(home, *asked, "--json").json["text"]
    with subprocess.Popen(
        command(*asked), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(home)
    ) as process:
        out, _ = process.communicate(timeout=SECONDS)
    assert out.decode().startswith(f"{answer}\n12 tokens, ")
    assert out.decode().count("WARNING") == 1


@pytest.mark.parametrize("content", ["", "nonsense", "[]", "\x00\xff", '{"a": 1}'])
def test_memories_that_are_damaged(tmp_path: Path, commands: Commands, tiny_llama: Path, content: str) -> None:
    commands.home = tmp_path
    (tmp_path / "cache").mkdir()
    for name in ("first-loads.json", "self-tests.json"):
        (tmp_path / "cache" / name).write_text(content, encoding="latin-1")
    answer = commands.answer("-m", tiny_llama, *PROMPT, "-n", "2", "--exact")
    assert answer["exact"]["selftest"] == "passed"


def test_memories_of_another_version(tmp_path: Path, commands: Commands, tiny_llama: Path) -> None:
    commands.home = tmp_path
    commands.answer("-m", tiny_llama, *PROMPT, "-n", "2", "--exact")
    file = tmp_path / "cache" / "self-tests.json"
    (key,) = json.loads(file.read_text())
    strange: list[object] = [{}, [], {"details": [{"speed": 1}], "max_batch": 8, "rollback": True}]
    for fact in strange:
        file.write_text(json.dumps({key: fact}))
        assert commands.answer("-m", tiny_llama, *PROMPT, "-n", "2", "--exact")["exact"]["selftest"] == "passed"


def test_output_that_cannot_be_written(home: Path, tiny_llama: Path) -> None:
    for options in ((), ("--json",)):
        with Path("/dev/full").open("wb") as full:
            outcome = run_process(home, "chat", "-m", tiny_llama, *PROMPT, "-n", "2", *options, stdout=full)
        assert outcome.code == 1
        assert "No space left" in outcome.refusal[0]
