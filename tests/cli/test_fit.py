from pathlib import Path

import pytest
from huggingface_hub import close_session
from support.commands import Commands
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub
from support.keyrings import MemoryKeyring, using
from support.sparse import Shape, make_sparse_parts

from specchat.services.generation.slot_limits import NO_MEMORY
from specchat.services.models.demo_pair import DEMO

PARTS = {"weights", "kv", "compute", "output"}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("pair")
    target = make_model(folder / "target.gguf", ModelRecipe(n_layer=4))
    return target, make_model(folder / "draft.gguf", ModelRecipe(n_layer=2))


def test_a_pair_that_fits(commands: Commands, pair: tuple[Path, Path]) -> None:
    outcome = commands.run("fit", *pair, "-c", "2048", "--json")
    assert outcome.code == 0
    found = outcome.json
    (ram,) = found["devices"]
    assert ram["name"] == "CPU"
    assert set(ram["target"]) == set(ram["draft"]) == PARTS
    assert ram["needed"] == sum(ram["target"].values()) + sum(ram["draft"].values()) < ram["free"] <= ram["total"]
    assert ram["other"] == ram["total"] - ram["free"]
    assert ram["target"]["kv"] == 2 * ram["draft"]["kv"] == 2 << 20
    assert (ram["verdict"], found["verdict"], found["method"]) == ("fits", "fits", "engine")
    assert (found["suggestion"], found["n_ctx"], found["beyond_estimate"]) == (None, 2048, None)


def test_the_options_are_those_of_a_load(commands: Commands, pair: tuple[Path, Path]) -> None:
    (large,), (small,) = (
        commands.run("fit", *pair, "-c", "2048", "--kv", kv, "--json").json["devices"] for kv in ("f16", "q4_0")
    )
    for who in ("target", "draft"):
        assert small[who]["kv"] < large[who]["kv"] / 3


def test_several_answers_at_once(commands: Commands, pair: tuple[Path, Path]) -> None:
    """In exact mode each has a cache of its own: fewer where there is no memory for all."""

    def beside_weights(slots: int) -> int:
        found = commands.run("fit", pair[0], "-c", "2048", "-np", str(slots), "--exact", "--json").json
        assert (found["n_slots"], found["slots_reason"]) == (slots, None)
        return int(found["devices"][0]["needed"] - found["devices"][0]["target"]["weights"])

    memory = (beside_weights(2) + beside_weights(4)) // 2
    asked = ("fit", pair[0], "-c", "2048", "-np", "4", "--device", f"CPU={memory}")
    found = commands.run(*asked, "--exact", "--json").json
    assert (found["n_slots"], found["slots_reason"]) == (2, NO_MEMORY)
    assert f"Answers at once: 2, because {NO_MEMORY}.\n" in commands.run(*asked, "--exact").out
    assert commands.run(*asked, "--json").json["n_slots"] == 4
    found = commands.run("fit", pair[0], "--draft-type", "lookahead", "-np", "4", "--exact", "--json").json
    assert (found["n_slots"], found["slots_reason"]) == (1, "in exact mode, lookahead uses all branches of the cache")


def test_without_a_draft(commands: Commands, pair: tuple[Path, Path]) -> None:
    for named in ((pair[0],), (*pair, "--draft-type", "none")):
        (ram,) = commands.run("fit", *named, "--json").json["devices"]
        assert set(ram["draft"].values()) == {0}


def test_a_draft_that_cannot_guess_is_told(commands: Commands, pair: tuple[Path, Path], tiny_t5: Path) -> None:
    assert "Note: " not in commands.run("fit", *pair).err
    strange = commands.run("fit", pair[0], tiny_t5)
    assert (strange.code, strange.err) == (
        0,
        "Note: This draft doesn't work with this target. To see why, run: specchat compat\n",
    )


def test_a_pair_that_does_not_fit_but_could(commands: Commands, pair: tuple[Path, Path]) -> None:
    machine = ("--device", "cpu=36M")
    outcome = commands.run("fit", *pair, "-c", "16384", *machine, "--json")
    assert outcome.code == 3
    found = outcome.json
    assert found["verdict"] == found["devices"][0]["verdict"] == "does not fit"
    assert found["suggestion"]["kv"] == "q8_0"
    better = found["suggestion"]
    again = commands.run("fit", *pair, "-c", better["n_ctx"], "--kv", better["kv"], *machine, "--json")
    assert (again.code, again.json["verdict"]) == (0, "fits")


def test_in_words(commands: Commands, pair: tuple[Path, Path]) -> None:
    outcome = commands.run("fit", *pair, "-c", "16384", "--device", "CPU=36M")
    assert outcome.code == 3
    assert "CPU: does not fit, " in outcome.out
    assert "  target: weights " in outcome.out
    assert ", compute buffers " in outcome.out
    assert "\n  other programs: " in outcome.out
    assert "Fits with -c " in outcome.out
    assert commands.run("fit", *pair, "--device", "CPU=1024").out.endswith("Choose a smaller model.\n")
    assert commands.run("fit", pair[0]).out.startswith("CPU: fits, ")


def test_memory_that_is_planned_for_is_told_as_it_was_given(commands: Commands, pair: tuple[Path, Path]) -> None:
    for given, told, total in (
        ("300M", "300 MB", 300_000_000),
        ("1.5GiB", "1.6 GB", 3 << 29),
        ("8MB", "8.0 MB", 8_000_000),
    ):
        machine = ("-c", "512", "--device", f"CPU={given}")
        assert f" of {told} free\n" in commands.run("fit", pair[1], *machine).out
        assert commands.run("fit", pair[1], *machine, "--json").json["devices"][0]["total"] == total


def test_the_draft_alone_is_too_much(commands: Commands, pair: tuple[Path, Path]) -> None:
    target, draft = pair
    own = commands.run("fit", draft, "-c", "512", "--json").json["devices"][0]["needed"]
    machine = ("-c", "512", "--cache-type", "q4_0", "--device", f"CPU={own + (1 << 20)}")
    outcome = commands.run("fit", draft, target, *machine)
    assert outcome.code == 3
    assert outcome.out.splitlines()[-1].startswith("Fits without the draft")
    found = commands.run("fit", draft, target, *machine, "--json").json
    assert (found["suggestion"], found["without_draft"] is not None) == (None, True)


def test_a_context_beyond_what_was_trained(commands: Commands, pair: tuple[Path, Path]) -> None:
    found = commands.run("fit", *pair, "-c", "4096", "--json").json
    assert (found["n_ctx"], found["n_ctx_train"]) == (4096, 2048)
    warning = (
        "The target was trained for a context of 2,048 tokens. "
        "With a context of 4,096, answers may get worse in long chats."
    )
    assert commands.run("fit", *pair, "-c", "4096").out.splitlines()[-1] == warning
    assert "trained" not in commands.run("fit", *pair, "-c", "2048").out


def test_a_card_that_is_not_here(commands: Commands, pair: tuple[Path, Path]) -> None:
    outcome = commands.run("fit", *pair, "-ngl", "2", "--device", "CARD9=24GiB", "--json")
    assert (outcome.code, outcome.json["method"]) == (0, "formula")
    card = outcome.json["devices"][1]
    assert (card["name"], card["total"]) == ("CARD9", 24 << 30)
    text = commands.run("fit", *pair, "--device", "CARD9=24GiB").out
    assert "Estimated with a formula" in text


def test_what_a_load_really_took_is_shown(commands: Commands, tmp_path: Path) -> None:
    model = make_model(tmp_path / "model.gguf", ModelRecipe(n_layer=3))
    assert commands.run("fit", model, "-c", "1024", "--json").json["beyond_estimate"] is None
    commands.answer("-m", model, "-c", "1024", "-p", "Hello", "-n", "1", "--raw")
    beyond = commands.run("fit", model, "-c", "1024", "--json").json["beyond_estimate"]
    assert abs(beyond) < 1 << 18
    assert "The last load took " in commands.run("fit", model, "-c", "1024").out


def test_models_on_the_hub(
    commands: Commands, pair: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their headers alone are fetched, of each part one."""
    target, draft = pair
    parts = make_sparse_parts(tmp_path, Shape("llama", 1024, 256, 4, 4, 2, 512, n_merges=100), 3)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    with LocalHub() as hub, using(MemoryKeyring()):
        for name, value in hub.environment().items():
            monkeypatch.setenv(name, value)
        hub.add("some/one", {"Q8_0/t.gguf": target, "d.gguf": draft} | {f"split/{part.name}": part for part in parts})
        remote = commands.run("fit", "some/one:Q8_0/t.gguf", "some/one:d.gguf", "-c", "2048", "--json")
        named = commands.run("fit", "some/one:Q8_0", "some/one:d.gguf", "-c", "2048", "--json")
        split = commands.run("fit", f"some/one:split/{parts[0].name}", "--json")
    close_session()
    local = commands.run("fit", *pair, "-c", "2048", "--json")
    for outcome, expected in ((remote, local), (named, local), (split, commands.run("fit", parts[0], "--json"))):
        assert (outcome.code, outcome.json["method"], outcome.stderr) == (0, "engine", b"")
        assert [_needs(device) for device in outcome.json["devices"]] == [_needs(d) for d in expected.json["devices"]]


def _needs(device: dict[str, object]) -> dict[str, object]:
    return {name: device[name] for name in ("name", "target", "draft", "needed")}


def test_the_demo_brings_its_draft(commands: Commands) -> None:
    outcome = commands.run("fit", DEMO, "--json")
    assert outcome.code == 0
    assert outcome.json["devices"][0]["draft"]["weights"] > 0


@pytest.mark.parametrize("device", ["CPU", "CPU=", "CPU=x", "=5", "CPU=5X", "CPU=-1"])
def test_devices_that_make_no_sense(commands: Commands, pair: tuple[Path, Path], device: str) -> None:
    outcome = commands.run("fit", *pair, "--device", device)
    assert outcome.code == 2
    assert "is not NAME=BYTES, such as CPU=16G" in outcome.err


def test_files_that_are_no_models(commands: Commands, tmp_path: Path) -> None:
    gone = commands.run("fit", tmp_path / "gone.gguf", "--json")
    assert gone.code == 1
    assert gone.refusal
    text = tmp_path / "text.gguf"
    text.write_text("nothing")
    assert commands.run("fit", text).code == 1
