"""The weights of one layer, in the names and shapes that llama.cpp expects of each architecture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

SSM_CONV, SSM_STATE, SSM_RANK, SHORT_CONV = 4, 16, 8, 3
DELTA_STATE, DELTA_KEYS, DELTA_VALUES = 32, 2, 4
FIRST_ATTENTION = 1
SHARPNESS = 1.7
"""Standard deviation of queries and keys: attention picks a few positions rather than all alike."""


@dataclass(frozen=True)
class Dims:
    n_vocab: int
    n_embd: int
    n_layer: int
    n_head: int
    n_head_kv: int
    n_ff: int
    n_expert: int
    n_expert_used: int
    n_ctx: int
    sliding_window: int
    head: int | None = None
    """The width of a head where heads are not shares of the embedding."""

    @property
    def head_dim(self) -> int:
        return self.head or self.n_embd // self.n_head

    @property
    def q_dim(self) -> int:
        return self.head_dim * self.n_head

    @property
    def kv_dim(self) -> int:
        return self.head_dim * self.n_head_kv


@dataclass(frozen=True)
class Weight:
    """Normal noise of this mean and deviation; a matrix is quantised, the rest stays F32."""

    name: str
    shape: tuple[int, ...]
    deviation: float
    mean: float = 0.0
    matrix: bool = True
    writes_residual: bool = False
    """What a layer adds goes through this weight: scaled down, the layer falls silent."""
    interleaved_heads: int = 0
    """Rotary pairs stand side by side in this architecture, not half a head apart."""


def matrix(
    name: str, rows: int, columns: int, gain: float = 1.0, *, writes_residual: bool = False, pairs: int = 0
) -> Weight:
    """Keeps the deviation of its input, times `gain`."""
    deviation = gain / sqrt(columns)
    return Weight(name, (rows, columns), deviation, writes_residual=writes_residual, interleaved_heads=pairs)


def norm(name: str, length: int, mean: float = 1.0) -> Weight:
    return Weight(name, (length,), 0.1 * mean, mean, matrix=False)


def bias(name: str, length: int, deviation: float = 0.1, mean: float = 0.0) -> Weight:
    return Weight(name, (length,), deviation, mean, matrix=False)


def attention(d: Dims, i: int, *, interleaved: bool, biased: bool, normed: bool) -> Iterator[Weight]:
    blk = f"blk.{i}"
    sharpness = 1.0 if normed else SHARPNESS
    q_pairs, k_pairs = (d.n_head, d.n_head_kv) if interleaved else (0, 0)
    yield norm(f"{blk}.attn_norm.weight", d.n_embd)
    yield matrix(f"{blk}.attn_q.weight", d.q_dim, d.n_embd, sharpness, pairs=q_pairs)
    yield matrix(f"{blk}.attn_k.weight", d.kv_dim, d.n_embd, sharpness, pairs=k_pairs)
    yield matrix(f"{blk}.attn_v.weight", d.kv_dim, d.n_embd)
    yield matrix(f"{blk}.attn_output.weight", d.n_embd, d.q_dim, writes_residual=True)
    if biased:
        yield bias(f"{blk}.attn_q.bias", d.q_dim)
        yield bias(f"{blk}.attn_k.bias", d.kv_dim)
        yield bias(f"{blk}.attn_v.bias", d.kv_dim)
    if normed:
        yield norm(f"{blk}.attn_q_norm.weight", d.head_dim, SHARPNESS)
        yield norm(f"{blk}.attn_k_norm.weight", d.head_dim, SHARPNESS)


def feed_forward(d: Dims, i: int) -> Iterator[Weight]:
    blk = f"blk.{i}"
    yield norm(f"{blk}.ffn_norm.weight", d.n_embd)
    yield matrix(f"{blk}.ffn_gate.weight", d.n_ff, d.n_embd)
    yield matrix(f"{blk}.ffn_up.weight", d.n_ff, d.n_embd)
    yield matrix(f"{blk}.ffn_down.weight", d.n_embd, d.n_ff, 2.0, writes_residual=True)


def experts(d: Dims, i: int) -> Iterator[Weight]:
    blk = f"blk.{i}"
    inner, outer = 1 / sqrt(d.n_embd), 2 / sqrt(d.n_ff)
    yield norm(f"{blk}.ffn_norm.weight", d.n_embd)
    yield Weight(f"{blk}.ffn_gate_inp.weight", (d.n_expert, d.n_embd), inner, matrix=False)
    yield Weight(f"{blk}.ffn_gate_exps.weight", (d.n_expert, d.n_ff, d.n_embd), inner)
    yield Weight(f"{blk}.ffn_up_exps.weight", (d.n_expert, d.n_ff, d.n_embd), inner)
    yield Weight(f"{blk}.ffn_down_exps.weight", (d.n_expert, d.n_embd, d.n_ff), outer, writes_residual=True)


def llama(d: Dims, i: int) -> Iterator[Weight]:
    yield from attention(d, i, interleaved=True, biased=False, normed=False)
    yield from experts(d, i) if d.n_expert else feed_forward(d, i)


def qwen2(d: Dims, i: int) -> Iterator[Weight]:
    yield from attention(d, i, interleaved=False, biased=True, normed=False)
    yield from feed_forward(d, i)


def qwen3(d: Dims, i: int) -> Iterator[Weight]:
    yield from attention(d, i, interleaved=False, biased=False, normed=True)
    yield from experts(d, i) if d.n_expert else feed_forward(d, i)


def gemma3(d: Dims, i: int) -> Iterator[Weight]:
    """The norms after each half decide how much it adds, whatever stands before them."""
    halves = (*attention(d, i, interleaved=False, biased=False, normed=True), *feed_forward(d, i))
    yield from (replace(weight, writes_residual=False) for weight in halves)
    for half in ("attention", "ffw"):
        yield replace(norm(f"blk.{i}.post_{half}_norm.weight", d.n_embd), writes_residual=True)


def gemma4(d: Dims, i: int) -> Iterator[Weight]:
    """Its scores are not divided by the root of a head's width, so the norms do that; the layers that see all of the
    text share factors for their rotation.
    """
    calmed = d.head_dim**-0.25
    for weight in gemma3(d, i):
        is_scored = "attn_q_norm" in weight.name or "attn_k_norm" in weight.name
        yield replace(weight, mean=calmed * weight.mean, deviation=calmed * weight.deviation) if is_scored else weight
    if i == FIRST_ATTENTION:
        yield Weight("rope_freqs.weight", (d.head_dim // 2,), 0.0, 1.0, matrix=False)


def mamba(d: Dims, i: int) -> Iterator[Weight]:
    blk = f"blk.{i}"
    inner, state, rank = 2 * d.n_embd, SSM_STATE, SSM_RANK
    yield norm(f"{blk}.attn_norm.weight", d.n_embd)
    yield matrix(f"{blk}.ssm_in.weight", 2 * inner, d.n_embd, 1.5)
    yield Weight(f"{blk}.ssm_conv1d.weight", (inner, SSM_CONV), 0.5, matrix=False)
    yield bias(f"{blk}.ssm_conv1d.bias", inner)
    yield matrix(f"{blk}.ssm_x.weight", rank + 2 * state, inner, 2.0)
    yield Weight(f"{blk}.ssm_dt.weight", (inner, rank), 1 / sqrt(rank), matrix=False)
    yield bias(f"{blk}.ssm_dt.bias", inner, 1.0, -1.0)
    yield Weight(f"{blk}.ssm_a", (inner, state), 0.2, -1.0, matrix=False)
    yield bias(f"{blk}.ssm_d", inner, 0.1, 1.0)
    yield matrix(f"{blk}.ssm_out.weight", d.n_embd, inner, 0.1, writes_residual=True)


def lfm2(d: Dims, i: int) -> Iterator[Weight]:
    if is_attention(i):
        yield from attention(d, i, interleaved=False, biased=False, normed=True)
    else:
        blk = f"blk.{i}"
        yield norm(f"{blk}.attn_norm.weight", d.n_embd)
        yield matrix(f"{blk}.shortconv.in_proj.weight", 3 * d.n_embd, d.n_embd)
        yield Weight(f"{blk}.shortconv.conv.weight", (d.n_embd, SHORT_CONV), 0.7, matrix=False)
        yield matrix(f"{blk}.shortconv.out_proj.weight", d.n_embd, d.n_embd, writes_residual=True)
    yield from feed_forward(d, i)


def qwen35(d: Dims, i: int) -> Iterator[Weight]:
    yield from gated_attention(d, i) if is_attention(i) else delta_net(d, i)
    for weight in feed_forward(d, i):
        yield replace(weight, name=weight.name.replace("ffn_norm", "post_attention_norm"))


def gated_attention(d: Dims, i: int) -> Iterator[Weight]:
    """Queries bring along gates, which halve what comes out."""
    for weight in attention(d, i, interleaved=False, biased=False, normed=True):
        if "attn_q." in weight.name:
            weight = replace(weight, shape=(2 * d.q_dim, d.n_embd))
        yield replace(weight, deviation=2 * weight.deviation) if weight.writes_residual else weight


def delta_net(d: Dims, i: int) -> Iterator[Weight]:
    blk = f"blk.{i}"
    values = DELTA_VALUES * DELTA_STATE
    mixed = values + 2 * DELTA_KEYS * DELTA_STATE
    yield norm(f"{blk}.attn_norm.weight", d.n_embd)
    yield matrix(f"{blk}.attn_qkv.weight", mixed, d.n_embd)
    yield matrix(f"{blk}.attn_gate.weight", values, d.n_embd)
    yield Weight(f"{blk}.ssm_conv1d.weight", (mixed, SSM_CONV), 0.5, matrix=False)
    yield bias(f"{blk}.ssm_dt.bias", DELTA_VALUES, 1.0, -1.0)
    yield bias(f"{blk}.ssm_a", DELTA_VALUES, 0.2, -1.0)
    yield matrix(f"{blk}.ssm_beta.weight", DELTA_VALUES, d.n_embd)
    yield matrix(f"{blk}.ssm_alpha.weight", DELTA_VALUES, d.n_embd)
    yield norm(f"{blk}.ssm_norm.weight", DELTA_STATE)
    yield matrix(f"{blk}.ssm_out.weight", d.n_embd, values, 2.0, writes_residual=True)


def is_attention(layer: int) -> bool:
    """Hybrids take turns; so do layers that see a window and those that see everything."""
    return layer % 2 == FIRST_ATTENTION
