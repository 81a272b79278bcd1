"""What a grammar forces is guessed, and changes nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from support.ggufs import ModelRecipe, make_pair
from support.pairs import DRAFT, GREEDY, Answer, collect, exact_target, loaded, random_prompts

from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.json_schema import json_rule
from specchat.backends.grammar.token_grammar import GrammarCompiler
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import GenerationRequest, SamplingParams
from specchat.drafters.grammar_drafter import GrammarDrafter
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.speculative import Generation, NoSpeculation, Speculation

PROMPT = tuple(random_prompts(1000, 1)[0])
SAMPLED = SamplingParams(temperature=0.9, seed=5, top_k=0, top_p=1.0, min_p=0.0)
PENALISED = replace(SAMPLED, repeat_penalty=1.3, presence_penalty=0.5)
WORD = {"type": "string", "maxLength": 6}


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


SCHEMAS = {
    "nested": an_object(person=an_object(name=WORD, address=an_object(street=WORD, city=WORD)), known={"const": True}),
    "enum": an_object(colour={"enum": ["red", "green", "greenish"]}, unit={"const": "celsius"}),
    "array": an_object(points={"type": "array", "items": an_object(x={"enum": [1, 2]}, y=WORD), "maxItems": 3}),
    "union": {"anyOf": [an_object(circle=WORD, filled={"type": "boolean"}), an_object(clear={"type": "boolean"})]},
    "unicode": an_object(größe={"enum": [1, 2]}, 名前={"enum": ["é", "è😀"]}),
}
GRAMMARS = {name: f"start: {json_rule(schema, strict=True)}" for name, schema in SCHEMAS.items()}
GRAMMARS["call"] = gbnf_to_lark('root ::= "<call>get_" ("weather" | "time") "(" [0-9]{1,3} ")</call>"')
SAMPLINGS = {"array": GREEDY, "enum": PENALISED}
"""Of those that are not sampled simply."""
NOTHING = gbnf_to_lark(r"root ::= [^\x00]{40}")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LlamaModel, LlamaModel]]:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=ModelRecipe(eos_bias=1.0))
    with exact_target(target) as t, loaded(draft, DRAFT) as d:
        yield t, d


@pytest.fixture
def costs() -> PassCosts:
    """Of passes that take the same however many tokens they have."""
    costs = PassCosts()
    for size in range(1, 8):
        costs.record_measurement(size, 1.0 + 0.01 * size, 5)
    return costs


def answer(target: LlamaModel, speculation: Speculation, grammar: str, sampling: SamplingParams) -> Answer:
    target.keep(0)
    constraint = GrammarCompiler(target, target.vocabulary.tokenize_on).constraint(grammar, {})
    request = GenerationRequest(PROMPT, sampling, 200, constraint=constraint)
    return collect(Generation(target, request, speculation, PassCosts(), CancelToken()).events())


def auto(costs: PassCosts, draft: LlamaModel | None = None) -> AutoStrategy:
    text, grammar = DraftSource(SuffixDrafter()), DraftSource(GrammarDrafter())
    drafts = [] if draft is None else [DraftSource(ModelDrafter(draft))]
    ticks = count(0.0, 1e-6)
    return AutoStrategy(costs, 6, text, drafts, lambda: next(ticks), grammar=grammar)


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_same_tokens_in_fewer_passes(pair: tuple[LlamaModel, LlamaModel], costs: PassCosts, name: str) -> None:
    (target, draft), grammar, sampling = pair, GRAMMARS[name], SAMPLINGS.get(name, SAMPLED)
    plain = answer(target, NoSpeculation(SpeculationOff.SWITCHED_OFF), grammar, sampling)
    for speculation in (auto(costs), auto(costs, draft)):
        jumping = answer(target, speculation, grammar, sampling)
        assert jumping.tokens == plain.tokens
        assert jumping.stats.n_verify_steps < len(plain.tokens)
        assert jumping.stats.accepted_per_source.get("grammar", 0) > 0
        assert jumping.origins.count("grammar") == jumping.stats.accepted_per_source["grammar"]


def test_a_grammar_that_forces_nothing(pair: tuple[LlamaModel, LlamaModel], costs: PassCosts) -> None:
    free = answer(pair[0], auto(costs), NOTHING, SAMPLED)
    assert "grammar" not in free.stats.drafted_per_source
    assert free.tokens == answer(pair[0], NoSpeculation(SpeculationOff.SWITCHED_OFF), NOTHING, SAMPLED).tokens


def test_without_a_grammar_it_is_silent(pair: tuple[LlamaModel, LlamaModel], costs: PassCosts) -> None:
    request = GenerationRequest(PROMPT, GREEDY, 24, ignore_eos=True)
    pair[0].keep(0)
    said = collect(Generation(pair[0], request, auto(costs), costs, CancelToken()).events())
    assert "grammar" not in said.stats.drafted_per_source


def test_the_text_of_the_answer_conforms(pair: tuple[LlamaModel, LlamaModel], costs: PassCosts) -> None:
    said = json.loads(answer(pair[0], auto(costs), GRAMMARS["nested"], SAMPLED).text)
    assert list(said) == ["person", "known"]
    assert list(said["person"]["address"]) == ["street", "city"]
