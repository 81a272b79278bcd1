"""How far loading has come."""

import json
from contextlib import closing
from itertools import product
from pathlib import Path

import psutil
import pytest
from support.choices import choice_of

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import MemoryShortageError, ModelFileError
from specchat.domain.loading import LoadStage
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import GenerationRequest, ModelSettings, PairChoice, SamplingParams
from specchat.services.bench.measured_pairs import MeasuredSpeed, ObservedSpeed
from specchat.services.generation.load_tracker import LoadTracker, estimate_effort
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

Told = list[tuple[LoadStage, float]]
STEPS = (0.0, 0.38, 1.0)


@pytest.mark.parametrize(("draft", "is_first", "is_exact"), list(product((0, 10), (True, False), (True, False))))
def test_the_bar_never_goes_back(draft: int, is_first: bool, is_exact: bool) -> None:
    told: Told = []
    effort = estimate_effort(100, draft, is_first=is_first, is_exact=is_exact)
    bar = LoadTracker(effort, lambda *each: told.append(each))
    for stage, done in product(LoadStage, STEPS):
        bar.report(stage, done)
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert [stage for stage, _ in told] == [stage for stage in LoadStage for _ in (0.0, 1.0)], "what follows at once"


def test_a_large_target_takes_most_of_it() -> None:
    told: Told = []
    bar = LoadTracker(estimate_effort(1000, 100, is_first=False, is_exact=False), lambda *each: told.append(each))
    for stage in (LoadStage.LOADING_TARGET, LoadStage.LOADING_DRAFT):
        bar.report(stage, 1.0)
    assert [round(share, 2) for _, share in told] == [0.77, 0.85]


def loaded(loader: PairLoader, choice: PairChoice) -> Told:
    told: Told = []
    loader.load(choice, CancelToken(), lambda *each: told.append(each)).close()
    return told


def stages(told: Told) -> list[LoadStage]:
    return list(dict.fromkeys(stage for stage, _ in told))


def test_each_stage_is_told(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    settings = ModelSettings(n_ctx=256, threads=1, exact=True)
    choice = choice_of(*tiny_pair, settings, settings)
    loads, tests, learned = (JsonCache(tmp_path / f"{name}.json") for name in ("loads", "tests", "learned"))
    loader = PairLoader(loads, tests, learned=learned)
    first = loaded(loader, choice)
    assert stages(first) == list(LoadStage)
    again = loaded(loader, choice)
    for told in (first, again):
        shares = [share for _, share in told]
        assert shares == sorted(shares)
        assert shares[-1] <= 1


def test_without_a_draft_there_is_nothing_said_of_one(tiny_llama: Path, tmp_path: Path) -> None:
    loader = PairLoader(JsonCache(tmp_path / "loads.json"), JsonCache(tmp_path / "tests.json"))
    settings = ModelSettings(n_ctx=256, threads=1)
    told = loaded(loader, choice_of(tiny_llama, target_settings=settings, draft_type="none"))
    assert not {LoadStage.CHECKING_DRAFT, LoadStage.LOADING_DRAFT} & set(stages(told))
    assert max(share for stage, share in told if stage is LoadStage.LOADING_TARGET) > 0.9


def test_a_context_that_no_memory_could_hold_is_refused_at_once(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    total = psutil.virtual_memory().total
    for n_ctx in (total // 8, total):
        choice = choice_of(*tiny_pair, ModelSettings(n_ctx=n_ctx))
        facts = JsonCache(tmp_path / "facts.json")
        with pytest.raises(MemoryShortageError) as refusal:
            PairLoader(facts, facts, preflight_child=pytest.fail).load(choice, CancelToken())
        assert f"a context of {n_ctx:,} tokens needs" in refusal.value.message
        assert f"this computer has only {total // 10**9} GB" in refusal.value.message
        assert "smaller context" in refusal.value.hint


def test_why_it_cannot_be_loaded_is_told_by_its_header_where_that_knows(tiny_llama: Path, tmp_path: Path) -> None:
    path = tmp_path / "without its vocabulary's vectors.gguf"
    path.write_bytes(tiny_llama.read_bytes().replace(b"token_embd", b"token_elsd"))
    facts = JsonCache(tmp_path / "facts.json")
    with pytest.raises(ModelFileError, match=r"Can't load .*: The tensor token_embd\.weight is missing"):
        PairLoader(facts, facts).load(choice_of(path, target_settings=ModelSettings(n_ctx=256)), CancelToken())


def test_what_answers_teach_of_the_draft_is_told(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    settings = ModelSettings(n_ctx=256, threads=1)
    told: list[tuple[PairChoice, ObservedSpeed]] = []
    loads, tests, learned = (JsonCache(tmp_path / f"{name}.json") for name in ("loads", "tests", "learned"))
    loader = PairLoader(loads, tests, learned=learned, taught=lambda *what: told.append(what))
    with closing(loader.load(choice_of(*tiny_pair, settings, settings), CancelToken())) as pair:
        request = GenerationRequest(pair.prompts.tokenize("a b c"), SamplingParams(temperature=0), max_tokens=120)
        assert not told
        for _ in pair.generate(request, CancelToken()):
            pass
    with closing(loader.load(choice_of(*tiny_pair, settings, settings, draft_max=2), CancelToken())) as pair:
        before = len(told)
        for _ in pair.generate(request, CancelToken()):
            pass
    assert len(told) == before  # a fixed number of guesses decides nothing
    assert all(choice.draft == ModelFile(tiny_pair[1]) and taught.speedup >= 1 for choice, taught in told)


def test_it_begins_with_the_acceptance_that_was_measured(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    settings = ModelSettings(n_ctx=256, threads=1)
    known = {tiny_pair: MeasuredSpeed(1.4, 0.97, 50.0, "model", 0.0, "CPU")}
    facts, learned = JsonCache(tmp_path / "facts.json"), JsonCache(tmp_path / "learned.json")
    loader = PairLoader(facts, facts, learned=learned, measured=lambda *pair: known.get(pair))
    with closing(loader.load(choice_of(*tiny_pair, settings, settings), CancelToken())) as pair:
        calibration = pair.profile.calibration("draft", sampled=False)
        assert calibration.chance(0.99) == pytest.approx(0.97, abs=0.02)
        calibration.observe([0.99] * 30, 3)
        taught = calibration.chance(0.99)
        for _ in pair.generate(
            GenerationRequest(pair.prompts.tokenize("a"), SamplingParams(temperature=0), 1), CancelToken()
        ):
            pass
    with closing(loader.load(choice_of(*tiny_pair, settings, settings), CancelToken())) as pair:
        calibration = pair.profile.calibration("draft", sampled=False)
        assert calibration.chance(0.99) == pytest.approx(taught, abs=0.2)  # answers count more


def test_what_was_not_measured_well_is_measured_by_the_next_load(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    settings = ModelSettings(n_ctx=256, threads=1)
    choice = choice_of(*tiny_pair, settings, settings)
    file = tmp_path / "learned.json"
    facts = JsonCache(tmp_path / "facts.json")
    with closing(PairLoader(facts, facts, learned=JsonCache(file)).load(choice, CancelToken())) as pair:
        request = GenerationRequest(pair.prompts.tokenize("a b c"), SamplingParams(temperature=0), max_tokens=40)
        for _ in pair.generate(request, CancelToken()):
            pass
    known = json.loads(file.read_text(encoding="utf-8"))
    of_target, of_pair = sorted(known, key=lambda key: not key.startswith("target "))
    known[of_pair]["guesses"] = {"guesses": {"draft": {"8": 0.001}}, "catching_up": {}}
    for passes, is_measured in (({"1": 0.01, "4": 0.02, "8": 0.03}, False), ({"1": 0.01, "4": 0.02}, True), ({}, True)):
        known[of_target]["passes"] = {"8": passes}
        file.write_text(json.dumps(known), encoding="utf-8")
        again = stages(loaded(PairLoader(facts, facts, learned=JsonCache(file)), choice))
        assert (LoadStage.MEASURING_SPEED in again) is is_measured
