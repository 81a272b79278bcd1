"""The estimate against the buffers that llama.cpp makes."""

import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.memory import MIB, buffers_in
from support.ggufs import ModelRecipe, make_model
from support.vocabularies import BpeVocab

from specchat.backends.llama_model import LlamaModel
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import CacheType, ModelSettings
from specchat.gguf import memory
from specchat.gguf.memory import Layer, ModelShape, estimate_memory
from specchat.gguf.shape import read_shape

AS_PRINTED = 0.011 * MIB
"""The log has two decimals."""
ALIGNMENT = 0.01
COMPUTE_UNDER, COMPUTE_OVER = 0.02, 0.35
"""What llama.cpp reuses depends on the order of its operations: rather some too much than too little."""

PLAIN = ModelSettings(n_ctx=2048, threads=1, exact=True)
WIDE = ModelRecipe(n_embd=512, n_head=8, n_head_kv=2, n_layer=2, vocab=BpeVocab(size=8192))
RECIPES = {
    "plain": WIDE,
    "wide-ff": replace(WIDE, n_ff=2048),
    "narrow-ff": replace(WIDE, n_ff=512, n_head_kv=8),
    "half-precision": replace(WIDE, dtype="F16"),
    "experts": replace(WIDE, arch="qwen3moe", n_expert=8),
    "sliding": replace(WIDE, arch="gemma3", n_layer=4, sliding_window=512),
    "mamba": replace(WIDE, arch="mamba"),
    "hybrid": replace(WIDE, arch="lfm2"),
    "delta-net": replace(WIDE, arch="qwen35"),
    "narrow-delta-net": ModelRecipe(arch="qwen35", n_embd=64, n_head=2, n_head_kv=1, n_layer=2),
}
SETTINGS = {
    "plain": PLAIN,
    "drafted": replace(PLAIN, max_draft=16),
    "small-cache": replace(PLAIN, n_ctx=3000, cache_type=CacheType.Q8_0, exact=False),
    "smaller-cache": replace(PLAIN, n_ctx=300, cache_type=CacheType.Q4_0),
    "no-flash": replace(PLAIN, exact=False, flash_attention=False),
    "draft": replace(PLAIN, exact=False, guesses=True, max_draft=15),
}

Measure = Callable[[Path, ModelSettings], MemoryBreakdown]


@pytest.fixture
def measure(caplog: pytest.LogCaptureFixture) -> Measure:
    def measured(path: Path, settings: ModelSettings) -> MemoryBreakdown:
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="specchat.llama"):
            LlamaModel(path, settings).close()
        sizes = {"model": 0.0, "KV": 0.0, "RS": 0.0, "compute": 0.0, "output": 0.0}
        for name, mib in buffers_in("\n".join(caplog.messages)):
            sizes[name.split()[-1]] += mib * MIB
        weights, kv, rs, compute, output = (round(size) for size in sizes.values())
        return MemoryBreakdown(weights, kv + rs, compute, output)

    return measured


@pytest.fixture
def model(models_dir: Path) -> Callable[[str], Path]:
    def made(name: str) -> Path:
        path = models_dir / f"memory-{name}.gguf"
        return path if path.exists() else make_model(path, RECIPES[name])

    return made


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [(recipe, "plain") for recipe in RECIPES]
    + [("plain", settings) for settings in SETTINGS if settings != "plain"]
    + [(recipe, "drafted") for recipe in ("sliding", "mamba", "hybrid", "delta-net")]
    + [(recipe, "draft") for recipe in ("sliding", "mamba", "hybrid", "half-precision")],
)
def test_against_the_buffers_of_llama_cpp(
    recipe: str, settings: str, measure: Measure, model: Callable[[str], Path]
) -> None:
    path = model(recipe)
    real = measure(path, SETTINGS[settings])
    guess = estimate_memory(read_shape(path), SETTINGS[settings]).cpu
    assert guess.weights == pytest.approx(real.weights, rel=ALIGNMENT, abs=AS_PRINTED)
    assert guess.kv == pytest.approx(real.kv, abs=2 * AS_PRINTED)
    assert real.compute * (1 - COMPUTE_UNDER) <= guess.compute <= real.compute * (1 + COMPUTE_OVER)
    one_row = guess.output / (SETTINGS[settings].max_draft + 1)  # the others are made when they are wanted
    assert one_row == pytest.approx(real.output, abs=AS_PRINTED)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("recipe", ["plain", "mamba", "hybrid"])
def test_caches_of_several_answers(recipe: str, exact: bool, measure: Measure, model: Callable[[str], Path]) -> None:
    path, settings = model(recipe), replace(SETTINGS["drafted"], slots=4, exact=exact)
    guess = estimate_memory(read_shape(path), settings).cpu
    assert guess.kv == pytest.approx(measure(path, settings).kv, abs=2 * AS_PRINTED)


@pytest.mark.parametrize("max_draft", [0, 4, 16])
def test_states_of_several_answers_are_computed_with(
    max_draft: int, measure: Measure, model: Callable[[str], Path]
) -> None:
    path, settings = model("narrow-delta-net"), replace(PLAIN, n_ctx=256, slots=16, max_draft=max_draft)
    real = measure(path, settings).compute
    assert real <= estimate_memory(read_shape(path), settings).cpu.compute <= real * (1 + COMPUTE_OVER)


def test_an_8b_shape_needs_what_was_measured() -> None:
    """266 MiB when all rows of a batch are wanted, 124 when 17 of them are."""
    layer = Layer(weights=0, key_width=1024, value_width=1024)
    shape = ModelShape((layer,) * 32, 0, 0, 0, 128256, 4096, 14336, 32, 0, 131072)
    few = estimate_memory(shape, ModelSettings(n_ctx=8192, max_draft=16)).cpu
    all_rows = estimate_memory(shape, ModelSettings(n_ctx=8192, max_draft=511)).cpu
    assert few.compute == 124 * MIB
    assert all_rows.compute / MIB == pytest.approx(266, abs=1)
    assert few.kv == 1024 * MIB


SHAPE = ModelShape(
    layers=tuple(Layer(weights=1000 + i, key_width=32, value_width=32) for i in range(4)),
    input_weights=500,
    output_weights=600,
    tied_output=0,
    n_vocab=1000,
    n_embd=64,
    n_ff=128,
    n_head=4,
    inner=0,
    n_ctx_train=1024,
)


@pytest.mark.parametrize(
    ("gpu_layers", "cpu", "gpu"),
    [
        (0, 500 + 4006 + 600, 0),
        (1, 500 + 4006, 600),
        (3, 500 + 1000 + 1001, 1002 + 1003 + 600),
        (4, 500 + 1000, 1001 + 1002 + 1003 + 600),
        (5, 500, 4006 + 600),
        (99, 500, 4006 + 600),
        (-1, 500, 4006 + 600),
        (None, 500, 4006 + 600),
    ],
)
def test_which_weights_go_to_a_gpu(gpu_layers: int | None, cpu: int, gpu: int) -> None:
    """The output goes first, then layers from the last one on; the embedding stays."""
    found = estimate_memory(SHAPE, ModelSettings(gpu_layers=gpu_layers), has_gpu=True)
    assert (found.cpu.weights, found.gpu.weights) == (cpu, gpu)


def test_the_cache_is_where_its_layer_is() -> None:
    on_cpu = estimate_memory(SHAPE, ModelSettings())
    split = estimate_memory(SHAPE, ModelSettings(gpu_layers=3), has_gpu=True)
    assert on_cpu.gpu == MemoryBreakdown()
    assert split.cpu.kv == split.gpu.kv == on_cpu.cpu.kv // 2
    assert split.cpu.compute == split.gpu.compute == on_cpu.cpu.compute
    whole = estimate_memory(SHAPE, ModelSettings(), has_gpu=True)
    assert (whole.cpu.kv, whole.gpu.kv) == (0, on_cpu.cpu.kv)
    assert 0 < whole.cpu.compute < on_cpu.cpu.compute
    assert whole.cpu.output == on_cpu.cpu.output


def test_a_tied_output_is_needed_twice_with_a_gpu_only() -> None:
    tied = replace(SHAPE, tied_output=500)
    assert estimate_memory(tied, ModelSettings()).cpu.weights == 500 + 4006 + 600
    assert estimate_memory(tied, ModelSettings(), has_gpu=True).gpu.weights == 4006 + 600 + 500


def test_a_quantized_cache_counts_its_blocks() -> None:
    half = estimate_memory(SHAPE, ModelSettings(n_ctx=1024)).cpu.kv
    eighth = estimate_memory(SHAPE, ModelSettings(n_ctx=1024, cache_type=CacheType.Q8_0)).cpu.kv
    assert half == 1024 * 4 * 64 * 2
    assert eighth == 1024 * 4 * 64 * 34 // 32


def test_the_context_that_is_used_when_none_is_chosen() -> None:
    assert estimate_memory(SHAPE, ModelSettings()) == estimate_memory(SHAPE, ModelSettings(n_ctx=1024))
    long = replace(SHAPE, n_ctx_train=131072)
    assert estimate_memory(long, ModelSettings()) == estimate_memory(long, ModelSettings(n_ctx=4096))


def test_its_context_is_the_backends(tiny_llama: Path) -> None:
    with closing(LlamaModel(tiny_llama, ModelSettings(threads=1))) as model:
        assert model.n_ctx == memory.context_length(read_shape(tiny_llama), ModelSettings())
