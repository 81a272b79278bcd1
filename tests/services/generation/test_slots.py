"""Several answers at once: each is that of its request alone, in whatever order they come, end and are cancelled."""

import gc
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.pairs import EXACT
from support.slots import N_SLOTS, RECIPE, Asked, alone, answer, answer_all, check, load, make_choice, requests

from specchat.backends.llama_context import LlamaContext
from specchat.backends.llama_model import LlamaModel
from specchat.domain.types import PairChoice
from specchat.engine.prompt_pace import PromptPace
from specchat.engine.slot_scheduler import PassPart


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    return make_choice(tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="module")
def texts_alone(choice: PairChoice) -> list[list[Asked]]:
    return [list(alone(choice, requests(seed, 12))) for seed in range(2)]


@pytest.mark.parametrize(
    ("draft_type", "draft_max"), [("auto", None), ("model", None), ("model", 3), ("ngram", None), ("none", None)]
)
def test_each_text_is_that_of_its_request_alone(
    choice: PairChoice, texts_alone: list[list[Asked]], draft_type: str, draft_max: int | None
) -> None:
    pair = load(replace(choice, draft_type=draft_type, draft_max=draft_max))
    try:
        assert pair.n_slots == N_SLOTS
        assert pair.selftest is not None
        assert pair.selftest.exact
        for seed in range(2):
            asked = requests(seed, 12)
            answer_all(pair, asked, random.Random(seed))
            check(asked, texts_alone[seed])
    finally:
        pair.close()


def in_another_order(asked: list[Asked], order: random.Random) -> list[Asked]:
    """And others are cancelled."""
    again = [Asked(one.request, order.choice([None, None, None, 0, 1, 5])) for one in asked]
    order.shuffle(again)
    return again


def vitals() -> tuple[int, int]:
    gc.collect()
    process = psutil.Process()
    return process.memory_info().rss, process.num_fds() if hasattr(process, "num_fds") else process.num_handles()


def test_32_answers_in_many_orders(choice: PairChoice) -> None:
    asked = requests(21, 32)
    texts = list(alone(choice, asked))
    pair = load(choice)
    pair.keep_prompt_states()
    found = list[tuple[int, int]]()
    try:
        for seed in range(5):
            order = random.Random(seed)
            again = in_another_order(asked, order)
            answer_all(pair, again, order, cancels=0.03)
            check(again, [texts[one.request.sampling.seed] for one in again])
            found.append(vitals())
            assert not any(slot.target.in_use for slot in pair.slots.all)
    finally:
        pair.close()
    (memory, handles), (memory_later, handles_later) = found[1], found[-1]
    assert handles_later == handles
    assert memory_later - memory < 4 << 20


def test_models_that_look_back_at_a_window(tmp_path: Path) -> None:
    choice = make_choice(tmp_path, replace(RECIPE, arch="gemma3"))
    pair = load(choice)
    try:
        assert pair.n_slots == N_SLOTS
        asked = requests(11, 8)
        answer_all(pair, asked, random.Random(11))
        check(asked, list(alone(choice, asked)))
    finally:
        pair.close()
    pair = load(replace(choice, target_settings=replace(choice.target_settings, exact=False)))
    try:
        asked = requests(12, 8, longest=400)
        answer_all(pair, asked, random.Random(12))
        assert all(one.end is not None for one in asked)
    finally:
        pair.close()


def test_where_common_passes_round_differently_each_has_its_own(choice: PairChoice) -> None:
    pair = load(choice)
    try:
        assert pair.target.shared.shares_passes
        pair.target.shared.shares_passes = False
        asked = requests(7, 6)
        answer_all(pair, asked, random.Random(7))
        check(asked, list(alone(choice, asked)))
    finally:
        pair.close()


class RowCounter:
    """What passes of a context compute, and a clock that follows it: 10 for each, and 1 for a row."""

    def __init__(self, context: LlamaContext) -> None:
        self.passes: list[dict[int, int]] = []
        """Rows by sequence."""
        self._compute = context.compute
        context.compute = self.compute  # type: ignore[method-assign]

    def compute(self, parts: Sequence[PassPart[LlamaModel]]) -> None:
        self.passes.append({part.model.sequence: len(part.tokens) for part in parts})
        self._compute(parts)

    def clock(self) -> float:
        return sum(self.relative_s(sum(rows.values())) for rows in self.passes)

    def relative_s(self, n_rows: int) -> float:
        return 10.0 + n_rows

    def most_between(self, sequence: int, reading: int) -> int:
        """Rows of who reads, before or in one of the other's passes."""
        most = n_read = 0
        for rows in self.passes:
            n_read += rows.get(reading, 0)
            most = max(most, n_read)
            n_read = 0 if sequence in rows else n_read
        return most


@pytest.mark.parametrize("exact", [True, False])
def test_others_go_on_while_a_long_prompt_is_read(choice: PairChoice, exact: bool) -> None:
    settings = replace(choice.target_settings, exact=exact, n_ctx=1024 if exact else 2048)
    choice = replace(choice, target_settings=settings, draft_type="none")
    short = [Asked(replace(one.request, max_tokens=150)) for one in requests(31, 3, longest=5)]
    long = Asked(replace(short[0].request, prompt=tuple(3 + i % 89 for i in range(900)), max_tokens=4))
    pair = load(choice)
    counter = RowCounter(pair.target.shared)
    pair.scheduler.relative_s, pair.scheduler._wall = counter.relative_s, counter.clock
    pair.scheduler._pace = PromptPace(counter.relative_s)
    try:
        for one in short:
            pair.scheduler.start(lambda one=one: answer(pair, one))  # type: ignore[misc]
        while min(len(one.tokens) for one in short) < 5:
            pair.scheduler.run_round()
        pair.scheduler.start(lambda: answer(pair, long))
        while not long.tokens:
            pair.scheduler.run_round()
        writing = [slot.target.sequence for slot in pair.slots.all if slot.target.in_use]
        assert len(writing) == 4
        two_steps = 2 * counter.relative_s(3)
        assert [counter.most_between(sequence, writing[-1]) <= two_steps for sequence in writing[:-1]] == [True] * 3
        pair.scheduler.run()
        if exact:
            check([*short, long], list(alone(choice, [*short, long])))
    finally:
        pair.close()


@pytest.mark.parametrize("arch", ["mamba", "lfm2", "qwen35"])
def test_recurrent_models(tmp_path: Path, arch: str) -> None:
    """A hybrid guesses while it is alone: only its own latest pass can be taken back."""
    target = make_model(tmp_path / "target.gguf", ModelRecipe(arch=arch, n_ctx=1024))
    choice = choice_of(target, None, replace(EXACT, slots=N_SLOTS, threads=1), draft_type="ngram")
    asked = requests(41, 16)
    pair = load(choice)
    pair.keep_prompt_states()
    try:
        assert pair.n_slots == N_SLOTS
        assert pair.selftest is not None
        texts = list(alone(choice, asked))
        for seed in range(2):
            order = random.Random(seed)
            answer_all(pair, again := in_another_order(asked, order), order, cancels=0.03)
            check(again, [texts[one.request.sampling.seed] for one in again])
    finally:
        pair.close()
