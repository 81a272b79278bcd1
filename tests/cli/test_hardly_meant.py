"""What can hardly be meant is refused, or done with a note."""

import sys
from pathlib import Path

import psutil
import pytest
from support.commands import Argument, Commands


@pytest.mark.parametrize("prompt", ["", " \n"])
def test_an_empty_prompt(commands: Commands, tiny_llama: Path, prompt: str) -> None:
    for given, stdin in ((prompt, b""), ("-", prompt.encode())):
        outcome = commands.run("chat", "-m", tiny_llama, "-p", given, stdin=stdin)
        assert outcome.code == 1
        assert outcome.refusal == ("The prompt is empty.", "Pass a prompt with -p.")


@pytest.mark.parametrize(
    "command",
    [
        ("chat", "-p", "Hello", "-m"),
        ("bench", "-m"),
        ("inspect",),
        ("compat", "demo"),
        ("fit",),
        ("models", "verify"),
        ("models", "rm", "--yes"),
        ("models", "drafts-for"),
    ],
    ids=" ".join,
)
def test_a_model_without_a_name(commands: Commands, command: tuple[str, ...]) -> None:
    """As where a script's variable is not set."""
    outcome = commands.run(*command, "")
    assert outcome.code == 1
    assert outcome.refusal == ("The model name is empty.", "Use a .gguf file, owner/repo:Q4_K_M, or demo.")


@pytest.mark.parametrize("words", [("-m", "demo", "-p", "Hello"), ("--json",), ("-v", "demo")], ids=" ".join)
def test_options_before_a_command(commands: Commands, words: tuple[str, ...]) -> None:
    outcome = commands.run(*words)
    assert outcome.code == 2
    assert outcome.err.endswith(f"error: {words[0]} needs a command before it, as in: specchat chat -m demo\n")


def test_an_answer_without_tokens(commands: Commands) -> None:
    outcome = commands.run("chat", "-m", "demo", "-p", "Hello", "-n", "0")
    assert outcome.code == 2
    assert "error: argument -n/--predict: must be at least 1, or -1" in outcome.err


def test_a_context_too_small_for_anything(commands: Commands, tiny_llama: Path) -> None:
    note = "Note: -c 8 is too small; using the minimum of 256 tokens.\n"
    fit = commands.run("fit", tiny_llama, "-c", "8", "--json")
    assert (fit.err, fit.json["n_ctx"]) == (note, 256)
    chat = ("chat", "-m", tiny_llama, "-p", "Hello", "-n", "2", "--json")
    assert commands.run(*chat, "-c", "8").err == note
    assert commands.run(*chat, "-c", "256").err == ""
    for command in ("chat", "bench", "serve", "fit"):
        assert "at least 256; default: up to 4096" in " ".join(commands.run(command, "--help").out.split())


def test_a_context_larger_than_what_was_trained_for(commands: Commands) -> None:
    asked = ("-m", "demo", "-c", "5000", "--json")
    bench = ("bench", "--workload", "chat", "--k", "0", "-n", "8", "--repeat", "1", "--per-workload", "1")
    for command in (("chat", "-p", "Hello", "-n", "2"), bench):
        outcome = commands.run(*command, *asked)
        assert outcome.code == 0
        assert (
            outcome.err
            == "Note: The target was trained for a context of 2,048 tokens. With -c 5000, answers may get worse "
            "in long chats.\n"
        )


def test_flash_attention_that_cannot_be_off(commands: Commands, tiny_llama: Path) -> None:
    def notes(*options: str) -> str:
        outcome = commands.run("chat", "-m", tiny_llama, "-p", "Hello", "-n", "2", "--json", "-fa", *options)
        assert outcome.code == 0
        return outcome.err

    assert notes("off") == notes("on", "--cache-type", "q4_0") == notes("auto", "--exact") == ""
    said = "Note: Ignoring -fa off because {} needs flash attention.\n"
    assert notes("off", "--cache-type", "q4_0") == said.format("--cache-type q4_0")
    assert notes("off", "--exact") == said.format("exact mode")


def test_more_threads_than_cores(commands: Commands, tiny_llama: Path) -> None:
    usable = len(psutil.Process().cpu_affinity()) if sys.platform == "linux" else psutil.cpu_count() or 1
    chat = ("chat", "-m", tiny_llama, "-p", "Hello", "-n", "1", "--json", "-t")
    note = commands.run(*chat, str(usable + 1)).err
    assert note.startswith(f"Note: -t {usable + 1} is more threads than this computer can run at once ({usable}), ")
    assert note.endswith(f" Use -t {usable} or less.\n")
    assert commands.run(*chat, str(usable)).err == ""


@pytest.mark.parametrize("command", [("chat", "-p", "Hello", "--draft-max"), ("bench", "--k")])
def test_more_guesses_than_ever_hold(commands: Commands, command: tuple[str, ...]) -> None:
    outcome = commands.run(*command, "500", "-m", "demo")
    assert outcome.code == 2
    assert "500 is not between 0 and 64" in outcome.err


def test_a_draft_larger_than_its_target(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    assert target.stat().st_size > draft.stat().st_size

    def notes(large: Path, small: Path) -> list[str]:
        chat: tuple[Argument, ...] = ("chat", "-p", "Hello", "-n", "2", "-m", small, "-md", large)
        commands_of_pairs = [("compat", small, large), ("fit", small, large), chat]
        outcomes = [commands.run(*command, "--json") for command in commands_of_pairs]
        assert [outcome.code for outcome in outcomes] == [0, 0, 0]
        return [outcome.err for outcome in outcomes]

    assert notes(draft, target) == ["", "", ""]
    for note in notes(target, draft):
        assert note.startswith("Note: The draft (")
        assert note.endswith(") and can only slow it down. Did you swap them?\n")
    same = "Note: The draft is not smaller than the target and can only slow it down.\n"
    assert notes(target, target) == [same] * 3
