"""A model that calls a tool, and answers with what it finds in the result: its weights are written by hand.

Each token has a direction of its own, and the output layer knows which token follows which. One attention head looks
from the end of the prompt for the name of a color. While there is none, a call follows; where there is one, the model
says it.
"""

from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np
from support.call_formats import WITH_TOOLS
from support.gguf_writer import Floats, Tensor, Value, write_gguf
from support.vocabularies import TURN_END, BpeVocab

COLORS = ("blue", "green")
CALL = ("<tool_call>", '{"name": "', "raw__look", '", "arguments": {"at": "', "the sky", '"}}', "</tool_call>")
REST = (" it", " is.")
ARGUMENTS = {"at": "the sky"}
_VOCAB = BpeVocab(size=260 + len(COLORS + CALL + REST) + 3, user_defined=(*COLORS, *CALL, *REST))
_N_HEAD_DIM, _SLOW = 64, 62
"""The pair of dimensions that RoPE hardly turns."""
_LOOK, _NEXT, _SAY = 18.0, 2.5, 7.5


def make_calling_model(path: Path) -> Path:
    table = _VOCAB.table()
    n_vocab = len(table.texts)
    width = -(-(n_vocab + len(COLORS)) // 32) * 32
    colors, end = [table.id(color) for color in COLORS], table.id(TURN_END)
    last = table.id("Ċ")  # the line break that the template ends with
    following = [last, *map(table.id, CALL), end]
    follows = [*zip(following, following[1:], strict=False)]
    follows += [(before, table.id(REST[0])) for before in colors]
    follows += [(table.id(REST[0]), table.id(REST[1])), (table.id(REST[1]), end)]
    loud = sqrt(width)  # of a token's own direction, once it is normalized
    weights: dict[str, list[tuple[int, int, float]]] = {
        "token_embd": [(token, token, 1.0) for token in range(n_vocab)],
        "blk.0.attn_q": [(_SLOW, last, _LOOK / loud)],
        "blk.0.attn_k": [(_SLOW, color, _LOOK / loud) for color in colors],
        "blk.0.attn_v": [(place, color, 1.0 / loud) for place, color in enumerate(colors)],
        "blk.0.attn_output": [(n_vocab + place, place, 1.0) for place in range(len(colors))],
        "output": [
            *((after, before, _NEXT) for before, after in follows),
            *((color, n_vocab + place, _SAY) for place, color in enumerate(colors)),
        ],
    }
    shapes = {
        "token_embd": (n_vocab, width),
        **{f"blk.0.attn_{name}": (_N_HEAD_DIM, width) for name in "qkv"},
        "blk.0.attn_output": (width, _N_HEAD_DIM),
        **{f"blk.0.ffn_{name}": (width, width) for name in ("gate", "up", "down")},
        "output": (n_vocab, width),
    }
    norms = ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm")
    tensors = [
        *(Tensor(f"{name}.weight", (width,), "F32", partial(_ones, width)) for name in norms),
        *(
            Tensor(f"{name}.weight", shape, "F32", partial(_matrix, shape, weights.get(name, [])))
            for name, shape in shapes.items()
        ),
    ]
    write_gguf(path, _metadata(n_vocab, width) | dict(table.metadata), tensors)
    return path


def _ones(width: int) -> Floats:
    return np.ones(width, np.float32)


def _matrix(shape: tuple[int, int], entries: list[tuple[int, int, float]]) -> Floats:
    matrix = np.zeros(shape, np.float32)
    for row, column, value in entries:
        matrix[row, column] = value
    return matrix


def _metadata(n_vocab: int, width: int) -> dict[str, Value]:
    of_llama: dict[str, Value] = {
        "vocab_size": n_vocab,
        "context_length": 2048,
        "embedding_length": width,
        "block_count": 1,
        "feed_forward_length": width,
        "rope.dimension_count": _N_HEAD_DIM,
        "rope.freq_base": 10_000.0,
        "attention.head_count": 1,
        "attention.head_count_kv": 1,
        "attention.key_length": _N_HEAD_DIM,
        "attention.value_length": _N_HEAD_DIM,
        "attention.layer_norm_rms_epsilon": 1e-5,
    }
    return {
        "general.architecture": "llama",
        "general.type": "model",
        "general.name": "Caller",
        "general.file_type": 0,
        "general.quantization_version": 2,
        **{f"llama.{name}": value for name, value in of_llama.items()},
        "tokenizer.chat_template": WITH_TOOLS,
    }
