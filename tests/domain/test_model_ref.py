from pathlib import Path

import pytest

from specchat.domain.hub import HubReference
from specchat.domain.model_ref import ModelFile, ModelRef, ServedModel, parse_model_ref

HERE = ModelFile(Path("/models/small.gguf"))
HUB = HubReference("someone/small-GGUF", "Q8_0/small.gguf")


SERVED = ServedModel("http://localhost:8080", "models/small.gguf")


@pytest.mark.parametrize(
    "ref",
    [
        HERE,
        ModelFile(Path("small.gguf")),
        HUB,
        HubReference(HUB.repo, HUB.file, "c" * 40),
        SERVED,
        ServedModel("https://example.org/api", "qwen3:8b#chat"),
        ServedModel("http://[::1]:8080"),
    ],
)
def test_its_text_means_the_same(ref: ModelRef) -> None:
    assert parse_model_ref(str(ref)) == ref


def test_what_was_kept_by_earlier_versions_is_a_file() -> None:
    place = f"/hub/models--someone--small-GGUF/snapshots/{'c' * 40}/small.gguf"
    assert parse_model_ref(place) == ModelFile(Path(place))


def test_it_is_called_as_its_file() -> None:
    assert HERE.name == HUB.name == SERVED.name == "small.gguf"
    assert ServedModel("http://localhost:8080").name == "localhost:8080"
