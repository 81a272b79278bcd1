"""`models list`, `verify` and `rm`: what is on this computer."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import Commands, Outcome, command, environment
from support.gguf_bytes import gguf, model_metadata, model_tensors
from support.hub import LocalHub

REPO = "alice/small-GGUF"
NAME = f"{REPO}:m-Q8_0.gguf"


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    commands.home = tmp_path / "home"
    return commands


@pytest.fixture
def model() -> bytes:
    return gguf(model_metadata({"general.name": "Small one"}), model_tensors())


@pytest.fixture
def here(hub: LocalHub, commands: Commands, model: bytes) -> Path:
    """Downloaded."""
    hub.add(REPO, {"m-Q8_0.gguf": model})
    return Path(commands.run("models", "pull", REPO, "--json").json["installed"][0]["path"])


def listed(commands: Commands) -> dict[str, dict[str, object]]:
    outcome = commands.run("models", "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    return {str(each["reference"]): each for each in outcome.json["models"]}


def test_list(commands: Commands, here: Path, model: bytes) -> None:
    found = listed(commands)
    assert [each["origin"] for each in found.values()] == ["hub", "demo", "demo"]
    about = {"name": "Small one", "path": str(here), "ours": True, "size": len(model), "problems": []}
    assert {name: found[NAME][name] for name in about} == about
    heading, first, reference, *others = commands.run("models").out.splitlines()
    assert heading.startswith("NAME ")
    assert first.startswith("Small one ")
    assert first.endswith("  downloaded")
    assert reference == f"  {NAME}"
    assert {"  demo-target", "  demo-draft"} <= set(others)
    assert all(len(line) <= 80 for line in (heading, first, *others))
    assert commands.run("models", "list").out == commands.run("models").out
    assert commands.run("models", "list", "--json").json == commands.run("models", "--json", "list").json


def test_what_cannot_be_used_says_why(hub: LocalHub, commands: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "data" / "models"
    folder.mkdir(parents=True)
    (folder / "text.gguf").write_text("nothing")
    (model,) = (each for each in listed(commands).values() if each["problems"])
    assert model["path"] == str(folder / "text.gguf")
    heading, _, path, problem, *_ = commands.run("models").out.splitlines()
    assert (heading.split()[-1], path) == ("FROM", f"  {folder / 'text.gguf'}")
    assert problem.strip() in str(model["problems"])


def test_its_reference_opens_it(commands: Commands, here: Path, hub: LocalHub) -> None:
    asked = len(hub.requests)
    by_name = commands.run("inspect", NAME, "--json").json
    assert by_name == commands.run("inspect", here, "--json").json
    assert len(hub.requests) == asked


def test_search_offline_shows_what_is_here(commands: Commands, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    outcome = commands.run("models", "search", "small")
    assert outcome.code == 1
    assert outcome.refusal[0] == "Can't reach 127.0.0.1."
    title, _, _, found = outcome.out.splitlines()
    assert (title, found) == ("On this computer:", f"  {NAME}")
    as_json = commands.run("models", "search", "small", "--json")
    assert (as_json.code, as_json.json["here"], as_json.json["models"]) == (1, [str(here)], [])
    assert as_json.json["error"] == outcome.refusal[0]


def verdicts(outcome: Outcome) -> dict[str, str]:
    return {Path(each["path"]).name: each["verdict"] for each in outcome.json["models"]}


def test_verify(commands: Commands, here: Path) -> None:
    one = commands.run("models", "verify", NAME, "--json")
    assert (one.code, one.stderr, verdicts(one)) == (0, b"", {"m-Q8_0.gguf": "right"})
    every = commands.run("models", "verify", "--json")
    assert (every.code, every.json["damaged"], len(every.json["models"])) == (0, 0, 3)
    assert commands.run("models", "verify", here).out.splitlines()[1].split() == ["right", NAME]


def test_the_demo_is_as_it_was_shipped(commands: Commands, hub: LocalHub) -> None:
    found = commands.run("models", "verify", "demo", "--json")
    assert [(each["reference"], each["verdict"]) for each in found.json["models"]] == [("demo-target", "right")]
    assert commands.run("models", "verify", "demo-draft").code == 0


@pytest.mark.parametrize(
    "written", [REPO, f"{REPO}:Q8_0", f"{REPO}:q8_0", "{hub}/" + REPO, "{hub}/" + REPO + "/blob/main/m-Q8_0.gguf?x=1"]
)
def test_whatever_is_written_means_the_same_model(
    commands: Commands, here: Path, hub: LocalHub, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    """Offline: what is here comes first."""
    name = written.format(hub=hub.endpoint)
    asked = len(hub.requests)
    facts = commands.run("inspect", here, "--json").json
    assert commands.run("inspect", name, "--json").json == facts
    assert commands.run("compat", name, name, "--json").json["verdict"] == "identical"
    assert verdicts(commands.run("models", "verify", name, "--json")) == {"m-Q8_0.gguf": "right"}
    assert len(hub.requests) == asked
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    if written.partition(":")[0] == REPO:
        again = commands.run("models", "pull", name, "--json")
        assert (again.code, again.json["installed"][0]["path"]) == (0, str(here))
        assert again.json["installed"][0]["bytes_fetched"] == 0
        assert commands.run("models", "rm", name, "--yes", "--json").json["path"] == str(here)


def test_what_may_mean_several_is_refused(commands: Commands, here: Path, hub: LocalHub, model: bytes) -> None:
    hub.add(REPO, {"m-Q8_0.gguf": model, "m-Q4_0.gguf": model + b"\0"})
    commands.run("models", "pull", f"{REPO}:Q4_0")
    for task in (("inspect",), ("models", "verify"), ("models", "rm", "--yes"), ("chat", "-p", "Hello", "-m")):
        message, hint = commands.run(*task, REPO).refusal
        assert message == f"{REPO} matches 2 models."
        assert hint == f"Specify one, such as {REPO}:Q8_0. Available: Q8_0, Q4_0"


def test_what_is_not_here_is_not_loaded(commands: Commands, here: Path) -> None:
    for name in (f"{REPO}:Q2_K", "someone/absent"):
        refusal = commands.run("chat", "-p", "Hello", "-m", name).refusal
        assert refusal == (f"{name} is not on this computer.", f"Download it: specchat models pull {name}")
    assert commands.run("inspect", "models/absent.gguf").refusal[0] == "File not found: models/absent.gguf."


def test_all_that_is_to_be_downloaded_is_named_at_once(commands: Commands, here: Path) -> None:
    target, draft = f"{REPO}:Q2_K", "someone/smaller-GGUF:model.gguf"
    for first in (("chat", "-p", "Hello"), ("bench",), ("selftest",), ("serve",)):
        assert commands.run(*first, "-m", target, "-md", draft).refusal == (
            f"Not on this computer: {target}, {draft}.",
            f"Download them: specchat models pull {target} {draft}",
        )
    one = ("bench", "-m", f"{NAME},{target}", "-md", "none")
    assert commands.run(*one).refusal[0] == f"{target} is not on this computer."
    twice = commands.run("chat", "-p", "Hello", "-m", target, "-md", target)
    assert twice.refusal[1] == f"Download it: specchat models pull {target}"


def test_what_is_damaged_is_mended_by_pulling_it_again(commands: Commands, here: Path, model: bytes) -> None:
    here.resolve().write_bytes(model[:-1] + b"!")
    for names in ((NAME,), ()):
        found = commands.run("models", "verify", *names, "--json")
        assert (found.code, found.json["damaged"], verdicts(found)["m-Q8_0.gguf"]) == (1, 1, "damaged")
    message, hint = found.refusal
    assert message == f"{NAME} is damaged."
    assert hint.endswith(f": specchat models pull {NAME}")
    assert commands.run("models", "pull", NAME).code == 0
    assert here.read_bytes() == model
    assert commands.run("models", "verify", NAME).code == 0


def test_verify_a_folder(commands: Commands, tmp_path: Path) -> None:
    refusal = commands.run("models", "verify", tmp_path).refusal
    assert refusal == (f"{tmp_path} is a folder.", "Choose a .gguf file inside it.")


def test_verify_what_is_not_here(commands: Commands, hub: LocalHub) -> None:
    assert commands.run("models", "verify", "absent.gguf").refusal[0] == "File not found: absent.gguf."
    message, hint = commands.run("models", "verify", "a/b:c.gguf").refusal
    assert (message, hint) == ("a/b:c.gguf is not on this computer.", "Download it: specchat models pull a/b:c.gguf")


def test_rm(commands: Commands, here: Path, model: bytes) -> None:
    unasked = commands.run("models", "rm", NAME)
    assert (unasked.code, unasked.refusal) == (
        1,
        (
            "Nothing was deleted: there is no terminal to ask for confirmation.",
            "Add --yes to delete without confirmation.",
        ),
    )
    assert here.exists()
    blob = here.resolve()
    outcome = commands.run("models", "rm", NAME, "--yes", "--json")
    assert (outcome.code, outcome.json) == (0, {"removed": True, "path": str(here), "bytes_freed": len(model)})
    assert not here.exists()
    assert not blob.exists()
    assert NAME not in listed(commands)


def test_rm_spares_what_is_not_ours(commands: Commands, here: Path, tmp_path: Path, tiny_llama: Path) -> None:
    (tmp_path / "home" / "data" / "downloaded.json").unlink()
    outcome = commands.run("models", "rm", NAME, "--yes")
    assert (outcome.code, outcome.stdout) == (1, b"")
    assert outcome.refusal[0] == "specchat didn't download Small one. Another program may need it."
    assert here.exists()
    assert commands.run("models", "rm", "demo", "--yes").refusal[0] == "specchat demo target is included with specchat."
    assert commands.run("models", "rm", tiny_llama, "--yes").refusal == (
        f"specchat didn't download {tiny_llama}.",
        f"Delete the file yourself: {tiny_llama}",
    )
    assert tiny_llama.exists()
    assert commands.run("models", "rm", tmp_path, "--yes").refusal[0] == f"{tmp_path} is a folder."
    missing = tmp_path / "missing.gguf"
    assert commands.run("models", "rm", missing, "--yes").refusal[0] == f"{missing} is not on this computer."


def test_what_was_here_before_is_not_ours(commands: Commands, here: Path, tmp_path: Path) -> None:
    (tmp_path / "home" / "data" / "downloaded.json").unlink()
    assert commands.run("models", "pull", NAME).code == 0
    assert commands.run("models", "rm", NAME, "--yes").code == 1


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


@pytest.mark.parametrize(("answer", "stays"), [(b"n\n", True), (b"\n", True), (b"y\n", False)])
def test_rm_asks(
    commands: Commands, here: Path, tmp_path: Path, terminal: tuple[int, int], answer: bytes, stays: bool
) -> None:
    ours, theirs = terminal
    with subprocess.Popen(
        command("models", "rm", NAME),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path / "home"),
    ) as process:
        os.close(theirs)
        os.write(ours, answer)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.decode().startswith(f"Delete {here} (")
    assert here.exists() is stays
    assert (b"Nothing was deleted." in err, out == b"") == (stays, stays)


def test_what_is_here_is_listed_without_what_takes_its_time_to_import(tmp_path: Path) -> None:
    script = """
import sys
from specchat.bootstrap import run

code = run(["models", "--json"])
assert not {"numpy", "huggingface_hub", "llama_cpp"} & set(sys.modules)
sys.exit(code)
"""
    for _ in range(2):  # the first time headers are read
        done = subprocess.run([sys.executable, "-c", script], env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
