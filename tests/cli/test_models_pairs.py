"""`models pairs` and `models drafts-for`: what goes together."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import Commands
from support.hub import LocalHub
from support.measured import measured, report, row

from specchat.domain.benchmark import BenchMethod
from specchat.services.bench.measured_pairs import MeasuredPairs
from specchat.services.models.demo_pair import demo_files
from specchat.store.json_cache import JsonCache


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    commands.home = tmp_path / "home"
    return commands


def test_pairs(hub: LocalHub, commands: Commands) -> None:
    outcome = commands.run("models", "pairs", "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    pairs = {pair["target"]["name"]: pair for pair in outcome.json["pairs"]}
    demo, llama = pairs["specchat demo target"], pairs["Llama 3.1 8B Instruct"]
    assert (demo["fit"], demo["to_download"], demo["target"]["here"]) == ("fits", 0, True)
    assert llama["target"]["reference"] == "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q4_K_M"
    assert llama["to_download"] == llama["target"]["size"] + llama["draft"]["size"]
    assert llama["expected"]["speedup"] > 1
    assert hub.requests == []


def test_pairs_for_another_machine(hub: LocalHub, commands: Commands) -> None:
    def fit(*machine: str) -> dict[str, str]:
        pairs = commands.run("models", "pairs", *machine, "--json").json["pairs"]
        return {pair["target"]["name"]: pair["fit"] for pair in pairs}

    small, large = fit("--device", "CPU=4G"), fit("--device", "CPU=64G", "--device", "CARD=24G")
    assert (small["Qwen3 8B"], large["Qwen3 8B"]) == ("does not fit", "fits")
    assert commands.run("models", "pairs", "--device", "CPU").code == 2


def test_pairs_in_words(hub: LocalHub, commands: Commands) -> None:
    heading, *lines = commands.run("models", "pairs", "--device", "CPU=16G").out.splitlines()
    assert heading.split() == ["TARGET", "MEMORY", "NEEDS", "SPEED", "DOWNLOAD"]
    row = next(number for number, line in enumerate(lines) if line.startswith("Qwen3 8B Q4_K_M "))
    assert lines[row + 1 : row + 3] == ["  -m ggml-org/Qwen3-8B-GGUF:Q4_K_M", "  -md ggml-org/Qwen3-0.6B-GGUF:Q8_0"]
    assert "  fits  " in lines[row]
    assert lines[row + 3].startswith("  about ")
    assert lines[row + 3].endswith(" tokens/s")
    told = lines[lines.index("") + 1 :]
    assert "Tokens/s are with the draft. Both are estimates" in " ".join(told)


def test_what_stands_below_a_pair_can_be_typed(
    hub: LocalHub, commands: Commands, tmp_path: Path, tiny_pair: tuple[Path, Path]
) -> None:
    commands.home = tmp_path / "it's mine"
    folder = commands.home / "data" / "models"
    folder.mkdir(parents=True)
    for name, model in zip(("large one", "small one"), tiny_pair, strict=True):
        (folder / f"{name}.gguf").symlink_to(model)
    lines = [shlex.split(line) for line in commands.run("models", "pairs").out.splitlines() if line.startswith("  -m")]
    assert ["-m", "demo"] in lines
    here = lines.index(["-m", str(folder / "large one.gguf")])
    assert lines[here + 1] == ["-md", str(folder / "small one.gguf")]
    assert commands.run("compat", lines[here][1], lines[here + 1][1]).code == 0
    listed = [shlex.split(line) for line in commands.run("models").out.splitlines() if line.startswith("  ")]
    assert [str(folder / "large one.gguf")] in listed
    drafts = commands.run("models", "drafts-for", lines[here][1]).out.splitlines()
    assert [str(folder / "small one.gguf")] in [shlex.split(line) for line in drafts if line.startswith("  '")]


def test_an_estimate_does_not_praise_what_is_tiny(hub: LocalHub, commands: Commands) -> None:
    (found,) = commands.run("models", "drafts-for", "demo", "--json").json["drafts"]
    assert (found["expected"]["tiny"], found["expected"]["measured"]) == (True, False)
    text = commands.run("models", "drafts-for", "demo").out
    assert "Run a benchmark to see how fast it is" in " ".join(text.split())
    assert "×" not in text.replace("× smaller", "")
    row = next(line for line in commands.run("models", "pairs").out.splitlines() if line.startswith("specchat demo"))
    assert row.split()[-1] == "?"


def test_what_was_measured_here(hub: LocalHub, commands: Commands) -> None:
    target, draft = demo_files()
    measured(commands.home / "cache" / "measured.json", target, {draft: 0.88})
    (found,) = commands.run("models", "drafts-for", "demo", "--json").json["drafts"]
    pairs = {pair["target"]["name"]: pair for pair in commands.run("models", "pairs", "--json").json["pairs"]}
    for expected in (found["expected"], pairs["specchat demo target"]["expected"]):
        assert (expected["speedup"], expected["is_known"], expected["measured"]) == (0.88, True, True)
    assert pairs["Qwen3 8B"]["expected"]["measured"] is False
    for shown in ("pairs", "drafts-for demo"):
        assert "measured here: 12 % slower" in " ".join(commands.run("models", *shown.split()).out.split())


def test_what_was_measured_here_is_of_the_guesses_that_are_told(hub: LocalHub, commands: Commands) -> None:
    target, draft = demo_files()
    four = BenchMethod(target, draft, "model", 4)
    pairs = MeasuredPairs(JsonCache(commands.home / "cache" / "measured.json"))
    pairs.record(report(row(four, 2.26), row(replace(four, draft_max=None), 1.2)))
    (found,) = commands.run("models", "drafts-for", "demo", "--json").json["drafts"]
    assert (found["expected"]["speedup"], found["expected"]["draft_length"], found["expected"]["guesses"]) == (
        2.26,
        4,
        4,
    )
    for shown in ("pairs", "drafts-for demo"):
        text = " ".join(commands.run("models", *shown.split()).out.split())
        assert "measured here: 2.3× with up to 4 guesses" in text


@pytest.fixture
def related(hub: LocalHub, tiny_pair: tuple[Path, Path], tiny_spm: Path) -> LocalHub:
    target, draft = tiny_pair
    hub.add("alice/Sea-8B-GGUF", {"Sea-8B-Q8_0.gguf": target})
    about = {"architecture": "llama", "context_length": 4096, "total": 1000}
    hub.add("alice/Sea-1B-GGUF", {"Sea-1B-Q4_K_M.gguf": draft}, gguf=about)
    hub.add("bob/Sea-1B-other-GGUF", {"Sea-1B-other-Q4_K_M.gguf": tiny_spm}, gguf=about)
    return hub


def test_drafts_for_a_model_on_the_hub(related: LocalHub, commands: Commands) -> None:
    outcome = commands.run("models", "drafts-for", "alice/Sea-8B-GGUF:Sea-8B-Q8_0.gguf", "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert outcome.json["hub_problem"] is None
    found = {draft["reference"]: draft for draft in outcome.json["drafts"]}
    draft = found["alice/Sea-1B-GGUF:Sea-1B-Q4_K_M.gguf"]
    assert (draft["verdict"], draft["where"], draft["fit"]) == ("identical", "hub", "fits")
    assert draft["expected"]["speedup"] > 0
    assert {each["verdict"] for name, each in found.items() if name.startswith("bob/")} <= {"translatable", "unusable"}
    text = commands.run("models", "drafts-for", "alice/Sea-8B-GGUF").out
    assert text.startswith("DRAFT ")
    assert f"\n  {draft['reference']}\n" in text
    assert draft["reason"] in " ".join(text.split())
    assert "different vocabulary" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "demo" not in text


def test_drafts_offline(hub: LocalHub, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    found = commands.run("models", "drafts-for", "demo", "--json")
    assert (found.code, found.stderr) == (0, b"")
    assert [draft["name"] for draft in found.json["drafts"]] == ["specchat demo draft"]
    assert found.json["hub_problem"] == "Couldn't query the Hub: Can't reach 127.0.0.1."
    text = commands.run("models", "drafts-for", "demo")
    assert text.err == f"{found.json['hub_problem']}\n"
    assert "× smaller file, same vocabulary" in text.out


def test_drafts_for_what_is_not_there(hub: LocalHub, commands: Commands, tmp_path: Path) -> None:
    outcome = commands.run("models", "drafts-for", tmp_path / "gone.gguf", "--json")
    assert outcome.code == 1
    assert outcome.refusal[0] == outcome.json["error"]
