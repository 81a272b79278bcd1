"""A byte-level BPE tokenizer that splits text exactly as llama.cpp does with `tokenizer.ggml.pre = qwen2`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from conversations import Conversation
from gguf_file import Value
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

VOCABULARY = 4096
PRE = "qwen2"
END_OF_TEXT, TURN_START, TURN_END = CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_SPLIT = (
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train(texts: Iterable[str], vocabulary: int = VOCABULARY) -> Tokenizer:
    tokenizer = _byte_level(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=list(CONTROL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    if tokenizer.get_vocab_size() != vocabulary:
        raise ValueError(f"The text is enough for {tokenizer.get_vocab_size()} tokens only, not for {vocabulary}")
    return tokenizer


def from_gguf(metadata: Mapping[str, Value]) -> ChatTokenizer:
    """The tokenizer that a model's file holds."""
    tokens = cast(Sequence[str], metadata["tokenizer.ggml.tokens"])
    merges = [tuple(merge.split(" ")) for merge in cast(Sequence[str], metadata["tokenizer.ggml.merges"])]
    tokenizer = _byte_level(models.BPE(vocab={token: index for index, token in enumerate(tokens)}, merges=merges))
    tokenizer.add_special_tokens(list(CONTROL))
    return ChatTokenizer(tokenizer)


def _byte_level(model: models.BPE) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


class ChatTokenizer:
    """Encodes the pieces between the control tokens one by one, as llama.cpp does."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.end_of_text, self.turn_start, self.turn_end = map(tokenizer.token_to_id, CONTROL)

    @classmethod
    def load(cls, path: Path) -> ChatTokenizer:
        return cls(Tokenizer.from_file(str(path)))

    @property
    def size(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Iterable[int]) -> str:
        return str(self.tokenizer.decode(list(tokens), skip_special_tokens=True))

    def prompt(self, conversation: Conversation) -> list[int]:
        """All but the last answer."""
        tokens = [] if conversation.system is None else self._turn("system", conversation.system)
        for question, answer in conversation.turns[:-1]:
            tokens += self._turn("user", question)
            tokens += self._opening() + self.answer(answer) + self.encode("\n")
        return tokens + self._turn("user", conversation.turns[-1][0]) + self._opening()

    def answer(self, text: str) -> list[int]:
        return [*self.encode(text), self.turn_end]

    def _turn(self, role: str, content: str) -> list[int]:
        return [self.turn_start, *self.encode(f"{role}\n{content}"), self.turn_end, *self.encode("\n")]

    def _opening(self) -> list[int]:
        return [self.turn_start, *self.encode("assistant\n")]


def tokens_and_merges(tokenizer: Tokenizer) -> tuple[list[str], list[str]]:
    """As GGUF stores them."""
    model = json.loads(tokenizer.to_str())["model"]
    by_id = {index: text for text, index in tokenizer.get_vocab(with_added_tokens=True).items()}
    return [by_id[index] for index in range(len(by_id))], [" ".join(pair) for pair in model["merges"]]
