"""Does llama.cpp guess with a head's file what the training's network guesses?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from conversations import Conversation
from export_heads import mask_token
from gguf_file import Floats
from heads import BlockHead, ChainHead, Head
from llama_heads import LlamaBlockHead, LlamaChainHead, Target, load_drafter
from model import Transformer
from tokenizer import ChatTokenizer

_PROMPTS = ("What is a draft model?", "hello", "Tom has 3 apples and buys 4 more. How many are there?")
_ANSWERED = 12
_QUANTISATION_NOISE = 0.2
"""Of the logits' spread, and of 1 for confidences."""


@dataclass(slots=True)
class Agreement:
    logits: float = 0.0
    """The largest difference, as a part of their spread."""
    confidences: float = 0.0
    """The largest difference."""
    same: int = 0
    compared: int = 0
    """Guesses."""


def check_head(
    head_file: Path, target_file: Path, head: Head, target: Transformer, tokenizer: ChatTokenizer
) -> Agreement:
    read = Target(target_file)
    theirs = load_drafter(head_file, read)
    assert isinstance(theirs, LlamaBlockHead | LlamaChainHead)
    found = Agreement()
    n = head.shape.n_block
    for text in _PROMPTS:
        tokens = tokenizer.prompt(Conversation(((text, ""),)))
        read.clear()
        theirs.clear()
        logits, features = read.read(tokens, 0)
        theirs.catch_up(tokens, features, 0)
        for _ in range(_ANSWERED):
            token = int(logits[-1].argmax())
            guessed = theirs.guess(token, len(tokens), n)
            ours, sure = _guess(head, target, [*tokens, token], mask_token(tokenizer), guessed)
            difference = np.abs(ours - theirs.logits_of_guesses).mean() / ours.std()
            found.logits = max(found.logits, float(difference))
            if sure is not None and isinstance(theirs, LlamaBlockHead):
                found.confidences = max(found.confidences, float(np.abs(sure - theirs.confidences).max()))
            found.same += int((ours.argmax(1) == guessed).sum())
            found.compared += n
            logits, features = read.read([token], len(tokens))
            theirs.catch_up([token], features, len(tokens))
            tokens.append(token)
    theirs.close()
    read.close()
    if max(found.logits, found.confidences) > _QUANTISATION_NOISE:
        raise AssertionError(f"llama.cpp computes something else with {head_file}: {found}")
    return found


def _guess(
    head: Head, target: Transformer, tokens: list[int], mask: int, guessed: list[int]
) -> tuple[Floats, Floats | None]:
    """Logits and confidences of all guesses after the last token, each with the guesses before it given."""
    n, last = head.shape.n_block, len(tokens) - 1
    with torch.no_grad():
        inputs = target.states(torch.tensor([tokens]))
        features, anchor = torch.cat([inputs[i] for i in head.shape.target_layers], -1), torch.tensor([[last]])
        if isinstance(head, ChainHead):
            chain = target.embedding(torch.tensor([[[tokens[-1], *guessed[:-1]]]]))
            states = head(*head.paired(features, target.embedding(torch.tensor([tokens])), anchor), chain)
            return _numbers(target.logits(head.hidden(torch.cat(states, 2)))), None
        assert isinstance(head, BlockHead)
        block = target.embedding(torch.tensor([[[tokens[-1]] + [mask] * (head.shape.n_places(n) - 1)]]))
        hidden = head(features, anchor, block)[:, :, -n:]
        logits = target.logits(hidden)
        if not head.shape.markov_rank:
            return _numbers(logits), None
        previous = torch.tensor([[[tokens[-1], *guessed[:-1]]]])
        return _numbers(logits + head.bias(previous)), _numbers(head.confidences(hidden, previous).sigmoid())


def _numbers(values: torch.Tensor) -> Floats:
    return np.asarray(values[0, 0].float().numpy())
