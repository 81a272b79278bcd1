"""As llama.cpp's infill sampler narrows a distribution."""

import ctypes
from collections.abc import Iterator
from pathlib import Path

import llama_cpp.llama_cpp as llama
import numpy as np
import pytest
from support.plain_llama import PlainLlama, plain_llama

from specchat.engine.gap_sampler import GapSampler
from specchat.engine.sampling import top_k


@pytest.fixture(scope="module")
def plain(tiny_llama: Path) -> Iterator[PlainLlama]:
    with plain_llama(tiny_llama) as model:
        yield model


def ends_of(model: PlainLlama) -> list[int]:
    return [token for token in range(model.n_vocab) if llama.llama_vocab_is_eog(model.vocab, token)]


def piece(model: PlainLlama, token: int) -> bytes:
    buffer = ctypes.create_string_buffer(128)
    count = llama.llama_token_to_piece(model.vocab, token, buffer, len(buffer), 0, False)
    return buffer.raw[:count]


def narrowed_by_llama(model: PlainLlama, ids: list[int], scores: list[float]) -> set[int]:
    data = (llama.llama_token_data * len(ids))()
    for place, (token, score) in enumerate(zip(ids, scores, strict=True)):
        data[place] = llama.llama_token_data(token, score, 0.0)
    found = llama.llama_token_data_array(data, len(ids), -1, False)
    sampler = llama.llama_sampler_init_infill(model.vocab)
    llama.llama_sampler_apply(sampler, ctypes.byref(found))
    llama.llama_sampler_free(sampler)
    return {found.data[place].id for place in range(found.size)}


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("end_score", [-np.inf, -4.0, -2.0, 0.0, 2.0])
def test_what_is_kept(plain: PlainLlama, scale: float, end_score: float) -> None:
    ends = ends_of(plain)
    sampler = GapSampler(lambda token: piece(plain, token), ends)
    words = np.array([token for token in range(plain.n_vocab) if piece(plain, token).isalpha()])
    for seed in range(20):
        random = np.random.default_rng(seed)
        logits = np.full(plain.n_vocab, -50.0, np.float32)
        chosen = random.choice(words, 12, replace=False)
        logits[chosen] = scale * random.standard_normal(12)
        logits[ends[0]] = logits[chosen].max() + end_score
        ids = top_k(logits, 10)
        kept, _ = sampler.narrow(ids, logits[ids].astype(np.float64))
        wanted = narrowed_by_llama(plain, ids.tolist(), logits[ids].tolist())
        if wanted <= set(ends):  # llama.cpp has a name for the one that ends a turn
            assert set(kept.tolist()) <= set(ends)
        else:
            assert set(kept.tolist()) == wanted


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_tokens_that_begin_alike_among_all_tokens(plain: PlainLlama, scale: float) -> None:
    """Without top-k: most of them are out of the question."""
    ends = ends_of(plain)
    pieces = {token: piece(plain, token) for token in range(plain.n_vocab)}
    sampler = GapSampler(pieces.__getitem__, ends)
    words = sorted((token for token in pieces if pieces[token].isalpha()), key=pieces.__getitem__)
    ids = np.arange(plain.n_vocab)
    for seed in range(20):
        random = np.random.default_rng(seed)
        logits = random.uniform(-40.0, -30.0, plain.n_vocab).astype(np.float32)
        logits[ends] = -60.0
        first = random.integers(0, len(words) - 12)
        logits[words[first : first + 12]] = scale * random.standard_normal(12)
        kept, _ = sampler.narrow(ids, logits.astype(np.float64))
        wanted = narrowed_by_llama(plain, ids.tolist(), logits.tolist())
        assert set(kept.tolist()) - set(ends) == wanted - set(ends)  # it has each end, too, however unlikely
