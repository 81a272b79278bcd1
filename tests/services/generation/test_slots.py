"""Several answers at once: each is that of its request alone, in whatever order they come, end and are cancelled."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model, make_pair
from support.pairs import DRAFT, EXACT

from specchat.backends.llama_model import CacheState, LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ComputeError, SettingError
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    GenerationRequest,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

RECIPE = ModelRecipe(n_ctx=1024)
N_SLOTS = 4
MADE_ONCE_AND_AGAIN = """
from specchat.domain.proposal import Proposal
made = []
class Silent:
    name = "only-two"
    def propose(self, context, budget):
        return Proposal((), (), ())
    def observe(self, accepted, proposal):
        pass
def make_drafter(setup):
    made.append(setup)
    if len(made) == 2:
        raise ValueError("once is enough")
    return Silent()
"""


@dataclass
class Asked:
    request: GenerationRequest
    cancelled_after: int | None = None
    tokens: list[int] = field(default_factory=list)
    end: GenerationFinished | None = None


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)
    return choice_of(target, draft, replace(EXACT, slots=N_SLOTS, threads=1), replace(DRAFT, threads=1))


def load(choice: PairChoice) -> LoadedPair:
    return PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken(), raw=True)


def requests(seed: int, count: int, longest: int = 300) -> list[Asked]:
    """Of mixed length and settings; some begin like others."""
    chosen = random.Random(seed)
    beginning = [chosen.randrange(3, 90) for _ in range(280)]
    asked = list[Asked]()
    for i in range(count):
        prompt = [chosen.randrange(3, 90) for _ in range(chosen.choice([1, 5, 40, longest]))]
        prompt = [*beginning, *prompt[:40]] if i % 4 == 3 else prompt
        sampling = SamplingParams(
            temperature=chosen.choice([0.0, 0.8]), seed=i, repeat_penalty=chosen.choice([1.0, 1.2])
        )
        request = GenerationRequest(tuple(prompt), sampling, max_tokens=chosen.choice([0, 1, 7, 40]), ignore_eos=True)
        asked.append(Asked(request, chosen.choice([None, None, 0, 3])))
    return asked


def answer(pair: LoadedPair, asked: Asked, *, remembers: bool = False) -> None:
    cancel = CancelToken()
    if asked.cancelled_after == 0:
        cancel.cancel()
    for event in pair.generate(asked.request, cancel, remembers=remembers):
        if isinstance(event, TokenEvent):
            asked.tokens.append(event.token)
            if len(asked.tokens) == asked.cancelled_after:
                cancel.cancel()
        elif isinstance(event, GenerationFinished):
            asked.end = event
        pair.scheduler.pause()


def answer_all(pair: LoadedPair, asked: list[Asked], order: random.Random) -> None:
    """As slots become free, and not all at the same time."""
    waiting = list(asked)
    while waiting or pair.scheduler.n_answers:
        while waiting and pair.scheduler.n_answers < pair.n_slots and order.random() < 0.4:
            one = waiting.pop(0)
            pair.scheduler.start(lambda one=one: answer(pair, one))  # type: ignore[misc]
        pair.scheduler.run_round()


def alone(choice: PairChoice, asked: list[Asked]) -> Iterator[Asked]:
    """By plain decoding, from an empty cache, one after the other."""
    settings = replace(choice.target_settings, slots=1)
    pair = load(replace(choice, target_settings=settings, draft_type="none"))
    try:
        for one in asked:
            pair.target.keep(0)
            again = replace(one, tokens=[], end=None, cancelled_after=None)
            answer(pair, again)
            yield again
    finally:
        pair.close()


def check(asked: list[Asked], expected: list[Asked]) -> None:
    for i, (one, by_itself) in enumerate(zip(asked, expected, strict=True)):
        assert one.end is not None
        n = len(one.tokens)
        assert one.tokens == by_itself.tokens[:n], f"answer {i}"
        if one.end.reason is not FinishReason.CANCELLED:
            assert n == len(by_itself.tokens)


@pytest.mark.parametrize(
    ("draft_type", "draft_max"), [("auto", None), ("model", None), ("model", 3), ("ngram", None), ("none", None)]
)
def test_each_text_is_that_of_its_request_alone(choice: PairChoice, draft_type: str, draft_max: int | None) -> None:
    pair = load(replace(choice, draft_type=draft_type, draft_max=draft_max))
    try:
        assert pair.n_slots == N_SLOTS
        assert pair.selftest is not None
        assert pair.selftest.exact
        for seed in range(2):
            asked = requests(seed, 12)
            answer_all(pair, asked, random.Random(seed))
            check(asked, list(alone(choice, asked)))
    finally:
        pair.close()


def test_models_that_look_back_at_a_window(tmp_path: Path) -> None:
    target, draft = make_pair(tmp_path, recipe=replace(RECIPE, arch="gemma3"))
    settings = replace(EXACT, slots=N_SLOTS, threads=1)
    choice = choice_of(target, draft, settings, replace(DRAFT, threads=1))
    pair = load(choice)
    try:
        assert pair.n_slots == N_SLOTS
        asked = requests(11, 8)
        answer_all(pair, asked, random.Random(11))
        check(asked, list(alone(choice, asked)))
    finally:
        pair.close()
    pair = load(replace(choice, target_settings=replace(settings, exact=False)))
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


def test_where_a_cache_does_not_come_back_the_other_answers_go_on(
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
        assert set(lost) == {"llama.cpp failed to restore its cache."}
        assert sum(one.end is not None for one in asked) == len(asked) - len(lost)
        assert not any(slot.target.in_use for slot in pair.slots.all)
    finally:
        pair.close()


def test_a_prompt_is_read_in_pieces_while_others_write(choice: PairChoice) -> None:
    settings = replace(choice.target_settings, exact=False)
    pair = load(replace(choice, target_settings=settings, draft_type="none"))
    steps: list[str] = []

    def write(name: str, prompt: tuple[int, ...], count: int) -> None:
        request = GenerationRequest(prompt, SamplingParams(temperature=0), max_tokens=count, ignore_eos=True)
        for event in pair.generate(request, CancelToken(), remembers=False):
            if isinstance(event, TokenEvent):
                steps.append(name)
            pair.scheduler.pause()

    try:
        pair.scheduler.start(lambda: write("short", (5, 6), 60))
        for _ in range(6):
            pair.scheduler.run_round()
        pair.scheduler.start(lambda: write("long", tuple(range(3, 403)), 4))
        before = len(steps)
        pair.scheduler.run()
        assert steps.index("long") - before >= 3
        assert steps.count("short") == 60
        assert steps.count("long") == 4
    finally:
        pair.close()


def test_recurrent_models_have_one_slot(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe(arch="mamba"))
    pair = load(choice_of(target, None, replace(EXACT, exact=False, slots=N_SLOTS, threads=1)))
    try:
        assert pair.n_slots == 1
        assert pair.one_slot_reason == "target.gguf has a cache that requests can't share"
        asked = requests(2, 2)
        for one in asked:
            answer(pair, replace(one, cancelled_after=None))
    finally:
        pair.close()


def test_lookahead_has_one_slot(choice: PairChoice) -> None:
    pair = load(replace(choice, draft=None, draft_type="lookahead", draft_max=4))
    try:
        assert (pair.n_slots, pair.one_slot_reason) == (1, "lookahead uses all branches of the cache")
    finally:
        pair.close()


def test_a_drafter_that_cannot_be_made_keeps_no_slot(
    choice: PairChoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_two.py").write_text(MADE_ONCE_AND_AGAIN)
    about = tmp_path / "only_two-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: only_two\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[specchat.drafters]\nonly-two = only_two:make_drafter\n")
    monkeypatch.syspath_prepend(tmp_path)
    pair = load(replace(choice, draft=None, draft_type="only-two", draft_max=2))
    try:
        with pytest.raises(SettingError, match="once is enough"):
            answer(pair, of_40_tokens(0)[0])
        answer(pair, again := of_40_tokens(0)[0])
        assert len(again.tokens) == 40
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
