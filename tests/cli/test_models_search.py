"""`models search` and `models files`: what the Hub has."""

from pathlib import Path

import pytest
from support.commands import Commands
from support.hub import Fault, LocalHub

WEIGHTS = b"GGUF"


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    commands.home = tmp_path / "home"
    return commands


def add(hub: LocalHub, repo: str, parameters: int, downloads: int, **card: object) -> None:
    gguf = {"total": parameters, "architecture": "llama", "context_length": 4096}
    hub.add(repo, {"m-Q8_0.gguf": WEIGHTS}, downloads=downloads, gguf=gguf, **card)  # type: ignore[arg-type]


@pytest.fixture
def some(hub: LocalHub) -> LocalHub:
    add(hub, "alice/large-GGUF", 32_000_000_000, 500, gating="manual", licence="other")
    add(hub, "alice/small-GGUF", 494_032_768, 90_000, likes=1)
    add(hub, "bob/medium-GGUF", 1_540_000_000, 4_000, gating="auto", likes=3)
    hub.add("bob/text", {"README.md": b"# Text"})
    return hub


def found(commands: Commands, *arguments: str) -> list[str]:
    outcome = commands.run("models", "search", *arguments, "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    return [model["repo"].partition("/")[2] for model in outcome.json["models"]]


def test_what_is_found(some: LocalHub, commands: Commands) -> None:
    assert found(commands) == ["small-GGUF", "medium-GGUF", "large-GGUF"]
    assert found(commands, "gguf", "medium") == ["medium-GGUF"]
    assert found(commands, "--author", "alice") == ["small-GGUF", "large-GGUF"]
    assert found(commands, "--sort", "likes", "--limit", "2") == ["medium-GGUF", "small-GGUF"]
    assert found(commands, "--sort", "updated")[0] == "medium-GGUF"
    assert found(commands, "--max-size", "2B") == ["small-GGUF", "medium-GGUF"]
    assert found(commands, "--max-size", "0.5b") == ["small-GGUF"]
    assert found(commands, "nothing") == []


def test_as_json(some: LocalHub, commands: Commands) -> None:
    outcome = commands.run("models", "search", "small", "--json")
    assert outcome.json["more"] is False
    (model,) = outcome.json["models"]
    assert model["updated"].startswith("2026-01-01T01:00:00")
    del model["updated"]
    assert model == {
        "repo": "alice/small-GGUF",
        "gating": "open",
        "private": False,
        "licence": "mit",
        "downloads": 90_000,
        "likes": 1,
        "architecture": "llama",
        "parameters": 494_032_768,
        "n_ctx_train": 4096,
        "fit": "fits",
    }


def test_in_words(some: LocalHub, commands: Commands) -> None:
    outcome = commands.run("models", "search", "gguf", "--limit", "2")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "REPOSITORY        PARAMETERS  DOWNLOADS  UPDATED",
        "alice/small-GGUF        494M     90,000  2026-01-01",
        "  memory: fits, license: mit, open",
        "bob/medium-GGUF         1.5B      4,000  2026-01-01",
        "  memory: fits, license: mit, license agreement required",
    ]
    assert outcome.err == "There may be more: use --limit 4.\n"
    nothing = commands.run("models", "search", "absent")
    assert (nothing.code, nothing.stdout) == (0, b"")
    assert nothing.err.startswith("Nothing found.")


def test_page_after_page(commands: Commands, monkeypatch: pytest.MonkeyPatch, hub: LocalHub) -> None:
    with LocalHub(page_size=3) as paged:
        for number in range(8):
            add(paged, f"a/m{number}", 10**9 * (1 + number % 2), downloads=100 - number)
        monkeypatch.setenv("HF_ENDPOINT", paged.endpoint)
        assert found(commands, "--limit", "7") == [f"m{number}" for number in range(7)]
        assert found(commands, "--max-size", "1B") == ["m0", "m2", "m4", "m6"]
        assert commands.run("models", "search", "--limit", "7", "--json").json["more"] is True
        assert commands.run("models", "search", "--limit", "8", "--json").json["more"] is False


def test_refusals(some: LocalHub, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    some.fault("/api/models", Fault(status=429, retry_after=100), times=None)
    message, hint = commands.run("models", "search", "x").refusal
    assert "Try again in 100 seconds" in message
    assert hint.startswith("Wait a moment, then try again.")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    unreachable = commands.run("models", "search", "x", "--json")
    assert unreachable.code == 1
    assert unreachable.refusal[0] == unreachable.json["error"] == "Can't reach 127.0.0.1."


@pytest.mark.parametrize(
    "arguments", [("--sort", "size"), ("--limit", "0"), ("--max-size", "big"), ("--max-size", "0")]
)
def test_arguments_that_make_no_sense(commands: Commands, arguments: tuple[str, ...]) -> None:
    assert commands.run("models", "search", *arguments).code == 2


@pytest.fixture
def full(hub: LocalHub) -> str:
    """A repository with some of everything."""
    parts = {f"Q8_0/m-Q8_0-0000{part}-of-00002.gguf": b"GGUF" + bytes(part * 1000) for part in (1, 2)}
    sidecars = {"mmproj-F16.gguf": WEIGHTS, "imatrix.gguf": WEIGHTS, "mtp-m-Q8_0.gguf": WEIGHTS}
    plain = {"m-Q4_K_M.gguf": b"GGUF" + bytes(1500), "README.md": b"# Text"}
    return hub.add("alice/full", {**plain, **parts, **sidecars}, licence="apache-2.0", gating="auto")


def test_files(commands: Commands, full: str) -> None:
    outcome = commands.run("models", "files", "alice/full")
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert (
        outcome.out
        == """\
alice/full, apache-2.0, license agreement required

QUANTIZATION    SIZE  FILES  MEMORY  FILE
Q4_K_M        1.5 kB         fits    m-Q4_K_M.gguf
  Small, little quality loss. The usual choice.
Q8_0          3.0 kB      2  fits    Q8_0/m-Q8_0-00001-of-00002.gguf
  Half the original size, no noticeable quality loss.

Other files:
KIND     SIZE  FILE
imatrix   4 B  imatrix.gguf
  calibration data for quantizing
mmproj    4 B  mmproj-F16.gguf
  encoder for pictures or audio
mtp       4 B  mtp-m-Q8_0.gguf
  a draft head for its model

To download one: specchat models pull alice/full:m-Q4_K_M.gguf
"""
    )


def test_files_as_json(commands: Commands, full: str) -> None:
    found = commands.run("models", "files", "alice/full", "--json").json
    about = {"repo": "alice/full", "commit": full, "gating": "auto", "licence": "apache-2.0"}
    assert {name: found[name] for name in about} == about
    small, large = found["models"]
    assert (small["reference"], small["here"], small["fit"]) == ("alice/full:m-Q4_K_M.gguf", False, "fits")
    assert (small["quantization"], small["size"], len(small["files"][0]["sha256"])) == ("Q4_K_M", 1504, 64)
    assert small["meaning"] == "Small, little quality loss. The usual choice."
    assert [file["size"] for file in large["files"]] == [1004, 2004]
    assert [sidecar["kind"] for sidecar in found["sidecars"]] == ["imatrix", "mmproj", "mtp"]


def test_files_of_what_is_no_repository(hub: LocalHub, commands: Commands) -> None:
    hub.add("alice/text", {"README.md": b"# Text"})
    assert commands.run("models", "files", "alice/text").out.endswith("\nIt has no GGUF models.\n")
    for repo, hint in (
        ("alice", "Write owner/repo, owner/repo:Q4_K_M, or owner/repo:file.gguf."),
        ("alice/text:Q4_K_M", "Use alice/text, without "),
        ("alice/text@v1", "Use alice/text, without "),
        ("alice/absent", "Check the name."),
    ):
        outcome = commands.run("models", "files", repo)
        assert (outcome.code, outcome.stdout) == (1, b"")
        assert outcome.refusal[1].startswith(hint)
