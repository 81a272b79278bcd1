from collections.abc import Iterator

from engine.speculative.told import PROMPT, Told
from support.pairs import Runner, collect

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import DraftContext
from specchat.domain.types import (
    FinishReason,
    GenerationEvent,
    TokenEvent,
)
from specchat.drafters.model_drafter import ModelDrafter


def test_closed_after_any_event_both_caches_go_on_rightly(target: LlamaModel, draft: LlamaModel) -> None:
    runner, drafter = Runner(target), ModelDrafter(draft)
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

    def cancelled() -> Iterator[GenerationEvent]:
        count = 0
        for event in runner.start(ModelDrafter(draft), PROMPT, n=40, cancel=cancel):
            yield event
            count += isinstance(event, TokenEvent)
            if count == 10:
                cancel.cancel()

    answer = collect(cancelled())
    assert answer.end.reason is FinishReason.CANCELLED
    assert 10 <= len(answer.tokens) < 40
    assert answer.tokens == whole[: len(answer.tokens)]
    again = runner.answer(ModelDrafter(draft), PROMPT, n=40, fresh=False)
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
