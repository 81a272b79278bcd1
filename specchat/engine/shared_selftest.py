"""Tests whether passes that several answers share give each of them the logits of a pass of its own."""

from collections.abc import Sequence

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import LanguageModel
from specchat.engine.sampling import Logits
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.tokens import Tokens

_DEPTHS = 24, 37, 5
"""The depths of the texts, which start at different positions in the cache."""
_SIZES = (1, 2, 1), (1, 1, 2), (2, 1, 1)
"""Tokens that each has in passes one after the other."""


def rounds_as_alone(models: Sequence[LanguageModel], scheduler: SlotScheduler, cancel: CancelToken) -> bool:
    n_tokens = sum(_SIZES[0])
    texts = [_text(model, depth + n_tokens, seed) for seed, (model, depth) in enumerate(_cases(models))]
    alone = [
        np.concatenate(_evaluate(model, text[depth:], [1] * n_tokens, cancel, text[:depth]))
        for (model, depth), text in zip(_cases(models), texts, strict=True)
    ]
    together: list[list[Logits]] = [[] for _ in texts]

    def answer(place: int, model: LanguageModel, depth: int) -> None:
        text = texts[place]
        together[place] = _evaluate(model, text[depth:], _SIZES[place], cancel, text[:depth])

    for place, (model, depth) in enumerate(_cases(models)):
        scheduler.start(lambda place=place, model=model, depth=depth: answer(place, model, depth))  # type: ignore[misc]
    scheduler.run()
    for model, _ in _cases(models):
        model.keep(0)
    cancel.check()
    return all(np.array_equal(np.concatenate(found), expected) for found, expected in zip(together, alone, strict=True))


def _cases(models: Sequence[LanguageModel]) -> list[tuple[LanguageModel, int]]:
    return list(zip(models, _DEPTHS, strict=False))


def _evaluate(
    model: LanguageModel, tokens: Tokens, sizes: Sequence[int], cancel: CancelToken, before: Tokens
) -> list[Logits]:
    model.keep(0)
    model.evaluate(before, 0, cancel)
    found, at = list[Logits](), 0
    for size in sizes:
        found.append(model.evaluate(tokens[at : at + size], size, cancel).copy())
        at += size
    return found


def _text(model: LanguageModel, count: int, seed: int) -> Tokens:
    return np.random.default_rng(seed).integers(0, model.n_vocab, count).astype(np.int32)
