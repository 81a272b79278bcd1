"""The generator on real models: it can be closed anywhere, cancelled, continued, and its figures add up."""

from collections import Counter

import numpy as np
import pytest
from engine.speculative.told import PROMPT, Told
from support.pairs import Runner, loaded, random_prompts

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import DrafterError
from specchat.domain.ports import DraftContext
from specchat.domain.speculation_status import DrafterFailure
from specchat.domain.types import (
    ModelSettings,
    PromptProgress,
    TokenEvent,
)
from specchat.drafters.model_drafter import ModelDrafter


def test_the_first_token_does_not_wait_for_the_draft(target: LlamaModel, draft: LlamaModel) -> None:
    for event in Runner(target).start(ModelDrafter(draft), PROMPT):
        if isinstance(event, TokenEvent):
            break
    assert len(draft.cached) == 0


def test_only_what_is_new_is_computed(target: LlamaModel, draft: LlamaModel) -> None:
    runner, drafter = Runner(target), ModelDrafter(draft)
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
    with loaded(target.weights.path, ModelSettings(n_ctx=2048, threads=1)) as model:
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
        answer = Runner(target, 4).answer(ModelDrafter(draft), PROMPT, n=60)
    finally:
        draft.evaluate = evaluate  # type: ignore[method-assign]
    steps = answer.stats.n_verify_steps
    assert computed["tokens"] <= len(PROMPT) + answer.stats.n_drafted + 2 * steps


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
        raise DrafterError(DrafterFailure("it fell asleep"))

    answer = Runner(target).answer(Told(guess), PROMPT, n=20)
    assert answer.tokens == plain
    assert answer.stats.speculation == "off: the draft failed: it fell asleep"
    assert calls["propose"] == 1


def test_a_stale_draft_cache_is_noticed(target: LlamaModel, draft: LlamaModel) -> None:
    runner = Runner(target)
    right = runner.answer(ModelDrafter(draft), PROMPT, n=30)
    draft.keep(0)
    draft.evaluate(np.array(PROMPT[:7] + [7, 8, 9] * 20, dtype=np.int32), 1, CancelToken())
    again = runner.answer(ModelDrafter(draft), PROMPT, n=30)
    assert again.tokens == right.tokens
    assert again.stats.n_accepted == pytest.approx(right.stats.n_accepted, abs=4), "rounding aside"
