"""The generator on real models: it can be closed anywhere, cancelled, continued, and its figures add up."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model, make_pair
from support.pairs import DRAFT, GREEDY, Answer, Runner, collect, exact_target, loaded, random_prompts
from support.vocabularies import BpeVocab

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ContextFullError, DrafterError, SettingError
from specchat.domain.guessing import Failed
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.types import (
    TARGET,
    Event,
    FinishReason,
    ModelSettings,
    PromptProgress,
    Proposal,
    SamplingParams,
    TokenEvent,
)
from specchat.drafters.draft_model import DraftModel
from specchat.drafters.suffix import Suffix


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LlamaModel, LlamaModel]]:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"))
    with exact_target(target) as t, loaded(draft, DRAFT) as d:
        yield t, d


@pytest.fixture
def target(pair: tuple[LlamaModel, LlamaModel]) -> LlamaModel:
    pair[0].keep(0)
    return pair[0]


@pytest.fixture
def draft(pair: tuple[LlamaModel, LlamaModel]) -> LlamaModel:
    pair[1].keep(0)
    return pair[1]


PROMPT = random_prompts(1000, 1)[0]


class Told:
    """Guesses what it is told."""

    name = "told"

    def __init__(self, guess: Callable[[DraftContext, int], list[int]]) -> None:
        self._guess = guess
        self.seen: list[tuple[int, int]] = []

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        tokens = tuple(self._guess(context, budget))
        return Proposal(tokens, (self.name,) * len(tokens), (1.0,) * len(tokens))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        self.seen.append((accepted, len(proposal.tokens)))


def oracle(answer: list[int], start: int) -> Told:
    """Knows the answer, as far as the budget goes."""
    return Told(lambda context, budget: answer[len(context.tokens) - start :][:budget])


# Closing, cancelling, going on


def test_closed_after_any_event_both_caches_go_on_rightly(target: LlamaModel, draft: LlamaModel) -> None:
    runner, drafter = Runner(target), DraftModel(draft)
    whole = runner.answer(None, PROMPT, n=24).tokens
    for stop_after in range(1, 24):
        events = runner.start(drafter, PROMPT, n=24)
        said = []
        for event in events:
            if isinstance(event, TokenEvent):
                said.append(event.token)
            if len(said) == stop_after:
                break
        assert isinstance(events, Iterator)
        events.close()  # type: ignore[attr-defined]
        assert said == whole[:stop_after]
        rest = runner.answer(drafter, [*PROMPT, *said], n=24 - stop_after, fresh=False)
        assert said + rest.tokens == whole


def test_cancel_keeps_what_was_said(target: LlamaModel, draft: LlamaModel) -> None:
    runner, cancel = Runner(target), CancelToken()
    whole = runner.answer(None, PROMPT, n=40).tokens
    target.keep(0)

    def cancelled() -> Iterator[Event]:
        count = 0
        for event in runner.start(DraftModel(draft), PROMPT, n=40, cancel=cancel):
            yield event
            count += isinstance(event, TokenEvent)
            if count == 10:
                cancel.cancel()

    answer = collect(cancelled())
    assert answer.end.reason is FinishReason.CANCELLED
    assert 10 <= len(answer.tokens) < 40
    assert answer.tokens == whole[: len(answer.tokens)]
    again = runner.answer(DraftModel(draft), PROMPT, n=40, fresh=False)
    assert again.tokens == whole, "the cache has no holes"


def test_cancelled_before_it_began(target: LlamaModel) -> None:
    cancel = CancelToken()
    cancel.cancel()
    answer = collect(Runner(target).start(None, PROMPT, cancel=cancel))
    assert answer.end.reason is FinishReason.CANCELLED
    assert answer.tokens == []


def test_a_drafter_sees_a_cancel_as_the_end(target: LlamaModel) -> None:
    cancel = CancelToken()

    def guess(context: DraftContext, budget: int) -> list[int]:
        cancel.cancel()
        context.cancel.check()
        return []

    answer = collect(Runner(target).start(Told(guess), PROMPT, cancel=cancel))
    assert answer.end.reason is FinishReason.CANCELLED
    assert len(answer.tokens) == 1


# What is computed


def test_the_first_token_does_not_wait_for_the_draft(target: LlamaModel, draft: LlamaModel) -> None:
    for event in Runner(target).start(DraftModel(draft), PROMPT):
        if isinstance(event, TokenEvent):
            break
    assert len(draft.cached) == 0


def test_only_what_is_new_is_computed(target: LlamaModel, draft: LlamaModel) -> None:
    runner, drafter = Runner(target), DraftModel(draft)
    first = runner.answer(drafter, PROMPT, n=16)
    assert first.stats.n_prompt_reused == 0
    history = [*PROMPT, *first.tokens]
    second = runner.answer(drafter, [*history, *PROMPT], n=16, fresh=False)
    assert second.stats.n_prompt_reused == len(history) - 1, "all but the last token, which was never computed"
    edited = [*PROMPT[:-2], 99, *history]
    third = runner.answer(drafter, edited, n=16, fresh=False)
    assert third.stats.n_prompt_reused == len(PROMPT) - 2
    assert third.tokens == runner.answer(None, edited, n=16).tokens


def test_progress_covers_the_prompt(target: LlamaModel) -> None:
    long = random_prompts(1000, 1, seed=9)[0] * 30
    with loaded(target.weights.path, ModelSettings(n_ctx=2048, threads=2)) as model:
        progress = [e for e in Runner(model).start(None, long, n=1) if isinstance(e, PromptProgress)]
    assert [p.done for p in progress] == [*range(0, len(long), 512), len(long)]
    assert {p.total for p in progress} == {len(long)}


def test_the_draft_computes_a_token_once(target: LlamaModel, draft: LlamaModel) -> None:
    """Its cache holds all but the last guess; nothing is computed a second time."""
    computed = Counter[str]()
    evaluate = draft.evaluate

    def watching(tokens: np.typing.NDArray[np.int32], n_logits: int, cancel: CancelToken) -> object:
        computed["tokens"] += len(tokens)
        return evaluate(tokens, n_logits, cancel)

    draft.evaluate = watching  # type: ignore[method-assign, assignment]
    try:
        answer = Runner(target, 4).answer(DraftModel(draft), PROMPT, n=60)
    finally:
        draft.evaluate = evaluate  # type: ignore[method-assign]
    steps = answer.stats.n_verify_steps
    assert computed["tokens"] <= len(PROMPT) + answer.stats.n_drafted + 2 * steps


# Ends


@pytest.mark.parametrize("n", [0, 1, 2, 5, 17])
def test_as_many_tokens_as_asked_for(target: LlamaModel, draft: LlamaModel, n: int) -> None:
    answer = Runner(target).answer(DraftModel(draft), PROMPT, n=n)
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
    found = Runner(target).answer(DraftModel(draft), prompt, n=None)
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


# Drafters that misbehave


def test_guesses_too_many_or_unknown_are_cut(target: LlamaModel) -> None:
    plain = Runner(target).answer(None, PROMPT, n=20).tokens
    for guesses in ([3] * 1000, [plain[1], -1, 5], [target.n_vocab], [2**31 - 1], []):
        told = Told(lambda context, budget, g=guesses: list(g))  # type: ignore[misc]
        answer = Runner(target).answer(told, PROMPT, n=20)
        assert answer.tokens == plain
        assert max(n for _, n in told.seen) <= 5 if told.seen else True


def test_a_drafter_that_fails_is_left_out_and_named(target: LlamaModel) -> None:
    plain = Runner(target).answer(None, PROMPT, n=20).tokens
    calls = Counter[str]()

    def guess(context: DraftContext, budget: int) -> list[int]:
        calls["propose"] += 1
        raise DrafterError(Failed("it fell asleep"))

    answer = Runner(target).answer(Told(guess), PROMPT, n=20)
    assert answer.tokens == plain
    assert answer.stats.speculation == "off: the draft failed: it fell asleep"
    assert calls["propose"] == 1


def test_a_stale_draft_cache_is_noticed(target: LlamaModel, draft: LlamaModel) -> None:
    runner = Runner(target)
    right = runner.answer(DraftModel(draft), PROMPT, n=30)
    draft.keep(0)
    draft.evaluate(np.array(PROMPT[:7] + [7, 8, 9] * 20, dtype=np.int32), 1, CancelToken())
    again = runner.answer(DraftModel(draft), PROMPT, n=30)
    assert again.tokens == right.tokens
    assert again.stats.n_accepted == pytest.approx(right.stats.n_accepted, abs=4), "rounding aside"


# Figures


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
    drafters: list[Drafter] = [DraftModel(draft), Suffix()]
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
