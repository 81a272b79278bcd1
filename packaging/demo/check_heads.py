"""Does llama.cpp guess with a head's file what the training's network guesses?"""

from __future__ import annotations

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
"""Of the logits' spread."""


def check_head(
    head_file: Path, target_file: Path, head: Head, target: Transformer, tokenizer: ChatTokenizer
) -> tuple[float, int, int]:
    """The largest difference of the logits, as a part of their spread; the guesses that are the same, and all."""
    read = Target(target_file)
    theirs = load_drafter(head_file, read)
    assert isinstance(theirs, LlamaBlockHead | LlamaChainHead)
    worst, same, compared = 0.0, 0, 0
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
            ours = _guess(head, target, [*tokens, token], mask_token(tokenizer), guessed)
            difference = np.abs(ours - theirs.logits_of_guesses).mean() / ours.std()
            worst = max(worst, float(difference))
            same += int((ours.argmax(1) == guessed).sum())
            compared += n
            logits, features = read.read([token], len(tokens))
            theirs.catch_up([token], features, len(tokens))
            tokens.append(token)
    theirs.close()
    read.close()
    if worst > _QUANTISATION_NOISE:
        raise AssertionError(f"{head_file}: llama.cpp's logits differ by {worst:.1%} of their spread")
    return worst, same, compared


def _guess(head: Head, target: Transformer, tokens: list[int], mask: int, guessed: list[int]) -> Floats:
    """Logits of all guesses after the last token, each with the guesses before it given."""
    n, last = head.shape.n_block, len(tokens) - 1
    with torch.no_grad():
        inputs = target.states(torch.tensor([tokens]))
        features, anchor = torch.cat([inputs[i] for i in head.shape.target_layers], -1), torch.tensor([[last]])
        if isinstance(head, ChainHead):
            chain = target.embedding(torch.tensor([[[tokens[-1], *guessed[:-1]]]]))
            states = head(*head.paired(features, target.embedding(torch.tensor([tokens])), anchor), chain)
            return _numbers(target.logits(head.hidden(torch.cat(states, 2))))
        assert isinstance(head, BlockHead)
        block = target.embedding(torch.tensor([[[tokens[-1]] + [mask] * (head.shape.n_places(n) - 1)]]))
        logits = target.logits(head(features, anchor, block))[:, :, -n:]
        if head.shape.markov_rank:
            logits = logits + head.bias(torch.tensor([[[tokens[-1], *guessed[:-1]]]]))
        return _numbers(logits)


def _numbers(logits: torch.Tensor) -> Floats:
    return np.asarray(logits[0, 0].float().numpy())
