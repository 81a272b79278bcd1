"""Which slot an answer has, and what is told of it while it is written."""

from dataclasses import replace

from support.gated_engine import PAIR

from specchat.domain.completions import CompletionTask, TaskFailed
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    PromptProgress,
    StepStats,
    TokenEvent,
)
from specchat.server.slot_table import SlotAnswer, SlotTable

STEP = StepStats(drafted=3, accepted=2, emitted=3, draft_s=0.0, target_s=0.0, sample_s=0.0)
END = GenerationFinished(FinishReason.LENGTH, "", GenerationStats(n_prompt=1, n_generated=3))
FOUR = replace(PAIR, n_slots=4)


def described(table: SlotTable) -> list[tuple[object, ...]]:
    return [tuple(slot.get(name) for name in ("is_processing", "id_task")) for slot in table.describe(FOUR)]


def test_each_answer_has_the_first_free_slot() -> None:
    table = SlotTable()
    answers = [table.begin(CompletionTask("x"), FOUR) for _ in range(3)]
    assert described(table) == [(True, 0), (True, 1), (True, 2), (False, None)]
    answers[1].hear(END)
    answers[0].hear(TaskFailed(None))
    assert described(table) == [(False, 0), (False, 1), (True, 2), (False, None)]
    table.begin(CompletionTask("x"), FOUR)
    assert described(table) == [(True, 3), (False, 1), (True, 2), (False, None)]


def test_each_model_has_its_own_slots() -> None:
    table, other = SlotTable(), replace(FOUR, target="other.gguf")
    table.begin(CompletionTask("x"), other)
    assert described(table) == [(False, None)] * 4
    table.begin(CompletionTask("x"), FOUR)
    assert described(table) == [(True, 1), (False, None), (False, None), (False, None)]
    assert [slot["is_processing"] for slot in table.describe(other)] == [True, False, False, False]


def test_an_answer_is_counted_while_it_is_written() -> None:
    answer = SlotAnswer(5, CompletionTask("x", max_tokens=8))
    answer.hear(PromptProgress(10, 30, 20))
    figures = answer.figures()
    assert [figures[f"n_prompt_tokens{of}"] for of in ("", "_processed", "_cache")] == [50, 10, 20]
    answer.hear(PromptProgress(30, 30, 20))
    answer.hear(TokenEvent(1, "a", TARGET, None, None, STEP))
    figures = answer.figures()
    assert [figures[name] for name in ("n_past", "n_decoded", "draft_n", "draft_n_accepted")] == [53, 3, 3, 2]
    assert figures["next_token"] == [{"has_next_token": True, "n_remain": 5, "n_decoded": 3}]
