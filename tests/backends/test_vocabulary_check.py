"""What a damaged vocabulary may cost: little time and memory, in a process that dies of it, and a sentence in the end.

Here nobody reads the header first, which would refuse most of these.
"""

import sys
from contextlib import closing
from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model
from support.processes import Watched, watching
from support.tokenizer_kinds import MODEL, NAMES, tokenizers

from specchat.backends.child import Child
from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.backends.preflight import run_preflight
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelLoadError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.store.json_cache import JsonCache

SETTINGS = ModelSettings(n_ctx=256, threads=1)
ALLOWED = 600 << 20
GREEDY = "needs far more memory than its size suggests."
BUSY = "llama.cpp hangs on endless.gguf before it reads any weights."
HINT = "Its header or its vocabulary may be damaged: download the file again."
SCRIPT = """
import os, sys
from pathlib import Path
from specchat.backends import {child}, vocabulary_check
check = vocabulary_check.check_vocabulary
{child}.check_vocabulary = lambda path: check(path, {limits})
{child}.child_main()
"""


@pytest.fixture(scope="module")
def endless(models_dir: Path) -> Path:
    """An ordinary vocabulary that calls itself RWKV's: llama.cpp adds tokens for ever."""
    return make_model(models_dir / "endless.gguf", ModelRecipe(n_layer=1), {MODEL: "rwkv"})


def refusal(path: Path, passed: JsonCache, child: Child) -> ModelLoadError:
    with pytest.raises(ModelLoadError) as caught:
        run_preflight(path, SETTINGS, passed, child, CancelToken())
    return caught.value


def test_the_first_load_of_an_endless_vocabulary(passed: JsonCache, child: Child, endless: Path) -> None:
    with watching() as cost:
        error = refusal(endless, passed, child)
    assert error.message == f"endless.gguf {GREEDY}"
    assert error.hint == HINT
    assert_small(cost, endless)
    assert child.pid is None


def test_measuring_an_endless_vocabulary(endless: Path) -> None:
    with closing(MemoryMeasurer()) as measurer, watching() as cost, pytest.raises(ModelLoadError, match=GREEDY):
        measurer.measure(endless, SETTINGS)
    assert_small(cost, endless)


def test_memory_that_ends_anywhere(passed: JsonCache, models_dir: Path) -> None:
    """In llama.cpp, which gives up, or in Python, which is told what llama.cpp does."""
    merges = [f"{i:x} b" for i in range(200_000)]
    path = make_model(models_dir / "merges.gguf", ModelRecipe(n_layer=1), {"tokenizer.ggml.merges": merges})
    for name in ("preflight", "measure_child"):
        command = [sys.executable, "-c", SCRIPT.format(child=name, limits="memory=4 << 20")]
        with closing(Child(command, memory=None)) as child, closing(MemoryMeasurer(child)) as measurer:
            if name == "preflight":
                assert refusal(path, passed, child).message == f"merges.gguf {GREEDY}"
            else:
                with pytest.raises(ModelLoadError, match=GREEDY):
                    measurer.measure(path, SETTINGS)


def test_the_parent_watches_where_the_system_does_not(passed: JsonCache, endless: Path) -> None:
    """As on macOS and Windows: nothing stops the child itself."""
    child = Child([sys.executable, "-c", SCRIPT.format(child="preflight", limits="memory=1 << 40")], memory=None)
    with closing(child), watching() as cost:
        error = refusal(endless, passed, child)
    assert error.message == f"endless.gguf {GREEDY}"
    assert_small(cost, endless)


def test_time_is_limited_as_well(passed: JsonCache, endless: Path) -> None:
    limits = "memory=1 << 40, seconds=0.1"
    with closing(Child([sys.executable, "-c", SCRIPT.format(child="preflight", limits=limits)], memory=None)) as child:
        error = refusal(endless, passed, child)
    assert error.message == BUSY
    assert error.hint == HINT


def test_the_load_that_follows_takes_what_was_estimated(passed: JsonCache, child: Child, tiny_llama: Path) -> None:
    large = ModelSettings(n_ctx=1 << 19, threads=1)
    with pytest.raises(ModelLoadError, match=GREEDY):
        run_preflight(tiny_llama, large, passed, child, CancelToken())
    run_preflight(tiny_llama, large, passed, child, CancelToken(), MemoryBreakdown(kv=1 << 29))


@pytest.mark.parametrize("base", tokenizers())
def test_no_kind_costs_more_than_a_sentence(passed: JsonCache, tmp_path: Path, child: Child, base: str) -> None:
    path = tmp_path / "kind.gguf"

    def outcome(kind: str) -> str:
        make_model(path, ModelRecipe(n_layer=1), {**tokenizers()[base], MODEL: kind})
        try:
            run_preflight(path, SETTINGS, passed, child, CancelToken())
        except ModelLoadError as error:
            return error.message
        return "loaded"

    with watching() as cost:
        outcomes = {kind: outcome(kind) for kind in NAMES}
    assert [kind for kind in NAMES if GREEDY in outcomes[kind]] == ([] if base == "rwkv" else ["rwkv"])
    assert {outcomes["none"], outcomes["no_vocab"]} == {"kind.gguf can't chat: it has no vocabulary."}
    assert outcomes[base] == outcomes["test"] == "loaded"
    assert_small(cost, path)


def assert_small(cost: Watched, path: Path) -> None:
    """Beyond this process, which runs the tests."""
    assert cost.memory < 2 * path.stat().st_size + ALLOWED
