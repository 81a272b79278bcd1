"""The rules that the benchmark compares with auto."""

from collections.abc import Sequence

import numpy as np
import pytest
from support.ggufs import make_pair
from support.pairs import DRAFT, exact_target, loaded, random_prompts

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import GenerationFinished, GenerationRequest, SamplingParams, TokenEvent
from specchat.drafters.model_drafter import ModelDrafter
from specchat.engine.costs import PassCosts
from specchat.engine.speculative import Generation, NoSpeculation, Speculation
from specchat.engine.stop_rule_strategy import StopRuleStrategy
from specchat.engine.stop_rules import (
    LONGEST,
    STOP_RULES,
    AdaEdl,
    AdditiveIncrease,
    Bandit,
    GuessFacts,
    LeastProbability,
)
from specchat.engine.stop_rules import make_stop_rule as make


def answer(target: LlamaModel, prompt: Sequence[int], speculation: Speculation) -> tuple[list[int], GenerationFinished]:
    target.keep(0)
    request = GenerationRequest(tuple(prompt), SamplingParams(temperature=0), 48, ignore_eos=True)
    events = list(Generation(target, request, speculation, PassCosts(), CancelToken()).events())
    end = events[-1]
    assert isinstance(end, GenerationFinished)
    return [event.token for event in events if isinstance(event, TokenEvent)], end


def test_every_rule_gives_the_same_tokens(tmp_path_factory: pytest.TempPathFactory) -> None:
    paths = make_pair(tmp_path_factory.mktemp("pair"))
    costs = PassCosts()
    costs.record_measurement(1, 0.01, 5)
    with exact_target(paths[0]) as target, loaded(paths[1], DRAFT) as draft:
        for prompt in random_prompts(target.n_vocab, 2):
            plain, _ = answer(target, prompt, NoSpeculation(SpeculationOff.NO_DRAFT))
            for policy in STOP_RULES:
                tokens, end = answer(target, prompt, StopRuleStrategy(ModelDrafter(draft), make(policy), costs))
                assert tokens == plain, policy
                assert end.stats.n_drafted > 0, policy


def test_a_least_probability() -> None:
    rule = LeastProbability()
    assert rule.allows(GuessFacts(0.6, 1.0))
    assert not rule.allows(GuessFacts(0.59, 0.1))
    assert rule.longest() == LONGEST


def test_entropy_against_a_threshold_that_follows_the_acceptance() -> None:
    rule = AdaEdl()
    doubtful = GuessFacts(0.5, 1.6)
    assert rule.allows(doubtful)
    for _ in range(400):
        rule.observe(4, 0)
    assert not rule.allows(doubtful), "hardly anything was accepted"
    for _ in range(800):
        rule.observe(4, 4)
    assert rule.allows(doubtful), "everything was accepted"


def test_one_more_or_half_as_many() -> None:
    rule, lengths = AdditiveIncrease(), list[int]()
    for held in (True, True, True, False, False, False, False):
        lengths.append(rule.longest())
        rule.observe(rule.longest(), rule.longest() if held else 0)
    assert lengths == [2, 3, 4, 5, 2, 1, 1]


def test_a_bandit_settles_on_what_is_accepted() -> None:
    rule, chosen = Bandit(), list[bool]()
    for _ in range(400):
        rule.longest()
        is_careful = not rule.allows(GuessFacts(0.7, 1.0))
        rule.observe(10, 9 if is_careful else 1)
        chosen.append(is_careful)
    assert np.mean(chosen[-100:]) > 0.6


def test_a_policy_that_does_not_exist() -> None:
    with pytest.raises(SettingError) as error:
        make("luck")
    assert "adaedl" in error.value.hint
