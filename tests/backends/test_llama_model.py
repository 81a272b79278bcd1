import logging
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model
from support.pairs import EXACT, loaded

from specchat.backends import devices
from specchat.backends.cores import physical_cores
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    BugError,
    Cancelled,
    ContextFullError,
    ModelFileError,
    ModelLoadError,
    SettingError,
)
from specchat.domain.types import CacheType, ModelSettings
from specchat.engine.sampling import Logits
from specchat.engine.selftest import run_selftest
from specchat.engine.tokens import Tokens

NEVER = CancelToken()
SMALL = ModelSettings(n_ctx=512, threads=1, max_draft=7)


def tokens(count: int, seed: int = 0) -> Tokens:
    return np.random.default_rng(seed).integers(32, 1000, count).astype(np.int32)


def last_logits(model: LlamaModel, text: Tokens) -> Logits:
    model.keep(0)
    logits: Logits = model.evaluate(text, 1, NEVER)[0].copy()
    return logits


def close(a: Logits, b: Logits) -> bool:
    return bool(np.abs(a - b).max() < 0.5)  # another state differs by several


# The cache


def test_the_cache_is_what_was_evaluated(tiny_llama: Path) -> None:
    with loaded(tiny_llama, SMALL) as model:
        text = tokens(40)
        model.evaluate(text[:30], 0, NEVER)
        model.evaluate(text[30:], 4, NEVER)
        assert np.array_equal(model.cached, text)
        assert model.keep(35) == 35
        assert np.array_equal(model.cached, text[:35])
        assert model.keep(400) == 35


@pytest.mark.parametrize("arch", ["llama", "gemma3", "lfm2", "qwen35", "mamba", "qwen3moe"])
def test_going_on_after_keep_gives_the_logits_of_a_fresh_start(arch: str, tmp_path: Path) -> None:
    """Whatever `keep` says is left is really left, in every kind of memory."""
    path = make_model(tmp_path / "model.gguf", ModelRecipe(arch=arch))
    rng = np.random.default_rng(1)
    with loaded(path, SMALL) as model, loaded(path, SMALL) as fresh:
        for _ in range(40):
            known = model.cached.copy()
            batch = tokens(int(rng.integers(1, 8)), int(rng.integers(1000)))
            if len(known) + len(batch) > 300:
                model.keep(0)
                continue
            model.evaluate(batch, 1, NEVER)
            text = model.cached.copy()
            kept = model.keep(len(text) - int(rng.integers(0, 9)))
            assert np.array_equal(model.cached, text[:kept])
            after = np.append(text[:kept], np.int32(77)).astype(np.int32)
            found = model.evaluate(after[kept:], 1, NEVER)[0]
            assert close(found, last_logits(fresh, after))


def test_a_sliding_window_forgets_and_says_so(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(arch="gemma3", n_ctx=4096))
    with loaded(path, replace(SMALL, n_ctx=4096)) as model:
        text = tokens(3000)
        model.evaluate(text, 0, NEVER)
        assert model.keep(2995) == 2995
        kept = model.keep(100)
        assert kept == 0, "those before token 100 are gone"
        model.evaluate(text[:100], 1, NEVER)
        assert np.array_equal(model.cached, text[:100])


def test_recurrent_models_say_how_far_they_go_back(tiny_mamba: Path, tiny_hybrid: Path, tiny_llama: Path) -> None:
    for path, expected in ((tiny_mamba, 0), (tiny_hybrid, 7), (tiny_llama, 512)):
        with loaded(path, SMALL) as model:
            assert model.max_rollback == expected


def test_rows_of_logits_are_in_the_order_of_the_tokens(tiny_llama: Path) -> None:
    with loaded(tiny_llama, SMALL) as model:
        text = tokens(20)
        model.evaluate(text[:12], 0, NEVER)
        rows = model.evaluate(text[12:], 8, NEVER).copy()
        for i in range(8):
            assert close(rows[i], last_logits(model, text[: 13 + i]))


def test_more_than_fits_is_refused_and_changes_nothing(tiny_llama: Path) -> None:
    with loaded(tiny_llama, SMALL) as model:
        model.evaluate(tokens(500), 1, NEVER)
        with pytest.raises(ContextFullError):
            model.evaluate(tokens(13), 1, NEVER)
        with pytest.raises(BugError):
            model.evaluate(tokens(9), 9, NEVER)
        assert len(model.cached) == 500
        model.evaluate(tokens(12), 1, NEVER)


# Stopping


def test_cancel_stops_inside_a_decode(tmp_path: Path) -> None:
    """Far sooner than the decode would take, and the cache is as it was before."""
    path = make_model(tmp_path / "wide.gguf", ModelRecipe(n_embd=1024, n_ff=4096, n_layer=6))
    with loaded(path, replace(SMALL, n_ctx=1024, threads=1)) as model:
        model.evaluate(tokens(8), 0, NEVER)
        begun = time.perf_counter()
        model.evaluate(tokens(512), 0, NEVER)
        whole = time.perf_counter() - begun
        model.keep(8)
        cancel = CancelToken()
        timer = threading.Timer(whole / 10, cancel.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            model.evaluate(tokens(512), 0, cancel)
        timer.join()
        assert np.array_equal(model.cached, tokens(8))
        model.evaluate(tokens(8, seed=1), 1, NEVER)


def test_a_stop_before_the_start_counts(tiny_llama: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with loaded(tiny_llama, SMALL) as model, pytest.raises(Cancelled):
        model.evaluate(tokens(100), 1, cancel)


def test_loading_reports_progress_and_can_be_cancelled(tiny_llama: Path) -> None:
    seen: list[float] = []
    LlamaModel(tiny_llama, SMALL, CancelToken(), seen.append).close()
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        LlamaModel(tiny_llama, SMALL, cancel, lambda fraction: cancel.cancel())


# Settings and refusals


@pytest.mark.parametrize("cache_type", list(CacheType))
@pytest.mark.parametrize("exact", [False, True])
def test_every_cache_type_computes(cache_type: CacheType, exact: bool, tiny_llama: Path) -> None:
    with loaded(tiny_llama, replace(SMALL, cache_type=cache_type, exact=exact)) as model:
        model.evaluate(tokens(64), 0, NEVER)
        assert model.evaluate(tokens(7), 7, NEVER).shape == (7, model.n_vocab)


def test_the_context_is_the_models_own_up_to_a_limit(tmp_path: Path) -> None:
    for n_ctx, expected in ((1024, 1024), (32768, 4096)):
        path = make_model(tmp_path / f"{n_ctx}.gguf", ModelRecipe(n_ctx=n_ctx))
        with loaded(path, ModelSettings(threads=1)) as model:
            assert model.n_ctx == expected


def test_what_cannot_be_loaded_says_why(tmp_path: Path, tiny_llama: Path) -> None:
    with pytest.raises(ModelFileError, match=r"not found: .*nowhere\.gguf"):
        LlamaModel(tmp_path / "nowhere.gguf", SMALL)
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny_llama.read_bytes()[:5000])
    with pytest.raises(ModelLoadError, match=r"cut\.gguf") as error:
        LlamaModel(cut, SMALL)
    assert error.value.hint
    with pytest.raises(SettingError, match="Unknown device: Vulkan99"):
        LlamaModel(tiny_llama, replace(SMALL, device="Vulkan99"))


def test_a_context_that_llama_cpp_refuses_says_why(tiny_llama: Path) -> None:
    with pytest.raises(ModelLoadError, match="tiny") as refused:
        LlamaModel(tiny_llama, replace(EXACT, slots=1000))
    assert refused.value.hint


def test_the_cpu_is_a_device(tiny_llama: Path) -> None:
    (cpu,) = [device for device in devices.available() if device.kind == "cpu"]
    assert 0 < cpu.free < cpu.total
    with loaded(tiny_llama, replace(SMALL, device=cpu.name.lower(), gpu_layers=99)) as model:
        model.evaluate(tokens(4), 1, NEVER)
    assert physical_cores() >= 1


# Logs


def test_the_librarys_log_is_ours(tiny_llama: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="specchat.llama"), loaded(tiny_llama, SMALL):
        pass
    text = caplog.text
    for wanted in ("model buffer size", "KV buffer size", "compute buffer size", "n_outputs_max         = 8"):
        assert wanted in text


def test_an_abort_leaves_its_reason_in_the_log() -> None:
    script = """
import logging, sys
logging.basicConfig(filename=sys.argv[1])
from specchat.backends import library
library.start()
library.ggml_function("ggml_abort")(b"somewhere.c", 42, b"the reason was %d", 7)
"""
    done = subprocess.run([sys.executable, "-c", script, "/dev/stdout"], capture_output=True, text=True, check=False)
    assert done.returncode < 0
    assert "somewhere.c:42: the reason was 7" in done.stdout


def test_exact_mode_passes_its_test_with_every_quantisation(tmp_path: Path) -> None:
    for dtype, exact in (("Q8_0", True), ("Q4_0", True), ("Q4_K", True)):
        path = make_model(tmp_path / f"{dtype}.gguf", ModelRecipe(dtype=dtype))
        with loaded(path, replace(EXACT, n_ctx=1024)) as model:
            result = run_selftest(model, NEVER)
            assert result.exact is exact, dtype
            assert result.max_batch >= 7
            assert {detail.depth for detail in result.details} == {24, 600}


@pytest.mark.parametrize("recipe", [ModelRecipe(arch="qwen3moe"), ModelRecipe(dtype="F16")], ids=["experts", "floats"])
def test_what_rounding_changes_is_not_called_exact(recipe: ModelRecipe, tmp_path: Path) -> None:
    """A float router or float weights; the logits alone would not always show it."""
    with loaded(make_model(tmp_path / "model.gguf", recipe), replace(EXACT, n_ctx=1024)) as model:
        result = run_selftest(model, NEVER)
        assert result.verdict.startswith("failed: logits computed in a batch ")
        assert result.rollback


@pytest.mark.parametrize("branches", [1, 4])
def test_the_self_test_tells_how_far_it_is(branches: int, tmp_path: Path) -> None:
    told = list[float]()
    path = make_model(tmp_path / "model.gguf", ModelRecipe(dtype="Q8_0"))
    with loaded(path, replace(EXACT, n_ctx=1024, branches=branches)) as model:
        assert run_selftest(model, NEVER, told.append).exact
    assert told == sorted(told)
    assert len(set(told)) > 10
    assert told[-1] == 1.0


def test_rollback_is_told_from_rounding(tmp_path: Path) -> None:
    for arch in ("llama", "gemma3", "lfm2", "qwen35"):
        path = make_model(tmp_path / f"{arch}.gguf", ModelRecipe(arch=arch))
        with loaded(path, replace(EXACT, n_ctx=1024, exact=False)) as model:
            assert run_selftest(model, NEVER).rollback, arch


def test_the_default_mode_is_found_inexact(tmp_path: Path) -> None:
    path = make_model(tmp_path / "float.gguf", ModelRecipe(dtype="F16", n_embd=256))
    with loaded(path, replace(EXACT, n_ctx=1024, exact=False)) as model:
        result = run_selftest(model, NEVER)
        assert result.verdict != "passed" or result.max_batch < 8
        assert result.rollback


# What it has read


@pytest.mark.parametrize("settings", [SMALL, EXACT], ids=["usual", "exact"])
def test_a_state_brings_the_same_logits_back(settings: ModelSettings, tiny_llama: Path) -> None:
    with loaded(tiny_llama, settings) as model:
        text = tokens(300)
        model.evaluate(text[:299], 0, NEVER)
        state = model.state()
        assert len(state.data) == model.state_bytes > 0
        expected = model.evaluate(text[299:], 1, NEVER)[0].copy()
        last_logits(model, tokens(200, seed=1))
        assert model.restore(state)
        assert np.array_equal(model.cached, text[:299])
        assert np.array_equal(model.evaluate(text[299:], 1, NEVER)[0], expected)


def test_a_damaged_state_leaves_nothing(tiny_llama: Path) -> None:
    with loaded(tiny_llama, SMALL) as model, loaded(tiny_llama, replace(SMALL, n_ctx=256)) as small:
        model.evaluate(tokens(400), 0, NEVER)
        state = model.state()
        assert not model.restore(replace(state, data=state.data[:1000]))
        assert len(model.cached) == 0
        assert not small.restore(state), "too long"
        assert len(small.cached) == 0
        assert model.restore(state)
        assert len(model.cached) == 400
