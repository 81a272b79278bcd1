"""Small mmproj files of three kinds, with random weights, and the models that go with them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np
from support.gguf_writer import Tensor, Value, write_gguf
from support.ggufs import Floats, ModelRecipe, make_model
from support.vocabularies import END_OF_TEXT, TURN_END, TURN_START, BpeVocab

N_EMBD, N_FF, N_HEAD, N_LAYER, PATCH = 64, 128, 4, 3, 14


@dataclass(frozen=True)
class ProjectorRecipe:
    kind: str = "mlp"
    """clip.projector_type"""
    image_size: int = 56
    width: int = 128
    """Of the model that reads the rows."""
    seed: int = 0

    @property
    def n_patches(self) -> int:
        return (self.image_size // PATCH) ** 2


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
    path: Path, recipe: ProjectorRecipe = ProjectorRecipe(), changes: Mapping[str, Value | None] | None = None
) -> Path:
    """`changes`: in its metadata; None takes a key out."""
    metadata: dict[str, Value | None] = {
        "general.architecture": "clip",
        "general.type": "mmproj",
        "general.file_type": 0,
        "clip.has_vision_encoder": True,
        "clip.projector_type": recipe.kind,
        "clip.use_gelu": True,
        "clip.vision.image_size": recipe.image_size,
        "clip.vision.patch_size": PATCH,
        "clip.vision.embedding_length": N_EMBD,
        "clip.vision.feed_forward_length": N_FF,
        "clip.vision.block_count": N_LAYER,
        "clip.vision.projection_dim": recipe.width,
        "clip.vision.attention.head_count": N_HEAD,
        "clip.vision.attention.layer_norm_epsilon": 1e-5,
        "clip.vision.image_mean": [0.5, 0.5, 0.5],
        "clip.vision.image_std": [0.5, 0.5, 0.5],
        **({"clip.vision.projector.scale_factor": 2} if recipe.kind == "gemma3" else {}),
        **(changes or {}),
    }
    write_gguf(path, {key: value for key, value in metadata.items() if value is not None}, projector_tensors(recipe))
    return path


def projector_tensors(recipe: ProjectorRecipe) -> list[Tensor]:
    weights = [*_patches(recipe), *_layers(), *_KINDS[recipe.kind](recipe)]
    return [Tensor(name, shape, "F32", partial(_noise, recipe.seed, name, shape)) for name, shape in weights]


Shaped = tuple[str, tuple[int, ...]]


def _patches(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.weight", (N_EMBD, 3, PATCH, PATCH)


def _layers() -> Iterator[Shaped]:
    for i in range(N_LAYER):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            yield f"v.blk.{i}.{name}.weight", (N_EMBD, N_EMBD)
            yield f"v.blk.{i}.{name}.bias", (N_EMBD,)
        yield f"v.blk.{i}.ffn_up.weight", (N_FF, N_EMBD)
        yield f"v.blk.{i}.ffn_up.bias", (N_FF,)
        yield f"v.blk.{i}.ffn_down.weight", (N_EMBD, N_FF)
        yield f"v.blk.{i}.ffn_down.bias", (N_EMBD,)
        for name in ("ln1", "ln2"):
            yield from _norm(f"v.blk.{i}.{name}")


def _norm(name: str) -> Iterator[Shaped]:
    yield f"{name}.weight", (N_EMBD,)
    yield f"{name}.bias", (N_EMBD,)


def _mlp(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.class_embd", (N_EMBD,)
    yield "v.position_embd.weight", (recipe.n_patches + 1, N_EMBD)
    yield from _norm("v.pre_ln")
    yield from _joined(N_EMBD, recipe.width, recipe.width)


def _qwen2vl(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.weight.1", (N_EMBD, 3, PATCH, PATCH)
    yield from _norm("v.post_ln")
    yield from _joined(4 * N_EMBD, 4 * N_EMBD, recipe.width)


def _joined(columns: int, inner: int, width: int) -> Iterator[Shaped]:
    yield "mm.0.weight", (inner, columns)
    yield "mm.0.bias", (inner,)
    yield "mm.2.weight", (width, inner)
    yield "mm.2.bias", (width,)


def _gemma3(recipe: ProjectorRecipe) -> Iterator[Shaped]:
    yield "v.patch_embd.bias", (N_EMBD,)
    yield "v.position_embd.weight", (recipe.n_patches, N_EMBD)
    yield from _norm("v.post_ln")
    yield "mm.input_projection.weight", (N_EMBD, recipe.width)
    yield "mm.soft_emb_norm.weight", (N_EMBD,)


_KINDS: Mapping[str, Callable[[ProjectorRecipe], Iterator[Shaped]]] = {
    "mlp": _mlp,
    "qwen2vl_merger": _qwen2vl,
    "gemma3": _gemma3,
}


def _noise(seed: int, name: str, shape: tuple[int, ...]) -> Floats:
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
