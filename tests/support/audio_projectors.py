"""Small mmproj files that hear, with random weights, and the models that go with them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from support.gguf_writer import Tensor, Value
from support.ggufs import ModelRecipe, make_model
from support.projectors import (
    QWEN2_VL,
    ProjectorRecipe,
    Shaped,
    noise,
    projector_metadata,
    projector_tensors,
    write_mmproj,
)
from support.vocabularies import END_OF_TEXT, TURN_END, TURN_START, BpeVocab

_N_PLACES = 1500
_STACKED = ("ultravox", "voxtral")


@dataclass(frozen=True)
class AudioRecipe:
    """An encoder as Whisper's."""

    kind: str = "ultravox"
    width: int = 128
    """Of the model that reads the rows."""
    seed: int = 0
    n_embd: int = 80
    """Rows are stacked as llama.cpp counts them only where this is no power of two."""
    n_ff: int = 128
    n_head: int = 4
    n_layer: int = 2
    n_mel: int = 80
    stack: int = 8
    inner: int = 128
    """Between the two matrices that make rows, where there are two."""
    halves: bool = False

    def type_of(self, name: str, shape: tuple[int, ...]) -> str:
        is_half = self.halves and len(shape) > 1 and "position" not in name
        return "F16" if is_half or (len(shape) == 3) else "F32"  # convolutions know no other


@dataclass(frozen=True)
class Hearing:
    """A model that hears, and may see: the recipes of its two files."""

    target: ModelRecipe
    audio: AudioRecipe
    projector: ProjectorRecipe | None = None

    def make(self, folder: Path, changes: Mapping[str, Value | None] | None = None) -> tuple[Path, Path]:
        target, mmproj = folder / "target.gguf", folder / "mmproj-target.gguf"
        folder.mkdir(parents=True, exist_ok=True)
        return make_model(target, self.target), make_audio_projector(mmproj, self.audio, self.projector, changes)


_TURNS = (END_OF_TEXT, TURN_START, TURN_END)
_BOUNDS = ("<|audio_bos|>", "<|audio_eos|>")
ULTRAVOX = Hearing(ModelRecipe(), AudioRecipe())
"""Rows of a recording are like other tokens, without any before and after them."""
QWEN2_AUDIO = Hearing(ModelRecipe(vocab=BpeVocab(control=(*_TURNS, *_BOUNDS))), AudioRecipe("qwen2a"))
"""With a token before and after them, and four times as many rows."""
QWEN25_OMNI = Hearing(
    ModelRecipe(arch="qwen2vl", vocab=BpeVocab(control=(*_TURNS, *_BOUNDS, "<|vision_start|>", "<|vision_end|>"))),
    AudioRecipe("qwen2a"),
    QWEN2_VL.projector,
)
"""Hears and sees; places have several dimensions."""
HEARINGS = {"ultravox": ULTRAVOX, "qwen2a": QWEN2_AUDIO, "omni": QWEN25_OMNI}


def make_audio_projector(
    path: Path,
    recipe: AudioRecipe = AudioRecipe(),
    projector: ProjectorRecipe | None = None,
    changes: Mapping[str, Value | None] | None = None,
    *,
    sparse: bool = False,
) -> Path:
    """`projector`: for pictures, in the same file."""
    metadata: dict[str, Value | None] = {**audio_metadata(recipe)}
    tensors = audio_tensors(recipe)
    if projector is not None:
        seeing = projector_metadata(projector)
        kind = seeing.pop("clip.projector_type")
        metadata |= {**seeing, "clip.vision.projector_type": kind}
        tensors += projector_tensors(projector)
    return write_mmproj(path, {**metadata, **(changes or {})}, tensors, sparse=sparse)


def audio_metadata(recipe: AudioRecipe) -> dict[str, Value]:
    stacked: dict[str, Value] = {"clip.audio.projector.stack_factor": recipe.stack} if recipe.kind in _STACKED else {}
    return {
        "clip.has_audio_encoder": True,
        "clip.audio.projector_type": recipe.kind,
        "clip.use_gelu": True,
        "clip.audio.num_mel_bins": recipe.n_mel,
        "clip.audio.embedding_length": recipe.n_embd,
        "clip.audio.feed_forward_length": recipe.n_ff,
        "clip.audio.block_count": recipe.n_layer,
        "clip.audio.projection_dim": recipe.width,
        "clip.audio.attention.head_count": recipe.n_head,
        "clip.audio.attention.layer_norm_epsilon": 1e-5,
        **stacked,
    }


def audio_tensors(recipe: AudioRecipe) -> list[Tensor]:
    weights = [*_ears(recipe), *_layers(recipe), *_rows(recipe)]
    return [
        Tensor(name, shape, recipe.type_of(name, shape), partial(noise, recipe.seed, name, shape))
        for name, shape in weights
    ]


def _ears(recipe: AudioRecipe) -> Iterator[Shaped]:
    yield "a.position_embd.weight", (_N_PLACES, recipe.n_embd)
    for i, columns in enumerate((recipe.n_mel, recipe.n_embd), 1):
        yield f"a.conv1d.{i}.weight", (recipe.n_embd, columns, 3)
        yield f"a.conv1d.{i}.bias", (recipe.n_embd, 1)
    yield "a.post_ln.weight", (recipe.n_embd,)
    yield "a.post_ln.bias", (recipe.n_embd,)


def _layers(recipe: AudioRecipe) -> Iterator[Shaped]:
    for i in range(recipe.n_layer):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            yield f"a.blk.{i}.{name}.weight", (recipe.n_embd, recipe.n_embd)
            if name != "attn_k":
                yield f"a.blk.{i}.{name}.bias", (recipe.n_embd,)
        yield f"a.blk.{i}.ffn_up.weight", (recipe.n_ff, recipe.n_embd)
        yield f"a.blk.{i}.ffn_up.bias", (recipe.n_ff,)
        yield f"a.blk.{i}.ffn_down.weight", (recipe.n_embd, recipe.n_ff)
        yield f"a.blk.{i}.ffn_down.bias", (recipe.n_embd,)
        for name in ("ln1", "ln2"):
            yield f"a.blk.{i}.{name}.weight", (recipe.n_embd,)
            yield f"a.blk.{i}.{name}.bias", (recipe.n_embd,)


def _rows(recipe: AudioRecipe) -> Iterator[Shaped]:
    stacked = recipe.stack * recipe.n_embd
    match recipe.kind:
        case "ultravox":
            yield "mm.a.norm_pre.weight", (stacked,)
            yield "mm.a.mlp.1.weight", (2 * recipe.inner, stacked)
            yield "mm.a.norm_mid.weight", (recipe.inner,)
            yield "mm.a.mlp.2.weight", (recipe.width, recipe.inner)
        case "voxtral":
            yield "mm.a.mlp.1.weight", (recipe.inner, stacked)
            yield "mm.a.mlp.2.weight", (recipe.width, recipe.inner)
        case "qwen2a":
            yield "mm.a.fc.weight", (recipe.width, recipe.n_embd)
            yield "mm.a.fc.bias", (recipe.width,)
