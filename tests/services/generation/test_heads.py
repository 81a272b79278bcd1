"""Pairs of a target and a head: loading, memory, choosing, other chats."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.choices import choice_of
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model, quieten
from support.head_labs import HEAD_CASES, GreedyContext, HeadCase
from support.heads import make_dflash, make_eagle3, make_mtp_sidecar
from support.pairs import GREEDY, collect, load_pair

from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import IncompatibleError, ModelFileError, ModelLoadError, SettingError, UserError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import CPU
from specchat.domain.types import GenerationRequest, ModelSettings, PairChoice
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.speculative import NoSpeculation
from specchat.services.generation.drafter_choice import drafter_name, drafter_names
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.prompt_state_cache import MIN_TOKENS, PromptStateCache
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.store.json_cache import JsonCache

MakeHead = Callable[[Path, ModelRecipe, Mapping[str, Value | None]], Path]

MIB = 2**20
AS_PRINTED = 0.012 * MIB
"""llama.cpp tells sizes with two decimals."""


def choice_for(case: HeadCase, folder: Path, n_ctx: int = 512) -> PairChoice:
    target = make_model(folder / "target.gguf", case.recipe)
    head = case.make(folder / "head.gguf", case.recipe) if case.make else None
    return replace(choice_of(target, head), target_settings=ModelSettings(n_ctx=n_ctx), draft_max=4)


def answer(pair: LoadedPair, text: str, n: int = 40) -> tuple[list[int], dict[str, int]]:
    request = GenerationRequest(pair.prompts.tokenize(text), GREEDY, n, ignore_eos=True)
    found = collect(pair.generate(request, CancelToken()))
    return found.tokens, dict(found.stats.drafted_per_source)


@pytest.mark.parametrize("case", HEAD_CASES, ids=lambda case: case.name)
def test_each_kind_is_found_by_its_file_and_guesses(case: HeadCase, tmp_path: Path) -> None:
    choice = choice_for(case, tmp_path)
    assert drafter_name(choice) == case.kind
    with closing(load_pair(tmp_path, choice)) as pair:
        tokens, drafted = answer(pair, "hello world, hello")
        assert drafted.keys() == {case.kind.value}
    with closing(load_pair(tmp_path, replace(choice, draft=None, draft_type="none"))) as plain:
        assert answer(plain, "hello world, hello") == (tokens, {})


@pytest.fixture
def fits(tmp_path: Path) -> Iterator[FitEstimator]:
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(JsonCache(tmp_path / "estimates.json")))) as fits:
        yield fits


@pytest.mark.parametrize(("n_ctx", "slots"), [(512, 1), (2048, 3)])
@pytest.mark.parametrize("case", HEAD_CASES[::2], ids=lambda case: case.name)
def test_memory_is_counted_as_a_load_takes_it(
    case: HeadCase, n_ctx: int, slots: int, fits: FitEstimator, tmp_path: Path
) -> None:
    choice = choice_for(case, tmp_path, n_ctx)
    choice = replace(choice, target_settings=replace(choice.target_settings, slots=slots))
    (computer,) = fits.fit(choice).devices
    with closing(load_pair(tmp_path, choice)) as pair:
        (head,) = pair.heads
        for estimated, real in ((computer.target, pair.target.allocated), (computer.draft, head.allocated)):
            for part in ("weights", "kv", "compute"):
                taken = getattr(real[CPU], part)
                assert getattr(estimated, part) == pytest.approx(taken, rel=0.01, abs=AS_PRINTED), part
        states = [slot.target.states for slot in pair.slots.all]
        assert computer.draft.output >= sum(each._rows.nbytes for each in states if each is not None)


def test_going_back_to_another_chat(tmp_path: Path) -> None:
    """What the head has read comes back with its target's cache."""
    choice = choice_for(HEAD_CASES[0], tmp_path, 2048)
    exact = replace(choice, target_settings=replace(choice.target_settings, exact=True))
    with closing(load_pair(tmp_path, exact)) as pair:
        texts = ["".join(f"{word} {n} " for n in range(MIN_TOKENS)) for word in ("one", "another")]
        first = [answer(pair, text) for text in texts]
        pair.slots.first.prompt_states = PromptStateCache(pair.target, pair.draft_states(pair.slots.first))
        again = [answer(pair, text) for text in (*texts, *texts)]
        assert pair.slots.first.prompt_states.n_kept > 0
        assert [tokens for tokens, _ in again] == [tokens for tokens, _ in (*first, *first)]
        assert all(drafted["eagle3"] > 0 for _, drafted in again)


WRONG: Mapping[str, tuple[MakeHead, ModelRecipe, Mapping[str, Value | None], type[UserError]]] = {
    "of another family": (make_mtp_sidecar, ModelRecipe(arch="qwen35"), {}, IncompatibleError),
    "of another width": (make_eagle3, ModelRecipe(n_embd=256), {}, IncompatibleError),
    "another layer": (make_dflash, ModelRecipe(), {"dflash.target_layers": [2, 77]}, IncompatibleError),
    "no layers": (make_eagle3, ModelRecipe(), {"eagle3.target_layers": None}, IncompatibleError),
    "two of its layers missing": (make_dflash, ModelRecipe(), {"dflash.block_count": 4}, ModelLoadError),
    "two layers": (make_eagle3, ModelRecipe(), {"eagle3.block_count": 2}, ModelLoadError),
    "heads that do not divide": (make_eagle3, ModelRecipe(), {"eagle3.attention.head_count": 3}, UserError),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_go_together_is_a_sentence(wrong: str, tmp_path: Path) -> None:
    make, recipe, changes, kind = WRONG[wrong]
    target = make_model(tmp_path / "target.gguf", ModelRecipe())
    head = make(tmp_path / "head.gguf", recipe, changes)
    with pytest.raises(kind) as refused:
        load_pair(tmp_path, choice_of(target, head))
    assert isinstance(refused.value, UserError)
    assert refused.value.message
    assert refused.value.hint


def test_a_head_that_lies_about_its_candidates_is_given_up(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe())
    head = make_dflash(tmp_path / "head.gguf", ModelRecipe(), {"dflash.selector_top_k": 999_999}, is_dspark=True)
    with closing(load_pair(tmp_path, replace(choice_of(target, head), draft_max=4))) as pair:
        request = GenerationRequest(pair.prompts.tokenize("hello world, hello"), GREEDY, 8, ignore_eos=True)
        found = collect(pair.generate(request, CancelToken()))
    assert len(found.tokens) == 8
    assert found.stats.speculation.startswith("off: the draft failed")


def test_a_head_that_was_cut_off(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe())
    head = make_eagle3(tmp_path / "head.gguf", ModelRecipe())
    head.write_bytes(head.read_bytes()[:-5000])
    with pytest.raises(ModelFileError, match="incomplete"):
        load_pair(tmp_path, choice_of(target, head))


def test_a_head_is_no_target(tmp_path: Path) -> None:
    head = make_eagle3(tmp_path / "head.gguf", ModelRecipe())
    with pytest.raises(ModelLoadError, match="can't answer by itself"):
        load_pair(tmp_path, choice_of(head))


def test_draft_types_that_are_not_there(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe())
    head = make_eagle3(tmp_path / "head.gguf", ModelRecipe())
    for choice in (
        replace(choice_of(target), draft_type="mtp"),
        replace(choice_of(target), draft_type="eagle3"),
        replace(choice_of(target, head), draft_type="dflash"),
        replace(choice_of(target, head), draft_type="model"),
        replace(choice_of(target), draft_type="early-exit"),
        replace(choice_of(target, head), draft_type="early-exit"),
    ):
        with pytest.raises(SettingError):
            drafter_name(choice)


def test_a_target_guesses_with_its_own_layers_unless_told_otherwise(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe(arch="qwen35", mtp_layers=1))
    assert drafter_name(choice_of(target)) == HeadKind.MTP
    assert drafter_name(replace(choice_of(target), draft_type="ngram")) == "ngram"
    assert drafter_name(replace(choice_of(target), draft_type="none")) is None


MTP_TARGET = replace(quieten(ModelRecipe(arch="qwen35"), 0, 0.05), mtp_layers=1)


@pytest.mark.parametrize("kind", ["a model", "a head"])
def test_mtp_layers_beside_another_draft(kind: str, fits: FitEstimator, tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", MTP_TARGET)
    draft = tmp_path / "draft.gguf"
    if kind == "a model":
        make_model(draft, ModelRecipe(seed=3))
    else:
        make_eagle3(draft, MTP_TARGET)
    settings = ModelSettings(n_ctx=512)
    choice = choice_of(target, draft, settings, settings)
    assert drafter_names(choice) == ("model" if kind == "a model" else "eagle3", "mtp")
    assert drafter_names(replace(choice, draft_max=4)) == drafter_names(choice)[:1], (
        "a number of guesses is the draft's"
    )
    (computer,) = fits.fit(choice).devices
    with closing(load_pair(tmp_path, choice)) as pair:
        parts = [each.allocated[CPU] for each in (pair.draft, *pair.heads) if each is not None]
        for part in ("weights", "kv", "compute"):
            taken = sum(getattr(each, part) for each in parts)
            assert getattr(computer.draft, part) == pytest.approx(taken, rel=0.01, abs=2 * AS_PRINTED), part
        found = [answer(pair, text, 60) for text in ("hello world, hello", "and another text", "hello again")]
        assert isinstance(pair.speculation, AutoStrategy)
        assert [source.name for source in pair.speculation._sources] == [
            "grammar",
            "ngram",
            "draft" if kind == "a model" else "eagle3",
            "mtp",
        ]
        assert len(pair.draft_states(pair.slots.first)) == 2
    with closing(load_pair(tmp_path, replace(choice, draft_max=4))) as fixed:
        assert not isinstance(fixed.create_speculation("auto", None), NoSpeculation), "as a benchmark asks for"
    with closing(load_pair(tmp_path, replace(choice, draft=None, draft_type="none"))) as plain:
        texts = ("hello world, hello", "and another text", "hello again")
        assert [answer(plain, text, 60)[0] for text in texts] == [tokens for tokens, _ in found]


def test_each_of_two_heads_reads_its_own_states(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", MTP_TARGET)
    settings = ModelSettings(n_ctx=512)
    choice = choice_of(target, make_eagle3(tmp_path / "head.gguf", MTP_TARGET), settings, settings)
    text = [int(token) for token in np.random.default_rng(0).integers(32, 120, 80)]

    def proposals(choice: PairChoice) -> dict[str, tuple[int, ...]]:
        with closing(load_pair(tmp_path, choice)) as pair:
            found = {}
            for name, drafter in pair.slots.first.head_drafters.items():
                pair.target.keep(0)
                pair.target.evaluate(np.array(text[:-1], dtype=np.int32), 0, CancelToken())
                found[name] = drafter.propose(GreedyContext(pair.target, text), 4).tokens
            return found

    both = proposals(choice)
    assert both == proposals(replace(choice, draft_max=4)) | proposals(replace(choice, draft=None, draft_max=4))
    assert both.keys() == {"eagle3", "mtp"}
