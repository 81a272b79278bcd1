"""What stands between the lines of an answer, and the line that says how far loading is."""

import logging
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from support.commands import SECONDS, command, environment
from support.downloading import content
from support.hub import LocalHub

from specchat.cli import output
from specchat.cli.answer_printer import AnswerPrinter
from specchat.cli.output import defer_logs, print_note, report_error, wrap_for, write_answer
from specchat.cli.parser import CommandParser
from specchat.domain.errors import UserError
from specchat.domain.types import FinishReason, GenerationFinished, GenerationStats
from specchat.services.chat.request_builder import AnswerOptions
from specchat.store.logs import logging_to


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, "\ufffd[31mred\n"), (False, "\x1b[31mred\n")])
def test_a_terminal_obeys_no_escape_sequence_of_an_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shown: str, *, is_terminal: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    write_answer("\x1b[31m")
    write_answer("red\n")
    assert capsys.readouterr().out == shown


def test_a_list_in_a_narrow_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "stream_columns", lambda stream: 30)
    text = "Send words, or:\n  /ask NAME  ask about it, at length\n\nPress Ctrl-D to leave this, or q."
    print_note(text)
    assert capsys.readouterr().err.splitlines() == [
        "Send words, or:",
        "  /ask NAME  ask about it, at",
        "             length",
        "",
        "Press Ctrl-D to leave this, or",
        "q.",
    ]
    monkeypatch.setattr(output, "stream_columns", lambda stream: 0)
    print_note(text)
    assert capsys.readouterr().err == f"{text}\n"


def test_an_address_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Serving target.gguf with draft.gguf at http://127.0.0.1:8080 (Ctrl-C stops)"
    monkeypatch.setattr(output, "stream_columns", lambda stream: 30)
    assert wrap_for(sys.stdout, text).splitlines() == [
        "Serving target.gguf with",
        "draft.gguf at",
        "http://127.0.0.1:8080 (Ctrl-C",
        "stops)",
    ]


def test_what_is_copied_is_not_broken(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "stream_columns", lambda stream: 30)
    hint = "Recover the readable chats with: specchat chats salvage. Others stay."
    report_error(UserError("Couldn't read the whole of {file}.", hint, file="/my chats/of today.db"))
    assert capsys.readouterr().err.splitlines() == [
        "Couldn't read the whole of",
        "/my chats/of today.db.",
        "hint: Recover the readable",
        "chats with:",
        "specchat chats salvage. Others",
        "stay.",
    ]
    parser = CommandParser(prog="specchat chat")
    parser.add_argument("--prompt")
    with pytest.raises(SystemExit):
        parser.parse_args(["--promt", "two words and more"])
    assert capsys.readouterr().err.splitlines()[1:] == [
        "specchat chat: error:",
        "unrecognized arguments:",
        "--promt two words and more",
        "hint: Did you mean --prompt?",
    ]


@pytest.mark.parametrize("level", ["WARNING", "ERROR"])
def test_what_is_logged_waits_for_the_end_of_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    monkeypatch.setenv("SPECCHAT_LOG", level)
    log = logging.getLogger("part")
    with logging_to(tmp_path):
        with defer_logs():
            log.warning("nothing is kept")
            log.error("much is lost")
            assert capsys.readouterr().err == ""
        lines = ["WARNING part: nothing is kept", "ERROR part: much is lost"]
        assert capsys.readouterr().err.splitlines() == lines[level == "ERROR" :]
        log.error("at once")
        assert capsys.readouterr().err == "ERROR part: at once\n"


def test_who_asked_for_more_sees_it_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECCHAT_LOG", "INFO")
    with logging_to(tmp_path), defer_logs():
        logging.getLogger("part").info("going on")
        assert capsys.readouterr().err == "INFO part: going on\n"


def test_what_is_logged_is_shown_though_the_answer_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def answer() -> None:
        with defer_logs():
            logging.getLogger("part").warning("why")
            raise RuntimeError

    with logging_to(tmp_path), pytest.raises(RuntimeError):
        answer()
    assert capsys.readouterr().err == "WARNING part: why\n"


@pytest.mark.skipif(sys.platform == "win32", reason="its terminals cannot be read from here")
def test_the_line_on_a_terminal_is_written_when_it_changes(tmp_path: Path) -> None:
    asked = ("chat", "-m", "demo", "-p", "Hello", "-n", "2")
    *lines, about = shown_on_a_terminal(tmp_path, *asked)
    assert lines[:2] == ["", "checking the target ..."]
    assert lines[-2].startswith("measuring speed: ")
    assert any("loading the draft: " in line for line in lines)
    assert all(line != following for line, following in pairwise(lines))
    assert about.startswith("2 tokens, ")
    *more, _ = shown_on_a_terminal(tmp_path, *asked)
    assert lines[-1] == more[-1] == "loaded: 100%", "also where nothing is left to be measured"
    *_, refused = shown_on_a_terminal(tmp_path, *asked, "-dev", "Quantum7")
    assert refused.startswith("Unknown device: Quantum7.\r\nhint: "), "in a line of its own"


@pytest.mark.skipif(sys.platform == "win32", reason="its terminals cannot be read from here")
def test_the_line_of_a_download_ends_whole(hub: LocalHub, tmp_path: Path) -> None:
    hub.add("alice/large-GGUF", {"t-Q4_K_M.gguf": content(3 << 20, seed=1)})
    *_, last, about = shown_on_a_terminal(tmp_path / "home", "models", "pull", "alice/large-GGUF")
    assert last == "t-Q4_K_M.gguf: 3.1 MB of 3.1 MB"
    assert about.startswith("3.1 MB verified, 3.1 MB downloaded")


@pytest.mark.skipif(sys.platform == "win32", reason="its terminals cannot be read from here")
@pytest.mark.parametrize(
    "task", [("chat", "-p", "Hello"), ("selftest", "-t", "1"), ("serve", "--port", "0")], ids=lambda t: t[0]
)
def test_after_an_interruption_the_terminal_is_left_clean(tmp_path: Path, task: tuple[str, ...]) -> None:
    *lines, left = shown_on_a_terminal(tmp_path, *task, "-m", "demo", "-t", "1", interrupted_at=b"checking the target")
    assert lines[1] == "checking the target ..."
    assert left == "" or left.endswith("\r\n"), "a line of its own where the models were loaded meanwhile"


def shown_on_a_terminal(home: Path, *arguments: str, interrupted_at: bytes = b"") -> list[str]:
    """What stood in its line one after the other."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=theirs, env=environment(home)
    ) as process:
        os.close(theirs)
        shown = b""
        while piece := _read(ours):
            shown += piece
            if interrupted_at and interrupted_at in shown:
                process.send_signal(signal.SIGINT)
                interrupted_at = b""
        process.wait(SECONDS)
    os.close(ours)
    return shown.decode().split("\r\x1b[K")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other side is closed
        return b""


def test_without_a_token_no_time_of_the_first_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    answer = AnswerPrinter()
    answer.add(GenerationFinished(FinishReason.CANCELLED, "", GenerationStats()))
    answer.print_summary(AnswerOptions())
    told = capsys.readouterr().err
    assert told.startswith("interrupted · ")
    assert "first token" not in told
