from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model
from support.grown import Growth, grow, growth_to
from support.plain_llama import agreement, plain_llama

from specchat.gguf.files import read_model

PROMPT = "Hello, world!"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("small") / "small.gguf", ModelRecipe(arch="qwen3"))


@pytest.mark.parametrize(
    "growth", [Growth(), Growth(widen=3), Growth(widen=2, n_layer=7), Growth(widen=2, n_vocab=2048)]
)
def test_a_grown_model_says_the_same(small: Path, tmp_path: Path, growth: Growth) -> None:
    grown = grow(small, tmp_path / "grown.gguf", growth)
    assert agreement(grown, small, PROMPT, 64) >= 0.85


def test_noise_makes_it_say_something_else(small: Path, tmp_path: Path) -> None:
    agreements = []
    for noise in (1.0, 1000.0):
        grown = grow(small, tmp_path / "grown.gguf", Growth(widen=2, n_layer=7, noise=noise))
        agreements.append(agreement(grown, small, PROMPT, 64))
    assert agreements[0] > agreements[1]
    assert agreements[1] < 0.2


def test_it_has_at_least_the_size_asked_for(small: Path, tmp_path: Path) -> None:
    size = 3_000_000
    growth = growth_to(small, size, "F16", 0.0, "Grown")
    grown = grow(small, tmp_path / "grown.gguf", growth)
    assert size <= grown.stat().st_size < 2 * size
    summary = read_model(grown)
    assert (summary.n_layer, summary.quantization) == (growth.n_layer, "F16")


def test_it_still_writes_text(small: Path, tmp_path: Path) -> None:
    grown = grow(small, tmp_path / "grown.gguf", Growth(widen=2, n_layer=6, noise=1.0))
    with plain_llama(grown) as model:
        assert len(set(model.greedy(PROMPT, 64))) >= 10
