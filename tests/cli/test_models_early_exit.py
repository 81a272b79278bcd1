"""`models early-exit`: a target's first layers as its draft."""

from pathlib import Path

import pytest
from support.commands import Commands
from support.ggufs import ModelRecipe, make_model, quieten
from support.hub import LocalHub

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
    assert made.err.startswith("Writes up to ")
    path = Path(made.json["path"])
    (trial,) = made.json["trials"]
    assert (path.name, made.json["kept"], made.json["n_layers"]) == ("target-first-2-layers.gguf", 2, 4)
    assert (trial["size"], trial["n_layers"], made.json["trained"]) == (path.stat().st_size, 2, True)

    listed = {each["path"]: each for each in commands.run("models", "--json").json["models"]}
    assert (listed[str(path)]["origin"], listed[str(path)]["head"]) == ("early exit", "early exit")
    assert commands.run("compat", target, path, "--json").json["verdict"] == "identical"
    found = commands.run("models", "drafts-for", target, "--json").json
    assert found["early_exit"] is False
    assert str(path) in [each["reference"] for each in found["drafts"] if each["expected"]]
    asked = ("-p", "Hello", "-n", "24", "--temp", "0", "--exact", "--json")
    with_it = commands.run("chat", "-m", target, "-md", path, "--draft-max", "4", *asked).json
    assert with_it["stats"]["n_drafted"] > 0
    assert (
        with_it["text"]
        == commands.run("chat", "-m", target, "-md", "none", "--draft-type", "none", *asked).json["text"]
    )

    gone = commands.run("models", "rm", path, "--yes", "--json").json
    assert (gone["removed"], gone["bytes_freed"], path.parent.exists()) == (True, trial["size"], False)


def test_what_gains_nothing_is_not_kept(commands: Commands, target: Path) -> None:
    make_model(target, RECIPE)
    outcome = commands.run("models", "early-exit", target, "--yes")
    assert outcome.code == 3
    heading, *trials, empty, said = outcome.out.splitlines()
    assert heading.split() == ["LAYERS", "SIZE", "ACCEPTED", "SPEED-UP"]
    assert [line.split()[:3] for line in trials] == [["1", "of", "4"], ["2", "of", "4"]]
    assert (empty, said.startswith("Nothing was kept: with its first ")) == ("", True)
    assert list((commands.home / "cache" / "early-exits").glob("*/*")) == []


def test_one_layer_is_one_layer(commands: Commands, target: Path) -> None:
    outcome = commands.run("models", "early-exit", target, "--layers", "1", "--keep", "--yes")
    assert "Kept: the first layer as the draft, " in outcome.out


def test_what_was_kept_stays_where_another_search_keeps_nothing(commands: Commands, target: Path) -> None:
    make_model(target, RECIPE)
    arguments = ("models", "early-exit", target, "--layers", "1", "--yes", "--json")
    path = Path(commands.run(*arguments, "--keep").json["path"])
    again = commands.run(*arguments)
    assert (again.code, again.json["kept"], again.json["path"], path.exists()) == (3, None, None, True)


def test_it_asks_first(commands: Commands, target: Path) -> None:
    message, hint = commands.run("models", "early-exit", target).err.splitlines()[-2:]
    assert message == "Nothing was written: there is no terminal to ask for confirmation."
    assert hint == "hint: Add --yes to go on without confirmation."
    assert not (commands.home / "cache" / "early-exits").exists()


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
