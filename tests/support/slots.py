"""Several answers at once, and each of them alone."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from support.choices import choice_of
from support.ggufs import ModelRecipe, make_pair
from support.known_loads import knowing_loader
from support.pairs import DRAFT, EXACT

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    GenerationRequest,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.services.generation.loaded_pair import LoadedPair

RECIPE = ModelRecipe(n_ctx=1024)
N_SLOTS = 4


@dataclass
class Asked:
    request: GenerationRequest
    cancelled_after: int | None = None
    cancel: CancelToken = field(default_factory=CancelToken)
    tokens: list[int] = field(default_factory=list)
    end: GenerationFinished | None = None


def make_choice(folder: Path, recipe: ModelRecipe = RECIPE) -> PairChoice:
    target, draft = make_pair(folder, recipe=recipe)
    return choice_of(target, draft, replace(EXACT, slots=N_SLOTS), DRAFT)


def load(choice: PairChoice) -> LoadedPair:
    return knowing_loader().load(choice, CancelToken(), raw=True)


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
