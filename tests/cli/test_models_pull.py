"""`models pull`: whole and right, or not at all, whatever the Hub and its storage do."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.commands import Commands, Outcome
from support.downloading import QuickClock, content
from support.hub import Fault, LfsFile, LocalHub

from specchat.bootstrap import build_app
from specchat.cli import App
from specchat.container import Container
from specchat.sources.transfer import TransferSettings
from specchat.store.paths import Paths

MEBIBYTE = 1 << 20
TARGET, DRAFT = content(3 * MEBIBYTE, seed=1), content(MEBIBYTE + 9, seed=2)
CUT, NEARLY_ALL = MEBIBYTE, len(TARGET) * 99 // 100
STORED = "/repos/*"
TARGET_NAME, DRAFT_NAME = "alice/large-GGUF:t-Q4_K_M.gguf", "bob/small-GGUF:d-Q8_0.gguf"


@pytest.fixture
def commands(tmp_path: Path, commands: Commands) -> Commands:
    commands.home = tmp_path / "home"
    return commands


@pytest.fixture
def pair(hub: LocalHub) -> LocalHub:
    hub.add("alice/large-GGUF", {"t-Q4_K_M.gguf": TARGET})
    hub.add("bob/small-GGUF", {"d-Q8_0.gguf": DRAFT, "d-Q4_0.gguf": b"GGUF", "mmproj-F16.gguf": b"GGUF"})
    return hub


def pulled(outcome: Outcome) -> list[dict[str, Any]]:
    assert (outcome.code, outcome.stderr) == (0, b"")
    return list(outcome.json["installed"])


def named(tmp_path: Path) -> set[str]:
    """What is offered as a model."""
    return {path.name for path in tmp_path.glob("hf/hub/models--*/snapshots/*/*")}


def test_one_model(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    (model,) = pulled(commands.run("models", "pull", TARGET_NAME, "--json"))
    path = Path(model.pop("path"))
    assert path.is_relative_to(tmp_path / "hf" / "hub")
    assert path.read_bytes() == TARGET
    sha256 = hashlib.sha256(TARGET).hexdigest()
    file = {"path": str(path), "size": len(TARGET), "sha256": sha256, "bytes_fetched": len(TARGET)}
    assert model == {"reference": TARGET_NAME, "size": len(TARGET), "sha256": sha256} | {
        "bytes_fetched": len(TARGET),
        "files": [file],
    }


def test_what_is_here_is_checked_and_not_fetched(pair: LocalHub, commands: Commands) -> None:
    commands.run("models", "pull", TARGET_NAME)
    (model,) = pulled(commands.run("models", "pull", TARGET_NAME, "--json"))
    assert model["bytes_fetched"] == 0
    assert pair.bytes_sent(STORED) == len(TARGET)
    Path(model["path"]).resolve().write_bytes(bytes(len(TARGET)))
    (model,) = pulled(commands.run("models", "pull", TARGET_NAME, "--json"))
    assert (model["bytes_fetched"], Path(model["path"]).read_bytes()) == (len(TARGET), TARGET)


def test_in_words(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    outcome = commands.run("models", "pull", TARGET_NAME, DRAFT_NAME)
    assert outcome.code == 0
    target, target_path, draft, draft_path = outcome.out.splitlines()
    assert (target, draft) == (TARGET_NAME, DRAFT_NAME)
    assert [Path(path.strip()).read_bytes() for path in (target_path, draft_path)] == [TARGET, DRAFT]
    assert outcome.err == "4.2 MB verified, 4.2 MB downloaded.\n"
    again = commands.run("models", "pull", TARGET_NAME, DRAFT_NAME)
    assert again.err == "4.2 MB verified, already up to date.\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("alice/large-GGUF", TARGET_NAME),
        ("alice/large-GGUF:q4_k_m", TARGET_NAME),
        ("bob/small-GGUF:Q8_0", DRAFT_NAME),
        ("bob/small-GGUF:mmproj-F16.gguf", "bob/small-GGUF:mmproj-F16.gguf"),
        ("{endpoint}/alice/large-GGUF", TARGET_NAME),
    ],
)
def test_the_file_is_found(pair: LocalHub, commands: Commands, written: str, expected: str) -> None:
    model, *others = pulled(commands.run("models", "pull", written.format(endpoint=pair.endpoint), "--json"))
    assert model["reference"] == expected
    encoders = ["bob/small-GGUF:mmproj-F16.gguf"] if expected == DRAFT_NAME else []
    assert [each["reference"] for each in others] == encoders, "a target comes with its vision encoder"


def test_a_revision(pair: LocalHub, commands: Commands) -> None:
    old = pair.add("alice/large-GGUF", {"t-Q4_K_M.gguf": DRAFT}, revision="v1")
    for name in (f"alice/large-GGUF@{old}", "alice/large-GGUF@v1:Q4_K_M"):
        (model,) = pulled(commands.run("models", "pull", name, "--json"))
        assert model["reference"] == f"{name.partition(':')[0]}:t-Q4_K_M.gguf"
        assert Path(model["path"]).read_bytes() == DRAFT
    mixed = commands.run("models", "pull", "alice/large-GGUF", "alice/large-GGUF@v1")
    assert mixed.code == 1
    assert mixed.refusal[1] == "Download them one at a time."


def test_a_model_in_parts(hub: LocalHub, commands: Commands) -> None:
    parts = {f"Q8_0/m-0000{part}-of-00002.gguf": content(1000 * part, seed=part) for part in (1, 2)}
    hub.add("alice/split", parts)
    (model,) = pulled(commands.run("models", "pull", "alice/split", "--json"))
    assert (model["size"], model["sha256"], model["bytes_fetched"]) == (3000, None, 3000)
    assert [Path(file["path"]).read_bytes() for file in model["files"]] == list(parts.values())
    assert model["path"] == model["files"][0]["path"]


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        (
            ["bob/small-GGUF"],
            "bob/small-GGUF matches 2 models.",
            "Specify one, such as bob/small-GGUF:Q4_0. Available: Q4_0, Q8_0",
        ),
        (["bob/small-GGUF:Q2_K"], "bob/small-GGUF has no Q2_K model.", "Available: Q4_0, Q8_0"),
        (["bob/text"], "bob/text has no GGUF models.", "Choose another repository."),
        (["bob/twice"], "bob/twice matches 2 models.", "Specify one, such as bob/twice:a-Q8_0.gguf. Available"),
        (["bob/twice:Q8_0"], "bob/twice:Q8_0 matches 2 models.", "Specify one, such as bob/twice:a-Q8_0.gguf."),
        ([TARGET_NAME, "bob/small-GGUF:x.gguf"], "bob/small-GGUF has no model file x.gguf.", "Choose one of these"),
        (["model"], "model is not the name of a model on the Hub.", "Write owner/repo, owner/repo:Q4_K_M, or"),
        (["no/such"], "The Hub has no public repository no/such.", "Check the name."),
    ],
)
def test_names_that_will_not_do(
    pair: LocalHub, commands: Commands, tmp_path: Path, names: list[str], message: str, hint: str
) -> None:
    pair.add("bob/text", {"README.md": b"# Text"})
    pair.add("bob/twice", {"a-Q8_0.gguf": b"GGUF", "b-Q8_0.gguf": b"GGUF "})
    outcome = commands.run("models", "pull", *names)
    assert (outcome.code, outcome.stdout) == (1, b"")
    assert outcome.refusal[0] == message
    assert outcome.refusal[1].startswith(hint)
    assert commands.run("models", "pull", *names, "--json").json["error"] == message
    assert named(tmp_path) == set()


def test_a_file_of_this_computer(commands: Commands, tiny_llama: Path) -> None:
    for here in (tiny_llama, "demo", "demo-draft"):
        assert commands.run("models", "pull", here).refusal[0] == f"{here} is already on this computer."


@pytest.mark.parametrize(
    ("fault", "most"),
    [
        (Fault(reset=True, after_bytes=CUT), len(TARGET) + CUT),
        (Fault(reset=True, after_bytes=NEARLY_ALL), len(TARGET)),
        (Fault(truncated=True, after_bytes=CUT), len(TARGET) + CUT),
        (Fault(corrupted_at=CUT), 2 * len(TARGET)),
        (Fault(length_off_by=1), 2 * len(TARGET)),
        (Fault(expired=True), len(TARGET)),
        (Fault(status=503), len(TARGET)),
        (Fault(status=500), len(TARGET)),
    ],
    ids=["reset", "at 99 %", "truncated", "corrupted", "longer", "expired", "503", "500"],
)
def test_what_mends_itself(pair: LocalHub, commands: Commands, fault: Fault, most: int) -> None:
    pair.fault("/repos/*/t-*", fault)
    (model,) = pulled(commands.run("models", "pull", TARGET_NAME, "--json"))
    assert Path(model["path"]).read_bytes() == TARGET
    assert len(TARGET) <= model["bytes_fetched"] <= most
    assert pair.bytes_sent(STORED) <= most


def test_what_is_damaged_on_the_way_twice_is_not_installed(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    pair.fault("/repos/*/t-*", Fault(corrupted_at=CUT), times=None)
    outcome = commands.run("models", "pull", TARGET_NAME, DRAFT_NAME, "--json")
    assert outcome.code == 1
    assert outcome.refusal[0] == "t-Q4_K_M.gguf arrived damaged twice."
    assert named(tmp_path) == set()


def gated(hub: LocalHub) -> None:
    hub.add("alice/gated", {"t.gguf": TARGET}, gating="manual")


@pytest.mark.parametrize(
    ("token", "message", "hint"),
    [
        ("", "alice/gated is not public, and no Hugging Face access token is set.", "Create a token at "),
        ("hf_other", "You haven't accepted the license for alice/gated yet.", "Accept it at {endpoint}/alice/gated, "),
        (
            "hf_denied",
            "You don't have access to alice/gated: its authors or your token's permissions don't allow it.",
            "",
        ),
        ("hf_unknown", "127.0.0.1 rejected your token. It may have expired.", "Create a new one at "),
    ],
)
def test_gated(
    pair: LocalHub,
    commands: Commands,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    token: str,
    message: str,
    hint: str,
) -> None:
    gated(pair)
    pair.token("hf_other")
    pair.token("hf_denied", denied={"alice/gated"})
    monkeypatch.setenv("HF_TOKEN", token)
    outcome = commands.run("models", "pull", DRAFT_NAME, "alice/gated")
    assert (outcome.code, outcome.stdout) == (1, b"")
    assert outcome.refusal[0] == message
    assert outcome.refusal[1].startswith(hint.format(endpoint=pair.endpoint))
    assert named(tmp_path) == set()


def test_after_a_refusal_what_arrived_counts(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    missing = Fault(status=404, error_code="EntryNotFound")
    pair.fault("*/resolve/*/t-*", missing, times=None)
    failed = commands.run("models", "pull", DRAFT_NAME, TARGET_NAME, "--parallel", "1")
    assert failed.code == 1
    assert failed.err.startswith("Note: 1.0 MB of 4.2 MB downloaded so far. Run the same command to resume.\n")
    assert named(tmp_path) == set()
    pair.clear_faults()
    target, draft = pulled(commands.run("models", "pull", TARGET_NAME, DRAFT_NAME, "--json"))
    assert pair.bytes_sent(STORED) == len(TARGET) + len(DRAFT)
    assert named(tmp_path) == {"t-Q4_K_M.gguf", "d-Q8_0.gguf"}


def with_quick_clock(commands: Commands) -> QuickClock:
    clock = QuickClock()

    def make_app(places: Paths) -> App:
        parts = Container(places)
        parts.downloader().settings = TransferSettings(clock=clock)
        return replace(build_app(places), model_puller=parts.model_puller)

    commands.make_app = make_app
    return clock


def test_a_hub_that_stays_unavailable_is_given_up(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    clock = with_quick_clock(commands)
    pair.fault("/repos/*/t-*", Fault(truncated=True, after_bytes=CUT))
    pair.fault("/repos/*/t-*", Fault(status=503), times=None)
    outcome = commands.run("models", "pull", TARGET_NAME)
    assert (outcome.code, outcome.stdout) == (1, b"")
    *tries, kept, message, hint = outcome.err.splitlines()
    assert clock.waits == [0.5, 1, 2, 4, 8, 16, 32, *[60] * 8, 56.5]
    assert sum(clock.waits) == 600
    assert all(each.startswith("t-Q4_K_M.gguf: 1.0 MB of 3.1 MB, retrying at 14:") for each in tries)
    assert kept == "Note: 1.0 MB of 3.1 MB downloaded so far. Run the same command to resume."
    assert (message[-12:], hint) == ("(error 503).", "hint: Try again in a few minutes.")
    assert named(tmp_path) == set()
    pair.clear_faults()
    (model,) = pulled(commands.run("models", "pull", TARGET_NAME, "--json"))
    assert model["bytes_fetched"] == len(TARGET) - CUT


def test_a_hub_that_knows_no_place_for_the_file_is_given_up(pair: LocalHub, commands: Commands) -> None:
    clock = with_quick_clock(commands)
    pair.fault("*/resolve/*", Fault(status=503), times=None)
    outcome = commands.run("models", "pull", TARGET_NAME)
    assert (outcome.code, sum(clock.waits)) == (1, 600)
    assert outcome.err.endswith("127.0.0.1 has a server problem (error 503).\nhint: Try again in a few minutes.\n")


def test_as_long_as_something_comes_it_goes_on(pair: LocalHub, commands: Commands) -> None:
    """More pauses, in all, than it would take to give up."""
    clock = with_quick_clock(commands)
    for _ in range(2):
        pair.fault("/repos/*/t-*", Fault(status=503), times=12)
        pair.fault("/repos/*/t-*", Fault(truncated=True, after_bytes=CUT))
    assert commands.run("models", "pull", TARGET_NAME).code == 0
    assert sum(clock.waits) > 600


def test_a_hub_that_says_when_to_come_back(pair: LocalHub, commands: Commands) -> None:
    clock = with_quick_clock(commands)
    pair.fault("/repos/*/t-*", Fault(status=503, retry_after=200), times=2)
    assert commands.run("models", "pull", TARGET_NAME).code == 0
    assert clock.waits == [200, 200]
    pair.fault("/repos/*/d-*", Fault(status=503, retry_after=4000), times=None)
    refused = commands.run("models", "pull", DRAFT_NAME)
    assert (refused.code, clock.waits) == (1, [200, 200])
    assert refused.refusal[1] == "Try again in 67 minutes."


def test_more_than_the_disk_holds(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    pair.add("alice/huge", {"t.gguf": LfsFile(tmp_path, "0" * 64, 1 << 60)})
    outcome = commands.run("models", "pull", "alice/huge", DRAFT_NAME)
    assert outcome.code == 1
    assert "GB more, but the disk with" in outcome.refusal[0]
    assert len(outcome.err.splitlines()) == 2
    assert pair.bytes_sent(STORED) == 0


def test_offline(pair: LocalHub, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    said = "Can't reach 127.0.0.1.\nhint: Check your connection, then try again.\n"
    for command in (("models", "pull", TARGET_NAME), ("models", "search", "x"), ("inspect", TARGET_NAME)):
        assert commands.run(*command).err == said


@pytest.mark.parametrize("arguments", [(), ("--limit-rate", "x"), ("--limit-rate", "0"), ("--parallel", "0")])
def test_arguments_that_make_no_sense(commands: Commands, arguments: tuple[str, ...]) -> None:
    assert commands.run("models", "pull", *([TARGET_NAME] if arguments else []), *arguments).code == 2


def test_a_vision_encoder_goes_with_the_last_of_its_models(hub: LocalHub, commands: Commands, tmp_path: Path) -> None:
    hub.add("eve/sea-GGUF", {"s-Q4_0.gguf": TARGET, "s-Q8_0.gguf": DRAFT, "mmproj-F16.gguf": b"GGUF encoder"})
    for name in ("Q4_0", "Q8_0"):
        assert len(pulled(commands.run("models", "pull", f"eve/sea-GGUF:{name}", "--json"))) == 2
    assert commands.run("models", "rm", "eve/sea-GGUF:s-Q4_0.gguf", "--yes").code == 0
    assert named(tmp_path) == {"s-Q8_0.gguf", "mmproj-F16.gguf"}
    assert commands.run("models", "rm", "eve/sea-GGUF:s-Q8_0.gguf", "--yes").code == 0
    assert named(tmp_path) == set()
