"""A target's first layers as its draft: which number is chosen, what is kept of it, and that no token differs."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model, quieten
from support.pairs import DRAFT, GREEDY, Runner, exact_target, loaded, random_prompts
from support.vocabularies import SpmVocab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, SettingError, StorageError, StorageFullError, UserError
from specchat.domain.serialization import to_plain
from specchat.domain.types import Device, SamplingParams
from specchat.drafters.model_drafter import ModelDrafter
from specchat.engine.costs import GuessFact, PassFact
from specchat.services.bench.measured_pairs import MeasuredPairs
from specchat.services.drafts import early_exit_file
from specchat.services.drafts.early_exit_file import write_early_exit
from specchat.services.drafts.early_exit_offer import EarlyExitReport, candidate_layers, offer_early_exit
from specchat.services.drafts.early_exit_search import EarlyExitSearch
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_library import ModelLibrary
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

TARGET = ModelRecipe(n_layer=8)
LATER_LAYERS_ADD_LITTLE = quieten(TARGET, 2, 0.1)
PROMPTS = int(os.environ.get("SPECCHAT_CONTRACT_PROMPTS", "4"))
TOKENS = int(os.environ.get("SPECCHAT_CONTRACT_TOKENS", "64"))


@dataclass
class KnownCosts:
    """As an earlier run measured them: so no test depends on how busy the computer is."""

    guess_s: float = 0.002
    asked: list[str] = field(default_factory=list)

    def get(self, key: str) -> object:
        if key.startswith("target "):
            return to_plain(PassFact({"8": {"1": 0.01, "4": 0.011, "8": 0.012}}, 0.0))
        guesses = to_plain(GuessFact({"draft": {"8": self.guess_s}}, {"draft": self.guess_s / 10}))
        return {"guesses": guesses, "calibrations": {}, "answers": []}

    def put(self, key: str, value: object) -> None:
        pass


class Bench:
    def __init__(self, folder: Path, costs: KnownCosts) -> None:
        self.folder = folder
        self.store = EarlyExitStore(folder / "made")
        self.measured = MeasuredPairs(JsonCache(folder / "measured.json"), lambda: [Device("CPU", "CPU", "cpu", 1, 1)])
        loader = PairLoader(JsonCache(folder / "loads.json"), JsonCache(folder / "tests.json"), learned=costs)
        self.search = EarlyExitSearch(
            self.store, lambda: loader, lambda: self.measured, JsonCache(folder / "findings.json")
        )
        facts, verdicts = (JsonCache(folder / name) for name in ("facts.json", "verdicts.json"))
        self.library = ModelLibrary(
            JsonFile(folder / "added.json"),
            folder / "models",
            facts,
            verdicts,
            finders=[self.store.found_files],
            measured_here=self.measured.get_speed,
        )

    def target(self, recipe: ModelRecipe) -> Path:
        folder = self.folder / "models"
        folder.mkdir(exist_ok=True)
        return make_model(folder / "Target.gguf", recipe)

    def run(self, target: Path, n_layers: int | None = None, *, keep_any: bool = False) -> EarlyExitReport:
        return self.search.search(offer_early_exit(target, n_layers), CancelToken(), keep_any=keep_any)

    @property
    def left(self) -> Sequence[str]:
        return sorted(path.name for path in self.store.folder.glob("*/*"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, KnownCosts())


@pytest.mark.parametrize(
    ("n_layers", "candidates"),
    [(32, (4, 8, 11, 16)), (12, (2, 3, 4, 6)), (3, (1, 2)), (2, (1,)), (80, (10, 20, 27, 40))],
)
def test_what_is_tried(n_layers: int, candidates: Sequence[int]) -> None:
    assert candidate_layers(n_layers) == candidates


def test_the_number_that_gains_most_is_kept(bench: Bench) -> None:
    target = bench.target(LATER_LAYERS_ADD_LITTLE)
    offer = offer_early_exit(target)
    assert (offer.candidates, offer.is_trained) == ((1, 2, 3, 4), False)
    report = bench.run(target)
    by_layers = {trial.n_layers: trial for trial in report.trials}
    assert by_layers[1].acceptance < 0.3 < 0.6 < by_layers[2].acceptance
    assert report.kept == report.best.n_layers >= 2
    assert report.best.speedup > 1.5
    made = bench.store.find(target)
    assert made is not None
    assert bench.left == [made.path.name, "target.json"]
    assert bench.search.finding(target) == report
    assert made.path.stat().st_size == report.best.size
    if os.name == "posix":
        assert made.path.stat().st_mode & 0o077 == 0


def test_it_is_one_of_the_targets_drafts_and_of_no_other(bench: Bench) -> None:
    target = bench.target(LATER_LAYERS_ADD_LITTLE)
    other = make_model(target.with_name("Other.gguf"), replace(TARGET, n_layer=9, name="Other"))
    report = bench.run(target)
    first = next(option for option in bench.library.draft_options(target) if option.draft_type == "model")
    assert first.model is not None
    assert first.model.name == f"Early exit (first {report.kept} layers of Tiny)"
    assert first.speedup == pytest.approx(report.best.speedup)
    drafts = [option.model for option in bench.library.draft_options(other) if option.draft_type == "model"]
    assert [model.path for model in drafts if model is not None and model.early_exit_of] == []
    assert [model.target_problems != () for model in bench.library.models()] == [True, False, False]


def test_nothing_is_kept_where_the_first_layers_guess_badly(bench: Bench) -> None:
    target = bench.target(TARGET)
    report = bench.run(target)
    assert (report.kept, report.best.speedup < 1) == (None, True)
    assert (bench.left, bench.store.find(target)) == ([], None)
    assert bench.search.finding(target) == report


def test_nothing_is_kept_where_guesses_cost_too_much(tmp_path: Path) -> None:
    bench = Bench(tmp_path, KnownCosts(guess_s=0.01))
    report = bench.run(bench.target(LATER_LAYERS_ADD_LITTLE), 4)
    assert (report.best.acceptance > 0.6, report.kept, bench.left) == (True, None, [])


def test_it_is_kept_all_the_same_where_that_is_wanted(bench: Bench) -> None:
    target = bench.target(TARGET)
    assert bench.run(target, 3, keep_any=True).kept == 3
    made = bench.store.find(target)
    assert made is not None
    assert (made.n_layers, made.path.is_file()) == (3, True)


def test_a_search_replaces_what_an_earlier_one_kept(bench: Bench) -> None:
    target = bench.target(LATER_LAYERS_ADD_LITTLE)
    bench.run(target, 2)
    bench.run(target, 3)
    assert bench.left == ["Target-first-3-layers.gguf", "target.json"]


def test_a_search_that_finds_nothing_better_leaves_what_was_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, KnownCosts())
    target = bench.target(LATER_LAYERS_ADD_LITTLE)
    bench.run(target, 2)
    dear = Bench(tmp_path, KnownCosts(guess_s=0.01))
    assert dear.run(target, 4).kept is None
    assert bench.left == ["Target-first-2-layers.gguf", "target.json"]


@pytest.mark.parametrize("left", [[], ["Target-first-2-layers.gguf", "target.json"]], ids=["first", "second"])
def test_a_search_that_is_stopped_leaves_what_was_there(bench: Bench, left: Sequence[str]) -> None:
    target, cancel = bench.target(LATER_LAYERS_ADD_LITTLE), CancelToken()
    if left:
        bench.run(target, 2)
    before = bench.search.finding(target)

    def stop(n_layers: int, doing: str, part: float) -> None:
        if doing == "guessing":
            cancel.cancel()

    with pytest.raises(Cancelled):
        bench.search.search(offer_early_exit(target), cancel, stop)
    assert (bench.left, bench.search.finding(target)) == (left, before)


def test_a_changed_target_is_looked_into_anew(bench: Bench) -> None:
    target = bench.target(LATER_LAYERS_ADD_LITTLE)
    bench.run(target, 2)
    os.utime(target, ns=(1, 1))
    assert (bench.search.finding(target), bench.store.find(target)) == (None, None)
    bench.store.delete_stale()
    assert bench.left == []


@pytest.mark.parametrize("n_layers", [0, 8, 9])
def test_as_many_layers_as_the_target_has_are_no_draft(bench: Bench, n_layers: int) -> None:
    with pytest.raises(SettingError, match="has 8 layers, so at most 7 can draft"):
        offer_early_exit(bench.target(TARGET), n_layers)


def test_models_without_such_layers_are_refused(bench: Bench) -> None:
    with pytest.raises(UserError, match="can't draft for itself: The first layers of this kind of mamba model"):
        offer_early_exit(bench.target(replace(TARGET, arch="mamba")))


def test_models_that_were_trained_for_it_are_worth_trying_once(bench: Bench) -> None:
    target = bench.target(replace(LATER_LAYERS_ADD_LITTLE, name="layerskip-llama3.2-1B"))
    assert bench.search.is_worth_trying(target)
    bench.run(target, 2)
    assert not bench.search.is_worth_trying(target)


def test_room_is_looked_for_first(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    target = bench.target(TARGET)
    monkeypatch.setattr(early_exit_file, "_RESERVE", 1 << 60)
    with pytest.raises(StorageFullError, match="MB free"):
        bench.run(target)
    assert bench.left == []


def test_nothing_is_half_written(bench: Bench) -> None:
    target, cancel = bench.target(TARGET), CancelToken()
    path = bench.folder / "made.gguf"
    with pytest.raises(Cancelled):
        write_early_exit(target, 4, path, cancel, lambda part: cancel.cancel())
    with pytest.raises(StorageError, match="Can't write"):
        write_early_exit(target, 4, bench.folder / "missing" / "made.gguf", CancelToken())
    assert sorted(each.name for each in bench.folder.glob("*.*")) == []


CONTRACT = [
    quieten(TARGET, 2, 0.21),
    TARGET,
    replace(quieten(TARGET, 2, 0.21), arch="qwen2", vocab=SpmVocab(), dtype="Q4_0"),
    replace(TARGET, arch="qwen3", dtype="Q4_K"),
    replace(quieten(TARGET, 2, 0.21), arch="gemma3"),
]
SAMPLED = SamplingParams(temperature=0.8, seed=11)


@pytest.mark.parametrize(
    ("recipe", "sampling"), [*((recipe, GREEDY) for recipe in CONTRACT), (CONTRACT[0], SAMPLED), (CONTRACT[2], SAMPLED)]
)
def test_tokens_equal_plain_decoding(tmp_path: Path, recipe: ModelRecipe, sampling: SamplingParams) -> None:
    target_file, draft_file = make_model(tmp_path / "target.gguf", recipe), tmp_path / "draft.gguf"
    write_early_exit(target_file, 2, draft_file, CancelToken())
    with exact_target(target_file) as target, loaded(draft_file, DRAFT) as draft:
        runner = Runner(target)
        for prompt in random_prompts(target.n_vocab, PROMPTS):
            plain = runner.answer(None, prompt, sampling, TOKENS)
            found = runner.answer(ModelDrafter(draft), prompt, sampling, TOKENS)
            assert found.tokens == plain.tokens
            assert len(plain.tokens) == TOKENS
