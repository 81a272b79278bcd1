"""The draft learns to guess what the target would say: from its logits, on the training text and on its own answers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch
from data import Batch, Corpus, Document
from model import Cache, Transformer
from tokenizer import ChatTokenizer
from torch import Tensor
from torch.nn import functional
from train import Loss, counted

ROWS = 64
LONGEST_ANSWER = 192
SHARE_OF_OWN_ANSWERS = 0.5
TEMPERATURES = (0.0, 0.7, 1.0)
_PROMPTS = {"guide": 0.4, "maths": 0.35, "code": 0.25}


def distillation_loss(target: Transformer, from_target: float = 0.9) -> Loss:
    """How far the draft's probabilities are from the target's, with some of the plain loss."""

    def loss(draft: Transformer, batch: Batch) -> Tensor:
        hidden, wanted, weights = counted(draft, batch)
        with torch.autocast("cpu", torch.bfloat16):
            guessed = draft.logits(hidden)
            with torch.no_grad():
                taught = target.logits(counted(target, batch)[0])
        guessed = guessed.float()
        apart = functional.kl_div(
            functional.log_softmax(guessed, -1),
            functional.log_softmax(taught.float(), -1),
            reduction="none",
            log_target=True,
        ).sum(-1)
        plain = functional.cross_entropy(guessed, wanted, reduction="none")
        return ((from_target * apart + (1 - from_target) * plain) * weights).sum() / weights.sum()

    return loss


def own_answers(
    target: Transformer, corpus: Corpus, tokenizer: ChatTokenizer, n_tokens: int, file: Path
) -> list[Document]:
    """What the target says to the corpus's questions, kept in a file for the next time."""
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        return [_document(*json.loads(line)) for line in lines]
    rng = Random("own answers")
    written, documents = 0, []
    with file.with_suffix(".part").open("w", encoding="utf-8") as lines_out:
        while written < n_tokens:
            for prompt, answer in _answers(
                target, _prompts(corpus, tokenizer, rng), tokenizer, rng.choice(TEMPERATURES)
            ):
                written += len(prompt) + len(answer)
                documents.append(_document(prompt, answer))
                lines_out.write(json.dumps([prompt, answer]) + "\n")
    file.with_suffix(".part").replace(file)
    return documents


def _document(prompt: Sequence[int], answer: Sequence[int]) -> Document:
    return Document([*prompt, *answer], [0.0] * len(prompt) + [1.0] * len(answer))


def _prompts(corpus: Corpus, tokenizer: ChatTokenizer, rng: Random) -> list[list[int]]:
    """Some hundreds, of the lengths of which there are enough for a batch."""
    by_length: dict[int, list[list[int]]] = defaultdict(list)
    while True:
        (kind,) = rng.choices(list(_PROMPTS), list(_PROMPTS.values()))
        drawn = {
            "guide": lambda: corpus.guide.draw(rng),
            "maths": lambda: rng.choice(corpus.maths),
            "code": lambda: corpus.code_conversation(rng),
        }[kind]()
        prompt = tokenizer.prompt(drawn)
        alike = by_length[len(prompt)]
        alike.append(prompt)
        if len(alike) == ROWS:
            return alike


def _answers(
    model: Transformer, prompts: Sequence[list[int]], tokenizer: ChatTokenizer, temperature: float
) -> Iterator[tuple[list[int], list[int]]]:
    cache: Cache = []
    tokens = torch.tensor(prompts)
    answers: list[list[int]] = [[] for _ in prompts]
    ends = {tokenizer.turn_end, tokenizer.end_of_text}
    room = min(LONGEST_ANSWER, model.shape.n_ctx - len(prompts[0]))
    for _ in range(room):
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            logits = model.logits(model.hidden(tokens, cache)[:, -1]).float()
        chosen = (
            logits.argmax(-1) if temperature == 0 else torch.multinomial((logits / temperature).softmax(-1), 1)[:, 0]
        )
        open_ = False
        for answer, token in zip(answers, chosen.tolist(), strict=True):
            if not answer or answer[-1] not in ends:
                answer.append(token)
                open_ = open_ or token not in ends
        if not open_:
            break
        tokens = chosen[:, None]
    yield from zip(prompts, answers, strict=True)
