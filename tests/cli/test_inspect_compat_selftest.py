"""The commands that judge models, and those that say what there is."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import Commands, run_process
from support.ggufs import ModelRecipe, make_model
from support.vocabularies import BpeVocab

from specchat import __version__

COMMANDS = ("chat", "inspect", "compat", "selftest")


def test_inspect_as_json(home: Path, tiny_llama: Path) -> None:
    outcome = run_process(home, "inspect", tiny_llama, "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    facts = outcome.json
    assert facts["file_size"] == tiny_llama.stat().st_size
    assert 0 < facts["bytes_read"] <= facts["file_size"]
    tokenizer = facts["tokenizer"]
    assert len(bytes.fromhex(tokenizer["sha256"])) == 32
    expected = {
        "architecture": "llama",
        "quantization": "Q8_0",
        "n_layer": 4,
        "n_ctx_train": 2048,
        "n_embd": 128,
        "n_head": 4,
        "n_head_kv": 2,
        "n_vocab": 1024,
        "chat_template": True,
        "draft_kind": None,
        "problems": [],
    }
    assert {name: facts[name] for name in expected} == expected
    assert type(facts["parameters"]) is int
    expected_tokenizer = {
        "model": "gpt2",
        "pre": "llama-bpe",
        "bos": 1021,
        "eos": 1023,
        "add_bos": False,
        "add_eos": False,
    }
    assert {name: tokenizer[name] for name in expected_tokenizer} == expected_tokenizer


def test_inspect_as_text(commands: Commands, tiny_llama: Path) -> None:
    outcome = commands.run("inspect", tiny_llama)
    assert (outcome.code, outcome.stderr) == (0, b"")
    lines = dict(line.split(": ", 1) for line in outcome.out.splitlines())
    assert lines["architecture"] == "llama"
    assert lines["chat template"] == "yes"
    assert lines["draft kind"] == "none"
    assert lines["problems"] == "none"
    assert "bos 1021, eos 1023" in lines["tokenizer"]


@pytest.mark.parametrize("arch", ["gemma3", "mamba", "lfm2", "qwen35", "qwen3moe"])
def test_inspect_other_architectures(commands: Commands, models_dir: Path, arch: str) -> None:
    path = make_model(models_dir / f"inspect-{arch}.gguf", ModelRecipe(arch=arch, n_layer=2))
    assert commands.run("inspect", path, "--json").json["architecture"] == arch
    assert commands.run("inspect", path).code == 0


def test_inspect_reads_the_header_alone(commands: Commands, models_dir: Path) -> None:
    path = make_model(models_dir / "wide.gguf", ModelRecipe(n_embd=1024, n_layer=2))
    facts = commands.run("inspect", path, "--json").json
    assert facts["file_size"] > 10_000_000
    assert facts["bytes_read"] < 500_000


def test_compat_of_a_pair(home: Path, tiny_pair: tuple[Path, Path]) -> None:
    outcome = run_process(home, "compat", *tiny_pair, "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    verdict = outcome.json
    assert verdict["verdict"] == "identical"
    assert verdict["first_difference"] is None
    assert (verdict["vocab_target"], verdict["vocab_draft"]) == (1024, 1024)
    assert all(reason.keys() == {"code", "message", "detail"} for reason in verdict["reasons"])


@pytest.mark.parametrize("padding", [1, 128])
def test_compat_with_more_padding(commands: Commands, models_dir: Path, tiny_llama: Path, padding: int) -> None:
    recipe = ModelRecipe(n_layer=1, vocab=replace(BpeVocab(), padding=padding))
    draft = make_model(models_dir / f"padded-{padding}.gguf", recipe)
    outcome = commands.run("compat", tiny_llama, draft, "--json")
    assert outcome.code == 0
    assert outcome.json["verdict"] == "compatible"
    assert outcome.json["vocab_draft"] == 1024 + padding


def test_compat_of_strangers(commands: Commands, tiny_llama: Path, tiny_t5: Path) -> None:
    outcome = commands.run("compat", tiny_llama, tiny_t5, "--json")
    assert (outcome.code, outcome.stderr) == (3, b"")
    assert outcome.json["verdict"] == "incompatible"
    assert outcome.json["reasons"]
    text = commands.run("compat", tiny_llama, tiny_t5)
    assert (text.code, text.stderr) == (3, b"")
    assert text.out.startswith("vocabularies: incompatible\n- ")


def test_compat_of_another_vocabulary(commands: Commands, tiny_llama: Path, tiny_spm: Path) -> None:
    outcome = commands.run("compat", tiny_llama, tiny_spm)
    assert (outcome.code, outcome.stderr) == (0, b"")
    first, reason, *_ = outcome.out.splitlines()
    assert first == "vocabularies: translatable"
    assert "different vocabulary" in reason
    assert 0 < commands.run("compat", tiny_llama, tiny_spm, "--json").json["overlap"] < 1


def test_compat_names_the_first_token_that_differs(commands: Commands, models_dir: Path, tiny_llama: Path) -> None:
    changed = replace(BpeVocab(), replaced=((700, "something"), (800, "else")))
    draft = make_model(models_dir / "changed.gguf", ModelRecipe(n_layer=1, vocab=changed))
    outcome = commands.run("compat", tiny_llama, draft, "--json")
    assert (outcome.code, outcome.json["verdict"]) == (0, "translatable")
    difference = outcome.json["first_difference"]
    assert (difference["id"], difference["draft"]) == (700, "something")
    assert commands.run("compat", tiny_llama, draft).out.count("oken 700 is ") == 1


def test_compat_names_a_token_that_differs_harmlessly(commands: Commands, models_dir: Path, tiny_llama: Path) -> None:
    """Which none of the reasons does."""
    changed = replace(BpeVocab(), replaced=((2, "something"),))
    draft = make_model(models_dir / "early.gguf", ModelRecipe(n_layer=1, vocab=changed))
    outcome = commands.run("compat", tiny_llama, draft)
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("First difference: token 2 is ")
    assert outcome.out.count("oken 2 is ") == 1


def test_selftest_as_json(home: Path, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    outcome = run_process(home, "selftest", "-m", target, "-md", draft, "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    result = outcome.json
    assert (result["exact"], result["max_batch"], result["rollback"]) == (True, 8, True)
    assert {detail["batch"] for detail in result["details"]} == set(range(2, 9))
    assert result["draft_rollback"] is True
    assert result["trees"] is True


def test_selftest_as_text(commands: Commands, tiny_llama: Path) -> None:
    outcome = commands.run("selftest", "-m", tiny_llama, "-t", "1")
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert outcome.out.startswith("Exact: passed\n")


def test_selftest_that_fails_as_text(commands: Commands) -> None:
    outcome = commands.run("selftest", "-m", "demo-target", "-t", "1", "--default-mode")
    assert outcome.out.startswith("Exact: failed: ")
    assert "\nLargest exact batch: 1 token\n" in outcome.out


@pytest.mark.parametrize("options", [(), ("--default-mode",), ("-c", "256"), ("--draft-max", "2")])
def test_selftest_in_other_modes(commands: Commands, tiny_llama: Path, options: tuple[str, ...]) -> None:
    outcome = commands.run("selftest", "-m", tiny_llama, "-t", "1", "--json", *options)
    assert outcome.code == 0
    assert outcome.json["rollback"] is True


def test_selftest_is_of_one_mode(commands: Commands, tiny_llama: Path) -> None:
    outcome = commands.run("selftest", "-m", tiny_llama, "--exact", "--default-mode")
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert "--exact and --default-mode can't be combined" in outcome.err


def test_selftest_of_a_recurrent_model(commands: Commands, tiny_mamba: Path) -> None:
    outcome = commands.run("selftest", "-m", tiny_mamba, "-t", "1", "--json")
    assert outcome.code == 0
    assert (outcome.json["exact"], outcome.json["rollback"]) == (False, False)
    assert outcome.json["verdict"].startswith("failed: ")


def test_selftest_of_weights_that_are_not_numbers(commands: Commands, models_dir: Path, tiny_llama: Path) -> None:
    data = bytearray(tiny_llama.read_bytes())
    data[len(data) // 2 :] = (b"\xff\x7f" * len(data))[: len(data) - len(data) // 2]
    path = models_dir / "not-numbers.gguf"
    path.write_bytes(data)
    outcome = commands.run("selftest", "-m", path, "-t", "1", "--json")
    assert outcome.code == 0
    assert outcome.json["exact"] is False
    assert outcome.json["details"][0]["largest_difference"] is None


def test_devices(commands: Commands) -> None:
    outcome = commands.run("devices", "--json")
    assert outcome.code == 0
    (cpu,) = (device for device in outcome.json["devices"] if device["kind"] == "cpu")
    assert 0 < cpu["free"] <= cpu["total"]
    assert re.search(r"^CPU: .+, \d\S* [MGT]B of \d\S* [MGT]B free$", commands.run("devices").out, re.MULTILINE)


def test_version(home: Path) -> None:
    outcome = run_process(home, "--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"specchat {__version__}\n", "")


def test_help_names_the_commands(home: Path) -> None:
    outcome = run_process(home, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert all(name in outcome.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(commands: Commands, name: str) -> None:
    outcome = commands.run(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"usage: specchat {name}")


@pytest.mark.skipif(sys.platform != "linux", reason="a display is always there")
def test_without_arguments_a_window_needs_a_display(home: Path) -> None:
    outcome = run_process(home, changes={"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert (outcome.code, outcome.stdout) == (1, b"")
    assert "display" in outcome.refusal[0]
