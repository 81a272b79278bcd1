"""A draft with another vocabulary: what it reads is the target's text, and the answer is that of plain decoding."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model
from support.pairs import DRAFT, GREEDY, Runner, exact_target, load_pair, loaded
from support.tokenizer_kinds import tokenizers
from support.vocabularies import BpeVocab, SpmVocab, Vocab

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import DRAFT as DRAFTED
from specchat.domain.types import GenerationRequest, PairChoice, SamplingParams, VocabularyVerdict
from specchat.drafters.token_map import TokenMap
from specchat.drafters.translated_text import TranslatedText
from specchat.drafters.translating_drafter import TranslatingDrafter
from specchat.gguf.files import compare_files

TEXTS = {
    "Latin": "<|im_start|>user\nWhat do you know?<|im_end|>\nThey don't, naïve Zürich façade; 12,345.\n\n",
    "Cyrillic": "Привет, как дела? Жизнь прекрасна — и \tдва  пробела.",
    "Chinese": "你好，世界。今天天气很好，我们去公园吧！",
    "Arabic": "مرحبا بالعالم، كيف حالك اليوم؟",
    "emoji": "😀👍🏽 text 🎉🎉 and 👩‍👩‍👧 more 🇩🇪",
    "code": "def f(x):\n    return {i: i**2 for i in range(10)}  # don't\n\n\tassert f(2) != '→'\r\n",
}


SAMPLINGS = (GREEDY, SamplingParams(temperature=0.8, seed=3, repeat_penalty=1.1))


@dataclass(frozen=True)
class Side:
    vocab: Vocab
    kind: str = ""
    """Of another kind, in place of the vocabulary's own."""

    def make(self, path: Path, n_layer: int) -> Path:
        recipe = ModelRecipe(vocab=self.vocab, n_layer=n_layer, speaks_bytes=True)
        return make_model(path, recipe, tokenizers()[self.kind] if self.kind else None)


LLAMA_BPE, QWEN = Side(BpeVocab()), Side(BpeVocab(2048, pre="qwen2"))
GPT2, SPM, SMALL_SPM = Side(BpeVocab(700, pre="gpt-2")), Side(SpmVocab()), Side(SpmVocab(640))
GEMMA4, T5 = Side(SpmVocab(), "gemma4"), Side(SpmVocab(), "t5")
PAIRS: Mapping[str, tuple[Side, Side]] = {
    "llama-bpe, SPM": (LLAMA_BPE, SPM),
    "SPM, llama-bpe": (SPM, LLAMA_BPE),
    "qwen2, llama-bpe": (QWEN, LLAMA_BPE),
    "llama-bpe, qwen2": (LLAMA_BPE, QWEN),
    "qwen2, small SPM": (QWEN, SMALL_SPM),
    "small SPM, qwen2": (SMALL_SPM, QWEN),
    "gpt-2, SPM": (GPT2, SPM),
    "SPM, gpt-2": (SPM, GPT2),
    "llama-bpe, gemma4": (LLAMA_BPE, GEMMA4),
    "gemma4, llama-bpe": (GEMMA4, LLAMA_BPE),
    "small SPM, SPM": (SMALL_SPM, SPM),
    "32k SPM, 152k qwen2": (Side(SpmVocab(32_000)), Side(BpeVocab(152_064, pre="qwen2"))),
}


@dataclass(frozen=True)
class Models:
    target: LlamaModel
    draft: LlamaModel
    map: TokenMap
    paths: tuple[Path, Path]

    def tokens(self, text: str) -> list[int]:
        return self.target.vocabulary.tokenize(text, add_special=True, parse_special=True)


def token_map(target: LlamaModel, draft: LlamaModel, paths: tuple[Path, Path]) -> TokenMap:
    return TokenMap(target.vocabulary, draft.vocabulary, compare_files(*paths).overlap)


def shared(mapped: TokenMap) -> tuple[int, int]:
    """As llama.cpp has the pieces: how many both have, of how many."""
    sides = set(mapped.target_pieces), set(mapped.draft_pieces)
    return len(sides[0] & sides[1]), max(map(len, sides))


@pytest.fixture(params=PAIRS, scope="module")
def models(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Models]:
    folder = tmp_path_factory.mktemp("pair")
    sides = PAIRS[request.param]
    paths = sides[0].make(folder / "target.gguf", 3), sides[1].make(folder / "draft.gguf", 1)
    with exact_target(paths[0]) as target, loaded(paths[1], DRAFT) as draft:
        yield Models(target, draft, token_map(target, draft, paths), paths)


def test_the_verdict(models: Models) -> None:
    found = compare_files(*models.paths)
    assert found.verdict is VocabularyVerdict.TRANSLATABLE
    assert [reason.code for reason in found.reasons][:2] == ["other-vocabulary", "shared-tokens"]
    both, larger = shared(models.map)
    assert found.overlap == pytest.approx(both / larger, abs=0.02)


def test_a_vocabulary_that_changes_text_is_not_translated(tmp_path: Path) -> None:
    """T5 reads the end of a line as a space."""
    found = compare_files(LLAMA_BPE.make(tmp_path / "target.gguf", 1), T5.make(tmp_path / "draft.gguf", 1))
    assert found.verdict is VocabularyVerdict.INCOMPATIBLE


@pytest.mark.parametrize("script", TEXTS)
def test_the_draft_reads_the_same_text(models: Models, script: str) -> None:
    """However it grows, and where some of it is taken back."""
    tokens, rng = models.tokens(TEXTS[script]), random.Random(script)
    text, n = TranslatedText(models.map), 0
    while n < len(tokens):
        n = max(1, min(len(tokens), n + rng.randint(1, 4) - rng.choice((0, 0, rng.randint(0, 5)))))
        text.follow(np.array(tokens[:n], dtype=np.int32))
        ours = b"".join(models.map.target_pieces[token] for token in tokens[:n])
        theirs = b"".join(models.map.draft_pieces[token] for token in text.tokens.tolist())
        assert ours.startswith(theirs)
        assert len(theirs) == len(ours) or not text.is_whole
    assert text.is_whole
    assert text.n_tokens_at(n) == len(text.tokens)
    assert text.n_known(len(text.tokens)) == n


@pytest.mark.parametrize("script", TEXTS)
def test_tokens_equal_plain_decoding(models: Models, script: str) -> None:
    """By turns greedy and sampled, with penalties."""
    sampling = SAMPLINGS[list(TEXTS).index(script) % 2]
    runner, prompt = Runner(models.target), models.tokens(TEXTS[script])
    plain = runner.answer(None, prompt, sampling, 32)
    found = runner.answer(TranslatingDrafter(models.draft, models.map), prompt, sampling, 32)
    assert found.tokens == plain.tokens
    assert found.text == plain.text
    assert found.stats.n_drafted > 0


def test_control_tokens_are_never_guessed(models: Models) -> None:
    controls = [token for token, piece in enumerate(models.map.target_pieces) if not piece]
    assert controls
    assert (models.map.to_draft[controls] == -1).all()
    assert not np.isin(models.map.to_target, controls).any()


SENTENCE = " and will look your user world you some see"
"""Some of its words are one token here and several there."""


@pytest.fixture(params=["direct", "as text"])
def reciters(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Models]:
    """Both know the same words by heart."""
    vocabs: tuple[Vocab, Vocab] = (BpeVocab(), SpmVocab(1060))
    if request.param == "as text":
        vocabs = BpeVocab(), SpmVocab(600)
    paths = tuple(
        _reciter(tmp_path / name, vocab, n) for name, vocab, n in zip(("t.gguf", "d.gguf"), vocabs, (3, 1), strict=True)
    )
    with exact_target(paths[0]) as target, loaded(paths[1], replace(DRAFT, max_draft=31)) as draft:
        mapped = token_map(target, draft, (paths[0], paths[1]))
        assert mapped.is_direct is (request.param == "direct")
        yield Models(target, draft, mapped, (paths[0], paths[1]))


def _reciter(path: Path, vocab: Vocab, n_layer: int) -> Path:
    recipe = ModelRecipe(vocab=vocab, n_layer=n_layer)
    make_model(path, recipe)
    with loaded(path, DRAFT) as model:
        tokens = model.vocabulary.tokenize_on(SENTENCE)
    assert len(set(tokens)) == len(tokens)
    return make_model(path, replace(recipe, recites=tuple(tokens)))


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.5, seed=1)])
def test_a_draft_that_knows_the_text_is_right(reciters: Models, sampling: SamplingParams) -> None:
    prompt = reciters.target.vocabulary.tokenize_on(SENTENCE)[:2]
    wanted = len(reciters.target.vocabulary.tokenize_on(SENTENCE)) - 3
    runner = Runner(reciters.target)
    plain = runner.answer(None, prompt, sampling, wanted)
    found = runner.answer(TranslatingDrafter(reciters.draft, reciters.map), prompt, sampling, wanted)
    assert found.tokens == plain.tokens
    assert plain.text in SENTENCE
    assert found.stats.acceptance_rate > 0.8


def test_the_pair_by_its_files(reciters: Models, tmp_path: Path) -> None:
    """As people load it: automatic, and told by the header alone."""
    choice = PairChoice(ModelFile(reciters.paths[0]), ModelFile(reciters.paths[1]), draft_type="model", draft_max=4)
    with closing(load_pair(tmp_path, choice)) as pair:
        prompt = pair.prompts.tokenize_text(SENTENCE)[:2]
        request = GenerationRequest(prompt, GREEDY, 6, ignore_eos=True)
        events = list(pair.generate(request, CancelToken()))
        assert DRAFTED in [getattr(event, "origin", "") for event in events]


def test_only_the_end_is_read(reciters: Models) -> None:
    """After a long text of somebody else's guesses, it may begin in the middle."""
    runner = Runner(reciters.target)
    prompt = [*reciters.tokens("It is what it was. " * 12), *reciters.target.vocabulary.tokenize_on(SENTENCE)[:3]]
    plain = runner.answer(None, prompt, GREEDY, 6)

    class Beginning(TranslatingDrafter):
        def propose(self, context, budget):  # type: ignore[no-untyped-def]
            if self.n_skipped == 0:
                assert self.n_missed(context) > 20
                self.restart_with_last(context, 8)
            assert self.n_missed(context) <= 9
            return super().propose(context, budget)

    found = runner.answer(Beginning(reciters.draft, reciters.map), prompt, GREEDY, 6)
    assert found.tokens == plain.tokens
    assert found.stats.n_accepted > 0
    assert len(reciters.draft.cached) < len(prompt)


def test_what_it_would_have_guessed(reciters: Models) -> None:
    runner, seen = Runner(reciters.target), list[tuple[float, bool]]()

    class Rehearsing(TranslatingDrafter):
        def propose(self, context, budget):  # type: ignore[no-untyped-def]
            seen.extend(self.rehearse(context, 6))
            return super().propose(context, budget)

    prompt = reciters.target.vocabulary.tokenize_on(SENTENCE)
    drafter = Rehearsing(reciters.draft, reciters.map)
    plain, found = runner.answer(None, prompt, GREEDY, 4), runner.answer(drafter, prompt, GREEDY, 4)
    assert found.tokens == plain.tokens
    assert sum(held for _, held in seen[:5]) >= 4
    assert all(0 <= score <= 1 for score, _ in seen)


def test_a_long_text_is_read_in_parts(reciters: Models) -> None:
    settings = replace(DRAFT, n_ctx=2048, max_draft=31)
    with loaded(reciters.paths[0], settings) as target, loaded(reciters.paths[1], settings) as draft:
        prompt = target.vocabulary.tokenize_on("It is what it was. " * 90 + SENTENCE)[:-5]
        assert len(prompt) > BATCH
        drafter = TranslatingDrafter(draft, token_map(target, draft, reciters.paths))
        plain, found = Runner(target).answer(None, prompt, n=5), Runner(target).answer(drafter, prompt, n=5)
    assert found.stats.n_accepted > 0
    assert found.text == plain.text


def test_its_context_is_full(reciters: Models, tmp_path: Path) -> None:
    prompt = reciters.tokens("It is what it was. " * 6)
    with loaded(reciters.paths[1], replace(DRAFT, n_ctx=32, max_draft=31)) as draft:
        drafter = TranslatingDrafter(draft, token_map(reciters.target, draft, reciters.paths))
        found = Runner(reciters.target).answer(drafter, prompt, GREEDY, 8)
    assert found.tokens == Runner(reciters.target).answer(None, prompt, GREEDY, 8).tokens
