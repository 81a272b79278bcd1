"""A grammar holds whoever guesses, and with one seed everyone says the same."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.ggufs import ModelRecipe, make_pair
from support.pairs import DRAFT, GREEDY, Answer, collect, exact_target, loaded, random_prompts

from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.token_grammar import GrammarCompiler
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import FinishReason, GenerationRequest, SamplingParams
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.costs import PassCosts
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.speculative import Generation, NoSpeculation

PROMPT = tuple(random_prompts(1000, 1)[0])
JSON = r"""
root ::= "{" ws pair ("," ws pair){2} "}"
pair ::= "\"" [a-z]{1,8} "\":" ws (number | "\"" [^"\\\x00-\x1F]{0,20} "\"" | "[" number ("," number){0,3} "]")
number ::= [1-9] [0-9]{0,4}
ws ::= " "?
"""
SAMPLED = SamplingParams(temperature=0.9, seed=5)
PENALISED = replace(SAMPLED, repeat_penalty=1.3, presence_penalty=0.5, top_k=0, top_p=1.0, min_p=0.0)
SAMPLINGS = {"greedy": GREEDY, "sampled": SAMPLED, "penalised": PENALISED}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LlamaModel, LlamaModel]]:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=ModelRecipe(eos_bias=1.0))
    with exact_target(target) as t, loaded(draft, DRAFT) as d:
        yield t, d


def answer(
    target: LlamaModel,
    drafter: Drafter | None,
    sampling: SamplingParams = GREEDY,
    grammar: str = JSON,
    max_tokens: int | None = 300,
    *,
    ignore_eos: bool = False,
) -> Answer:
    target.keep(0)
    costs = PassCosts()
    for _ in range(4):
        costs.observe_pass(1, 0.001)
    constraint = GrammarCompiler(target, target.vocabulary.tokenize_on).constraint(gbnf_to_lark(grammar), {})
    request = GenerationRequest(PROMPT, sampling, max_tokens, ignore_eos=ignore_eos, constraint=constraint)
    speculation = FixedLengthStrategy(drafter, 5, costs) if drafter else NoSpeculation(SpeculationOff.NO_DRAFT)
    return collect(Generation(target, request, speculation, costs, CancelToken()).events())


@pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
def test_with_and_without_guesses_the_same(pair: tuple[LlamaModel, LlamaModel], sampling: SamplingParams) -> None:
    target, draft = pair
    plain = answer(target, None, sampling)
    assert len(json.loads(plain.text)) in (1, 2, 3), "names may be the same"
    for drafter in (ModelDrafter(draft), SuffixDrafter()):
        guessed = answer(target, drafter, sampling)
        assert (guessed.text, guessed.tokens) == (plain.text, plain.tokens)
        assert guessed.end.reason is FinishReason.STOP


def test_guesses_hold_where_the_grammar_lets_them(pair: tuple[LlamaModel, LlamaModel]) -> None:
    target, draft = pair
    free = answer(target, ModelDrafter(draft), GREEDY, r"root ::= [^\x00]*", 64, ignore_eos=True)
    assert free.stats.n_accepted > 10
    assert free.stats.n_verify_steps < len(free.tokens)


def test_other_seeds_say_other_things(pair: tuple[LlamaModel, LlamaModel]) -> None:
    said = {answer(pair[0], None, replace(SAMPLED, seed=seed)).text for seed in range(4)}
    assert len(said) == 4
    assert all(json.loads(text) for text in said)


def test_a_complete_answer_ends_even_if_ends_are_ignored(pair: tuple[LlamaModel, LlamaModel]) -> None:
    ended = answer(pair[0], None, grammar='root ::= "yes" | "no"', ignore_eos=True)
    assert ended.text in ("yes", "no")
    assert ended.end.reason is FinishReason.STOP


def test_the_length_limit_cuts_it_off(pair: tuple[LlamaModel, LlamaModel]) -> None:
    cut = answer(pair[0], None, grammar='root ::= "a"{1000}', max_tokens=7)
    assert (len(cut.tokens), cut.end.reason) == (7, FinishReason.LENGTH)
    assert set(cut.text) == {"a"}


def test_what_the_model_cannot_say_is_an_error_and_the_next_answer_is_right(
    pair: tuple[LlamaModel, LlamaModel],
) -> None:
    target, draft = pair
    before = answer(target, ModelDrafter(draft))
    with pytest.raises(SettingError, match="allows none of the model's tokens"):
        answer(target, ModelDrafter(draft), grammar=r'root ::= "ab" [^\x00-\U0010FFFF]')
    assert answer(target, ModelDrafter(draft)).tokens == before.tokens


def test_log_probabilities_come_with_each_token(pair: tuple[LlamaModel, LlamaModel]) -> None:
    target, draft = pair
    target.keep(0)
    request = GenerationRequest(PROMPT, GREEDY, 24, ignore_eos=True, top_logprobs=3)
    costs = PassCosts()
    for _ in range(4):
        costs.observe_pass(1, 0.001)
    found = {}
    for name, speculation in (
        ("plain", NoSpeculation(SpeculationOff.NO_DRAFT)),
        ("drafted", FixedLengthStrategy(ModelDrafter(draft), 5, costs)),
    ):
        target.keep(0)
        events = Generation(target, request, speculation, costs, CancelToken()).events()
        found[name] = [event.logprobs for event in events if hasattr(event, "logprobs")]
    assert found["plain"] == found["drafted"]
    assert len(found["plain"]) == 24
    for logprobs in found["plain"]:
        assert logprobs is not None
        assert logprobs.chosen == logprobs.best[0], "without a temperature the likeliest is chosen"
        assert len(logprobs.best) == 3
        assert logprobs.chosen.piece == target.piece(logprobs.chosen.token)


def test_without_being_asked_for_there_are_none(pair: tuple[LlamaModel, LlamaModel]) -> None:
    request = GenerationRequest(PROMPT, GREEDY, 4, ignore_eos=True)
    events = Generation(pair[0], request, NoSpeculation(SpeculationOff.NO_DRAFT), PassCosts(), CancelToken()).events()
    assert [event.logprobs for event in events if hasattr(event, "logprobs")] == [None] * 4


def test_named_control_tokens_are_part_of_the_text(pair: tuple[LlamaModel, LlamaModel]) -> None:
    target = pair[0]
    marker = target.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)[0]
    grammar = gbnf_to_lark('root ::= "<|im_start|>" [a-z]{3}')
    constraint = GrammarCompiler(target, target.vocabulary.tokenize_on).constraint(grammar, {marker: b"<|im_start|>"})
    request = GenerationRequest(PROMPT, GREEDY, 40, constraint=constraint, markers={marker: b"<|im_start|>"})
    found = collect(
        Generation(target, request, NoSpeculation(SpeculationOff.NO_DRAFT), PassCosts(), CancelToken()).events()
    )
    assert found.text.startswith("<|im_start|>")
    assert len(found.text) == len("<|im_start|>") + 3


class Doubtful:
    """Guesses two letters that the grammar allows and then what it forbids."""

    name = "doubtful"

    def __init__(self, target: LlamaModel) -> None:
        self._tokens = [target.vocabulary.tokenize(text, add_special=False, parse_special=False)[-1] for text in "aa{{"]

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        return Proposal(tuple(self._tokens), (self.name,) * 4, (0.9,) * 4).first(budget)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


def test_guesses_that_the_grammar_forbids_are_not_verified(pair: tuple[LlamaModel, LlamaModel]) -> None:
    target = pair[0]
    grammar = 'root ::= "a"{40}'
    guessed = answer(target, Doubtful(target), GREEDY, grammar)
    assert guessed.tokens == answer(target, None, GREEDY, grammar).tokens
    assert guessed.stats.n_drafted == guessed.stats.n_accepted > 0
