"""Small heads with random weights for a target made by `ggufs`, in files of their own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from support.architectures import HEADS
from support.gguf_writer import Floats, Tensor, Value, write_gguf
from support.ggufs import ModelRecipe, latest_token_first, metadata_of, mtp_layer, output_of, tensor_of
from support.layers import Dims, Weight, llama, matrix, norm

ASSISTANT = "gemma4-assistant"
BLOCK = 6
CONFIDENCE_RANK = 32
_SELECTOR = {"conv_kernel_size": 3, "conv_group_size": 8, "selector_rank": 32, "selector_top_k": 4}


def make_eagle3(
    path: Path,
    target: ModelRecipe,
    changes: Mapping[str, Value | None] | None = None,
    *,
    layers: tuple[int, ...] = (1, 2, 3),
) -> Path:
    dims, recipe = target.dims(), replace(target, arch="eagle3", n_layer=1)
    metadata: dict[str, Value | None] = {
        "eagle3.target_layers": list(layers),
        "eagle3.target_hidden_size": dims.n_embd,
    }
    weights = [
        matrix("fc.weight", dims.n_embd, len(layers) * dims.n_embd),
        norm("output_norm.weight", dims.n_embd),
        norm("blk.0.attn_norm_2.weight", dims.n_embd),
        *(_reading_both(dims, weight) for weight in llama(dims, 0)),
    ]
    return _write(path, recipe, metadata, [tensor_of(recipe, weight) for weight in weights], changes)


def _reading_both(dims: Dims, weight: Weight) -> Weight:
    """Its attention looks at the token and the state side by side."""
    if weight.name.split(".")[2] in ("attn_q", "attn_k", "attn_v"):
        return replace(weight, shape=(weight.shape[0], 2 * dims.n_embd), interleaved_heads=0)
    return weight


def make_dflash(
    path: Path,
    target: ModelRecipe,
    changes: Mapping[str, Value | None] | None = None,
    *,
    layers: tuple[int, ...] = (1, 3),
    is_dspark: bool = False,
    selects: bool = False,
    mask: int = 1,
) -> Path:
    """`selects`: from a lattice of candidates, as DFlash2 does."""
    dims, recipe = target.dims(), replace(target, arch="dflash", n_layer=2)
    metadata: dict[str, Value | None] = {
        "dflash.target_layers": list(layers),
        "dflash.block_size": BLOCK,
        "tokenizer.ggml.mask_token_id": mask,
    }
    weights = [
        matrix("fc.weight", dims.n_embd, len(layers) * dims.n_embd),
        norm("enc.output_norm.weight", dims.n_embd),
        norm("output_norm.weight", dims.n_embd),
    ]
    for i in range(recipe.n_layer):
        weights += [replace(weight, interleaved_heads=0) for weight in llama(dims, i)]
        weights += [norm(f"blk.{i}.{name}.weight", dims.head_dim) for name in ("attn_q_norm", "attn_k_norm")]
    if is_dspark:
        weights += [
            matrix("markov_w1.weight", dims.n_vocab, CONFIDENCE_RANK),
            matrix("markov_w2.weight", dims.n_vocab, CONFIDENCE_RANK),
            replace(matrix("conf_proj.weight", 1, dims.n_embd + CONFIDENCE_RANK), matrix=False),
        ]
    if selects:
        metadata |= {f"dflash.{key}": value for key, value in _SELECTOR.items()}
        weights += _selecting(dims, recipe.n_layer)
    return _write(path, recipe, metadata, [tensor_of(recipe, weight) for weight in weights], changes)


def _selecting(dims: Dims, n_layer: int) -> Iterator[Weight]:
    kernel, rank = _SELECTOR["conv_kernel_size"], _SELECTOR["selector_rank"]
    for i in range(n_layer):
        for place in ("attn", "ffn"):
            yield Weight(f"blk.{i}.{place}_conv_base", (2, kernel, dims.n_embd), 0.1, 1 / kernel, matrix=False)
            projected = 2 * kernel * dims.n_embd // _SELECTOR["conv_group_size"]
            yield matrix(f"blk.{i}.{place}_conv_proj.weight", projected, dims.n_embd)
    yield matrix("selector_predecessor.weight", dims.n_vocab, rank)
    yield matrix("selector_successor.weight", dims.n_vocab, rank)
    yield matrix("selector_hidden.weight", rank, dims.n_embd)


def make_mtp_sidecar(path: Path, target: ModelRecipe, changes: Mapping[str, Value | None] | None = None) -> Path:
    """The layers after the target's own, with embeddings and output, without the others."""
    dims, recipe = target.dims(), replace(target, mtp_layers=1)
    ends = [
        Weight("token_embd.weight", (dims.n_vocab, dims.n_embd), 1.0),
        norm("output_norm.weight", dims.n_embd),
        Weight("output.weight", (dims.n_vocab, dims.n_embd), 1.0),
    ]
    tensors = [tensor_of(recipe, weight) for weight in ends]
    return _write(path, recipe, {}, [*tensors, *mtp_layer(recipe, dims.n_layer)], changes)


def make_assistant(path: Path, target: ModelRecipe, changes: Mapping[str, Value | None] | None = None) -> Path:
    """Wider than its target, whose keys and values its layers look into: they have none of their own. Like an MTP
    layer it guesses from the latest token, rightly as far as the target's layers are quiet.
    """
    dims = target.dims()
    recipe = replace(target, arch=ASSISTANT, n_embd=2 * dims.n_embd, n_layer=2)
    own = replace(recipe.dims(), head=dims.head_dim)
    metadata: dict[str, Value | None] = {
        f"{ASSISTANT}.{key}": value for key, value in HEADS[ASSISTANT].metadata(own).items()
    }
    metadata |= {f"{ASSISTANT}.embedding_length_out": dims.n_embd, f"{ASSISTANT}.nextn_predict_layers": recipe.n_layer}
    embedding = Weight("token_embd.weight", (own.n_vocab, own.n_embd), 0.0)
    joined = Weight("nextn.pre_projection.weight", (own.n_embd, 2 * dims.n_embd), 0.01)
    weights = [
        norm("output_norm.weight", own.n_embd),
        matrix("nextn.post_projection.weight", dims.n_embd, own.n_embd),
        *(weight for i in range(recipe.n_layer) for weight in _looking_on(own, i)),
    ]
    tensors = [
        replace(tensor_of(recipe, embedding), make=partial(_padded, output_of(target), own.n_embd)),
        latest_token_first(recipe, joined),
        *(tensor_of(recipe, weight) for weight in weights),
    ]
    return _write(path, recipe, metadata, tensors, changes)


def _looking_on(dims: Dims, layer: int) -> Iterator[Weight]:
    for weight in HEADS[ASSISTANT].layer(dims, layer):
        if not re.search(r"attn_[kv]", weight.name):
            yield replace(weight, mean=0.02 * weight.mean) if weight.writes_residual else weight
    yield Weight(f"blk.{layer}.layer_output_scale.weight", (1,), 0.0, 1.0, matrix=False)


def _padded(narrow: Tensor, width: int) -> Floats:
    rows = narrow.make()
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


def _write(
    path: Path,
    recipe: ModelRecipe,
    metadata: Mapping[str, Value | None],
    tensors: list[Tensor],
    changes: Mapping[str, Value | None] | None,
) -> Path:
    found = {**metadata_of(recipe), **metadata, **dict(changes or {})}
    write_gguf(path, {key: value for key, value in found.items() if value is not None}, tensors)
    return path
