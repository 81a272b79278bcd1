"""`models early-exit`: a target's first layers as its draft."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import SECONDS, Commands, command, environment
from support.early_exits import keep_early_exit
from support.ggufs import ModelRecipe, make_model, quieten
from support.hub import LocalHub

from specchat.services.models.early_exit_store import EarlyExitStore

RECIPE = ModelRecipe(n_layer=4, name="LayerSkip Tiny")


@pytest.fixture
def commands(tmp_path: Path, commands: Commands, hub: LocalHub) -> Commands:
    commands.home = tmp_path / "home"
    return commands


@pytest.fixture
def target(commands: Commands) -> Path:
    folder = commands.home / "data" / "models"
    folder.mkdir(parents=True)
    return make_model(folder / "target.gguf", quieten(RECIPE, 2, 0.1))


def test_a_draft_is_made_listed_used_and_deleted(commands: Commands, target: Path) -> None:
    assert commands.run("models", "drafts-for", target, "--json").json["early_exit"] is True
    made = commands.run("models", "early-exit", target, "--layers", "2", "--keep", "--yes", "--json")
    assert made.code == 0
    assert made.err.startswith("This takes up to ")
    path = Path(made.json["path"])
    (trial,) = made.json["trials"]
    assert (path.name, made.json["kept"], made.json["n_layers"]) == ("target-first-2-layers.gguf", 2, 4)
    assert (trial["size"], trial["n_layers"], made.json["trained"]) == (path.stat().st_size, 2, True)

    listed = {each["path"]: each for each in commands.run("models", "--json").json["models"]}
    assert (listed[str(path)]["origin"], listed[str(path)]["head"]) == ("early exit", "early exit")
    assert commands.run("compat", target, path, "--json").json["verdict"] == "identical"
    found = commands.run("models", "drafts-for", target, "--json").json
    assert found["early_exit"] is False
    names = {each["reference"]: each["name"] for each in found["drafts"] if each["expected"]}
    assert names[str(path)] == "Early exit (first 2 layers)"
    asked = ("-p", "Hello", "-n", "24", "--temp", "0", "--exact", "--json")
    with_it = commands.run("chat", "-m", target, "-md", path, "--draft-max", "4", *asked).json
    assert with_it["stats"]["n_drafted"] > 0
    plain = commands.run("chat", "-m", target, "-md", "none", "--draft-type", "none", *asked).json
    assert with_it["text"] == plain["text"]

    gone = commands.run("models", "rm", path, "--yes", "--json").json
    assert (gone["removed"], gone["bytes_freed"], path.parent.exists()) == (True, trial["size"], False)


def test_as_a_target_it_is_neither_offered_nor_used_without_a_note(commands: Commands, target: Path) -> None:
    first = make_model(target.parent.parent / "first.gguf", ModelRecipe(n_layer=2)).read_bytes()
    kept = keep_early_exit(EarlyExitStore(commands.home / "cache" / "early-exits"), target, content=first)
    asked = ("chat", "-p", "Hello", "-n", "2", "-m")
    assert kept.name in commands.run(*asked, kept).err.splitlines()[0]
    assert "first layers" not in commands.run(*asked, target).err
    offered = commands.run("completion", "--models").out.splitlines()
    assert str(target) in offered
    assert str(kept) not in offered


def test_as_a_draft_type(commands: Commands, target: Path, tmp_path: Path) -> None:
    made = Path(commands.run("models", "early-exit", target, "--layers", "2", "--keep", "--yes", "--json").json["path"])
    early = ("--draft-type", "early-exit")
    asked = ("-p", "Hello", "-n", "24", "--temp", "0", "--exact", "--json")
    plain = commands.run("chat", "-m", target, "--draft-type", "none", *asked).json
    auto, four = (commands.run("chat", "-m", target, *early, "--draft-max", k, *asked).json for k in ("auto", "4"))
    assert auto["text"] == four["text"] == plain["text"]
    assert set(auto["stats"]["drafted_per_source"]) <= set(four["stats"]["drafted_per_source"]) == {"early-exit"}
    assert set(four["origins"]) == {"target", "early-exit"}
    assert commands.run("selftest", "-m", target, *early, "--json").json["draft_rollback"] is True

    named, by_type = (commands.run("fit", target, *each, "--json").json["devices"] for each in ((made,), early))
    assert named[0]["draft"] == by_type[0]["draft"]
    assert named[0]["draft"]["weights"] > 0
    few = ("--workload", "chat", "--per-workload", "1", "--repeat", "1", "-n", "8", "--json")
    rows = commands.run("bench", "-m", target, *early, "--k", "2", *few).json["plan"]["ways"]
    assert {row["draft_type"]: row["draft"] for row in rows} == {"none": None, "early-exit": str(made)}

    other = make_model(tmp_path / "other.gguf", ModelRecipe(n_layer=2))
    for refused in (
        ("chat", "-m", target, "-md", other, *asked),
        ("fit", target, other),
        ("bench", "-m", target, "-md", other),
    ):
        assert commands.run(*refused, *early).refusal == (
            "other.gguf is not the early exit draft kept for this target.",
            "Omit -md, or omit --draft-type.",
        )


@pytest.mark.parametrize("command", [("chat", "-p", "Hello", "-m"), ("serve", "-m"), ("bench", "-m"), ("fit",)])
def test_as_a_draft_type_it_must_have_been_made(commands: Commands, target: Path, command: tuple[str, ...]) -> None:
    outcome = commands.run(*command, target, "--draft-type", "early-exit")
    assert outcome.code == 1
    assert outcome.refusal == (
        "No early exit draft is kept for target.gguf.",
        f"Make one: specchat models early-exit {target}",
    )


def test_what_gains_nothing_is_not_kept(commands: Commands, target: Path) -> None:
    make_model(target, RECIPE)
    outcome = commands.run("models", "early-exit", target, "--layers", "auto", "--yes")
    assert outcome.code == 3
    heading, *trials, empty, said = outcome.out.splitlines()
    assert heading.split() == ["LAYERS", "SIZE", "ACCEPTED", "SPEED-UP"]
    assert [line.split()[:3] for line in trials] == [["1", "of", "4"], ["2", "of", "4"]]
    assert (empty, said.startswith("Nothing was kept: with the first ")) == ("", True)
    assert list((commands.home / "cache" / "early-exits").glob("*/*")) == []


def test_one_layer_is_one_layer(commands: Commands, target: Path) -> None:
    outcome = commands.run("models", "early-exit", target, "--layers", "1", "--keep", "--yes")
    assert "Kept the first layer as the draft: " in outcome.out


def test_what_was_kept_stays_where_another_search_keeps_nothing(commands: Commands, target: Path) -> None:
    make_model(target, RECIPE)
    arguments = ("models", "early-exit", target, "--layers", "1", "--yes", "--json")
    path = Path(commands.run(*arguments, "--keep").json["path"])
    again = commands.run(*arguments)
    assert (again.code, again.json["kept"], again.json["path"], path.exists()) == (3, None, None, True)


def test_it_asks_first(commands: Commands, target: Path) -> None:
    message, hint = commands.run("models", "early-exit", target).err.splitlines()[-2:]
    assert message == "Nothing was written: there is no terminal to ask for confirmation."
    assert hint == "hint: Add --yes to skip the confirmation."
    assert not (commands.home / "cache" / "early-exits").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals to write into here")
def test_no_is_no(commands: Commands, target: Path) -> None:
    keyboard, terminal = os.openpty()
    os.write(keyboard, b"n\n")
    asked = command("models", "early-exit", target)
    done = subprocess.run(
        asked, stdin=terminal, capture_output=True, env=environment(commands.home), timeout=SECONDS, check=True
    )
    os.close(terminal)
    os.close(keyboard)
    assert done.stderr.decode().splitlines()[-1] == "Try early exit? [y/N] Nothing was written."
    assert not (commands.home / "cache" / "early-exits").exists()


@pytest.mark.parametrize("shows", [("models",), ("models", "list")], ids=" ".join)
def test_the_list_has_no_drafts_of_targets_that_were_changed(
    commands: Commands, target: Path, shows: tuple[str, ...]
) -> None:
    path = keep_early_exit(EarlyExitStore(commands.home / "cache" / "early-exits"), target)
    commands.run(*shows)
    assert path.exists()
    target.touch()
    commands.run(*shows)
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--layers", "4"), "target.gguf has 4 layers, so at most 3 can draft."),
        (("--layers", "0"), "argument --layers: 0 is not between 1 and 512"),
        (("--layers", "few"), "argument --layers: 'few' is not an integer"),
    ],
)
def test_slips(commands: Commands, target: Path, arguments: tuple[str, ...], words: str) -> None:
    outcome = commands.run("models", "early-exit", target, *arguments, "--yes")
    assert outcome.code in (1, 2)
    assert words in outcome.err


def test_models_that_cannot(commands: Commands, target: Path) -> None:
    make_model(target, ModelRecipe(arch="mamba"))
    outcome = commands.run("models", "early-exit", target, "--yes", "--json")
    assert (outcome.code, outcome.json["hint"]) == (1, "Use another draft.")
    assert "can't draft for itself" in outcome.json["error"]
