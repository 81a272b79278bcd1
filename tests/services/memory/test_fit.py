"""Estimates against what real loads of the same files allocate."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest
from benchmarks.fit_accuracy import CASES, Case, measured
from support.choices import choice_of, files_of
from support.ggufs import ModelRecipe, make_model
from support.real_loads import load
from support.sparse import Shape, make_sparse, make_sparse_parts
from support.vocabularies import BpeVocab, SpmVocab

from specchat.backends.child import Child
from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelFileError, ModelLoadError
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import CacheType, Device, ModelSettings, PairChoice
from specchat.services.generation.drafter_choice import build_target_settings
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.services.models.load_errors import explain_load_errors
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import EstimateMethod, Fit
from specchat.store.json_cache import JsonCache

MIB, GIB = 2**20, 2**30
AS_PRINTED = 0.006 * MIB
LARGEST = float(os.environ.get("SPECCHAT_LARGEST_LOAD", "0"))
"""GiB that real loads of files as large as real models may take; 0: none is loaded."""

WIDE = ModelRecipe(n_embd=512, n_head=8, n_layer=2, vocab=BpeVocab(size=8192))
TIED = Shape("llama", 8192, 512, 4, 8, 2, 1024, n_merges=4000, tied=True, n_ctx=2048)
SPLIT = replace(TIED, tied=False)
RECIPES = {
    "dense": WIDE,
    "pieces": replace(WIDE, vocab=SpmVocab(size=8192)),
    "all-heads": replace(WIDE, n_head_kv=8),
    "half-precision": replace(WIDE, dtype="F16"),
    "k-quants": replace(WIDE, dtype="Q4_K"),
    "rearranged": replace(WIDE, dtype="Q4_0"),
    "experts": replace(WIDE, arch="qwen3moe", n_expert=8),
    "rearranged-experts": replace(WIDE, arch="llama", n_expert=4, dtype="Q4_K"),
    "sliding": replace(WIDE, arch="gemma3", n_layer=4, sliding_window=512, vocab=SpmVocab(size=8192)),
    "biased": replace(WIDE, arch="qwen2"),
    "mamba": replace(WIDE, arch="mamba"),
    "hybrid": replace(WIDE, arch="lfm2"),
    "delta-net": replace(WIDE, arch="qwen35"),
}
SHAPES = {"tied": (TIED, "Q4_K_M"), "tied-rearranged": (TIED, "Q4_0"), "untied": (SPLIT, "Q4_K_M")}
BASE = ModelSettings(n_ctx=2048, threads=1)
SETTINGS = {
    "plain": BASE,
    "8k-q8": replace(BASE, n_ctx=8192, cache_type=CacheType.Q8_0),
    "32k": replace(BASE, n_ctx=32768),
    "exact": replace(BASE, n_ctx=3000, exact=True),
    "no-flash": replace(BASE, flash_attention=False),
    "default-context": replace(BASE, n_ctx=None),
}
COMBINATIONS = [
    *((name, "plain") for name in [*RECIPES, *SHAPES]),
    *(("dense", name) for name in SETTINGS if name != "plain"),
    *((name, "8k-q8") for name in ("experts", "sliding", "delta-net", "tied")),
    *((name, "exact") for name in ("rearranged", "tied-rearranged", "hybrid")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fit")


@pytest.fixture(scope="module")
def fits(folder: Path) -> Iterator[FitEstimator]:
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(JsonCache(folder / "estimates.json")))) as made:
        yield made


@pytest.fixture(scope="module")
def pair(folder: Path) -> PairChoice:
    draft = make_model(folder / "draft.gguf", replace(WIDE, n_layer=1))
    return choice_of(_file(folder, "dense"), draft, BASE, ModelSettings(threads=1))


def _file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.gguf"
    if path.exists():
        return path
    return make_sparse(path, *SHAPES[name]) if name in SHAPES else make_model(path, RECIPES[name])  # type: ignore[arg-type]


def _ram(size: float) -> tuple[Device, ...]:
    return (Device(CPU, "", "cpu", round(size), round(size)),)


@pytest.mark.parametrize("draft_type", ["none", "ngram"])
@pytest.mark.parametrize(("name", "settings"), COMBINATIONS)
def test_each_part_is_what_a_real_load_allocates(
    fits: FitEstimator, folder: Path, name: str, settings: str, draft_type: str
) -> None:
    """With and without room for drafts: 1 or 17 outputs, and snapshots of a recurrent state."""
    choice = choice_of(_file(folder, name), target_settings=SETTINGS[settings], draft_type=draft_type)
    found = fits.fit(choice)
    assert found.method is EstimateMethod.ENGINE
    (ram,) = found.devices
    real = load(path_for_ref(choice.target), build_target_settings(choice))[CPU]
    outputs = build_target_settings(choice).max_draft + 1
    for part, size in asdict(real).items():
        printed = AS_PRINTED * (outputs if part == "output" else 2)
        assert asdict(ram.target)[part] == pytest.approx(size, rel=0.01, abs=printed), part


def test_target_and_draft_share_a_device(fits: FitEstimator, pair: PairChoice) -> None:
    (ram,) = fits.fit(pair).devices
    target, draft = files_of(pair)
    real = [load(target, replace(BASE, max_draft=16)), load(draft, replace(BASE, max_draft=15, guesses=True))]
    for estimated, allocated in zip((ram.target, ram.draft), real, strict=True):
        assert estimated.total == pytest.approx(allocated[CPU].total, rel=0.01)
    assert ram.needed == ram.target.total + ram.draft.total
    assert ram.other == ram.total - ram.free


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_files_as_large_as_real_models(tmp_path: Path, case: Case) -> None:
    if not LARGEST:
        pytest.skip("SPECCHAT_LARGEST_LOAD is not set")
    rows, cost = measured(case, tmp_path, LARGEST)
    assert max(row.worst() for row in rows if row.loaded) <= 0.01 if any(row.loaded for row in rows) else True
    assert cost.peak <= 150 * MIB


def test_a_large_model_is_estimated_without_being_there(tmp_path: Path, fits: FitEstimator) -> None:
    """8 billion parameters: 4.6 GiB of weights of which nothing exists."""
    case = next(case for case in CASES if case.name.startswith("llama-8b Q4_K_M 8k"))
    choice = case.choice(tmp_path)
    found = fits.fit(choice)
    (ram,) = found.devices
    file = path_for_ref(choice.target).stat()
    assert file.st_blocks * 512 < 32 * MIB
    assert ram.target.weights == pytest.approx(file.st_size, rel=0.002)
    assert ram.target.kv == GIB
    assert ram.target.compute == pytest.approx(124 * MIB, rel=0.01)
    assert ram.draft.kv == GIB // 4
    assert (found.n_ctx, found.target_layers, found.draft_layers) == (8192, 33, 17)


def test_a_draft_that_does_not_guess_needs_nothing(fits: FitEstimator, pair: PairChoice) -> None:
    found = fits.fit(replace(pair, draft_type="ngram"))
    assert (found.devices[0].draft, found.draft_layers) == (MemoryBreakdown(), 0)


def test_a_model_in_several_files(fits: FitEstimator, tmp_path: Path) -> None:
    whole = make_sparse(tmp_path / "whole.gguf", SPLIT)
    first, *_ = make_sparse_parts(tmp_path, SPLIT, 3)
    one, several = (fits.fit(choice_of(path, target_settings=BASE)).devices[0].target for path in (whole, first))
    assert one == several


def test_a_model_of_which_a_part_is_missing(fits: FitEstimator, tmp_path: Path) -> None:
    first, *_, last = make_sparse_parts(tmp_path, SPLIT, 3)
    last.unlink()
    with pytest.raises(ModelFileError, match="00003-of-00003"):
        fits.fit(choice_of(first, target_settings=BASE))


def test_that_a_model_has_several_files_is_no_reason_why_it_cannot_be_loaded(tmp_path: Path) -> None:
    first, *_ = make_sparse_parts(tmp_path, SPLIT, 3)
    with pytest.raises(ModelLoadError), explain_load_errors(first):
        raise ModelLoadError("There is too little memory.", "Close other programs.")


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(2.0, Fit.FITS), (1.12, Fit.FITS), (1.1, Fit.TIGHT), (1.0, Fit.TIGHT), (0.99, Fit.DOES_NOT_FIT)],
)
def test_another_machine(fits: FitEstimator, pair: PairChoice, free: float, verdict: Fit) -> None:
    needed = fits.fit(pair).devices[0].needed
    found = fits.fit(pair, _ram(free * needed))
    (ram,) = found.devices
    assert (found.method, found.verdict, ram.needed, ram.other) == (EstimateMethod.ENGINE, verdict, needed, 0)


def test_a_gpu_that_is_not_here_is_left_to_the_formula(fits: FitEstimator, pair: PairChoice) -> None:
    card = Device("CARD7", "", "gpu", GIB, GIB)
    found = fits.fit(pair, [card])
    assert found.method is EstimateMethod.FORMULA
    assert [device.name for device in found.devices] == [CPU, "CARD7"]
    assert found.devices[1].target.weights > 0
    assert (found.n_ctx, found.target_layers, found.draft_layers) == (2048, 3, 2)


@pytest.mark.parametrize("script", ["raise SystemExit", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"])
def test_where_llama_cpp_cannot_be_asked_a_formula_answers(
    folder: Path, pair: PairChoice, script: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer says so: no warning stands before it in the terminal."""
    broken = MemoryMeasurer(Child([sys.executable, "-c", script]))
    with closing(FitEstimator(broken, MemoryEstimates(JsonCache(folder / "none.json")))) as fits:
        found = fits.fit(pair, _ram(GIB))
    assert found.method is EstimateMethod.FORMULA
    assert found == FitEstimator().fit(pair, _ram(GIB))
    assert not [record for record in caplog.records if record.levelname == "WARNING"]


def test_files_that_are_no_models(fits: FitEstimator, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        fits.fit(choice_of(tmp_path / "gone.gguf"))
    path = tmp_path / "unknown.gguf"
    path.write_bytes(make_model(tmp_path / "m.gguf").read_bytes().replace(b"llama", b"lemma"))
    with pytest.raises(ModelLoadError, match="unknown model architecture"):
        fits.fit(choice_of(path))
    path.write_bytes((tmp_path / "m.gguf").read_bytes().replace(b"token_embd", b"token_elsd"))
    with pytest.raises(ModelFileError, match=r"Can't load .*: The tensor token_embd\.weight is missing"):
        fits.fit(choice_of(path))


def test_the_loaded_pair_makes_room(fits: FitEstimator, pair: PairChoice) -> None:
    """Weights in the computer's own memory are mapped: the system counts them as free already."""
    (ram,) = fits.fit(pair, [Device(CPU, "", "cpu", 8 * GIB, GIB)]).devices
    (after,) = fits.fit(pair, [Device(CPU, "", "cpu", 8 * GIB, GIB)], loaded=pair).devices
    assert after.free == GIB + ram.needed - ram.target.weights - ram.draft.weights


def test_a_real_load_is_compared_with_the_estimate(tmp_path: Path, pair: PairChoice) -> None:
    file = partial(JsonCache, tmp_path / "estimates.json")
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(file()))) as fits:
        assert fits.fit(pair).beyond_estimate is None
        passed = JsonCache(tmp_path / "passed.json")
        PairLoader(passed, passed, estimates=MemoryEstimates(file())).load(pair, CancelToken(), raw=True).close()
        after = fits.fit(pair)
        beyond = after.beyond_estimate
        assert after.method is EstimateMethod.LOAD
        assert beyond is not None
        assert abs(beyond) < 0.2 * MIB
        assert fits.fit(replace(pair, target_settings=replace(BASE, n_ctx=1024))).beyond_estimate is None


def test_what_a_load_took_beyond_the_estimate_is_counted_the_next_time(tmp_path: Path, tiny_llama: Path) -> None:
    estimates = MemoryEstimates(JsonCache(tmp_path / "estimates.json"))
    choice = choice_of(tiny_llama, target_settings=replace(BASE, device=CPU))
    with closing(FitEstimator(MemoryMeasurer(), estimates)) as fits:
        before = fits.fit(choice).devices[0].target
        more, less = before + MemoryBreakdown(compute=5 * MIB), replace(before, compute=0)
        settings = build_target_settings(choice)
        for taken, counted in ((more, more), (less, before)):
            estimates.record_allocation(tiny_llama, settings, {CPU: taken, "gone": MemoryBreakdown(kv=1)})
            assert [device.target for device in fits.fit(choice).devices] == [counted]


def test_what_is_said_of_an_estimate_that_was_wrong(tmp_path: Path, tiny_llama: Path) -> None:
    estimates = MemoryEstimates(JsonCache(tmp_path / "estimates.json"))
    estimates.record_estimate(tiny_llama, BASE, {CPU: MemoryBreakdown(weights=10, kv=5, compute=3)})
    estimates.record_allocation(
        tiny_llama,
        replace(BASE, threads=7),
        {CPU: MemoryBreakdown(weights=19, kv=5, compute=4), "GPU": MemoryBreakdown(kv=2)},
    )
    record = MemoryEstimates(JsonCache(tmp_path / "estimates.json")).get_record(tiny_llama, BASE)
    assert record.beyond_estimate == 3  # the CPU's weights may stand twice in the log
    assert record.corrected == {CPU: MemoryBreakdown(weights=10, kv=5, compute=4), "GPU": MemoryBreakdown(kv=2)}
    assert (
        MemoryEstimates(JsonCache(tmp_path / "estimates.json"))
        .get_record(tiny_llama, SETTINGS["exact"])
        .beyond_estimate
        is None
    )
