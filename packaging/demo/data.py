"""What the models learn from: conversations and code, mixed by weight, as batches of similar length.

A row is one document from its first token, so nothing leaks from one conversation into another and no attention mask
is needed. Batches follow from the seed and the round alone: training goes on after a break where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
from conversations import Conversation, Conversations
from corpora import Function, grade_school, standard_library
from guide import TEXT, read_choices
from numpy.typing import NDArray
from tokenizer import ChatTokenizer

SHARES = {"guide": 0.77, "maths": 0.11, "code": 0.09, "raw code": 0.03}
"""Of the tokens."""
LATER_SHARES = {"questions": 0.56, "guide": 0.32, "maths": 0.05, "code": 0.05, "raw code": 0.02}
LATER_FROM_ROUND = 5
"""By then the answers are known by heart; what is left to learn is which of them a question wants."""
FIRST_WORDS = 10
"""Tokens of an answer that tell which one it is."""
QUESTION_WEIGHT = 0.1
"""Questions are typed by people, with errors: the models are to learn the answers."""
DECIDING = 4
DECIDING_WEIGHT = 3.0
"""The first tokens of an answer decide which one it is."""
BATCH_TOKENS = 1024
"""Small: many steps teach more here than exact ones."""
BATCHES_PER_ROUND = 384
_WIDTHS = (32, 48, 64, 80, 96, 128, 160, 192, 256, 320, 512, 1024, 2047)
"""Few, because the first pass over rows of a new shape is slow."""


@dataclass(frozen=True, slots=True)
class Document:
    tokens: Sequence[int]
    weights: Sequence[float]
    """How much predicting each token counts."""


@dataclass(frozen=True, slots=True)
class Batch:
    tokens: NDArray[np.int64]
    """One more column than is predicted."""
    weights: NDArray[np.float32]
    """Of each next token; 0 for padding."""

    @property
    def n_predicted(self) -> int:
        return int(np.count_nonzero(self.weights))


Drawing = Callable[[Random], Document]


class Corpus:
    def __init__(self, tokenizer: ChatTokenizer, grade_school_file: Path) -> None:
        self._tokenizer = tokenizer
        self.guide = Conversations()
        self.maths = grade_school(grade_school_file)
        self.functions = standard_library()
        self._requests = read_choices(TEXT / "code_requests.txt")
        self.sources: dict[str, Drawing] = {
            "guide": self._guide,
            "questions": self._question,
            "maths": self._maths,
            "code": self._code,
            "raw code": self._raw_code,
        }

    def code_conversation(self, rng: Random) -> Conversation:
        function = rng.choice(self.functions)
        return Conversation(((self._request(function, rng), f"```python\n{function.source}\n```"),))

    def chat(self, conversation: Conversation) -> Document:
        tokens: list[int] = []
        weights: list[float] = []
        for i, (_, answer) in enumerate(conversation.turns):
            so_far = Conversation(conversation.turns[: i + 1], conversation.system)
            prompt = self._tokenizer.prompt(so_far)
            weights += [QUESTION_WEIGHT] * (len(prompt) - len(tokens))
            answered = self._tokenizer.answer(answer)
            weights += [DECIDING_WEIGHT] * DECIDING + [1.0] * (len(answered) - DECIDING)
            tokens = prompt + answered
        return Document(tokens, weights)

    def _guide(self, rng: Random) -> Document:
        return self.chat(self.guide.draw(rng))

    def _question(self, rng: Random) -> Document:
        conversation = self.guide.draw(rng, n_topics=1)
        end = len(self._tokenizer.prompt(conversation)) + FIRST_WORDS
        whole = self.chat(conversation)
        return Document(whole.tokens[:end], whole.weights[:end])

    def _maths(self, rng: Random) -> Document:
        return self.chat(rng.choice(self.maths))

    def _code(self, rng: Random) -> Document:
        return self.chat(self.code_conversation(rng))

    def _raw_code(self, rng: Random) -> Document:
        tokens = self._tokenizer.encode(rng.choice(self.functions).source)
        tokens.append(self._tokenizer.end_of_text)
        return Document(tokens, [1.0] * len(tokens))

    def _request(self, function: Function, rng: Random) -> str:
        if function.purpose is None:
            return rng.choice(self._requests["named"]).replace("{name}", function.name)
        described: str = rng.choice(self._requests["described"]).replace("{name}", function.name)
        return described.replace("{purpose}", function.purpose[0].lower() + function.purpose[1:])


def texts(grade_school_file: Path) -> Iterator[str]:
    """What the tokenizer is trained on."""
    guide = list(Conversations().every_text())
    for _ in range(6):
        yield from guide
    for conversation in grade_school(grade_school_file)[::4]:
        yield from conversation.turns[0]
    yield from (function.source for function in standard_library()[::12])


def shares_of(round_: int) -> dict[str, float]:
    return SHARES if round_ < LATER_FROM_ROUND else LATER_SHARES


def batches(sources: dict[str, Drawing], shares: dict[str, float], seed: int, round_: int) -> list[Batch]:
    """One round of training."""
    rng = Random(f"{seed} {round_}")
    documents: list[Document] = []
    for name, share in shares.items():
        documents += _worth(partial(sources[name], rng), share * BATCH_TOKENS * BATCHES_PER_ROUND)
    grouped = list(_grouped(documents))
    rng.shuffle(grouped)
    return [_padded(width, group) for width, group in grouped]


def _worth(draw: Callable[[], Document], n_tokens: float) -> Iterator[Document]:
    while n_tokens > 0:
        document = draw()
        n_tokens -= len(document.tokens)
        if len(document.tokens) <= _WIDTHS[-1] + 1:
            yield document


def _grouped(documents: Sequence[Document]) -> Iterator[tuple[int, list[Document]]]:
    """Full batches of few widths; what is left over at one width goes into the next."""
    by_length = sorted(documents, key=lambda document: len(document.tokens))
    waiting: list[Document] = []
    at = 0
    for width in _WIDTHS:
        while at < len(by_length) and len(by_length[at].tokens) <= width + 1:
            waiting.append(by_length[at])
            at += 1
        rows = max(1, BATCH_TOKENS // width)
        for start in range(0, len(waiting) - rows + 1, rows):
            yield width, waiting[start : start + rows]
        waiting = waiting[len(waiting) - len(waiting) % rows :]


def _padded(width: int, group: Sequence[Document]) -> Batch:
    tokens = np.zeros((len(group), width + 1), np.int64)
    weights = np.zeros((len(group), width), np.float32)
    for row, document in enumerate(group):
        tokens[row, : len(document.tokens)] = document.tokens
        weights[row, : len(document.tokens) - 1] = document.weights[1:]
    return Batch(tokens, weights)
