"""What heads learn from: the target's answers with its states and its likeliest next tokens, computed once and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from data import Document
from heads import HeadShape
from model import Transformer, halves
from torch import Tensor

LIKELY = 24
"""Next tokens kept of the target's distribution."""
ROWS, ANCHORS = 4, 16
"""Texts of a batch, and the places in each answer from which is guessed."""
BATCHES_PER_ROUND = 150
STRETCH, BEFORE = 64, 96
"""Tokens of an answer that are guessed in one row, and of what precedes them."""
WHOLE = 0.15
"""Of the rows have all that precedes."""
LENGTHS = (2, 3, 4, 6, 8)
"""Of blocks and chains, as many as the head can guess: each place of a block sees how many there are."""
_LENGTHS = 32
_TRACED_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Traces:
    """All texts, one after the other."""

    tokens: Tensor
    features: Tensor
    """The inputs of the target's layers, side by side: [tokens, n_features], half precision."""
    likely: Tensor
    """The likeliest next tokens: [tokens, LIKELY]."""
    shares: Tensor
    """Their probabilities, which sum to 1."""
    spans: Tensor
    """Where a text begins, where its answer does, and where it ends: [texts, 3]."""


@dataclass(frozen=True, slots=True)
class HeadBatch:
    tokens: Tensor
    features: Tensor
    likely: Tensor
    shares: Tensor
    anchors: Tensor
    """[rows, anchors]: positions of tokens of the answer; the first is its first token."""
    lengths: Tensor
    n_guesses: int
    """From each anchor."""

    @property
    def n_predicted(self) -> int:
        return int(self.anchors.numel())

    def after(self, values: Tensor, n: int) -> Tensor:
        """The values at each anchor and the places behind it: [rows, anchors, n, ...]."""
        places = self.places(n).clamp(max=values.shape[1] - 1)
        rows = torch.arange(values.shape[0])[:, None, None]
        return values[rows, places]

    def places(self, n: int) -> Tensor:
        return self.anchors[..., None] + torch.arange(n)


def kept_traces(
    file: Path, target: Transformer, documents: Callable[[], Sequence[Document]], target_layers: Sequence[int]
) -> Traces:
    if not file.exists():
        made = trace(target, documents(), target_layers)
        unfinished = file.with_suffix(".part")
        torch.save((made.tokens, made.features, made.likely, made.shares, made.spans), unfinished)
        unfinished.replace(file)
    return Traces(*torch.load(file, weights_only=True, mmap=True))


def trace(target: Transformer, documents: Sequence[Document], target_layers: Sequence[int]) -> Traces:
    """Texts of similar length go through the target together."""
    in_order = sorted(documents, key=lambda document: len(document.tokens))
    parts: list[tuple[Tensor, ...]] = []
    spans: list[tuple[int, int, int]] = []
    begin = 0
    for group in _groups(in_order):
        read = _padded(group)
        with torch.no_grad(), halves():
            by_layer = target.states(read)
            probabilities, ids = target.logits(by_layer[-1]).float().softmax(-1).topk(LIKELY)
        states = torch.cat([by_layer[i] for i in target_layers], -1).half()
        probabilities = (probabilities / probabilities.sum(-1, keepdim=True)).half()
        for row, document in enumerate(group):
            n = len(document.tokens)
            parts.append((read[row, :n].short(), states[row, :n], ids[row, :n].short(), probabilities[row, :n]))
            answer = next(i for i, weight in enumerate(document.weights) if weight)
            spans.append((begin, begin + answer, begin + n))
            begin += n
    tokens, features, likely, shares = (torch.cat(part) for part in zip(*parts, strict=True))
    return Traces(tokens, features, likely, shares, torch.tensor(spans))


def head_batches(traces: Traces, shape: HeadShape, seed: int, round_: int) -> list[HeadBatch]:
    """One round of training; follows from the seed and the round alone."""
    rng = Random(f"{seed} {round_}")
    spans: list[list[int]] = traces.spans.tolist()
    drawn = sorted(rng.choices(spans, k=ROWS * BATCHES_PER_ROUND), key=lambda span: span[2] - span[0])
    groups = [drawn[i : i + ROWS] for i in range(0, len(drawn), ROWS)]
    rng.shuffle(groups)
    return [_batch(traces, group, min(rng.choice(LENGTHS), shape.n_block), rng) for group in groups]


def _batch(traces: Traces, group: Sequence[Sequence[int]], n_guesses: int, rng: Random) -> HeadBatch:
    windows = [_window(span, rng) for span in group]
    lengths = [end - begin for begin, _, end in windows]
    width = -(-max(lengths) // _LENGTHS) * _LENGTHS
    at = torch.stack([torch.arange(begin, begin + width).clamp(max=end - 1) for begin, _, end in windows])
    anchors = [
        [rng.randrange(first - begin, max(first - begin + 1, end - begin - 1)) for _ in range(ANCHORS)]
        for begin, first, end in windows
    ]
    return HeadBatch(
        traces.tokens[at].long(),
        traces.features[at].float(),
        traces.likely[at].long(),
        traces.shares[at].float(),
        torch.tensor(anchors),
        torch.tensor(lengths),
        n_guesses,
    )


def _window(span: Sequence[int], rng: Random) -> tuple[int, int, int]:
    """Most of a long text teaches nothing about the next tokens: a stretch of the answer and what is before it."""
    begin, answer, end = span
    first = rng.randrange(answer, max(answer + 1, end - STRETCH))
    if rng.random() > WHOLE:
        begin = max(begin, first - BEFORE)
    return begin, first, min(end, first + STRETCH)


def _groups(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    start = 0
    while start < len(documents):
        longest = len(documents[min(len(documents) - 1, start + 63)].tokens)
        end = min(len(documents), start + max(1, _TRACED_TOKENS // longest))
        yield documents[start:end]
        start = end


def _padded(group: Sequence[Document]) -> Tensor:
    tokens = torch.zeros((len(group), max(len(document.tokens) for document in group)), dtype=torch.long)
    for row, document in enumerate(group):
        tokens[row, : len(document.tokens)] = torch.tensor(document.tokens)
    return tokens
