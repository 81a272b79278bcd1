from collections.abc import Iterator
from pathlib import Path

import pytest
from engine.speculative.told import PROMPT, Told, oracle
from support.ggufs import ModelRecipe, make_model
from support.pairs import Runner, exact_target
from support.vocabularies import BpeVocab

from specchat.backends.llama_model import LlamaModel
from specchat.domain.errors import ContextFullError, SettingError
from specchat.domain.ports import DraftContext
from specchat.domain.types import (
    FinishReason,
    TokenEvent,
)
from specchat.drafters.model_drafter import ModelDrafter


@pytest.mark.parametrize("n", [0, 1, 2, 5, 17])
def test_as_many_tokens_as_asked_for(target: LlamaModel, draft: LlamaModel, n: int) -> None:
    answer = Runner(target).answer(ModelDrafter(draft), PROMPT, n=n)
    assert len(answer.tokens) == n == answer.stats.n_generated
    assert answer.end.reason is FinishReason.LENGTH
    assert not answer.end.context_full


def test_nothing_is_guessed_beyond_the_end(target: LlamaModel) -> None:
    budgets: list[int] = []

    def guess(context: DraftContext, budget: int) -> list[int]:
        budgets.append(budget)
        return [1] * budget

    Runner(target, 5).answer(Told(guess), PROMPT, n=4)
    assert budgets[0] == 2, "3 tokens are left, one of which the target adds itself"


@pytest.fixture
def reciter(tmp_path: Path) -> Iterator[tuple[LlamaModel, list[int]]]:
    """A model that says one known sentence, ends it, and goes on with something else."""
    vocab = BpeVocab()
    table = vocab.table()
    sentence = [*vocab.byte_tokens("Ça va 🙂 END now".encode()), table.id("<|im_end|>")]
    distinct = list(dict.fromkeys(sentence))
    start = table.id("<|im_start|>")
    path = make_model(tmp_path / "reciter.gguf", ModelRecipe(recites=(start, *distinct), vocab=vocab))
    with exact_target(path) as model:
        yield model, distinct


def test_the_end_token_ends_the_answer_also_as_a_guess(reciter: tuple[LlamaModel, list[int]]) -> None:
    model, sentence = reciter
    start = model.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)
    plain = Runner(model).answer(None, start, ignore_eos=False)
    assert plain.tokens == sentence
    assert plain.end.reason is FinishReason.STOP
    assert "<|im_end|>" not in plain.text
    known = [*sentence, *sentence]
    found = Runner(model).answer(oracle(known, len(start)), start, ignore_eos=False)
    assert (found.tokens, found.text) == (plain.tokens, plain.text)
    assert found.stats.n_accepted == found.origins.count("told")
    on = Runner(model).answer(None, start, n=len(sentence) + 5, ignore_eos=True)
    assert len(on.tokens) == len(sentence) + 5
    assert not any(map(model.is_end_token, on.tokens))
    guessed = Runner(model).answer(oracle(known, len(start)), start, n=len(sentence) + 5, ignore_eos=True)
    assert guessed.tokens == on.tokens


def test_stop_strings_cut_the_text_where_they_begin(reciter: tuple[LlamaModel, list[int]]) -> None:
    model, sentence = reciter
    start = model.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)
    whole = Runner(model).answer(None, start, ignore_eos=False).text
    assert "🙂" in whole
    for stop in ("🙂", whole[3:9], whole[-2:]):
        for drafter in (None, oracle(sentence, len(start))):
            answer = Runner(model).answer(drafter, start, stop=(stop,))
            assert answer.text == whole[: whole.index(stop)]
            assert answer.end.reason is FinishReason.STOP


def test_guesses_after_the_end_are_not_counted(reciter: tuple[LlamaModel, list[int]]) -> None:
    model, sentence = reciter
    start = model.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)
    whole = Runner(model).answer(None, start, ignore_eos=False).text
    for stop, ignore_eos in ((whole[3:5], True), ("", False)):
        answer = Runner(model).answer(
            oracle([*sentence, 1, 2, 3, 4], len(start)), start, stop=(stop,), ignore_eos=ignore_eos
        )
        assert answer.end.reason is FinishReason.STOP
        assert answer.stats.n_drafted == answer.stats.n_accepted == answer.stats.n_checked > 0


def test_each_event_shows_whole_characters(reciter: tuple[LlamaModel, list[int]]) -> None:
    model, _ = reciter
    start = model.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)
    texts = [e.text for e in Runner(model).start(None, start, ignore_eos=False) if isinstance(e, TokenEvent)]
    assert "🙂" in texts
    assert not any("�" in text for text in texts)


def test_a_full_context_is_said(target: LlamaModel, draft: LlamaModel) -> None:
    free = 9
    prompt = (PROMPT * 100)[: target.n_ctx - free]
    plain = Runner(target).answer(None, prompt, n=None)
    found = Runner(target).answer(ModelDrafter(draft), prompt, n=None)
    assert found.tokens == plain.tokens
    assert len(plain.tokens) == free + 1, "the last token need not be computed"
    for answer in (plain, found):
        assert answer.end.reason is FinishReason.LENGTH
        assert answer.end.context_full


@pytest.mark.parametrize("more", [0, 1, 500])
def test_a_prompt_as_long_as_the_context_is_refused(target: LlamaModel, more: int) -> None:
    with pytest.raises(ContextFullError, match=str(target.n_ctx)):
        Runner(target).answer(None, [5] * (target.n_ctx + more))


def test_an_empty_prompt_is_refused(target: LlamaModel) -> None:
    with pytest.raises(SettingError, match="empty"):
        Runner(target).answer(None, [])
