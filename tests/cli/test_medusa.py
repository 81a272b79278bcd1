"""Medusa heads from the Hub to an answer, by the commands alone."""

from pathlib import Path

import pytest
from support.commands import Commands
from support.ggufs import ModelRecipe, make_model, quieten
from support.hub import LocalHub
from support.medusa import make_medusa

RECIPE = quieten(ModelRecipe(), 0, 0.05)
REPO = "someone/medusa-small"
HEADS = "medusa_lm_head.safetensors"
REFERENCE = f"{REPO}:{HEADS}"


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    commands.home = tmp_path / "home"
    return commands


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return make_model(tmp_path / "target.gguf", RECIPE)


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    return make_medusa(tmp_path / "heads", RECIPE)


def test_before_a_download(hub: LocalHub, commands: Commands, target: Path, heads: Path) -> None:
    hub.add(REPO, {HEADS: heads, "config.json": b"{}", "medusa_lm_head.pt": b"PK"})
    (listed,) = commands.run("models", "files", REPO, "--json").json["sidecars"]
    assert (listed["reference"], listed["kind"]) == (REFERENCE, "medusa")
    assert f"specchat models pull {REFERENCE}" in commands.run("models", "files", REPO).out
    assert commands.run("inspect", REFERENCE, "--json").json["draft_kind"] == "medusa"
    assert commands.run("compat", target, REFERENCE).code == 0
    on_hub, here = (commands.run("fit", target, draft, "--json").json for draft in (REFERENCE, heads))
    assert on_hub["devices"][0]["draft"] == here["devices"][0]["draft"]
    assert on_hub["devices"][0]["draft"]["weights"] > 0


def test_a_download_and_an_answer(hub: LocalHub, commands: Commands, target: Path, heads: Path) -> None:
    hub.add(REPO, {HEADS: heads})
    assert commands.run("models", "pull", REFERENCE).code == 0
    (found,) = (model for model in commands.run("models", "list", "--json").json["models"] if model["head"])
    assert (found["head"], found["reference"], found["name"]) == ("medusa", REFERENCE, "medusa-small")
    asked = ("-p", "hello world, hello", "-n", "30", "--raw", "--temp", "0", "--draft-max", "3", "--json")
    plain = commands.run("chat", "-m", target, *asked, "--draft-type", "none").json
    for draft in (["-md", REFERENCE], ["-md", heads, "--draft-type", "medusa"]):
        answer = commands.run("chat", "-m", target, *draft, *asked).json
        assert answer["text"] == plain["text"]
        assert answer["stats"]["drafted_per_source"].keys() == {"medusa"}


def test_heads_that_are_not_there(commands: Commands, target: Path) -> None:
    outcome = commands.run("chat", "-m", target, "--draft-type", "medusa", "-p", "hello")
    assert outcome.code == 1
    assert outcome.refusal[0] == "No medusa head was found for this target."


@pytest.mark.parametrize("by_name", [False, True], ids=["a file", "on the Hub"])
def test_heads_in_place_of_their_target(
    hub: LocalHub, commands: Commands, target: Path, heads: Path, by_name: bool
) -> None:
    hub.add(REPO, {HEADS: heads})
    named = REFERENCE if by_name else heads
    several = [("compat", named, target), ("fit", named), ("fit", named, target)]
    if not by_name:
        several += [("chat", "-p", "hello", "-m", named), ("bench", "-m", named, "-md", target)]
    for words in several:
        assert commands.run(*words).refusal == (
            f"{HEADS} is a draft head and can't answer by itself.",
            "Choose its target, and use this file as the draft.",
        )


def test_a_repository_that_has_only_heads(hub: LocalHub, commands: Commands, target: Path, heads: Path) -> None:
    hub.add(REPO, {HEADS: heads, "config.json": b"{}"})
    assert commands.run("compat", target, REPO).code == 0
    assert commands.run("models", "pull", REPO).code == 0
    assert commands.run("chat", "-m", target, "-md", REPO, "-n", "4", "-p", "hello").code == 0
    hub.add("someone/several", {"first_medusa.safetensors": heads, "second_medusa.safetensors": heads})
    message, hint = commands.run("models", "pull", "someone/several").refusal
    assert message == "someone/several matches 2 models."
    assert hint.startswith("Specify one, such as someone/several:first_medusa.safetensors.")
    hub.add("someone/both", {"target.gguf": target, HEADS: heads})
    assert commands.run("inspect", "someone/both", "--json").json["draft_kind"] is None
