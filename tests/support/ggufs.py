"""Small GGUF files that llama.cpp loads, with random weights that still write varied text.

A weight's noise depends on the seed and on its name only, so a model of the same seed with fewer layers
consists of the larger one's first layers: that makes a draft.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from support.architectures import ARCHITECTURES, HEADS
from support.gguf_writer import Tensor, Value, write_gguf
from support.layers import Dims, Weight, norm
from support.quantise import FORMATS
from support.vocabularies import BYTE, NORMAL, BpeVocab, TokenTable, Vocab

Floats = NDArray[np.float32]
Quality = Literal["good", "bad", "random", "same"]

LOGIT_DEVIATION = 3.0
RECITED_LOGIT, RECITING = 100.0, 0.3
"""What is learnt by heart must outweigh what the layers add."""
QUIET = {"good": 0.21, "bad": 1.4}
"""How much all the layers that a draft lacks add together, in proportion to one of its own."""
MTP_LAYER = 1
"""Like this layer of the architecture: in hybrids one with attention."""
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@dataclass(frozen=True)
class ModelRecipe:
    arch: str = "llama"
    vocab: Vocab = BpeVocab()
    dtype: str = "Q8_0"
    n_layer: int = 4
    n_embd: int | None = None
    """None: 128, or 256 where the blocks of `dtype` are that long."""
    n_head: int = 4
    n_head_kv: int = 2
    n_ff: int | None = None
    n_expert: int | None = None
    """None: 4 in a mixture of experts. Llama becomes one (Mixtral) when this is set."""
    n_ctx: int = 2048
    sliding_window: int = 32
    seed: int = 0
    eos_bias: float = 0.0
    """How loud the end token is: 0 never ends, 1 after hundreds of tokens, 2 after tens, 3 after a few."""
    speaks_bytes: bool = False
    """May choose lone bytes, so characters arrive in parts or broken; otherwise plain ASCII."""
    recites: tuple[int, ...] = ()
    """Tokens, none of them twice: after the first, wherever it stands, follow all the others."""
    quiet_from: int | None = None
    """The layers from here on add only `quiet_scale` of what they would."""
    quiet_scale: float = 1.0
    mtp_layers: int = 0
    """After its own layers: each guesses a further token from the latest one and what the target knew before it."""
    chat_template: str | None = CHATML
    name: str = "Tiny"

    def dims(self) -> Dims:
        n_embd = self.n_embd or max(128, FORMATS[self.dtype].block)
        n_expert = self.n_expert if self.n_expert is not None else 4 * self.arch.endswith("moe")
        return Dims(
            n_vocab=len(self.vocab.table().texts),
            n_embd=n_embd,
            n_layer=self.n_layer,
            n_head=self.n_head,
            n_head_kv=self.n_head_kv,
            n_ff=self.n_ff or 2 * n_embd,
            n_expert=n_expert,
            n_expert_used=min(2, n_expert),
            n_ctx=self.n_ctx,
            sliding_window=self.sliding_window,
        )


def make_model(
    path: Path,
    recipe: ModelRecipe = ModelRecipe(),
    changes: Mapping[str, Value | None] | None = None,
    more: Sequence[Tensor] = (),
) -> Path:
    """`changes`: in its metadata; None takes a key out. `more`: further tensors."""
    metadata = metadata_of(recipe) | dict(changes or {})
    known = {key: value for key, value in metadata.items() if value is not None}
    write_gguf(path, known, [*_tensors(recipe), *more])
    return path


def make_pair(
    folder: Path,
    quality: Quality = "good",
    *,
    draft_arch: str | None = None,
    draft_vocab: Vocab | None = None,
    draft_dtype: str | None = None,
    draft_layers: int = 2,
    recipe: ModelRecipe = ModelRecipe(),
) -> tuple[Path, Path]:
    """Target and draft. `recipe` is the target's; a good or bad draft is its first layers."""
    target = recipe
    if quality in QUIET:
        target = quieten(recipe, draft_layers, QUIET[quality])
    draft = replace(
        recipe,
        arch=draft_arch or recipe.arch,
        vocab=draft_vocab or recipe.vocab,
        dtype=draft_dtype or recipe.dtype,
        n_layer=recipe.n_layer if quality == "same" else draft_layers,
        seed=recipe.seed + (quality == "random"),
        name=f"{recipe.name} draft",
    )
    return make_model(folder / "target.gguf", target), make_model(folder / "draft.gguf", draft)


def quieten(recipe: ModelRecipe, draft_layers: int, scale: float) -> ModelRecipe:
    """Let all layers after the first few add together `scale` of what one would."""
    each = scale / sqrt(recipe.n_layer - draft_layers)
    return replace(recipe, quiet_from=draft_layers, quiet_scale=each)


def weight_bytes(recipe: ModelRecipe) -> int:
    return sum(tensor.nbytes for tensor in _tensors(recipe))


def metadata_of(recipe: ModelRecipe) -> dict[str, Value | None]:
    dims = recipe.dims()
    metadata: dict[str, Value | None] = {
        "general.architecture": recipe.arch,
        "general.type": "model",
        "general.name": recipe.name,
        "general.file_type": FORMATS[recipe.dtype].file_type,
        "general.quantization_version": 2,
        f"{recipe.arch}.vocab_size": dims.n_vocab,
    }
    for key, value in (ARCHITECTURES | HEADS)[recipe.arch].metadata(dims).items():
        metadata[f"{recipe.arch}.{key}"] = value
    if recipe.mtp_layers:
        metadata[f"{recipe.arch}.block_count"] = dims.n_layer + recipe.mtp_layers
        metadata[f"{recipe.arch}.nextn_predict_layers"] = recipe.mtp_layers
    metadata.update(recipe.vocab.table().metadata)
    if recipe.chat_template is not None:
        metadata["tokenizer.chat_template"] = recipe.chat_template
    return metadata


def _tensors(recipe: ModelRecipe) -> list[Tensor]:
    dims = recipe.dims()
    arch = ARCHITECTURES[recipe.arch]
    output_norm = Weight(arch.output_norm, (dims.n_embd,), 0.0, 1.0, matrix=False)
    layers = [_quiet(recipe, i, weight) for i in range(dims.n_layer) for weight in arch.layer(dims, i)]
    tensors = [tensor_of(recipe, weight) for weight in (_embedding(recipe), output_norm, *layers)]
    tensors.append(output_of(recipe))
    for i in range(dims.n_layer, dims.n_layer + recipe.mtp_layers):
        tensors += mtp_layer(recipe, i)
    return tensors


def _embedding(recipe: ModelRecipe) -> Weight:
    dims = recipe.dims()
    deviation = ARCHITECTURES[recipe.arch].embedding_deviation(dims)
    return Weight("token_embd.weight", (dims.n_vocab, dims.n_embd), deviation)


def output_of(recipe: ModelRecipe) -> Tensor:
    """What turns the last state into logits."""
    dims = recipe.dims()
    weight = Weight("output.weight", (dims.n_vocab, dims.n_embd), LOGIT_DEVIATION / sqrt(dims.n_embd))
    return replace(tensor_of(recipe, weight), make=partial(_output, recipe, weight, _embedding(recipe)))


def mtp_layer(recipe: ModelRecipe, i: int) -> list[Tensor]:
    """It guesses from the latest token alone: rightly, as far as the target's layers are quiet."""
    dims, blk = recipe.dims(), f"blk.{i}"
    weights = [
        replace(weight, deviation=0.02 * weight.deviation) if weight.writes_residual else weight
        for weight in ARCHITECTURES[recipe.arch].layer(dims, MTP_LAYER)
    ]
    named = [replace(weight, name=weight.name.replace(f"blk.{MTP_LAYER}.", f"{blk}.")) for weight in weights]
    ends = [norm(f"{blk}.nextn.{name}.weight", dims.n_embd) for name in ("enorm", "hnorm", "shared_head_norm")]
    joined = Weight(f"{blk}.nextn.eh_proj.weight", (dims.n_embd, 2 * dims.n_embd), 0.01)
    return [*(tensor_of(recipe, weight) for weight in (*named, *ends)), latest_token_first(recipe, joined)]


def latest_token_first(recipe: ModelRecipe, joined: Weight) -> Tensor:
    """Of a token and a state side by side."""

    def make() -> Floats:
        rows = _noise(recipe.seed, joined)
        of_token = rows[:, : rows.shape[1] // 2]
        of_token += np.eye(*of_token.shape, dtype=np.float32)
        return rows

    return replace(tensor_of(recipe, joined), make=make)


def tensor_of(recipe: ModelRecipe, weight: Weight) -> Tensor:
    dtype = recipe.dtype if weight.matrix else "F32"
    return Tensor(weight.name, weight.shape, dtype, partial(_noise, recipe.seed, weight))


def _quiet(recipe: ModelRecipe, layer: int, weight: Weight) -> Weight:
    if not weight.writes_residual:
        return weight
    scale = RECITING if recipe.recites else 1.0
    if recipe.quiet_from is not None and layer >= recipe.quiet_from:
        scale *= recipe.quiet_scale
    return replace(weight, deviation=weight.deviation * scale, mean=weight.mean * scale)


def _noise(seed: int, weight: Weight) -> Floats:
    stream = np.random.Generator(np.random.SFC64([seed, crc32(weight.name.encode())]))
    values = stream.standard_normal(weight.shape, np.float32)
    values *= np.float32(weight.deviation)
    values += np.float32(weight.mean)
    return _interleave(values, weight.interleaved_heads) if weight.interleaved_heads else values


def _interleave(rows: Floats, n_head: int) -> Floats:
    halves = rows.reshape(n_head, 2, -1, rows.shape[-1])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def _output(recipe: ModelRecipe, weight: Weight, embedding: Weight) -> Floats:
    """Rows as loud as their tokens may be; a recited token's row looks like the embedding before it."""
    rows = _noise(recipe.seed, weight) * _loudness(recipe.vocab.table(), recipe)[:, None]
    if recipe.recites:
        before = _noise(recipe.seed, embedding)[list(recipe.recites[:-1])] / embedding.deviation
        rows[list(recipe.recites[1:])] = before * (RECITED_LOGIT / weight.shape[-1])
    return rows


def _loudness(table: TokenTable, recipe: ModelRecipe) -> Floats:
    """Control and padding tokens stay at zero."""
    spoken = [kind in (NORMAL, BYTE) for kind in table.types] if recipe.speaks_bytes else table.spoken
    loudness = np.asarray(spoken, np.float32)
    loudness[table.id(recipe.vocab.eos)] = recipe.eos_bias
    return loudness
