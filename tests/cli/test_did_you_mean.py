"""A slip of the fingers is answered with what was meant."""

import shlex
from pathlib import Path

import pytest
from support.commands import Commands

CHAT = ("chat", "-m", "demo", "-p", "Hello")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("caht", "-m", "demo"), "specchat chat"),
        (("dmeo",), "specchat demo"),
        (("run", "demo"), "specchat chat"),
        (("pull", "ggml-org/Qwen3-8B-GGUF"), "specchat models pull"),
        (("ls",), "specchat models list"),
        (("show", "demo"), "specchat inspect"),
        (("models", "lst"), "specchat models list"),
        (("chats", "--json", "exprot"), "specchat chats export"),
        (("--vresion",), "--version"),
        (("chat", "--modle", "demo"), "--model"),
        ((*CHAT, "--draftmax=4"), "--draft-max"),
        ((*CHAT, "--js"), "--json"),
        (("models", "pairs", "--divece", "CPU=4G"), "--device"),
        ((*CHAT, "--temperature", "0"), "--temp"),
        ((*CHAT, "--ctx=512"), "--ctx-size"),
        (("chat", "-m", "demo", "Hello there"), "-p 'Hello there'"),
        (("chat", "demo", "-p", "Hello"), "-m demo"),
        (("chat", "-m", "demo", "-p", "--list"), "--prompt=--list"),
        (("models", "help"), "specchat models --help"),
        (("chat", "help"), "specchat chat --help"),
        (("serve", "two words.gguf"), "-m 'two words.gguf'"),
    ],
)
def test_commands_and_options(commands: Commands, arguments: tuple[str, ...], meant: str) -> None:
    outcome = commands.run(*arguments)
    assert (outcome.code, bool(outcome.stdout)) == (2, "--json" in arguments)
    assert outcome.err.startswith("usage: specchat")
    error, hint = outcome.err.splitlines()[-2:]
    assert "error: " in error
    assert hint == f"hint: Did you mean {meant}?"


@pytest.mark.parametrize(
    "arguments",
    [
        ("sing",),
        (*CHAT, "--colour"),
        ("serve", "Hello"),
        ("bench", "-m", "demo", "--keep"),
        (*CHAT, "-n", "many"),
        ("chat", "-m", "demo"),
        (*CHAT, "caht"),
        (*CHAT, "--", "x"),
    ],
    ids=" ".join,
)
def test_nothing_is_guessed_at_random(commands: Commands, arguments: tuple[str, ...]) -> None:
    outcome = commands.run(*arguments)
    assert outcome.code == 2
    assert "hint" not in outcome.err


def test_the_names_of_the_demo(commands: Commands, tmp_path: Path) -> None:
    for command in (
        ("chat", "-p", "Hello", "-m"),
        ("inspect",),
        ("fit",),
        ("compat", "demo"),
        ("models", "drafts-for"),
    ):
        for slip, meant in {"dmeo": "demo", "demo-tagret": "demo-target"}.items():
            outcome = commands.run(*command, slip)
            assert outcome.code == 1
            assert outcome.refusal == (f"File not found: {slip}.", f"Did you mean {meant}?")
    assert commands.run("inspect", tmp_path / "dmeo").refusal[1] == "Check the path."


def test_a_bare_name_is_no_path(commands: Commands, tmp_path: Path) -> None:
    listed = "List the models on this computer: specchat models"
    for arguments in (("chat", "-p", "Hello", "-m", "qwen3"), ("chat", "-p", "Hello", "-m", "demo", "-md", "qwen3")):
        assert commands.run(*arguments).refusal == ("File not found: qwen3.", listed)
    for path in (Path("qwen3.gguf"), tmp_path / "qwen3"):
        assert commands.run("inspect", path).refusal[1] == "Check the path."


def test_models_in_the_same_folder(commands: Commands, tmp_path: Path, tiny_llama: Path) -> None:
    model = tmp_path / "two words" / "llama-8b-Q4_K_M.gguf"
    model.parent.mkdir()
    model.symlink_to(tiny_llama)
    message, hint = commands.run("inspect", model.with_name("llama-8b-q4_k_m.gguf")).refusal
    assert message.startswith("File not found: ")
    assert shlex.split(hint.removeprefix("Did you mean ").removesuffix("?")) == [str(model)]
    assert commands.run("inspect", model.with_name("mistral.gguf")).refusal[1] == "Check the path."


def test_a_link_to_nothing_is_no_slip(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "model-1.gguf").touch()
    (tmp_path / "model-2.gguf").symlink_to(tmp_path / "gone")
    assert commands.run("inspect", tmp_path / "model-2.gguf").refusal[1] == "Check the path."
