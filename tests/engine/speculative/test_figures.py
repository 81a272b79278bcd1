import pytest
from engine.speculative.told import PROMPT, oracle
from support.pairs import GREEDY, Answer, Runner

from specchat.backends.llama_model import LlamaModel
from specchat.domain.ports import Drafter
from specchat.domain.types import (
    TARGET,
    SamplingParams,
)
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter


def check_figures(answer: Answer, name: str) -> None:
    stats = answer.stats
    drafted_tokens = [origin for origin in answer.origins if origin != TARGET]
    assert stats.n_generated == len(answer.tokens)
    assert stats.n_accepted == len(drafted_tokens) == sum(stats.accepted_per_source.values())
    assert stats.n_drafted == sum(stats.drafted_per_source.values())
    assert stats.n_accepted <= stats.n_checked <= stats.n_drafted
    assert set(drafted_tokens) <= {name}
    assert stats.acceptance_rate == pytest.approx(stats.n_accepted / max(1, stats.n_drafted))
    assert stats.mean_accepted_length == pytest.approx(stats.n_generated / stats.n_verify_steps)
    assert all(a >= b for a, b in zip(stats.accepted_per_position, stats.accepted_per_position[1:], strict=False))


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.8, seed=4)], ids=["greedy", "sampled"])
def test_figures_add_up(target: LlamaModel, draft: LlamaModel, sampling: SamplingParams) -> None:
    drafters: list[Drafter] = [ModelDrafter(draft), SuffixDrafter()]
    for drafter in drafters:
        check_figures(Runner(target).answer(drafter, PROMPT, sampling, 50), drafter.name)


def test_plain_decoding_has_one_token_per_pass(target: LlamaModel) -> None:
    stats = Runner(target).answer(None, PROMPT, n=20).stats
    assert (stats.n_verify_steps, stats.mean_accepted_length, stats.n_drafted) == (20, 1.0, 0)
    assert stats.saved_s == 0
    assert stats.speculation.startswith("off: ")


def test_the_oracle_is_always_right(target: LlamaModel) -> None:
    answer = Runner(target).answer(None, PROMPT, n=31).tokens
    found = Runner(target, 5).answer(oracle(answer, len(PROMPT)), PROMPT, n=31)
    assert found.tokens == answer
    assert found.stats.acceptance_rate == 1.0
    assert found.stats.n_verify_steps == 1 + 5, "the first token, then 5 guesses and one more per pass"
    assert [event for event in found.origins[1:7]] == ["told"] * 5 + [TARGET]
