"""Damaged model files, hundreds of kinds: each is used or refused, soon, and never takes the program with it.

Every file meets llama.cpp in the child of the first load before it does so in this process.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import Commands, Outcome
from support.ggufs import ModelRecipe, make_model
from support.mutants import Original, mutants
from support.vocabularies import SpmVocab

from specchat.backends.child import Child
from specchat.backends.preflight import preflight_child
from specchat.bootstrap import build_app
from specchat.cli import App
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache
from specchat.store.paths import Paths

N_MUTANTS = 160
LONGEST_S = 30.0
RECIPES = [
    ModelRecipe(n_layer=2),
    ModelRecipe(n_layer=2, vocab=SpmVocab(), dtype="F16"),
    ModelRecipe(n_layer=2, arch="qwen2", dtype="Q4_0"),
    ModelRecipe(n_layer=2, arch="qwen3moe"),
    ModelRecipe(n_layer=2, arch="gemma3", vocab=SpmVocab()),
    ModelRecipe(n_layer=2, arch="mamba"),
    ModelRecipe(n_layer=3, arch="lfm2"),
    ModelRecipe(n_layer=2, arch="qwen35"),
]
CHAT = ("chat", "-t", "1", "-c", "512", "-s", "1")
MANNERS = (
    ("--raw", "-n", "2", "-p", "Hello, wörld 世界 <|im_end|>\x00"),
    ("--raw", "-n", "2", "-p", "the of and to in is it you that he " * 30, "--temp", "0"),
    ("--raw", "-n", "12", "-p", "one two three one two", "--draft-type", "ngram", "--draft-max", "4"),
    ("-n", "2", "-p", "Hello", "--cache-type", "q8_0"),
)


@pytest.fixture
def child() -> Iterator[Child]:
    """One for all files, until one of them kills it."""
    with preflight_child() as kept:
        yield kept


@pytest.fixture(scope="module")
def originals(models_dir: Path) -> list[Original]:
    paths = (models_dir / f"original-{number}.gguf" for number in range(len(RECIPES)))
    return [Original.of(make_model(path, recipe).read_bytes()) for path, recipe in zip(paths, RECIPES, strict=True)]


def test_damaged_files_are_used_or_refused(
    commands: Commands, tmp_path: Path, originals: list[Original], child: Child
) -> None:
    def app(places: Paths) -> App:
        memory = JsonCache(places.cache / "mutants.json")
        return replace(build_app(places), pair_loader=lambda: PairLoader(memory, memory, lambda: nullcontext(child)))

    commands.make_app = app
    outcomes: Counter[tuple[str, int]] = Counter()
    for index, (done, data) in enumerate(mutants(originals, N_MUTANTS, seed=20240607)):
        path = tmp_path / f"{index}-{done}.gguf"
        path.write_bytes(data)
        uses = (("inspect", path), (*CHAT, "-m", path, *MANNERS[index % len(MANNERS)]))
        for use in uses:
            outcomes[use[0], check(commands, *use)] += 1
        path.unlink()
    assert outcomes["inspect", 0] > N_MUTANTS // 3
    assert outcomes["chat", 0] > N_MUTANTS // 8
    assert outcomes["chat", 1] > N_MUTANTS // 3


def check(commands: Commands, *use: str | Path) -> int:
    start = time.monotonic()
    outcome = commands.run(*use)
    assert time.monotonic() - start < LONGEST_S, use
    assert outcome.code in (0, 1, 3), use
    if outcome.code == 1:
        check_refusal(outcome)
    return outcome.code


def check_refusal(outcome: Outcome) -> None:
    assert all(outcome.refusal)
    assert outcome.err.replace("\n", "").isprintable()
