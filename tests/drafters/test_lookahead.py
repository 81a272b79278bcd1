"""Windows in the target's own passes: what they find, what they cost, and that answers stay those of plain decoding."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.pairs import EXACT, GREEDY, Answer, Runner, collect, exact_target, load_pair, loaded, random_prompts
from support.timed_pair import CPU, GPU, N_VOCAB, Clock, Curve, Scripted

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import DraftContext, LanguageModel
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import LOOKAHEAD, GenerationRequest, ModelSettings, SamplingParams
from specchat.drafters import lookahead_drafter
from specchat.drafters.lookahead_drafter import LookaheadDrafter, Window, window_for
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.lookahead_strategy import LARGEST, LookaheadStrategy
from specchat.engine.speculative import Generation
from specchat.services.generation.drafter_choice import build_target_settings, needs_draft

AHEAD = [20, 30, 40, 3]
"""Tokens to which counting will come."""
SAMPLINGS = [GREEDY, SamplingParams(temperature=0.8, seed=12, repeat_penalty=1.1)]


def costs_of_plain() -> PassCosts:
    costs = PassCosts()
    for _ in range(4):
        costs.observe_pass(1, 0.001)
    return costs


def answer(
    target: LanguageModel, strategy: LookaheadStrategy, prompt: Sequence[int], sampling: SamplingParams, n: int
) -> Answer:
    target.keep(0)
    request = GenerationRequest(tuple(prompt), sampling, n, (), ignore_eos=True)
    clock = target._clock if isinstance(target, Scripted) else perf_counter
    return collect(Generation(target, request, strategy, strategy._costs, CancelToken(), clock).events())


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "sampled"])
@pytest.mark.parametrize("arch", ["llama", "qwen3"])
def test_tokens_equal_plain_decoding(arch: str, sampling: SamplingParams, tmp_path: Path) -> None:
    path = make_model(tmp_path / "m.gguf", ModelRecipe(arch=arch))
    with exact_target(path, replace(EXACT, branches=8)) as target:
        strategy, drafted = LookaheadStrategy(LookaheadDrafter(), 7, costs_of_plain()), 0
        for prompt in random_prompts(target.n_vocab, 3):
            found = answer(target, strategy, prompt, sampling, 64)
            assert found.tokens == Runner(target).answer(None, prompt, sampling, 64).tokens
            drafted += found.stats.n_drafted
        assert drafted > 0


@pytest.mark.parametrize("n_rows", range(6, 65))
def test_all_rows_fit(n_rows: int) -> None:
    window = window_for(n_rows)
    if window is None:
        assert n_rows < 7
        return
    guesses = window.width * window.n_levels
    probes = window.width - 1 + window.width * (window.n_gram - 2)
    assert guesses + probes <= n_rows
    assert 2 * window.width <= 16


def test_the_largest_windows_in_one_pass(tmp_path: Path) -> None:
    with loaded(make_model(tmp_path / "m.gguf"), replace(EXACT, max_draft=64, branches=16)) as target:
        (prompt,) = random_prompts(target.n_vocab, 1)
        found = answer(target, LookaheadStrategy(LookaheadDrafter(), 64, costs_of_plain()), prompt, GREEDY, 48)
        assert found.stats.n_drafted > 0
        assert found.stats.speculation == "on"


def test_probes_follow_one_another_and_their_own_levels() -> None:
    drafter = LookaheadDrafter()
    drafter._window = Window(3, 4)
    drafter._levels = [[9, 10, 11], [20, 21, 22], [30, 31, 32]]
    probes = drafter._probes(0)
    assert probes.tokens == (10, 11, 20, 21, 22, 30, 31, 32)
    assert probes.parents == (-1, 0, -1, 0, 1, 2, 3, 4)
    assert drafter._probes(5).parents == (-1, 5, -1, 5, 6, 7, 8, 9)


class Counting(Scripted):
    """Each token is one more than the last, whatever came before."""

    max_batch = LARGEST + 1
    max_branches = 16

    def _logits_after(self, text: Sequence[int] | NDArray[np.int32]) -> NDArray[np.float32]:
        logits = np.zeros(N_VOCAB, dtype=np.float32)
        logits[(int(text[-1]) + 1) % N_VOCAB] = 10
        return logits


def test_n_grams_are_found_that_never_were_in_the_text() -> None:
    target = Counting(Clock(), GPU, 1)
    found = answer(target, LookaheadStrategy(LookaheadDrafter(), 15, costs_of_plain()), AHEAD, GREEDY, 60)
    assert found.tokens == [(4 + i) % N_VOCAB for i in range(60)]
    assert found.stats.n_accepted > 8
    assert set(found.origins) == {"lookahead", "target"}


@pytest.mark.parametrize(("curve", "is_on"), [(GPU, True), (CPU, False)], ids=["flat", "steep"])
def test_windows_where_they_pay(curve: Curve, is_on: bool) -> None:
    target, costs = Counting(Clock(), {n: 0.01 * seconds for n, seconds in curve.items()}, 1), PassCosts()
    measure_costs(target, [], costs, CancelToken(), target._clock)
    strategy = LookaheadStrategy(LookaheadDrafter(), None, costs)
    found = answer(target, strategy, AHEAD, GREEDY, 100)
    assert (found.stats.n_accepted > 0) == is_on
    assert strategy.off_reason == (None if is_on else SpeculationOff.COSTS_MORE)
    assert found.stats.speculation.startswith("on" if is_on else "off: ")


def test_windows_that_find_nothing_are_given_up() -> None:
    target, costs = Scripted(Clock(), {1: 0.01, 33: 0.013}, 1), PassCosts()
    target.max_batch, target.max_branches = LARGEST + 1, 16
    measure_costs(target, [], costs, CancelToken(), target._clock)
    strategy = LookaheadStrategy(LookaheadDrafter(), None, costs)
    answer(target, strategy, AHEAD, GREEDY, 300)
    assert strategy.off_reason is SpeculationOff.COSTS_MORE


class CountedCosts(PassCosts):
    n_asked = 0

    def passes(self, longest: int, n_past: int = 0) -> list[float]:
        self.n_asked += 1
        return super().passes(longest, n_past)


@pytest.mark.parametrize("curve", [GPU, CPU], ids=["flat", "steep"])
def test_costs_are_asked_for_now_and_then(curve: Curve) -> None:
    target, costs = Counting(Clock(), {n: 0.01 * seconds for n, seconds in curve.items()}, 1), CountedCosts()
    measure_costs(target, [], costs, CancelToken(), target._clock)
    before = costs.n_asked
    found = answer(target, LookaheadStrategy(LookaheadDrafter(), None, costs), AHEAD, GREEDY, 100)
    assert costs.n_asked - before <= found.stats.n_verify_steps / 16 + 1


def test_nobody_is_asked_while_it_is_off() -> None:
    target, costs = Counting(Clock(), CPU, 1), PassCosts()
    measure_costs(target, [], costs, CancelToken(), target._clock)
    strategy = LookaheadStrategy(LookaheadDrafter(), None, costs)
    assert strategy.pause.n_steps == 0
    answer(target, strategy, AHEAD, GREEDY, 12)
    assert strategy.off_reason is SpeculationOff.COSTS_MORE
    assert strategy.pause.n_steps == 16 - 11, "ten of the steps after the first one passed without it"
    strategy.begin(sampled=False)
    assert strategy.pause.n_steps == 0


def test_an_answer_of_the_first_passes_is_measured() -> None:
    target = Counting(Clock(), GPU, 1)
    found = answer(target, LookaheadStrategy(LookaheadDrafter(), 15, PassCosts()), AHEAD, GREEDY, 3)
    assert found.stats.speculation == f"off: {SpeculationOff.MEASURING}"


@dataclass
class Text:
    """All of a context that the windows look at."""

    tokens: NDArray[np.int32]


def proposed(drafter: LookaheadDrafter, tokens: Sequence[int]) -> Proposal:
    return drafter.propose(cast("DraftContext", Text(np.array(tokens, dtype=np.int32))), 15)


def learn_of(drafter: LookaheadDrafter, tokens: Sequence[int]) -> None:
    """The target says these of the window."""
    drafter.learn(np.eye(N_VOCAB, dtype=np.float32)[list(tokens)])


def test_a_longer_text_is_no_continuation() -> None:
    drafter = LookaheadDrafter()
    for text in (range(5), range(6)):
        proposed(drafter, text)
        learn_of(drafter, range(10, 14))
    assert {12, 13} & set(proposed(drafter, range(7)).probes.tokens), "what was said goes on with the text"
    learn_of(drafter, range(10, 14))
    other = proposed(drafter, range(20, 28))
    assert set(other.probes.tokens) <= set(range(20, 28))


def test_n_grams_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead_drafter, "MOST_FIRST", 3)
    drafter = LookaheadDrafter()
    for first in range(6):
        drafter._remember(first, (first + 1, first + 2))
        drafter._remember(0, (7, 8))
    assert list(drafter._known) == [4, 5, 0]


@pytest.mark.parametrize(("arch", "speculation"), [("llama", "on"), ("gemma3", f"off: {SpeculationOff.ONE_BRANCH}")])
def test_it_needs_nothing_but_a_target(arch: str, speculation: str, tmp_path: Path) -> None:
    target = make_model(tmp_path / "m.gguf", ModelRecipe(arch=arch))
    settings = ModelSettings(n_ctx=512, exact=True, threads=1)
    choice = replace(choice_of(target), target_settings=settings, draft_type=LOOKAHEAD, draft_max=7)
    with closing(load_pair(tmp_path, choice)) as pair:
        request = GenerationRequest(pair.prompts.tokenize("hello world, hello"), GREEDY, 40, ignore_eos=True)
        found = collect(pair.generate(request, CancelToken()))
    assert found.stats.speculation == speculation
    assert found.stats.drafted_per_source.keys() <= {LOOKAHEAD}


def test_a_draft_is_not_loaded_for_it(tmp_path: Path) -> None:
    choice = replace(choice_of(tmp_path / "t.gguf", tmp_path / "d.gguf"), draft_type=LOOKAHEAD)
    assert not needs_draft(choice)
    settings = build_target_settings(choice)
    assert (settings.max_draft, settings.branches) == (LARGEST, 16)
