"""Medusa heads that were fitted to what a small target writes, in files as people have them."""

import json
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from support.ggufs import ModelRecipe, make_model
from support.pairs import EXACT, loaded, random_prompts

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import OUTPUT_STATE

N_HEADS = 3
_TEXTS, _LENGTH = 24, 48
_RIDGE = 1e-3

Floats = NDArray[np.float32]
Tensors = Mapping[str, NDArray[Any]]


def write_safetensors(path: Path, tensors: Tensors, changes: Mapping[str, Any] | None = None) -> Path:
    """`changes`: what the header says of some tensors instead; None takes one out."""
    described: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, values in tensors.items():
        kind = {"float32": "F32", "float16": "F16", "uint16": "BF16"}[values.dtype.name]
        described[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    described |= changes or {}
    header = json.dumps({name: each for name, each in described.items() if each is not None}).encode()
    data = b"".join(np.ascontiguousarray(values).tobytes() for values in tensors.values())
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)
    return path


@cache
def medusa_tensors(recipe: ModelRecipe, *, borrows: bool = False, n_blocks: int = 1) -> Mapping[str, Floats]:
    """As `medusa_lm_head` names them. `borrows`: the target's output is theirs."""
    with TemporaryDirectory() as folder:
        states, tokens, n_vocab = _written_text(make_model(Path(folder) / "target.gguf", recipe))
    rng = np.random.default_rng(0)
    width, found = states.shape[-1], dict[str, Floats]()
    for head in range(N_HEADS):
        seen = states[:, : -1 - head].reshape(-1, width)
        follows = tokens[:, 2 + head :].reshape(-1)
        for block in range(n_blocks):
            weight, bias = (rng.normal(0, 0.05, shape).astype(np.float32) for shape in ((width, width), width))
            found[f"{head}.{block}.linear.weight"], found[f"{head}.{block}.linear.bias"] = weight, bias
            change = seen @ weight.T + bias
            seen = seen + change / (1 + np.exp(-change))
        if not borrows:
            found[f"{head}.{n_blocks}.weight"] = _fitted(seen, follows, int(tokens.max()) + 1, n_vocab)
    return found


def make_medusa(path: Path, recipe: ModelRecipe) -> Path:
    return _made(path, medusa_tensors(recipe))


def make_borrowing_medusa(path: Path, recipe: ModelRecipe) -> Path:
    return _made(path, medusa_tensors(recipe, borrows=True))


def bfloats(values: Floats) -> NDArray[np.uint16]:
    return (values.view(np.uint32) >> 16).astype(np.uint16)


def _made(path: Path, tensors: Mapping[str, Floats]) -> Path:
    halves = {name: values.astype(np.float16) for name, values in tensors.items()}
    return write_safetensors(path.with_name("medusa_lm_head.safetensors"), halves)


def _written_text(target: Path) -> tuple[Floats, NDArray[np.int32], int]:
    """The states of its tokens, what it chose after the prompts, the last one's too, and how many tokens it knows."""
    with loaded(target, EXACT) as model:
        model.capture_layers([OUTPUT_STATE])
        texts = [_continued(model, prompt) for prompt in random_prompts(model.n_vocab, _TEXTS, seed=7)]
        n_vocab = model.n_vocab
    states, tokens = zip(*texts, strict=True)
    return np.stack(states), np.stack(tokens), n_vocab


def _continued(model: LlamaModel, prompt: list[int]) -> tuple[Floats, NDArray[np.int32]]:
    """A state for each token but the first: row i belongs to token i."""
    model.keep(0)
    model.evaluate(np.array(prompt[:-1], dtype=np.int32), 0, CancelToken())
    tokens, states = [prompt[-1]], list[Floats]()
    for _ in range(_LENGTH):
        logits = model.evaluate(np.array(tokens[-1:], dtype=np.int32), 1, CancelToken())
        assert model.states is not None
        states.append(model.states.rows(model.states.end - 1, model.states.end)[0].copy())
        tokens.append(int(logits[0].argmax()))
    return np.stack(states), np.array(tokens, dtype=np.int32)


def _fitted(seen: Floats, follows: NDArray[np.int32], n_used: int, n_vocab: int) -> Floats:
    """Ridge regression to what followed."""
    wanted = np.zeros((len(follows), n_used), dtype=np.float32)
    wanted[np.arange(len(follows)), follows] = 1
    gram = seen.T @ seen + _RIDGE * len(seen) * np.eye(seen.shape[1], dtype=np.float32)
    matrix = np.zeros((n_vocab, seen.shape[1]), dtype=np.float32)
    matrix[:n_used] = np.linalg.solve(gram, seen.T @ wanted).T * 50
    return matrix
