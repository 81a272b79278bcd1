"""Small mmproj files of three kinds, with random weights, and the models that go with them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np
from support.gguf_writer import Tensor, Value, write_gguf, write_sparse_gguf
from support.ggufs import Floats, ModelRecipe, make_model
from support.vocabularies import END_OF_TEXT, TURN_END, TURN_START, BpeVocab


@dataclass(frozen=True)
class ProjectorRecipe:
    kind: str = "mlp"
    """clip.projector_type"""
    image_size: int = 56
    width: int = 128
    """Of the model that reads the rows."""
    seed: int = 0
    n_embd: int = 64
    n_ff: int = 128
    n_head: int = 4
    n_layer: int = 3
    patch: int = 14
    halves: bool = False
    """Matrices in F16, as most are published."""

    @property
    def n_patches(self) -> int:
        return (self.image_size // self.patch) ** 2

    def type_of(self, shape: tuple[int, ...]) -> str:
        return "F16" if self.halves and len(shape) > 1 else "F32"


@dataclass(frozen=True)
class Sight:
    """A model that reads pictures: the recipes of its two files."""

    target: ModelRecipe
    projector: ProjectorRecipe

    def make(self, folder: Path, changes: Mapping[str, Value | None] | None = None) -> tuple[Path, Path]:
        target, mmproj = folder / "target.gguf", folder / "mmproj-target.gguf"
        folder.mkdir(parents=True, exist_ok=True)
        return make_model(target, self.target), make_projector(mmproj, self.projector, changes)


def _vocabulary(*control: str) -> BpeVocab:
    return BpeVocab(control=(END_OF_TEXT, TURN_START, TURN_END, *control))


LLAVA = Sight(ModelRecipe(), ProjectorRecipe())
"""Rows of a picture are like other tokens, without any before and after them."""
QWEN2_VL = Sight(
    ModelRecipe(arch="qwen2vl", vocab=_vocabulary("<|vision_start|>", "<|vision_end|>")),
    ProjectorRecipe("qwen2vl_merger", image_size=560),
)
"""Rows have places in two dimensions, and their number depends on the size of the picture."""
GEMMA3 = Sight(
    ModelRecipe(arch="gemma3", vocab=_vocabulary("<start_of_image>", "<end_of_image>")),
    ProjectorRecipe("gemma3", image_size=112),
)
"""Each row of a picture looks at all of them, in layers some of which see only a window."""
SIGHTS = {"llava": LLAVA, "qwen2vl": QWEN2_VL, "gemma3": GEMMA3}


def make_projector(
    path: Path,
    recipe: ProjectorRecipe = ProjectorRecipe(),
    changes: Mapping[str, Value | None] | None = None,
    *,
    sparse: bool = False,
) -> Path:
    """`changes`: in its metadata; None takes a key out. `sparse`: all weights are zero."""
    return write_mmproj(
        path, {**projector_metadata(recipe), **(changes or {})}, projector_tensors(recipe), sparse=sparse
    )


def write_mmproj(
    path: Path, metadata: Mapping[str, Value | None], tensors: list[Tensor], *, sparse: bool = False
) -> Path:
    about = {"general.architecture": "clip", "general.type": "mmproj", "general.file_type": 0, **metadata}
    kept = {key: value for key, value in about.items() if value is not None}
    (write_sparse_gguf if sparse else write_gguf)(path, kept, tensors)
    return path


def projector_metadata(recipe: ProjectorRecipe) -> dict[str, Value | None]:
    return {
        "clip.has_vision_encoder": True,
        "clip.projector_type": recipe.kind,
        "clip.use_gelu": True,
        "clip.vision.image_size": recipe.image_size,
        "clip.vision.patch_size": recipe.patch,
        "clip.vision.embedding_length": recipe.n_embd,
        "clip.vision.feed_forward_length": recipe.n_ff,
        "clip.vision.block_count": recipe.n_layer,
        "clip.vision.projection_dim": recipe.width,
        "clip.vision.attention.head_count": recipe.n_head,
        "clip.vision.attention.layer_norm_epsilon": 1e-5,
        "clip.vision.image_mean": [0.5, 0.5, 0.5],
        "clip.vision.image_std": [0.5, 0.5, 0.5],
        **_MORE.get(recipe.kind, {}),
    }


def projector_tensors(recipe: ProjectorRecipe) -> list[Tensor]:
    weights = [*_patches(recipe), *_layers(recipe), *_KINDS[recipe.kind](recipe)]
    return [
        Tensor(name, shape, recipe.type_of(shape), partial(noise, recipe.seed, name, shape)) for name, shape in weights
    ]


Shaped = tuple[str, tuple[int, ...]]


def _patches(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.weight", (recipe.n_embd, 3, recipe.patch, recipe.patch)


def _layers(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    for i in range(recipe.n_layer):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            yield f"v.blk.{i}.{name}.weight", (recipe.n_embd, recipe.n_embd)
            yield f"v.blk.{i}.{name}.bias", (recipe.n_embd,)
        yield f"v.blk.{i}.ffn_up.weight", (recipe.n_ff, recipe.n_embd)
        yield f"v.blk.{i}.ffn_up.bias", (recipe.n_ff,)
        yield f"v.blk.{i}.ffn_down.weight", (recipe.n_embd, recipe.n_ff)
        yield f"v.blk.{i}.ffn_down.bias", (recipe.n_embd,)
        for name in ("ln1", "ln2"):
            yield from _norm(f"v.blk.{i}.{name}", recipe)


def _norm(name: str, recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield f"{name}.weight", (recipe.n_embd,)
    yield f"{name}.bias", (recipe.n_embd,)


def _mlp(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.class_embd", (recipe.n_embd,)
    yield "v.position_embd.weight", (recipe.n_patches + 1, recipe.n_embd)
    yield from _norm("v.pre_ln", recipe)
    yield from _joined(recipe.n_embd, recipe.width, recipe.width)


def _qwen2vl(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.weight.1", (recipe.n_embd, 3, recipe.patch, recipe.patch)
    yield from _norm("v.post_ln", recipe)
    yield from _joined(4 * recipe.n_embd, 4 * recipe.n_embd, recipe.width)


def _joined(columns: int, inner: int, width: int) -> Iterator[Shaped]:
    yield "mm.0.weight", (inner, columns)
    yield "mm.0.bias", (inner,)
    yield "mm.2.weight", (width, inner)
    yield "mm.2.bias", (width,)


def _gemma3(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.bias", (recipe.n_embd,)
    yield "v.position_embd.weight", (recipe.n_patches, recipe.n_embd)
    yield from _norm("v.post_ln", recipe)
    yield "mm.input_projection.weight", (recipe.n_embd, recipe.width)
    yield "mm.soft_emb_norm.weight", (recipe.n_embd,)


def _qwen25vl(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    for i in range(recipe.n_layer):
        yield f"v.blk.{i}.ffn_gate.weight", (recipe.n_ff, recipe.n_embd)
        yield f"v.blk.{i}.ffn_gate.bias", (recipe.n_ff,)
    yield from _qwen2vl(recipe)


def _idefics3(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.bias", (recipe.n_embd,)
    yield "v.position_embd.weight", (recipe.n_patches, recipe.n_embd)
    yield from _norm("v.post_ln", recipe)
    yield "mm.model.fc.weight", (recipe.width, 4 * recipe.n_embd)


_MORE: Mapping[str, Mapping[str, Value]] = {
    "gemma3": {"clip.vision.projector.scale_factor": 2},
    "idefics3": {"clip.vision.projector.scale_factor": 2},
    "qwen2.5vl_merger": {"clip.vision.n_wa_pattern": 8, "clip.use_silu": True, "clip.use_gelu": False},
}
_KINDS: Mapping[str, Callable[[ProjectorRecipe], Iterator[Shaped]]] = {
    "mlp": _mlp,
    "qwen2vl_merger": _qwen2vl,
    "qwen2.5vl_merger": _qwen25vl,
    "gemma3": _gemma3,
    "idefics3": _idefics3,
}


def noise(seed: int, name: str, shape: tuple[int, ...]) -> Floats:
    """What comes out varies with the picture about as much as embeddings of tokens vary."""
    rng = np.random.Generator(np.random.SFC64([seed, *name.encode()]))
    values = rng.standard_normal(shape, np.float32)
    if len(shape) == 1:
        values *= np.float32(0.1)
        return (
            values + np.float32(1.0)
            if name.endswith(("ln1.weight", "ln2.weight", "ln.weight", "norm.weight"))
            else values
        )
    columns = int(np.prod(shape[1:]))
    values *= np.float32(1.5 / sqrt(columns))
    return values


def other_width(sight: Sight, width: int) -> Sight:
    return replace(sight, projector=replace(sight.projector, width=width))
