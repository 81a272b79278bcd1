from dataclasses import replace
from pathlib import Path

import pytest
from services.drafts.finder.finding import COUSIN, MEDIUM, SMALL, STRANGER, TARGET, Bench, Files
from support.choices import choice_of
from support.measured import measured
from support.sparse import SHAPES, make_sparse

from specchat.domain.errors import ModelFileError
from specchat.domain.memory import CPU
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.measured_pairs import ObservedSpeed
from specchat.services.drafts.draft_candidates import ModelLocation
from specchat.services.drafts.draft_facts import read_draft_facts
from specchat.services.drafts.known_pairs import KnownModel, KnownPair
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.models.demo_pair import demo_files
from specchat.services.models.pair_fit import DraftVerdict, Fit, PairFit


def test_what_is_here(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    for recipe in (MEDIUM, SMALL, STRANGER, COUSIN, replace(TARGET, n_layer=20, name="Sea 9B")):
        bench.here(files(recipe))
    (bench.folder / "broken.gguf").write_bytes(b"GGUF")
    found = bench.find(target)
    assert found.hub_problem is None
    assert [(draft.name, draft.verdict) for draft in found.drafts] == [
        ("Sea 1B Instruct", DraftVerdict.IDENTICAL),
        ("Pond 1B", DraftVerdict.COMPATIBLE),
        ("Sea 3B Instruct", DraftVerdict.IDENTICAL),
        ("Lake 1B", DraftVerdict.TRANSLATABLE),
        ("Sea 9B", DraftVerdict.TOO_LARGE),
        ("broken", DraftVerdict.UNUSABLE),
    ]
    best, _, medium, lake, _, broken = found.drafts
    assert (best.where, best.known, best.quantization) == (ModelLocation.HERE, False, "Q8_0")
    assert (best.reference, best.size) == (str(bench.folder / "Sea-1B-Instruct-Q8_0.gguf"), files(SMALL).stat().st_size)
    assert best.expected is not None
    assert best.expected.speedup > 1.3
    assert (best.fit, best.left is not None) == (Fit.FITS, True)
    assert "different vocabulary" in lake.reason
    assert lake.expected is not None
    assert medium.expected is not None
    assert lake.expected.acceptance < medium.expected.acceptance
    assert "incomplete" in broken.reason
    assert (broken.expected, broken.fit, broken.left) == (None, None, None)


def test_the_reasoning_in_a_sentence(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    for recipe in (SMALL, COUSIN):
        bench.here(files(recipe))
    sea, pond = bench.find(target).drafts
    assert sea.expected is not None
    times = read_draft_facts(target).size / sea.size
    percent = round(100 * sea.expected.acceptance)
    assert sea.reason == (
        f"{times:.1f}× smaller file, same vocabulary, about {percent} % accepted (related model). Run a "
        "benchmark to see how fast it is."
    )
    assert "compatible vocabulary, maybe" in pond.reason
    assert "% accepted (another family). Run a benchmark" in pond.reason


def test_what_was_measured_here_counts(bench: Bench, files: Files) -> None:
    """More than what was published, and more than what is usual."""
    target = bench.here(files(TARGET))
    small, medium = (bench.here(files(recipe)) for recipe in (SMALL, MEDIUM))
    bench.known.add(KnownPair(KnownModel(file=str(target)), KnownModel(file=str(small)), acceptance=0.9))
    bench.measured_here = measured(bench.folder.parent / "measured.json", target, {small: 0.88, medium: 1.62}).get_speed
    best, slower = bench.find(target).drafts
    assert (best.name, slower.name) == ("Sea 3B Instruct", "Sea 1B Instruct")
    for draft, speedup in ((best, 1.62), (slower, 0.88)):
        assert draft.expected is not None
        assert (draft.expected.speedup, draft.expected.acceptance) == (speedup, 0.7)
        assert (draft.expected.is_known, draft.expected.measured) == (True, True)
    assert best.reason.endswith(", same vocabulary, 70 % accepted; measured here: 1.6×.")
    assert slower.reason.endswith(", same vocabulary, 70 % accepted; measured here: 12 % slower.")


def test_a_benchmark_counts_more_than_chats_and_these_more_than_estimates(bench: Bench, files: Files) -> None:
    target = bench.here(files(TARGET))
    small, medium, cousin = (bench.here(files(recipe)) for recipe in (SMALL, MEDIUM, COUSIN))
    pairs = measured(bench.folder.parent / "measured.json", target, {medium: 1.1})
    pairs.record_observed(choice_of(target, cousin), ObservedSpeed(1.35, 0.8, 12.0))
    bench.measured_here = pairs.get_speed
    found = bench.find(target).drafts
    assert [draft.reference for draft in found] == [str(path) for path in (medium, cousin, small)]
    assert found[2].expected is not None
    assert found[2].expected.speedup > 1.35


def test_an_own_draft_anywhere_on_this_computer(bench: Bench, files: Files) -> None:
    target, draft = files(TARGET), files(SMALL)
    bench.known.add(KnownPair(KnownModel(file=str(target)), KnownModel(file=str(draft))))
    (found,) = bench.find(target).drafts
    assert (found.reference, found.where, found.known) == (str(draft), ModelLocation.HERE, True)


def test_what_does_not_fit_goes_below_what_does(bench: Bench, files: Files, fits: FitEstimator) -> None:
    target = bench.here(files(TARGET))
    for recipe in (SMALL, MEDIUM):
        bench.here(files(recipe))
    small = bench.folder / files(SMALL).name

    def fit(choice: PairChoice) -> PairFit:
        free = 1 if choice.draft == ModelFile(small) else 2**40
        return fits.fit(choice, [Device(CPU, "", "cpu", 2**40, free)])

    bench.fit = fit
    medium, too_much = bench.find(target).drafts
    assert (medium.name, medium.fit) == ("Sea 3B Instruct", Fit.FITS)
    assert (too_much.name, too_much.fit) == ("Sea 1B Instruct", Fit.DOES_NOT_FIT)
    assert too_much.left is not None
    assert too_much.left < 0


def test_models_as_large_as_real_ones(bench: Bench, tmp_path: Path) -> None:
    target = make_sparse(bench.folder / "llama-8b.gguf", SHAPES["llama-8b"])
    make_sparse(bench.folder / "llama-1b.gguf", SHAPES["llama-1b"])
    make_sparse(bench.folder / "qwen2-0.5b.gguf", SHAPES["qwen2-0.5b"])
    good, other = bench.find(target).drafts
    assert (good.name, good.verdict) == ("llama-1b", DraftVerdict.IDENTICAL)
    assert good.expected is not None
    assert 1.5 < good.expected.speedup < 2.5
    assert other.verdict is DraftVerdict.TRANSLATABLE


def test_a_target_that_is_not_there(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        bench.find(tmp_path / "gone.gguf")


def test_the_demo(bench: Bench) -> None:
    found = bench.find("demo")
    assert found.hub_problem is None
    assert found.drafts == ()


def test_the_demo_is_offered_where_it_suits(bench: Bench, files: Files) -> None:
    bench.demo = demo_files()
    assert [draft.reference for draft in bench.find("demo").drafts] == ["demo-draft"]
    assert bench.find(bench.here(files(TARGET))).drafts == ()


def test_what_is_read_of_experts(tmp_path: Path) -> None:
    dense, mixture = (read_draft_facts(make_sparse(tmp_path / f"{n}.gguf", SHAPES[n])) for n in ("llama-7b", "moe-7b"))
    assert 0.9 < dense.side.read / dense.size < 1
    assert mixture.side.read / mixture.size < 0.3
