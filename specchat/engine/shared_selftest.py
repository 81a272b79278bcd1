"""Tests whether answers that share passes get the same logits as an answer on its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.ports import LanguageModel
from specchat.engine.sampling import Logits
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.tokens import Tokens

_DEPTHS = 24, 37, 5
"""The depths of the texts, which start at different positions in the cache."""
_SIZES = (1, 2, 1), (1, 1, 2), (2, 1, 1)
"""The number of tokens that each text has in successive passes."""
_PIECES = 8, 32
_READ, _AFTER = 97, 3
"""The number of tokens read in pieces, and of tokens after them, which read the cache that this left."""


@dataclass(frozen=True, slots=True)
class SharingResult:
    shares_passes: bool
    """Whether each answer in a shared pass gets the logits of a pass of its own."""
    least_piece: int
    """The smallest pieces in which a prompt can be read with the same result as at once."""


def run_sharing_test(models: Sequence[LanguageModel], scheduler: SlotScheduler, cancel: CancelToken) -> SharingResult:
    return SharingResult(_round_as_alone(models, scheduler, cancel), _least_piece(models[0], cancel))


def _round_as_alone(models: Sequence[LanguageModel], scheduler: SlotScheduler, cancel: CancelToken) -> bool:
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


def _least_piece(model: LanguageModel, cancel: CancelToken) -> int:
    text = _text(model, _READ + _AFTER, 0)
    whole = _read(model, text, _READ, cancel)
    found = next((size for size in _PIECES if np.array_equal(_read(model, text, size, cancel), whole)), BATCH)
    model.keep(0)
    return found


def _read(model: LanguageModel, text: Tokens, size: int, cancel: CancelToken) -> Logits:
    """Reads the text in pieces of at least `size` tokens, but less than twice as many. Returns the logits of the tokens
    after it, and the states before the output layer, which hides small differences.
    """
    model.keep(0)
    n_pieces = _READ // size
    ends = [_READ * i // n_pieces for i in range(n_pieces + 1)]
    for begin, end in zip(ends, ends[1:], strict=False):
        model.evaluate(text[begin:end], 0, cancel)
    logits = model.evaluate(text[_READ:], 1, cancel).copy()
    model.keep(_READ)
    states = model.evaluate_states(text[_READ : _READ + 1], cancel)
    return np.concatenate([logits.ravel(), states.ravel()])


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
