"""Model files as large as real ones that hold nothing but their header: the weights are a hole in the file.

Shapes and vocabularies have the sizes of well-known models; names of tokens and merges are made up.
"""

from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Literal, NoReturn

import numpy as np
from support.architectures import ARCHITECTURES
from support.gguf_writer import Tensor, Value, write_sparse_gguf
from support.layers import Dims, Weight
from support.quantise import FORMATS
from support.vocabularies import (
    BYTE,
    CONTROL,
    END_OF_TEXT,
    NORMAL,
    SYLLABLES,
    UNKNOWN,
    byte_alphabet,
    made_up_words,
)

Mix = Literal["F16", "Q8_0", "Q4_K_M", "Q4_0"]

_FILE_TYPES = {"F16": 1, "Q8_0": 7, "Q4_K_M": 15, "Q4_0": 2}
_PRECISE = ("attn_v.weight", "ffn_down.weight", "ffn_down_exps.weight")
"""Q4_K_M keeps half of these in Q6_K, and the output."""


@dataclass(frozen=True)
class Shape:
    arch: str
    n_vocab: int
    n_embd: int
    n_layer: int
    n_head: int
    n_head_kv: int
    n_ff: int
    n_merges: int = 0
    """0: a vocabulary of pieces with scores (SPM)."""
    tied: bool = False
    head: int | None = None
    n_expert: int = 0
    n_expert_used: int = 0
    n_ctx: int = 32768
    sliding_window: int = 0

    def dims(self) -> Dims:
        return Dims(
            n_vocab=self.n_vocab,
            n_embd=self.n_embd,
            n_layer=self.n_layer,
            n_head=self.n_head,
            n_head_kv=self.n_head_kv,
            n_ff=self.n_ff,
            n_expert=self.n_expert,
            n_expert_used=self.n_expert_used,
            n_ctx=self.n_ctx,
            sliding_window=self.sliding_window,
            head=self.head,
        )


SHAPES = {
    "qwen2-0.5b": Shape("qwen2", 151936, 896, 24, 14, 2, 4864, 151387, tied=True),
    "qwen3-0.6b": Shape("qwen3", 151936, 1024, 28, 16, 8, 3072, 151387, tied=True, head=128),
    "gemma3-1b": Shape("gemma3", 262144, 1152, 26, 4, 1, 6912, tied=True, head=256, sliding_window=512),
    "llama-1.1b": Shape("llama", 32000, 2048, 22, 32, 4, 5632),
    "llama-1b": Shape("llama", 128256, 2048, 16, 32, 8, 8192, 280147, tied=True),
    "moe-7b": Shape("qwen3moe", 50304, 2048, 16, 16, 16, 1024, 50009, n_expert=64, n_expert_used=8),
    "llama-7b": Shape("llama", 32000, 4096, 32, 32, 32, 11008),
    "qwen2-7b": Shape("qwen2", 152064, 3584, 28, 28, 4, 18944, 151387),
    "llama-8b": Shape("llama", 128256, 4096, 32, 32, 8, 14336, 280147),
}


def make_sparse(path: Path, shape: Shape, mix: Mix = "Q4_K_M") -> Path:
    write_sparse_gguf(path, _metadata(shape, mix), _tensors(shape, mix))
    return path


def make_sparse_parts(folder: Path, shape: Shape, n_parts: int, mix: Mix = "Q4_K_M") -> list[Path]:
    """As one model in several files; the first has the metadata."""
    tensors = _tensors(shape, mix)
    each = -(-len(tensors) // n_parts)
    paths = []
    for part in range(n_parts):
        split: dict[str, Value] = {
            "split.no": np.uint16(part),
            "split.count": np.uint16(n_parts),
            "split.tensors.count": np.int32(len(tensors)),
        }
        metadata = _metadata(shape, mix) if part == 0 else {}
        paths.append(folder / f"model-{part + 1:05d}-of-{n_parts:05d}.gguf")
        write_sparse_gguf(paths[-1], metadata | split, tensors[part * each : (part + 1) * each])
    return paths


def _metadata(shape: Shape, mix: Mix) -> dict[str, Value]:
    dims = shape.dims()
    metadata: dict[str, Value] = {
        "general.architecture": shape.arch,
        "general.type": "model",
        "general.file_type": _FILE_TYPES[mix],
        f"{shape.arch}.vocab_size": dims.n_vocab,
    }
    for key, value in ARCHITECTURES[shape.arch].metadata(dims).items():
        metadata[f"{shape.arch}.{key}"] = value
    return metadata | dict(_tokenizer(shape.n_vocab, shape.n_merges))


def _tensors(shape: Shape, mix: Mix) -> list[Tensor]:
    dims = shape.dims()
    arch = ARCHITECTURES[shape.arch]
    outer = (dims.n_vocab, dims.n_embd)
    weights = [Weight("token_embd.weight", outer, 1.0), Weight(arch.output_norm, outer[1:], 1.0, matrix=False)]
    weights += [weight for i in range(dims.n_layer) for weight in arch.layer(dims, i)]
    weights += [] if shape.tied else [Weight("output.weight", outer, 1.0)]
    return [Tensor(weight.name, weight.shape, _type(shape, mix, weight), _no_values) for weight in weights]


def _type(shape: Shape, mix: Mix, weight: Weight) -> str:
    if not weight.matrix:
        return "F32"
    if mix != "Q4_K_M":
        return mix
    if weight.shape[-1] % FORMATS["Q4_K"].block:
        return "Q8_0"
    is_output = weight.name == ("token_embd.weight" if shape.tied else "output.weight")
    is_precise = weight.name.endswith(_PRECISE) and int(weight.name.split(".")[1]) % 2 == 0
    return "Q6_K" if is_output or is_precise else "Q4_K"


def _no_values() -> NoReturn:
    raise AssertionError("it has no weights")


@cache
def _tokenizer(size: int, n_merges: int) -> tuple[tuple[str, Value], ...]:
    return tuple((_byte_pairs(size, n_merges) if n_merges else _pieces(size)).items())


def _byte_pairs(size: int, n_merges: int) -> dict[str, Value]:
    tokens = [*byte_alphabet(), *islice(made_up_words("Ġ"), size - 257), END_OF_TEXT]
    pairs = (f"{left} {right}" for left in made_up_words("") for right in SYLLABLES)
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.merges": list(islice(pairs, n_merges)),
        **_tokens(tokens, [NORMAL] * (size - 1) + [CONTROL], first=size - 1, last=size - 1),
    }


def _pieces(size: int) -> dict[str, Value]:
    head = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * (size - len(head))]
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.scores": [-float(i) for i in range(size)],
        **_tokens([*head, *islice(made_up_words("▁"), size - len(head))], types, first=1, last=2),
    }


def _tokens(texts: list[str], types: list[int], first: int, last: int) -> dict[str, Value]:
    return {
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.bos_token_id": first,
        "tokenizer.ggml.eos_token_id": last,
    }
