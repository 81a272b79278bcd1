"""What a head is to learn: the target's tokens at every place of its guesses, and which guesses are accepted."""

from __future__ import annotations

from collections.abc import Callable

import torch
from heads import BlockHead, ChainHead
from model import Transformer, halves
from torch import Tensor
from torch.nn import functional
from traces import HeadBatch

FADING = 0.85
"""A later guess counts less: it is looked at only if those before were accepted."""
CONFIDENCE_WEIGHT = 0.1
OTHERS = 512


def block_loss(target: Transformer, mask_token: int) -> Callable[[BlockHead, HeadBatch], Tensor]:
    def loss(head: BlockHead, batch: HeadBatch) -> Tensor:
        n, first = batch.n_guesses, 0 if head.shape.anchor_guesses else 1
        candidates = _candidates(batch, n, head.shape.target.n_vocab)
        with halves():
            hidden = head(batch.features, batch.anchors, block_embeddings(head, target, batch, mask_token))
            hidden = hidden[:, :, first:]
            logits = functional.linear(hidden, target.embedding.weight[candidates])
            if not head.shape.markov_rank:
                return _distance(logits, candidates, batch, n)
            previous = batch.after(batch.tokens, n)
            logits = logits + functional.linear(head.markov_from(previous), head.markov_to.weight[candidates])
            sure = head.confidences(hidden.detach(), previous)
        right = candidates[logits.detach().argmax(-1)] == batch.after(batch.tokens, n + 1)[:, :, 1:]
        there = _there(batch, n)
        unsure = functional.binary_cross_entropy_with_logits(sure.float(), right.float(), reduction="none")
        return _distance(logits, candidates, batch, n) + CONFIDENCE_WEIGHT * (unsure * there).sum() / there.sum()

    return loss


def chain_loss(target: Transformer) -> Callable[[ChainHead, HeadBatch], Tensor]:
    def loss(head: ChainHead, batch: HeadBatch) -> Tensor:
        n = batch.n_guesses
        candidates = _candidates(batch, n, head.shape.target.n_vocab)
        with halves():
            embedded = target.embedding(batch.tokens)
            states = head(*head.paired(batch.features, embedded, batch.anchors), batch.after(embedded, n))
            logits = functional.linear(head.hidden(torch.cat(states, 2)), target.embedding.weight[candidates])
        return _distance(logits, candidates, batch, n)

    return loss


def _candidates(batch: HeadBatch, n: int, n_vocab: int) -> Tensor:
    """The tokens that compete: those likely anywhere in the batch, and some others. All of them cost half more."""
    return torch.cat([batch.after(batch.likely, n).flatten(), torch.randint(n_vocab, (OTHERS,))]).unique()


def block_embeddings(head: BlockHead, target: Transformer, batch: HeadBatch, mask_token: int) -> Tensor:
    """The anchor's token, then masks."""
    block = torch.full((*batch.anchors.shape, head.shape.n_places(batch.n_guesses)), mask_token)
    block[:, :, 0] = batch.after(batch.tokens, 1)[:, :, 0]
    return target.embedding(block)


def _there(batch: HeadBatch, n: int) -> Tensor:
    """Which of the guesses are of the text."""
    return (batch.places(n) + 1 < batch.lengths[:, None, None]).float()


def _distance(logits: Tensor, candidates: Tensor, batch: HeadBatch, n: int) -> Tensor:
    """Cross entropy with the target's distribution, of guesses 1 to n after the anchor."""
    likely, shares = torch.searchsorted(candidates, batch.after(batch.likely, n)), batch.after(batch.shares, n)
    logits = logits.float()
    losses = logits.logsumexp(-1) - (logits.gather(-1, likely) * shares).sum(-1)
    counts = _there(batch, n) * FADING ** torch.arange(n)
    return (losses * counts).sum() / counts.sum()
