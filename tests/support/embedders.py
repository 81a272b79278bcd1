"""Small models that make vectors of texts or rank documents, and llama.cpp's own results with them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from zlib import crc32

import llama_cpp.llama_cpp as llama
import numpy as np
from numpy.typing import NDArray
from support.gguf_writer import Tensor, Value, write_gguf
from support.ggufs import ModelRecipe, make_model
from support.vocabularies import COMMON_WORDS, CONTROL, NORMAL, UNKNOWN

from specchat.backends import library
from specchat.domain.embeddings import Pooling

Floats = NDArray[np.float32]

N_CTX = 64
_WIDTH, _HEADS, _LAYERS = 64, 4, 2
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,?!"
RERANK_TEMPLATE = "<|im_start|>query: {query}\ndocument: {document}<|im_end|>\n"


def make_bert(path: Path, pooling: Pooling | None = Pooling.MEAN) -> Path:
    """An encoder with a WordPiece vocabulary; None: its file does not say how vectors are made."""
    texts = [*_SPECIAL, *dict.fromkeys(f"▁{word}" for word in (*COMMON_WORDS.split(), *_LETTERS)), *_LETTERS]
    metadata: dict[str, Value] = {
        "general.architecture": "bert",
        "general.type": "model",
        "general.name": "Tiny embedder",
        "general.file_type": 0,
        "bert.context_length": N_CTX,
        "bert.embedding_length": _WIDTH,
        "bert.feed_forward_length": 2 * _WIDTH,
        "bert.block_count": _LAYERS,
        "bert.attention.head_count": _HEADS,
        "bert.attention.layer_norm_epsilon": 1e-12,
        "bert.attention.causal": False,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": [CONTROL, UNKNOWN, CONTROL, CONTROL] + [NORMAL] * (len(texts) - len(_SPECIAL)),
        "tokenizer.ggml.token_type_count": 2,
        "tokenizer.ggml.padding_token_id": 0,
        "tokenizer.ggml.unknown_token_id": 1,
        "tokenizer.ggml.bos_token_id": 2,
        "tokenizer.ggml.seperator_token_id": 3,
        "tokenizer.ggml.mask_token_id": 0,
    }
    if pooling is not None:
        metadata["bert.pooling_type"] = int(pooling)
    write_gguf(path, metadata, list(_bert_tensors(len(texts), ranks=pooling is Pooling.RANK)))
    return path


def make_embedding_decoder(path: Path) -> Path:
    """One that reads forwards; the vector is that of the last token, which is added."""
    return make_model(path, ModelRecipe(arch="qwen3"), {"qwen3.pooling_type": 3, "tokenizer.ggml.add_eos_token": True})


def make_ranking_decoder(path: Path) -> Path:
    """With a template of its own for a query and a document."""
    changes: dict[str, Value | None] = {
        "qwen3.pooling_type": 4,
        "qwen3.classifier.output_labels": ["yes", "no"],
        "tokenizer.chat_template.rerank": RERANK_TEMPLATE,
    }
    return make_model(path, ModelRecipe(arch="qwen3"), changes, [_tensor("cls.output.weight", (2, 128), 0.5)])


@dataclass(frozen=True)
class PlainEmbedder:
    model: int
    context: int
    width: int

    def tokenize(self, text: str) -> list[int]:
        raw = text.encode()
        tokens = (llama.llama_token * (len(raw) + 8))()
        vocabulary = llama.llama_model_get_vocab(self.model)
        count = llama.llama_tokenize(vocabulary, raw, len(raw), tokens, len(tokens), True, True)
        return list(tokens[:count])

    def vector(self, tokens: Sequence[int]) -> Floats:
        """Of this text alone."""
        memory = llama.llama_get_memory(self.context)
        if memory:
            llama.llama_memory_clear(memory, True)
        owned = (llama.llama_token * len(tokens))(*tokens)
        batch = llama.llama_batch_get_one(owned, len(tokens))
        assert (llama.llama_decode if memory else llama.llama_encode)(self.context, batch) == 0
        pooled = llama.llama_get_embeddings_seq(self.context, 0)
        return np.ctypeslib.as_array(pooled, (self.width,)).copy()


@contextmanager
def plain_embedder(
    path: Path, width: int, pooling: int = llama.LLAMA_POOLING_TYPE_UNSPECIFIED
) -> Iterator[PlainEmbedder]:
    library.start()
    model = llama.llama_model_load_from_file(str(path).encode(), llama.llama_model_default_params())
    assert model, f"{path} does not load"
    params = llama.llama_context_default_params()
    params.n_ctx = params.n_batch = params.n_ubatch = 1024
    params.n_threads = params.n_threads_batch = 1
    params.embeddings, params.pooling_type = True, pooling
    context = llama.llama_init_from_model(model, params)
    try:
        assert context, f"{path} gets no context"
        yield PlainEmbedder(model, context, width)
    finally:
        if context:
            llama.llama_free(context)
        llama.llama_model_free(model)


def _bert_tensors(n_vocab: int, *, ranks: bool) -> Iterator[Tensor]:
    yield _tensor("token_embd.weight", (n_vocab, _WIDTH), 1.0)
    yield _tensor("token_types.weight", (2, _WIDTH), 0.1)
    yield _tensor("position_embd.weight", (N_CTX, _WIDTH), 0.3)
    yield from _norm("token_embd_norm")
    for i in range(_LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield from _linear(f"blk.{i}.{name}", _WIDTH, _WIDTH)
        yield from _norm(f"blk.{i}.attn_output_norm")
        yield from _linear(f"blk.{i}.ffn_up", 2 * _WIDTH, _WIDTH)
        yield from _linear(f"blk.{i}.ffn_down", _WIDTH, 2 * _WIDTH)
        yield from _norm(f"blk.{i}.layer_output_norm")
    if ranks:
        yield from _linear("cls", _WIDTH, _WIDTH)
        yield from _linear("cls.output", 1, _WIDTH)


def _linear(name: str, rows: int, columns: int) -> Iterator[Tensor]:
    yield _tensor(f"{name}.weight", (rows, columns), 2 / sqrt(columns))
    yield _tensor(f"{name}.bias", (rows,), 0.1)


def _norm(name: str) -> Iterator[Tensor]:
    yield _tensor(f"{name}.weight", (_WIDTH,), 0.1, 1.0)
    yield _tensor(f"{name}.bias", (_WIDTH,), 0.1)


def _tensor(name: str, shape: tuple[int, ...], deviation: float, mean: float = 0.0) -> Tensor:
    return Tensor(name, shape, "F32", partial(_noise, name, shape, deviation, mean))


def _noise(name: str, shape: tuple[int, ...], deviation: float, mean: float) -> Floats:
    values = np.random.default_rng(crc32(name.encode())).standard_normal(shape, np.float32)
    return values * np.float32(deviation) + np.float32(mean)
