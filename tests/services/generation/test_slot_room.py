"""Several answers at once have the room of a context, and of the memory: who waits, and what is read once."""

import random
from dataclasses import replace

import pytest
from support.slots import N_SLOTS, Asked, answer, answer_all, load, make_choice, requests

from specchat.backends.cached_sequence import CacheState
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ComputeError
from specchat.domain.types import (
    Device,
    FinishReason,
    GenerationFinished,
    GenerationRequest,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.slot_limits import NO_MEMORY
from specchat.services.memory import fit_estimator
from specchat.services.memory.fit_estimator import FitEstimator


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    return make_choice(tmp_path_factory.mktemp("pair"))


def test_answers_wait_where_the_context_has_no_room_for_all(choice: PairChoice) -> None:
    """Without exact mode they share one cache: what is read of those who came last is kept elsewhere meanwhile."""
    settings = replace(choice.target_settings, exact=False)
    pair = load(replace(choice, target_settings=settings))
    try:
        asked = requests(3, 12, longest=400)
        answer_all(pair, asked, random.Random(3))
        for one in asked:
            assert one.end is not None
            if one.end.reason is not FinishReason.CANCELLED:
                assert len(one.tokens) == one.request.max_tokens
        assert sum(len(slot.target.cached) for slot in pair.slots.all) <= pair.target.n_ctx
    finally:
        pair.close()


def small_pair(choice: PairChoice) -> LoadedPair:
    """Without exact mode, with room for one or two of four answers."""
    settings = replace(choice.target_settings, exact=False, n_ctx=512)
    return load(replace(choice, target_settings=settings, draft_type="model", draft_max=3))


def of_40_tokens(seed: int) -> list[Asked]:
    asked = requests(seed, 12)
    return [Asked(replace(one.request, max_tokens=40)) for one in asked]


@pytest.mark.parametrize("seed", [0, 1])
def test_what_was_kept_elsewhere_while_the_draft_was_asked_is_not_read_again(choice: PairChoice, seed: int) -> None:
    pair = small_pair(choice)
    read: list[tuple[Asked, list[list[int]]]] = []

    def write(asked: Asked) -> None:
        for event in pair.generate(asked.request, CancelToken(), remembers=False):
            if isinstance(event, TokenEvent):
                asked.tokens.append(event.token)
            elif isinstance(event, GenerationFinished):
                caches = [slot.target.cached.tolist() for slot in pair.slots.all if slot.target.in_use]
                read.append((asked, caches))
            pair.scheduler.pause()

    try:
        for one in (asked := of_40_tokens(seed)):
            while pair.scheduler.n_answers == pair.n_slots:
                pair.scheduler.run_round()
            pair.scheduler.start(lambda one=one: write(one))  # type: ignore[misc]
        pair.scheduler.run()
        assert [len(one.tokens) for one in asked] == [40] * len(asked)
        for one, caches in read:
            text = [*one.request.prompt, *one.tokens]
            assert text[:-1] in [cache[: len(text) - 1] for cache in caches]
    finally:
        pair.close()


def test_where_a_cache_does_not_come_back_only_its_answer_fails(
    choice: PairChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = small_pair(choice)
    lost = list[str]()
    restore = LlamaModel.restore

    def restore_but_once(model: LlamaModel, state: CacheState) -> bool:
        return bool(lost) and restore(model, state)

    def write(asked: Asked) -> None:
        try:
            answer(pair, asked)
        except ComputeError as error:
            lost.append(error.message)

    monkeypatch.setattr(LlamaModel, "restore", restore_but_once)
    try:
        for one in (asked := of_40_tokens(0)):
            while pair.scheduler.n_answers == pair.n_slots:
                pair.scheduler.run_round()
            pair.scheduler.start(lambda one=one: write(one))  # type: ignore[misc]
        pair.scheduler.run()
        assert lost == ["llama.cpp failed to restore its cache."]
        assert sum(one.end is not None for one in asked) == len(asked) - 1
        assert not any(slot.target.in_use for slot in pair.slots.all)
    finally:
        pair.close()


def test_a_beginning_that_others_have_read_is_not_read_again(choice: PairChoice) -> None:
    settings = replace(choice.target_settings, exact=False, n_ctx=1024)
    pair = load(replace(choice, target_settings=settings))
    beginning = tuple(range(3, 403))
    greedy = SamplingParams(temperature=0)
    asked = [Asked(GenerationRequest((*beginning, 5 + i), greedy, max_tokens=8, ignore_eos=True)) for i in range(3)]
    try:
        answer_all(pair, asked, random.Random(1))
        reused = [one.end.stats.n_prompt_reused for one in asked if one.end is not None]
        assert reused[0] == 0
        assert sorted(reused)[1:] == [400, 400]
    finally:
        pair.close()


@pytest.mark.parametrize("exact", [True, False])
def test_a_conversation_goes_on_in_any_slot(choice: PairChoice, *, exact: bool) -> None:
    """Whether it was stored when another one took its slot, or when another one took its room."""
    settings = replace(choice.target_settings, exact=exact, n_ctx=1024)
    pair = load(replace(choice, target_settings=settings))
    pair.keep_prompt_states()
    one, other, long = ([first, *range(3, last)] for first, last in ((5, 403), (6, 403), (7, 903)))

    said = dict[int, list[list[int]]]()

    def ask(*prompts: list[int]) -> list[int]:
        """Returns how much of each was known."""
        greedy = SamplingParams(temperature=0)
        asked = [Asked(GenerationRequest(tuple(prompt), greedy, 8, ignore_eos=True)) for prompt in prompts]
        for each in asked:
            pair.scheduler.start(lambda each=each: answer(pair, each))  # type: ignore[misc]
        pair.scheduler.run()
        for each in asked:
            said.setdefault(each.request.prompt[0], []).append(each.tokens)
        return [each.end.stats.n_prompt_reused for each in asked if each.end is not None]

    try:
        assert [ask(one), ask(other)] == [[0], [0]]
        assert ask(other, one) == [400, 400]
        ask(long)
        assert ask(one, other) == [400, 400]
        assert not exact or all(each == answers[0] for answers in said.values() for each in answers)
    finally:
        pair.close()


def test_an_answer_alone_does_not_look_through_idle_texts(choice: PairChoice) -> None:
    """They are stored, and come back when their conversation goes on."""
    settings = replace(choice.target_settings, exact=False, n_ctx=1024)
    pair = load(replace(choice, target_settings=settings))
    pair.keep_prompt_states()
    greedy = SamplingParams(temperature=0)

    def ask(*prompts: list[int]) -> list[int]:
        asked = [Asked(GenerationRequest(tuple(prompt), greedy, 8, ignore_eos=True)) for prompt in prompts]
        for each in asked:
            pair.scheduler.start(lambda each=each: answer(pair, each))  # type: ignore[misc]
        pair.scheduler.run()
        return [each.end.stats.n_prompt_reused for each in asked if each.end is not None]

    one, other = ([first, *range(3, 403)] for first in (5, 6))
    try:
        ask(one, other)
        assert sum(len(slot.target.cached) > 0 for slot in pair.slots.all) == 2
        assert ask(one) == [400]
        assert sum(len(slot.target.cached) > 0 for slot in pair.slots.all) == 1
        assert ask(other) == [400]
    finally:
        pair.close()


def test_who_asks_alone_has_the_first_slot(choice: PairChoice) -> None:
    pair = load(choice)
    try:
        for asked in requests(5, 4):
            pair.scheduler.start(lambda asked=asked: answer(pair, asked))  # type: ignore[misc]
            pair.scheduler.run()
        assert [slot.target.since > 0 for slot in pair.slots.all] == [True, False, False, False]
    finally:
        pair.close()


def test_exact_answers_at_once_are_as_many_as_memory_holds(choice: PairChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    def beside_weights(slots: int) -> int:
        settings = replace(choice.target_settings, slots=slots)
        (computer,) = FitEstimator().fit(replace(choice, target_settings=settings)).devices
        return computer.needed - computer.target.weights - computer.draft.weights

    total = (beside_weights(2) + beside_weights(N_SLOTS)) // 2
    monkeypatch.setattr(fit_estimator, "known_devices", lambda: (Device("CPU", "", "cpu", total, total),))
    pair = load(choice)
    try:
        assert (pair.n_slots, pair.slots_reason) == (2, NO_MEMORY)
    finally:
        pair.close()
