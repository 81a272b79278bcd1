"""The draft learns to guess what the target would say: from its logits, on the training text and on its own answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch
from data import Batch, Corpus, Document
from model import Cache, Transformer, halves
from tokenizer import ChatTokenizer
from torch import Tensor
from torch.nn import functional
from train import Loss, counted

ROWS, GROUPS = 64, 12
LONGEST_PROMPT, LONGEST_ANSWER = 384, 192
SHARE_OF_OWN_ANSWERS = 0.5
TEMPERATURES = (0.0, 0.7, 1.0)
_PROMPTS = {"guide": 0.4, "maths": 0.35, "code": 0.25}


def distillation_loss(target: Transformer, from_target: float = 0.9) -> Loss:
    """How far the draft's probabilities are from the target's, with some of the plain loss."""

    def loss(draft: Transformer, batch: Batch) -> Tensor:
        hidden, wanted, weights = counted(draft, batch)
        with halves():
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
    target: Transformer,
    corpus: Corpus,
    tokenizer: ChatTokenizer,
    n_tokens: int,
    file: Path,
    temperatures: Sequence[float] = TEMPERATURES,
) -> list[Document]:
    """What the target says to the corpus's questions, kept in a file for the next time."""
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        return [answered(*json.loads(line)) for line in lines]
    rng = Random("own answers")
    torch.manual_seed(0)
    written, documents = 0, []
    with file.with_suffix(".part").open("w", encoding="utf-8") as lines_out:
        groups = _groups_of_prompts(corpus, tokenizer, rng)
        while written < n_tokens:
            for prompt, answer in _answers(target, next(groups), tokenizer, rng.choice(temperatures)):
                written += len(prompt) + len(answer)
                documents.append(answered(prompt, answer))
                lines_out.write(json.dumps([prompt, answer]) + "\n")
    file.with_suffix(".part").replace(file)
    return documents


def answered(prompt: Sequence[int], answer: Sequence[int]) -> Document:
    return Document([*prompt, *answer], [0.0] * len(prompt) + [1.0] * len(answer))


def _groups_of_prompts(corpus: Corpus, tokenizer: ChatTokenizer, rng: Random) -> Iterator[list[list[int]]]:
    """Without end, those of a group of similar length."""
    drawing = {
        "guide": lambda: corpus.guide.draw(rng),
        "maths": lambda: rng.choice(corpus.maths),
        "code": lambda: corpus.code_conversation(rng),
    }
    while True:
        kinds = rng.choices(list(_PROMPTS), list(_PROMPTS.values()), k=GROUPS * ROWS)
        prompts = [tokenizer.prompt(drawing[kind]()) for kind in kinds]
        prompts = sorted((prompt for prompt in prompts if len(prompt) <= LONGEST_PROMPT), key=len)
        groups = [prompts[start : start + ROWS] for start in range(0, len(prompts), ROWS)]
        rng.shuffle(groups)
        yield from groups


def _answers(
    model: Transformer, prompts: Sequence[list[int]], tokenizer: ChatTokenizer, temperature: float
) -> Iterator[tuple[list[int], list[int]]]:
    """Every row reads its prompt to the end, then its own answer, and leaves when that has ended."""
    cache: Cache = []
    answers: list[list[int]] = [[] for _ in prompts]
    ends = {tokenizer.turn_end, tokenizer.end_of_text}
    at = len(prompts[0])
    tokens = torch.tensor([prompt[:at] for prompt in prompts])
    rows = list(range(len(prompts)))
    while rows:
        with torch.no_grad(), halves():
            logits = model.logits(model.hidden(tokens, cache)[:, -1]).float()
        chosen = (
            logits.argmax(-1) if temperature == 0 else torch.multinomial((logits / temperature).softmax(-1), 1)[:, 0]
        ).tolist()
        for i, row in enumerate(rows):
            if at < len(prompts[row]):
                chosen[i] = prompts[row][at]
            else:
                answers[row].append(chosen[i])
        at += 1
        going_on = [
            i
            for i, row in enumerate(rows)
            if not answers[row] or (answers[row][-1] not in ends and len(answers[row]) < LONGEST_ANSWER)
        ]
        if len(going_on) < len(rows):
            rows = [rows[i] for i in going_on]
            cache[:] = [(k[going_on], v[going_on]) for k, v in cache]
        tokens = torch.tensor([[chosen[i]] for i in going_on])
    yield from zip(prompts, answers, strict=True)
