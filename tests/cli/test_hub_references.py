"""`inspect` and `compat` for models on the Hub."""

from pathlib import Path

import pytest
from support.commands import Commands, run_process
from support.hub import Fault, LocalHub

REPO = "someone/small-GGUF"
TOKEN = "hf_canary"


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    """A home of its own: what one test read of a file is not known in the next."""
    commands.home = tmp_path / "home"
    return commands


def test_inspect(hub: LocalHub, commands: Commands, tiny_llama: Path) -> None:
    hub.add(REPO, {"Q8_0/tiny.gguf": tiny_llama})
    local = commands.run("inspect", tiny_llama, "--json").json
    outcome = commands.run("inspect", f"{REPO}:Q8_0/tiny.gguf", "--json")
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert outcome.json == local
    asked = [request.origin for request in hub.requests]
    assert commands.run("inspect", f"{REPO}:Q8_0/tiny.gguf", "--json").json == local
    assert [request.origin for request in hub.requests] == [*asked, "hub"]


def test_names_of_pages(hub: LocalHub, commands: Commands, tiny_llama: Path) -> None:
    """Also as Ollama has them."""
    hub.add(REPO, {"tiny-Q8_0.gguf": tiny_llama, "tiny-Q4_K_M.gguf": tiny_llama})
    for name in (f"hf.co/{REPO}:Q8_0", f"https://huggingface.co/{REPO}:q8_0"):
        assert commands.run("inspect", name, "--json").code == 0
    assert commands.run("inspect", f"hf.co/{REPO}:Q2_K").refusal == (
        f"{REPO} has no Q2_K model.",
        "Available: Q4_K_M, Q8_0",
    )


def test_an_address_keeps_its_slashes(commands: Commands) -> None:
    message, _ = commands.run("chat", "-p", "Hello", "-m", "https://foo/x.gguf").refusal
    assert message == "File not found: https://foo/x.gguf."


def test_inspect_a_revision(hub: LocalHub, commands: Commands, tiny_llama: Path, tiny_spm: Path) -> None:
    old = hub.add(REPO, {"tiny.gguf": tiny_spm})
    hub.add(REPO, {"tiny.gguf": tiny_llama})
    for revision, model in (("", "gpt2"), (f"@{old}", "llama")):
        assert commands.run("inspect", f"{REPO}{revision}:tiny.gguf", "--json").json["tokenizer"]["model"] == model


def test_inspect_in_a_process_of_its_own(hub: LocalHub, tmp_path: Path, tiny_llama: Path) -> None:
    hub.add(REPO, {"tiny.gguf": tiny_llama})
    outcome = run_process(tmp_path, "inspect", f"{REPO}:tiny.gguf", "--json", changes=hub.environment())
    assert (outcome.code, outcome.stderr) == (0, b"")
    assert outcome.json["architecture"] == "llama"


def test_compat(hub: LocalHub, commands: Commands, tiny_pair: tuple[Path, Path], tiny_spm: Path) -> None:
    target, draft = tiny_pair
    hub.add(REPO, {"target.gguf": target, "draft.gguf": draft, "other.gguf": tiny_spm})
    local = commands.run("compat", target, draft, "--json").json
    for pair in (
        (f"{REPO}:target.gguf", f"{REPO}:draft.gguf"),
        (str(target), f"{REPO}:draft.gguf"),
        (f"{REPO}:target.gguf", str(draft)),
    ):
        outcome = commands.run("compat", *pair, "--json")
        assert (outcome.code, outcome.stderr, outcome.json) == (0, b"", local)
    strangers = commands.run("compat", f"{REPO}:target.gguf", f"{REPO}:other.gguf", "--json")
    assert (strangers.code, strangers.json["verdict"]) == (0, "translatable")


def test_a_path_goes_before_the_hub(
    hub: LocalHub, commands: Commands, tmp_path: Path, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("someone").mkdir()
    Path(f"{REPO}:tiny.gguf").symlink_to(tiny_llama)
    assert commands.run("inspect", f"{REPO}:tiny.gguf").code == 0
    assert hub.requests == []


def test_refusals(hub: LocalHub, commands: Commands, tiny_llama: Path) -> None:
    hub.add(REPO, {"tiny.gguf": tiny_llama, "more.gguf": b"GGUF"})
    hub.add("someone/text", {"README.md": b"# Text"})
    hub.add("someone/gated", {"tiny.gguf": tiny_llama}, gating="auto")
    expected = {
        f"{REPO}:absent.gguf": (f"{REPO} has no model file absent.gguf.", "Choose one of these: more.gguf, tiny.gguf"),
        "someone/text:a.gguf": ("someone/text has no model file a.gguf.", "It has no GGUF models"),
        f"{REPO}@v9:tiny.gguf": (f"{REPO} has no revision v9.", "Omit the revision"),
        "someone/absent:a.gguf": ("The Hub has no public repository someone/absent.", "Check the name."),
        "someone/gated:tiny.gguf": (
            "someone/gated is not public, and no Hugging Face access token is set.",
            "Create a token at ",
        ),
    }
    for reference, (message, hint) in expected.items():
        outcome = commands.run("inspect", reference)
        assert (outcome.code, outcome.stdout) == (1, b"")
        assert outcome.refusal[0] == message
        assert outcome.refusal[1].startswith(hint)


def test_offline(hub: LocalHub, tmp_path: Path) -> None:
    changes = {**hub.environment(), "HF_HUB_OFFLINE": "1"}
    outcome = run_process(tmp_path, "inspect", f"{REPO}:tiny.gguf", changes=changes)
    assert (outcome.code, outcome.stdout) == (1, b"")
    assert outcome.refusal[0] == "HF_HUB_OFFLINE is set, so specchat doesn't access the Hub."
    assert hub.requests == []


def test_the_token_shows_nowhere(
    hub: LocalHub, commands: Commands, tmp_path: Path, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(REPO, {"tiny.gguf": tiny_llama}, gating="auto")
    hub.token(TOKEN, accepted={REPO})
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    shown = b""
    for fault in (
        None,
        Fault(reset=True),
        Fault(expired=True),
        Fault(status=401),
        Fault(status=403),
        Fault(status=418),
    ):
        hub.clear_faults()
        if fault:
            hub.fault("/repos/*" if fault.expired else "*", fault)
        home = tmp_path / f"home of {len(hub.requests)}"
        done = run_process(home, "inspect", f"{REPO}:tiny.gguf", changes={"SPECCHAT_LOG": "DEBUG", "HF_DEBUG": "1"})
        shown += done.stdout + done.stderr
    for odd in (f"{TOKEN} x", f"{TOKEN}\u00e4"):
        done = run_process(tmp_path / "odd", "inspect", f"{REPO}:tiny.gguf", changes={"HF_TOKEN": odd})
        assert (done.code, b"Not a valid token" in done.stderr) == (1, True)
        shown += done.stdout + done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "specchat.log" for path in files)
    assert TOKEN.encode() not in shown + b"".join(path.read_bytes() for path in files)
    assert {request.origin for request in hub.requests if TOKEN in str(request)} == {"hub"}
    assert any(request.origin == "cdn" for request in hub.requests)
