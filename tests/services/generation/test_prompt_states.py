"""Conversations that go on by turns: each is read once, and says what it would say alone."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model, make_pair
from support.pairs import DRAFT, EXACT, GREEDY, Answer, collect, load_pair, loaded

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import GenerationRequest, PairChoice, SamplingParams
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.prompt_state_cache import MAX_STATES, KeptStates, PromptStateCache
from specchat.store.json_cache import JsonCache

SAMPLED = SamplingParams(temperature=0.8, seed=1)
N_CTX = 1024


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"))
    return choice_of(target, draft, replace(EXACT, n_ctx=N_CTX), replace(DRAFT, n_ctx=N_CTX), "model", 5)


@pytest.fixture(scope="module")
def pair(choice: PairChoice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    with closing(load_pair(tmp_path_factory.mktemp("facts"), choice)) as pair:
        yield pair


@pytest.fixture
def states(pair: LoadedPair) -> PromptStateCache:
    for model in (pair.target, pair.draft):
        assert model is not None
        model.keep(0)
    pair.slots.first.prompt_states = PromptStateCache(pair.target, pair.draft_states(pair.slots.first))
    return pair.slots.first.prompt_states


def text(seed: int, length: int = 320) -> tuple[int, ...]:
    return tuple(np.random.default_rng(seed).integers(32, 1000, length).tolist())


def say(pair: LoadedPair, prompt: tuple[int, ...], sampling: SamplingParams = GREEDY, n: int = 24) -> Answer:
    request = GenerationRequest(prompt, sampling, n, ignore_eos=True)
    return collect(pair.generate(request, CancelToken(), pair.speculation))


def alone(pair: LoadedPair, prompt: tuple[int, ...], sampling: SamplingParams) -> list[int]:
    pair.slots.first.prompt_states = None
    pair.target.keep(0)
    return say(pair, prompt, sampling).tokens


def n_read(answer: Answer) -> int:
    return answer.stats.n_prompt - answer.stats.n_prompt_reused


@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_several_conversations_by_turns(pair: LoadedPair, states: PromptStateCache, sampling: SamplingParams) -> None:
    talks = {seed: text(seed) for seed in range(3)}
    said: list[tuple[tuple[int, ...], list[int]]] = []
    for turn in range(3):
        for seed, prompt in talks.items():
            answer = say(pair, prompt, sampling)
            assert n_read(answer) == (len(prompt) if turn == 0 else 11), "the new question and the answer's last token"
            said.append((prompt, answer.tokens))
            talks[seed] = (*prompt, *answer.tokens, *text(100 * turn + seed, 10))
    assert states.n_kept == 2
    assert [tokens for _, tokens in said] == [alone(pair, prompt, sampling) for prompt, _ in said]


def test_any_of_them_may_go_on(pair: LoadedPair, states: PromptStateCache) -> None:
    for seed in range(3):
        say(pair, text(seed))
    assert states.n_kept == 2
    for seed in (1, 2, 0):
        assert n_read(say(pair, text(seed))) == 1, "the last token"


def test_the_draft_has_not_forgotten_either(pair: LoadedPair, states: PromptStateCache) -> None:
    assert pair.draft is not None
    first = say(pair, text(0))
    known = len(pair.draft.cached)
    say(pair, text(1))
    pair.slots.first.prompt_states = states
    states.prepare(np.array([*text(0), *first.tokens], dtype=np.int32))
    assert len(pair.draft.cached) == known > len(text(0))


def test_the_ones_used_longest_ago_go(pair: LoadedPair, states: PromptStateCache) -> None:
    for seed in range(MAX_STATES + 2):
        say(pair, text(seed), n=2)
    assert states.n_kept == MAX_STATES
    assert n_read(say(pair, text(1), n=2)) == 1
    assert n_read(say(pair, text(0), n=2)) == len(text(0)), "gone"


def test_no_more_memory_than_there_may_be(pair: LoadedPair, states: PromptStateCache) -> None:
    say(pair, text(0), n=2)
    assert pair.draft is not None
    one = pair.target.state_bytes + pair.draft.state_bytes
    few = pair.slots.first.prompt_states = PromptStateCache(
        pair.target, pair.draft_states(pair.slots.first), KeptStates(2 * one + one // 2)
    )
    for seed in range(1, 5):
        say(pair, text(seed), n=2)
    assert few.n_kept == 2
    none = pair.slots.first.prompt_states = PromptStateCache(
        pair.target, pair.draft_states(pair.slots.first), KeptStates(one // 4)
    )
    say(pair, text(9), n=2)
    assert none.n_kept == 0


def test_short_texts_and_what_goes_on_are_not_kept(pair: LoadedPair, states: PromptStateCache) -> None:
    for seed in range(4):
        say(pair, text(seed, 100))
    assert states.n_kept == 0
    prompt = text(5, 700)
    say(pair, prompt)
    say(pair, prompt[:400])
    say(pair, (*prompt[:400], *text(6, 20)))
    assert states.n_kept == 0


@pytest.mark.parametrize("arch", ["lfm2", "gemma3", "mamba"])
def test_what_cannot_go_back_is_read_again(arch: str, tmp_path: Path) -> None:
    """Recurrent layers and windows: a state is good for its whole text only."""
    settings = replace(EXACT, n_ctx=N_CTX, exact=False)
    with loaded(make_model(tmp_path / "model.gguf", ModelRecipe(arch=arch)), settings) as model:
        states = PromptStateCache(model, [])
        for seed in (0, 1, 0):
            prompt = np.array(text(seed), dtype=np.int32)
            states.prepare(prompt)
            model.keep(0)
            model.evaluate(prompt, 0, CancelToken())
        assert states.n_kept == 0


def test_the_engine_has_them(choice: PairChoice, tmp_path: Path) -> None:
    loader = PairLoader(JsonCache(tmp_path / "loads.json"), JsonCache(tmp_path / "tests.json"))
    with closing(InProcessEngine(loader)) as engine:
        engine.load(choice, CancelToken(), lambda *_: None)
        assert engine._pair is not None
        assert engine._pair.slots.first.prompt_states is not None
