"""Small heads with random weights for a target made by `ggufs`, in files of their own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from support.gguf_writer import Tensor, Value, write_gguf
from support.ggufs import ModelRecipe, metadata_of, mtp_layer, tensor_of
from support.layers import Dims, Weight, llama, matrix, norm

BLOCK = 6
CONFIDENCE_RANK = 32


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
    mask: int = 1,
) -> Path:
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
    return _write(path, recipe, metadata, [tensor_of(recipe, weight) for weight in weights], changes)


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
