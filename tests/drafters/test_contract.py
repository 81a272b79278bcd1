"""What every drafter must hold: in exact mode the tokens are those of plain decoding, whoever guesses."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from support.ggufs import ModelRecipe, Quality, make_pair
from support.pairs import DRAFT, EXACT, GREEDY, Runner, exact_target, loaded, random_prompts
from support.vocabularies import BpeVocab, SpmVocab

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.drafter_types import EARLY_EXIT
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.domain.types import SamplingParams, VocabularyVerdict
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.gguf.files import compare_files
from specchat.services.drafts.early_exit_file import write_early_exit

SAMPLINGS = [
    GREEDY,
    SamplingParams(temperature=0.8, seed=11),
    SamplingParams(temperature=0.8, seed=12, repeat_penalty=1.1, frequency_penalty=0.2, presence_penalty=0.1),
]
PROMPTS = int(os.environ.get("SPECCHAT_CONTRACT_PROMPTS", "4"))
TOKENS = int(os.environ.get("SPECCHAT_CONTRACT_TOKENS", "64"))


class RandomGuesses:
    """Guesses like dice."""

    name = "dice"

    def __init__(self, n_vocab: int) -> None:
        self._rng = np.random.default_rng(5)
        self._n_vocab = n_vocab

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        tokens = tuple(self._rng.integers(0, self._n_vocab, budget).tolist())
        return Proposal(tokens, (self.name,) * budget, (0.0,) * budget)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


@dataclass(frozen=True)
class Models:
    target: LlamaModel
    draft: LlamaModel
    first_layer: LlamaModel
    """Of the target, as its draft."""


@dataclass(frozen=True)
class Case:
    name: str
    recipe: ModelRecipe
    drafters: Sequence[tuple[str, Callable[[Models], Drafter]]]
    threads: int = 1


GUESSERS: Sequence[tuple[str, Callable[[Models], Drafter]]] = (
    ("good draft", lambda models: ModelDrafter(models.draft)),
    ("early exit", lambda models: ModelDrafter(models.first_layer, EARLY_EXIT)),
    ("earlier text", lambda models: SuffixDrafter()),
    ("long matches only", lambda models: SuffixDrafter(min_ngram_size=4, num_pred_tokens=4)),
    ("dice", lambda models: RandomGuesses(models.target.n_vocab)),
)
CASES = [
    Case("llama, BPE, Q8_0", ModelRecipe(), GUESSERS),
    Case("qwen2, SPM, Q4_0", ModelRecipe(arch="qwen2", vocab=SpmVocab(), dtype="Q4_0"), GUESSERS),
    Case("qwen3, BPE, Q4_K, two threads", ModelRecipe(arch="qwen3", dtype="Q4_K"), GUESSERS[:2], threads=2),
    Case("gemma3 with a sliding window", ModelRecipe(arch="gemma3"), GUESSERS[:2]),
]


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    assert isinstance(request.param, Case)
    return request.param


@pytest.fixture
def models(case: Case, tmp_path: Path) -> Iterator[Models]:
    target, draft = make_pair(tmp_path, recipe=case.recipe)
    first_layer = tmp_path / "first layer.gguf"
    write_early_exit(target, 1, first_layer, CancelToken())
    guessing = replace(DRAFT, threads=case.threads)
    with (
        exact_target(target, replace(EXACT, threads=case.threads)) as t,
        loaded(draft, guessing) as d,
        loaded(first_layer, guessing) as f,
    ):
        yield Models(t, d, f)


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "sampled", "with penalties"])
def test_tokens_equal_plain_decoding(case: Case, models: Models, sampling: SamplingParams) -> None:
    runner = Runner(models.target)
    for prompt in random_prompts(models.target.n_vocab, PROMPTS):
        plain = runner.answer(None, prompt, sampling, TOKENS)
        assert len(plain.tokens) == TOKENS
        for name, make in case.drafters:
            found = runner.answer(make(models), prompt, sampling, TOKENS)
            assert found.tokens == plain.tokens, name
            assert found.text == plain.text, name


@pytest.mark.parametrize("quality", ["good", "bad", "random"])
def test_quality_changes_speed_only(quality: Quality, tmp_path: Path) -> None:
    paths = make_pair(tmp_path, quality)
    with exact_target(paths[0]) as target, loaded(paths[1], DRAFT) as draft:
        runner = Runner(target)
        accepted = drafted = 0
        for prompt in random_prompts(target.n_vocab, 10, seed=1):
            plain = runner.answer(None, prompt)
            found = runner.answer(ModelDrafter(draft), prompt)
            assert found.tokens == plain.tokens
            accepted, drafted = accepted + found.stats.n_accepted, drafted + found.stats.n_drafted
    low, high = {"good": (0.3, 0.95), "bad": (0.01, 0.3), "random": (0.0, 0.05)}[quality]
    assert low <= accepted / drafted <= high


SPARE = BpeVocab(replaced=((400, "<|reserved_special_token_5|>"),))


@pytest.mark.parametrize(
    ("vocab", "draft_vocab"),
    [
        (BpeVocab(), BpeVocab(padding=500)),
        (BpeVocab(padding=500), BpeVocab()),
        (SPARE, replace(SPARE, replaced=((400, "<|reserved_special_token_9|>"),))),
        (SPARE, replace(SPARE, replaced=((400, "<unused9>"),))),
    ],
    ids=["padding of the draft", "padding of the target", "reserved tokens", "unused token"],
)
def test_pairs_that_llama_would_refuse(vocab: BpeVocab, draft_vocab: BpeVocab, tmp_path: Path) -> None:
    """Its own rule allows 128 tokens more on one side, and no other text anywhere."""
    paths = make_pair(tmp_path, recipe=ModelRecipe(vocab=vocab), draft_vocab=draft_vocab)
    assert compare_files(*paths).verdict is VocabularyVerdict.COMPATIBLE
    with exact_target(paths[0]) as target, loaded(paths[1], DRAFT) as draft:
        assert may_not_draft(target, draft)
        for prompt in random_prompts(min(target.n_vocab, draft.n_vocab), 5):
            plain = Runner(target).answer(None, prompt)
            found = Runner(target).answer(ModelDrafter(draft), prompt)
            assert found.tokens == plain.tokens
            assert found.stats.n_accepted > 0


def may_not_draft(target: LlamaModel, draft: LlamaModel) -> bool:
    """By the texts that llama.cpp itself has of the tokens."""
    shared = min(target.n_vocab, draft.n_vocab)
    texts = [[model.weights.vocabulary.text(token) for token in range(5, shared)] for model in (target, draft)]
    return abs(target.n_vocab - draft.n_vocab) > 128 or texts[0] != texts[1]


def test_the_target_as_its_own_draft_is_always_right(tiny_llama: Path) -> None:
    with exact_target(tiny_llama) as target, loaded(tiny_llama, EXACT) as draft:
        for prompt in random_prompts(target.n_vocab, PROMPTS):
            answer = Runner(target).answer(ModelDrafter(draft), prompt)
            assert answer.stats.acceptance_rate == 1.0


def test_a_draft_of_another_architecture(tmp_path: Path) -> None:
    paths = make_pair(tmp_path, draft_arch="qwen2")
    with exact_target(paths[0]) as target, loaded(paths[1], DRAFT) as draft:
        for prompt in random_prompts(target.n_vocab, PROMPTS):
            plain = Runner(target).answer(None, prompt)
            found = Runner(target).answer(ModelDrafter(draft), prompt)
            assert found.tokens == plain.tokens
            assert found.stats.n_accepted > 0


def test_one_drafter_serves_conversation_after_conversation(tmp_path: Path) -> None:
    """Its cache is kept, and what does not belong there any more is noticed."""
    paths = make_pair(tmp_path)
    with exact_target(paths[0]) as target, ExitStack() as stack:
        draft = stack.enter_context(loaded(paths[1], DRAFT))
        kept, runner = ModelDrafter(draft), Runner(target)
        history: list[int] = []
        for turn, prompt in enumerate(random_prompts(target.n_vocab, 8)):
            history = prompt if turn % 3 == 0 else [*history, *prompt]
            draft.keep(0) if turn % 4 == 3 else None
            fresh = runner.answer(None, history, n=24)
            again = runner.answer(kept, history, n=24)
            assert again.tokens == fresh.tokens
            history = [*history, *fresh.tokens]
