"""Several answers at once: each is that of its request alone, in whatever order they come, end and are cancelled."""

import gc
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil
import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model, make_pair
from support.pairs import DRAFT, EXACT

from specchat.backends.llama_context import LlamaContext
from specchat.backends.llama_model import CacheState, LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ComputeError, SettingError
from specchat.domain.types import (
    Device,
    FinishReason,
    GenerationFinished,
    GenerationRequest,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.engine.prompt_pace import PromptPace
from specchat.engine.slot_scheduler import PassPart
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.slot_limits import NO_MEMORY
from specchat.services.memory import fit_estimator
from specchat.services.memory.fit_estimator import FitEstimator

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
    cancel: CancelToken = field(default_factory=CancelToken)
    tokens: list[int] = field(default_factory=list)
    end: GenerationFinished | None = None


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)
    return choice_of(target, draft, replace(EXACT, slots=N_SLOTS, threads=1), replace(DRAFT, threads=1))


class Facts(dict[str, object]):
    """What first loads and self-tests found, so that each file is tried once."""

    def put(self, key: str, value: object) -> None:
        self[key] = value


FIRST_LOADS, SELFTESTS = Facts(), Facts()


def load(choice: PairChoice) -> LoadedPair:
    return PairLoader(FIRST_LOADS, SELFTESTS).load(choice, CancelToken(), raw=True)


def requests(seed: int, count: int, longest: int = 300) -> list[Asked]:
    """Of mixed length and settings; some begin like others."""
    chosen = random.Random(seed)
    beginning = [chosen.randrange(3, 90) for _ in range(280)]
    asked = list[Asked]()
    for i in range(count):
        prompt = [chosen.randrange(3, 90) for _ in range(chosen.choice([1, 5, 40, longest]))]
        prompt = [*beginning, *prompt[:40]] if i % 4 == 3 else prompt
        sampling = SamplingParams(
            temperature=chosen.choice([0.0, 0.8]),
            top_k=chosen.choice([0, 5]),
            repeat_penalty=chosen.choice([1.0, 1.2]),
            presence_penalty=chosen.choice([0.0, 0.3]),
            seed=i,
        )
        request = GenerationRequest(tuple(prompt), sampling, max_tokens=chosen.choice([0, 1, 7, 40]), ignore_eos=True)
        asked.append(Asked(request, chosen.choice([None, None, 0, 3])))
    return asked


def answer(pair: LoadedPair, asked: Asked, *, remembers: bool = False) -> None:
    cancel = asked.cancel
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


def answer_all(pair: LoadedPair, asked: list[Asked], order: random.Random, cancels: float = 0.0) -> None:
    """As slots become free, and not all at the same time. `cancels`: how often anybody is, before a pass."""
    waiting, begun = list(asked), list[Asked]()
    while waiting or pair.scheduler.n_answers:
        while waiting and pair.scheduler.n_answers < pair.n_slots and order.random() < 0.4:
            begun.append(one := waiting.pop(0))
            pair.scheduler.start(lambda one=one: answer(pair, one))  # type: ignore[misc]
        if cancels and begun and order.random() < cancels:
            order.choice(begun[-pair.n_slots :]).cancel.cancel()
        pair.scheduler.run_round()


def alone(choice: PairChoice, asked: list[Asked]) -> Iterator[Asked]:
    """By plain decoding, from an empty cache, one after the other."""
    settings = replace(choice.target_settings, slots=1)
    pair = load(replace(choice, target_settings=settings, draft_type="none"))
    try:
        for one in asked:
            pair.target.keep(0)
            again = Asked(one.request)
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


OWN_TEXT = """
from specchat.domain.proposal import Proposal
import numpy as np
class OwnText:
    name = "own-text"
    def __init__(self, setup):
        self.target = setup.target
    def propose(self, context, budget):
        assert context.target is self.target
        if not budget:
            return Proposal((), (), ())
        missing = context.tokens[len(self.target.cached):]
        logits = self.target.evaluate(missing, 1, context.cancel)
        token = int(np.argmax(logits[0]))
        return Proposal((token,), ("own-text",), (0.9,))
    def observe(self, accepted, proposal):
        pass
def make_drafter(setup):
    return OwnText(setup)
"""


def install(site: Path, name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(source)
    about = site / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[specchat.drafters]\n{name} = {module}:make_drafter\n")
    monkeypatch.syspath_prepend(site)


def test_drafters_of_other_packages_are_one_for_each_answer(
    choice: PairChoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This one asks the target itself, between the passes of the others."""
    install(tmp_path, "own-text", OWN_TEXT, monkeypatch)
    pair = load(replace(choice, draft=None, draft_type="own-text", draft_max=2))
    try:
        assert pair.n_slots == N_SLOTS
        asked = requests(51, 12)
        answer_all(pair, asked, random.Random(51))
        check(asked, list(alone(choice, asked)))
        stats = [one.end.stats for one in asked if one.end is not None]
        assert not any("failed" in each.speculation for each in stats)
        assert sum(each.drafted_per_source.get("own-text", 0) for each in stats)
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


def test_lookahead_has_one_slot(choice: PairChoice) -> None:
    pair = load(replace(choice, draft=None, draft_type="lookahead", draft_max=4))
    try:
        assert (pair.n_slots, pair.slots_reason) == (1, "lookahead uses all branches of the cache")
    finally:
        pair.close()


def test_a_drafter_that_cannot_be_made_keeps_no_slot(
    choice: PairChoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "only-two", MADE_ONCE_AND_AGAIN, monkeypatch)
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
