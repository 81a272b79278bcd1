"""Ctrl-C, and readers who leave early. The model is slow enough to be caught in the act."""

import signal
import subprocess
import time
from pathlib import Path

import pytest
from support.commands import Outcome, finished, run_process, started
from support.ggufs import ModelRecipe, make_model

PROMPTLY = 15.0
"""Seconds; to go on would take far longer."""
ENDLESS = ("--raw", "-n", "-1", "--ignore-eos", "-c", "8192")
LONG_PROMPT = ("--raw", "-p", " the" * 8000, "-c", "8192", "-n", "1")
MORE_THAN_A_PIPE_HOLDS = 1 << 20
WATCHED = {"SPECCHAT_LOG": "INFO"}


@pytest.fixture(scope="module")
def slow(models_dir: Path, home: Path) -> Path:
    """Its first load is over."""
    recipe = ModelRecipe(n_embd=1024, n_layer=4, n_head=8, n_ff=4096, n_ctx=8192)
    path = make_model(models_dir / "slow.gguf", recipe)
    assert run_process(home, "chat", "-m", path, *ENDLESS, "-n", "1", "-p", "Hello").code == 0
    return path


def interrupted(process: subprocess.Popen[bytes]) -> tuple[Outcome, float]:
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    outcome = finished(process)
    return outcome, time.monotonic() - start


def wait_for_log(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stderr is not None
    for found in process.stderr:
        if line in found:
            return
    raise AssertionError("it ended before")


def without_log(outcome: Outcome) -> list[str]:
    return [line for line in outcome.err.splitlines() if not line.startswith("INFO ")]


def test_while_the_answer_is_written(home: Path, slow: Path) -> None:
    with started(home, "chat", "-m", slow, "-p", "Hello", *ENDLESS) as process:
        assert process.stdout is not None
        first = process.stdout.read(20)
        outcome, seconds = interrupted(process)
    assert outcome.code == 130
    assert seconds < PROMPTLY
    text = (first + outcome.stdout).decode()
    assert text.endswith("\n")
    (summary,) = outcome.err.splitlines()
    assert 0 < int(summary.removeprefix("interrupted · ").partition(" tokens")[0]) < 8000
    whole = run_process(home, "chat", "-m", slow, "-p", "Hello", *ENDLESS, "-n", "4", "-s", "1")
    assert whole.code == 0


def test_json_holds_what_was_written(home: Path, slow: Path) -> None:
    with started(home, "chat", "-m", slow, "-p", "Hello", *ENDLESS, "--json", changes=WATCHED) as process:
        wait_for_log(process, b"A prompt of")
        assert process.poll() is None
        outcome, seconds = interrupted(process)
    assert outcome.code == 130
    assert seconds < PROMPTLY
    assert outcome.json["finish_reason"] == "cancelled"
    assert len(outcome.json["tokens"]) == outcome.json["stats"]["n_generated"] < 8000


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_while_a_long_prompt_is_read(home: Path, slow: Path, options: tuple[str, ...]) -> None:
    with started(home, "chat", "-m", slow, *LONG_PROMPT, *options, changes=WATCHED) as process:
        wait_for_log(process, b"A prompt of 8000 tokens")
        with pytest.raises(subprocess.TimeoutExpired):  # into the middle of it
            process.wait(0.5)
        outcome, seconds = interrupted(process)
    assert outcome.code == 130
    assert seconds < PROMPTLY
    if options:
        assert (outcome.json["finish_reason"], outcome.json["tokens"]) == ("cancelled", [])
    else:
        assert outcome.out == "\n"
        assert without_log(outcome)[0].startswith("interrupted · 0 tokens")


def test_during_the_first_load(tmp_path: Path, slow: Path) -> None:
    with started(tmp_path / "home", "chat", "-m", slow, "-p", "Hello", "--json", changes=WATCHED) as process:
        wait_for_log(process, b"Loading slow.gguf for the first time")
        outcome, seconds = interrupted(process)
    assert outcome.code == 130
    assert seconds < PROMPTLY
    if "error" in outcome.json:
        assert outcome.json == {"error": "Interrupted.", "hint": "Run it again."}
    else:  # it was loaded meanwhile
        assert (outcome.json["finish_reason"], outcome.json["tokens"]) == ("cancelled", [])


def test_while_standard_input_is_awaited(home: Path, tiny_llama: Path) -> None:
    with started(home, "chat", "-m", tiny_llama, "-p", "-", changes=WATCHED) as process:
        assert process.stdin is not None
        process.stdin.write(bytes(MORE_THAN_A_PIPE_HOLDS))
        process.stdin.flush()
        outcome, seconds = interrupted(process)
    assert (outcome.code, outcome.stdout) == (130, b"")
    assert seconds < PROMPTLY


def test_a_second_time_ends_the_program_at_once(home: Path, slow: Path) -> None:
    with started(home, "chat", "-m", slow, *LONG_PROMPT, changes=WATCHED) as process:
        wait_for_log(process, b"A prompt of 8000 tokens")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        outcome, seconds = interrupted(process)
    assert outcome.code in (130, -signal.SIGINT)
    assert seconds < PROMPTLY


@pytest.mark.parametrize("options", [(), ("--json", "-n", "3")])
def test_readers_who_leave(home: Path, slow: Path, options: tuple[str, ...]) -> None:
    with started(home, "chat", "-m", slow, "-p", "Hello", *ENDLESS, *options) as process:
        assert process.stdout is not None
        if not options:
            process.stdout.read(1)
        process.stdout.close()
        start = time.monotonic()
        assert process.stderr is not None
        complaints = process.stderr.read()
        assert process.wait(PROMPTLY) == 0
    assert time.monotonic() - start < PROMPTLY
    assert complaints == b""
