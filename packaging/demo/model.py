"""The network: llama.cpp's `qwen3` architecture with tied embeddings."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

EPSILON = 1e-6
ROPE_BASE = 10_000.0


@dataclass(frozen=True, slots=True)
class Shape:
    n_layer: int
    n_embd: int
    n_head: int
    n_head_kv: int
    head_dim: int
    n_ff: int
    n_vocab: int = 4096
    n_ctx: int = 2048

    @property
    def n_parameters(self) -> int:
        attention = self.n_embd * self.head_dim * 2 * (self.n_head + self.n_head_kv)
        norms = 2 * self.n_embd + 2 * self.head_dim
        layer = attention + 3 * self.n_embd * self.n_ff + norms
        return self.n_layer * layer + self.n_vocab * self.n_embd + self.n_embd


TARGET = Shape(n_layer=12, n_embd=384, n_head=6, n_head_kv=2, head_dim=64, n_ff=1024)
DRAFT = Shape(n_layer=3, n_embd=128, n_head=4, n_head_kv=2, head_dim=32, n_ff=384)
TOY_TARGET = Shape(n_layer=6, n_embd=128, n_head=4, n_head_kv=2, head_dim=32, n_ff=352)
SHALLOW_TARGET, TOY_SHALLOW_TARGET = replace(TARGET, n_layer=6), replace(TOY_TARGET, n_layer=3)
TOY_DRAFT = Shape(n_layer=1, n_embd=64, n_head=2, n_head_kv=1, head_dim=32, n_ff=160)

Cache = list[tuple[Tensor, Tensor]]


def halves() -> torch.autocast:
    """Computes matrices in bfloat16, where the processor is not slower at that."""
    fast = torch.backends.cpu.get_cpu_capability() not in ("DEFAULT", "AVX2")
    return torch.autocast("cpu", torch.bfloat16, enabled=fast)


class Norm(nn.Module):  # type: ignore[misc]
    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), EPSILON)


class Attention(nn.Module):  # type: ignore[misc]
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        width, width_kv = shape.n_head * shape.head_dim, shape.n_head_kv * shape.head_dim
        self.q = nn.Linear(shape.n_embd, width, bias=False)
        self.k = nn.Linear(shape.n_embd, width_kv, bias=False)
        self.v = nn.Linear(shape.n_embd, width_kv, bias=False)
        self.output = nn.Linear(width, shape.n_embd, bias=False)
        self.q_norm = Norm(shape.head_dim)
        self.k_norm = Norm(shape.head_dim)

    def forward(
        self, x: Tensor, angles: tuple[Tensor, Tensor], past: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, ...]:
        rows, length, _ = x.shape
        q, k, v = (
            part(x).view(rows, length, -1, self.shape.head_dim).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        q, k = rotated(self.q_norm(q), angles), rotated(self.k_norm(k), angles)
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        shared = self.shape.n_head // self.shape.n_head_kv
        if length == 1:  # the heads that share keys stand where otherwise the positions do: nothing is repeated
            mixed = functional.scaled_dot_product_attention(q.reshape(rows, -1, shared, self.shape.head_dim), k, v)
            mixed = mixed.reshape(rows, -1, 1, self.shape.head_dim)
        else:
            mixed = functional.scaled_dot_product_attention(
                q, k.repeat_interleave(shared, 1), v.repeat_interleave(shared, 1), is_causal=True
            )
        return self.output(mixed.transpose(1, 2).reshape(rows, length, -1)), k, v


class Layer(nn.Module):  # type: ignore[misc]
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention_norm = Norm(shape.n_embd)
        self.attention = Attention(shape)
        self.ff_norm = Norm(shape.n_embd)
        self.gate = nn.Linear(shape.n_embd, shape.n_ff, bias=False)
        self.up = nn.Linear(shape.n_embd, shape.n_ff, bias=False)
        self.down = nn.Linear(shape.n_ff, shape.n_embd, bias=False)

    def forward(
        self, x: Tensor, angles: tuple[Tensor, Tensor], past: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, ...]:
        mixed, k, v = self.attention(self.attention_norm(x), angles, past)
        x = x + mixed
        inner = self.ff_norm(x)
        return x + self.down(functional.silu(self.gate(inner)) * self.up(inner)), k, v


class Transformer(nn.Module):  # type: ignore[misc]
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.n_vocab, shape.n_embd)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.n_layer))
        self.norm = Norm(shape.n_embd)
        self._initialise()
        cos, sin = rope_angles(shape.n_ctx, shape.head_dim)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def _initialise(self) -> None:
        nn.init.normal_(self.embedding.weight, std=0.02)
        for name, weight in self.layers.named_parameters():
            if weight.ndim == 2:
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5)
            if name.endswith(("output.weight", "down.weight")):
                with torch.no_grad():
                    weight.mul_((2 * self.shape.n_layer) ** -0.5)

    def hidden(self, tokens: Tensor, cache: Cache | None = None) -> Tensor:
        """What the logits are made of; goes on after what the cache holds, one token at a time."""
        start = cache[0][0].shape[2] if cache else 0
        end = start + tokens.shape[1]
        angles = (self.cos[start:end], self.sin[start:end])
        x = self.embedding(tokens)
        kept: Cache = []
        for i, layer in enumerate(self.layers):
            x, k, v = layer(x, angles, cache[i] if cache else None)
            kept.append((k, v))
        if cache is not None:
            cache[:] = kept
        return self.norm(x)

    def states(self, tokens: Tensor) -> list[Tensor]:
        """The input of each layer, and last what the logits are made of."""
        angles = (self.cos[: tokens.shape[1]], self.sin[: tokens.shape[1]])
        x = self.embedding(tokens)
        states: list[Tensor] = []
        for layer in self.layers:
            states.append(x)
            x, _, _ = layer(x, angles, None)
        return [*states, self.norm(x)]

    def logits(self, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.embedding.weight)


def rope_angles(n_ctx: int, head_dim: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine of every position's rotation."""
    angles = torch.outer(torch.arange(n_ctx), ROPE_BASE ** (-torch.arange(0, head_dim, 2) / head_dim))
    return angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)


def rotated(x: Tensor, angles: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = (angle.to(x.dtype) for angle in angles)
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin
