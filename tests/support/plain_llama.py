"""llama.cpp without any of our own decoding: what a model says when asked one token at a time."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import llama_cpp.llama_cpp as llama
import numpy as np
from numpy.typing import NDArray

from specchat.backends import library

Logits = NDArray[np.float32]


class PlainLlama:
    def __init__(self, model: int, context: int) -> None:
        self.model = model
        self.context = context
        self.vocab = llama.llama_model_get_vocab(model)
        self.n_vocab: int = llama.llama_vocab_n_tokens(self.vocab)

    def tokenize(self, text: str) -> list[int]:
        raw = text.encode()
        room = len(raw) + 8
        tokens = (llama.llama_token * room)()
        n = llama.llama_tokenize(self.vocab, raw, len(raw), tokens, room, True, True)
        return list(tokens[:n])

    def piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(128)
        n = llama.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, True)
        return buffer.raw[:n]

    def decode(self, tokens: Sequence[int]) -> Logits:
        """The logits after the last token."""
        owned = (llama.llama_token * len(tokens))(*tokens)
        assert llama.llama_decode(self.context, llama.llama_batch_get_one(owned, len(tokens))) == 0
        return np.ctypeslib.as_array(llama.llama_get_logits_ith(self.context, -1), (self.n_vocab,)).copy()

    def rewind(self, length: int) -> bool:
        memory = llama.llama_get_memory(self.context)
        return bool(llama.llama_memory_seq_rm(memory, 0, length, -1))

    def clear(self) -> None:
        llama.llama_memory_clear(llama.llama_get_memory(self.context), True)

    def greedy(self, prompt: str, n: int) -> list[int]:
        self.clear()
        tokens = self.tokenize(prompt)
        logits = self.decode(tokens)
        for _ in range(n):
            tokens.append(int(logits.argmax()))
            logits = self.decode(tokens[-1:])
        return tokens[-n:]

    def follow(self, prompt: str, answer: Sequence[int]) -> list[int]:
        """What this model would have said in place of each token of another's answer."""
        self.clear()
        logits = self.decode(self.tokenize(prompt))
        guesses = []
        for token in answer:
            guesses.append(int(logits.argmax()))
            logits = self.decode([token])
        return guesses


@contextmanager
def plain_llama(path: Path, *, n_ctx: int = 512, n_rs_seq: int = 0) -> Iterator[PlainLlama]:
    library.start()
    model_params = llama.llama_model_default_params()
    model_params.n_gpu_layers = 0
    model = llama.llama_model_load_from_file(str(path).encode(), model_params)
    assert model, f"{path} does not load"
    params = llama.llama_context_default_params()
    params.n_ctx, params.n_rs_seq = n_ctx, n_rs_seq
    params.n_threads = params.n_threads_batch = 1
    context = llama.llama_init_from_model(model, params)
    try:
        assert context, f"{path} gets no context"
        yield PlainLlama(model, context)
    finally:
        if context:
            llama.llama_free(context)
        llama.llama_model_free(model)


def agreement(target: Path, draft: Path, prompt: str, n: int) -> float:
    with plain_llama(target) as large, plain_llama(draft) as small:
        answer = large.greedy(prompt, n)
        guesses = small.follow(prompt, answer)
    return sum(guess == token for guess, token in zip(guesses, answer, strict=True)) / n
