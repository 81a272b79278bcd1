"""A small vocabulary of each kind that llama.cpp knows, as the metadata of a model with 1,024 tokens."""

from collections.abc import Mapping
from itertools import islice

from support.gguf_writer import Value
from support.vocabularies import CONTROL, NORMAL, BpeVocab, SpmVocab, byte_alphabet, made_up_words

Tokenizer = Mapping[str, Value | None]

NAMES = (
    *("none", "no_vocab", "llama", "bert", "gpt2", "hybriddna", "whitespace"),
    *("gemma4", "t5", "rwkv", "test", "plamo2"),
)
"""As files name kinds. Several names share one."""
SIZE = 1024
MODEL = "tokenizer.ggml.model"


def tokenizers() -> dict[str, Tokenizer]:
    """By the name of its kind. What a kind has no use for is None."""
    spm, bpe = _of(SpmVocab(SIZE)), _of(BpeVocab(SIZE))
    merges = {"tokenizer.ggml.merges": ["\u2581t h", "\u2581th e"]}
    return {
        "gpt2": bpe,
        "llama": spm,
        "t5": spm | {MODEL: "t5"},
        "plamo2": spm | {MODEL: "plamo2"},
        "gemma4": spm | {MODEL: "gemma4", "tokenizer.ggml.scores": None} | merges,
        "bert": _plain("bert", [f"\u2581{text}" for text in byte_alphabet()[:200]], "\u2581"),
        "rwkv": _plain("rwkv", [_escaped(byte) for byte in range(256)], ""),
    }


def _of(vocab: SpmVocab | BpeVocab) -> dict[str, Value | None]:
    unused = dict.fromkeys(("tokenizer.ggml.scores", "tokenizer.ggml.merges"))
    return unused | dict(vocab.table().metadata)


def _plain(kind: str, pieces: list[str], space: str) -> dict[str, Value | None]:
    texts = ["<s>", "</s>", *pieces]
    texts += islice(made_up_words(space), SIZE - len(texts))
    return {
        MODEL: kind,
        "tokenizer.ggml.pre": None,
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": [CONTROL, CONTROL] + [NORMAL] * (SIZE - 2),
        "tokenizer.ggml.scores": None,
        "tokenizer.ggml.merges": None,
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.seperator_token_id": 1,
        "tokenizer.ggml.add_bos_token": False,
    }


def _escaped(byte: int) -> str:
    character = chr(byte)
    return "\\\\" if character == "\\" else character if 32 < byte < 127 else f"\\x{byte:02x}"
