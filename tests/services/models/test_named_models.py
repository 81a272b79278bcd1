"""The names that requests call models by."""

from pathlib import Path

import pytest

from specchat.domain.translatable_text import TranslatableText
from specchat.services.models.named_models import NamedModels
from specchat.services.models.origins import Origin
from specchat.services.models.pair_fit import LocalModel

HUB = "alice/Small-GGUF:Small-Q4_K_M.gguf"
BROKEN = (TranslatableText("It is broken."),)


def model(path: str, reference: str = "", **facts: object) -> LocalModel:
    about = {"origin": Origin.FOLDER, "reference": reference, **facts}
    return LocalModel(Path(path), str(about.pop("name", Path(path).stem)), **about)  # type: ignore[arg-type]


@pytest.fixture
def named() -> NamedModels:
    return NamedModels(
        [
            model("/models/one.gguf", name="The One"),
            model("/models/a/twin.gguf"),
            model("/models/b/twin.gguf"),
            model("/cache/Small-Q4_K_M.gguf", HUB, quantization="Q4_K_M"),
            model("/blobs/sha256-1", "ollama:llama3.2:1b", name="llama3.2:1b", origin=Origin.OLLAMA),
            model("/blobs/sha256-2", "ollama:phi:latest", name="phi:latest", origin=Origin.OLLAMA),
            model("/program/demo-target.gguf", origin=Origin.DEMO),
            model("/models/head.gguf", head="mtp"),
            model("/models/broken.gguf", problems=BROKEN),
        ]
    )


def test_names_are_no_paths_and_no_two_the_same(named: NamedModels) -> None:
    own = ["a/twin.gguf", HUB, "b/twin.gguf", "llama3.2:1b", "one.gguf", "phi:latest", "demo-target"]
    assert named.names == own
    assert [named.find(name) for name in own] == own


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("one", "one.gguf"),
        ("ONE.GGUF", "one.gguf"),
        ("the one", "one.gguf"),
        ("one:latest", "one.gguf"),
        ("phi", "phi:latest"),
        ("ollama:phi:latest", "phi:latest"),
        ("alice/small-gguf", HUB),
        ("alice/Small-GGUF:Q4_K_M", HUB),
        ("Small-Q4_K_M", HUB),
        ("demo", "demo-target"),
        ("broken", "broken.gguf"),
        ("twin", None),
        ("head", None),
        ("/models/one.gguf", None),
        ("gpt-5", None),
    ],
)
def test_what_else_they_may_be_called(named: NamedModels, given: str, meant: str | None) -> None:
    assert named.find(given) == meant


def test_the_only_one(named: NamedModels) -> None:
    assert named.only() is None
    demo, one = model("/program/demo-target.gguf", origin=Origin.DEMO), model("/models/one.gguf")
    draft = model("/program/demo-draft.gguf", origin=Origin.DEMO)
    assert NamedModels([demo, draft]).only() == "demo-target"
    assert NamedModels([demo, draft, one]).only() == "one.gguf"
    assert NamedModels().only() is None


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    many = NamedModels(model(f"/models/m{n:02}.gguf") for n in range(22))
    error = many.unknown_error("x\x1b[31m")
    assert "\x1b" not in error.message
    assert error.hint.endswith("m19.gguf, and 2 more.")
