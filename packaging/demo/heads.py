"""Drafter heads: small networks that guess from the target's own states and share its embeddings and head.

`BlockHead` is llama.cpp's `dflash`: one pass guesses a whole block of tokens. With a Markov head, which lets each guess
know the one before it, and a confidence head it is what llama.cpp calls DSpark. `ChainHead` is `eagle3`: one guess a
pass, made from the state of the guess before. `NextTokenHead` is its kin that lies in the target's own file (MTP).

Both are trained from *anchors*: positions of the text from which a block or a chain is guessed. What the target has
read before the anchor is only projected to keys and values, once for all anchors of a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from model import Norm, Shape, rope_angles, rotated
from torch import Tensor, nn
from torch.nn import functional

KeysValues = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class HeadShape:
    target: Shape
    target_layers: tuple[int, ...]
    """Whose inputs the head reads; their number stands for what the logits are made of."""
    n_layer: int
    n_head: int
    n_head_kv: int
    head_dim: int
    n_ff: int
    n_block: int
    """Tokens guessed from one anchor, at most."""
    markov_rank: int = 0
    """0: no Markov head, and the first place of a block is the anchor itself."""

    @property
    def n_embd(self) -> int:
        return self.target.n_embd

    @property
    def n_features(self) -> int:
        return len(self.target_layers) * self.target.n_embd

    @property
    def anchor_guesses(self) -> bool:
        """Whether the anchor's own place gives the first guess."""
        return self.markov_rank > 0

    def n_places(self, n_guesses: int) -> int:
        """Rows of one pass over a block."""
        return n_guesses if self.anchor_guesses else n_guesses + 1


class Layer(nn.Module):  # type: ignore[misc]
    """Attention to what the target has read and to the row's own places, then a feed-forward network."""

    def __init__(self, shape: HeadShape, n_in: int, norms_of_heads: bool = True) -> None:
        super().__init__()
        self.shape = shape
        width, width_kv = shape.n_head * shape.head_dim, shape.n_head_kv * shape.head_dim
        self.q = nn.Linear(n_in, width, bias=False)
        self.k = nn.Linear(n_in, width_kv, bias=False)
        self.v = nn.Linear(n_in, width_kv, bias=False)
        self.output = nn.Linear(width, shape.n_embd, bias=False)
        self.q_norm = Norm(shape.head_dim) if norms_of_heads else nn.Identity()
        self.k_norm = Norm(shape.head_dim) if norms_of_heads else nn.Identity()
        self.ff_norm = Norm(shape.n_embd)
        self.gate = nn.Linear(shape.n_embd, shape.n_ff, bias=False)
        self.up = nn.Linear(shape.n_embd, shape.n_ff, bias=False)
        self.down = nn.Linear(shape.n_ff, shape.n_embd, bias=False)

    def keys_values(self, x: Tensor, angles: tuple[Tensor, Tensor]) -> KeysValues:
        """Of any leading dimensions; angles of the same, without the heads."""
        k, v = (part(x).unflatten(-1, (-1, self.shape.head_dim)) for part in (self.k, self.v))
        return rotated(self.k_norm(k), _for_heads(angles)), v

    def forward(
        self,
        x: Tensor,
        entered: Tensor,
        angles: tuple[Tensor, Tensor],
        past: KeysValues,
        visible: Tensor,
        own: KeysValues,
    ) -> Tensor:
        """One step of every anchor: `entered` [rows, anchors, places, n_in] with the residual x, to the new x.

        past: [rows, length, heads, size], of which each anchor sees the `visible` [rows, anchors, length];
        own: [rows, anchors, places, heads, size], all visible.
        """
        q = self.q(entered).unflatten(-1, (-1, self.shape.head_dim))
        q = rotated(self.q_norm(q), _for_heads(angles)) * self.shape.head_dim**-0.5
        mixed = self._attention(q, past, visible, own)
        x = x + self.output(mixed.flatten(-2))
        inner = self.ff_norm(x)
        return x + self.down(functional.silu(self.gate(inner)) * self.up(inner))

    def _attention(self, q: Tensor, past: KeysValues, visible: Tensor, own: KeysValues) -> Tensor:
        rows, anchors, places, heads, size = q.shape
        groups = self.shape.n_head_kv
        shared = heads // groups
        # [rows, groups, anchors, shared, places, size]: the query heads of one group lie together
        q = q.view(rows, anchors, places, groups, shared, size).permute(0, 3, 1, 4, 2, 5)
        past_k, past_v = (part.transpose(1, 2) for part in past)
        own_k, own_v = (part.permute(0, 3, 1, 2, 4) for part in own)
        flat = q.reshape(rows, groups, anchors * shared * places, size)
        to_past = (flat @ past_k.transpose(-1, -2)).view(rows, groups, anchors, shared, places, -1)
        to_past = to_past.masked_fill(~visible[:, None, :, None, None, :], -torch.inf)
        flat = q.reshape(rows, groups, anchors, shared * places, size)
        to_own = (flat @ own_k.transpose(-1, -2)).view(rows, groups, anchors, shared, places, -1)
        weights = torch.cat([to_past, to_own], -1).softmax(-1)
        length = past_k.shape[2]
        from_past = weights[..., :length].reshape(rows, groups, anchors * shared * places, length) @ past_v
        from_own = weights[..., length:].reshape(rows, groups, anchors, shared * places, -1) @ own_v
        mixed = from_past.view(q.shape) + from_own.view(q.shape)
        return mixed.permute(0, 2, 4, 1, 3, 5).reshape(rows, anchors, places, heads, size)


class Head(nn.Module):  # type: ignore[misc]
    """What all heads have."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.shape = shape
        self.fuse = nn.Linear(shape.n_features, shape.n_embd, bias=False)
        self.norm = Norm(shape.n_embd)
        self.register_buffer("feature_scale", torch.ones(shape.n_features))
        self.register_buffer("usual", torch.zeros(shape.n_features))
        cos, sin = rope_angles(shape.target.n_ctx, shape.head_dim)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    @property
    def n_parameters(self) -> int:
        return sum(weight.numel() for weight in self.parameters())

    def measure(self, features: Tensor) -> None:
        """The target's states are hundreds in some places, always the same: scale them and leave out what is usual.

        Both are linear, and become part of the exported weights.
        """
        self.feature_scale.copy_(1 / features.std(0).clamp(min=1e-3))
        usual = features.mean(0) * self.feature_scale
        self.usual.copy_(usual / usual.norm())

    def scaled(self, features: Tensor) -> Tensor:
        scaled = features * self.feature_scale
        return scaled - (scaled @ self.usual)[..., None] * self.usual

    def fusing_weight(self) -> Tensor:
        """What makes of features as the target gives them what `fuse` makes of scaled ones."""
        weight = self.fuse.weight
        return (weight - torch.outer(weight @ self.usual, self.usual)) * self.feature_scale

    def angles(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        return self.cos[positions], self.sin[positions]

    def initialise(self) -> None:
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5)
            if name.endswith(("output.weight", "down.weight")):
                with torch.no_grad():
                    weight.mul_(0.5)


class BlockHead(Head):
    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.fused_norm = Norm(shape.n_embd)
        self.layers = nn.ModuleList(Layer(shape, shape.n_embd) for _ in range(shape.n_layer))
        self.layer_norms = nn.ModuleList(Norm(shape.n_embd) for _ in range(shape.n_layer))
        self.initialise()
        if shape.markov_rank:
            self.markov_from = nn.Embedding(shape.target.n_vocab, shape.markov_rank)
            self.markov_to = nn.Linear(shape.markov_rank, shape.target.n_vocab, bias=False)
            self.confidence = nn.Linear(shape.n_embd + shape.markov_rank, 1)
            nn.init.normal_(self.markov_from.weight, std=1.0)
            nn.init.zeros_(self.markov_to.weight)
            nn.init.zeros_(self.confidence.weight)

    def forward(self, features: Tensor, anchors: Tensor, block: Tensor) -> Tensor:
        """What the logits are made of.

        features: [rows, length, n_features], of the whole text; anchors: their positions, [rows, anchors];
        block: the embeddings of the anchor and of the mask token, [rows, anchors, places, n_embd].
        """
        x = block
        fused = self.fused_norm(self.fuse(self.scaled(features)))
        length = torch.arange(features.shape[1])
        past_angles = self.angles(length)
        visible = length < anchors[..., None]
        angles = self.angles(anchors[..., None] + torch.arange(block.shape[2]))
        for layer, norm in zip(self.layers, self.layer_norms, strict=True):
            entered = norm(x)
            past = layer.keys_values(fused, past_angles)
            x = layer(x, entered, angles, past, visible, layer.keys_values(entered, angles))
        return self.norm(x)

    def bias(self, previous: Tensor) -> Tensor:
        """What the token before a guess adds to its logits."""
        return self.markov_to(self.markov_from(previous))

    def confidences(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """Before the sigmoid: how likely a guess is accepted."""
        return self.confidence(torch.cat([hidden, self.markov_from(previous)], -1))[..., 0]


class ChainHead(Head):
    """EAGLE-3."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.token_norm = Norm(shape.n_embd)
        self.state_norm = Norm(shape.n_embd)
        self.layer = self._made_layer()
        self.initialise()

    def _made_layer(self) -> Layer:
        return Layer(self.shape, 2 * self.shape.n_embd, norms_of_heads=False)

    def initialise(self) -> None:
        """The token comes in through attention alone: at first every place looks at itself."""
        super().initialise()
        with torch.no_grad():
            keys = self.layer.k.weight.unflatten(0, (-1, 1, self.shape.head_dim))
            shared = self.shape.n_head // self.shape.n_head_kv
            self.layer.q.weight.copy_(keys.expand(-1, shared, -1, -1).flatten(0, 2))

    def forward(self, features: Tensor, embedded: Tensor, anchors: Tensor, chain: Tensor) -> list[Tensor]:
        """The states that follow each other from every anchor; `norm` makes logits of them.

        features, embedded: of the whole text, the tokens one place ahead of the states; anchors: positions of the last
        states read from the target, [rows, anchors]; chain: the embeddings of the token after the anchor and of the
        guesses, [rows, anchors, steps, n_embd].
        """
        fused = self.fused(features)
        length = torch.arange(features.shape[1])
        past = self.layer.keys_values(self._entered(embedded, fused)[1], self.angles(length))
        visible = length < anchors[..., None]
        state = fused.gather(1, anchors[..., None].expand(-1, -1, self.shape.n_embd))[:, :, None]
        states: list[Tensor] = []
        keys: list[KeysValues] = []
        for step in range(chain.shape[2]):
            angles = self.angles(anchors[..., None] + step)
            x, entered = self._entered(chain[:, :, step : step + 1], state)
            keys.append(self.layer.keys_values(entered, angles))
            own = (torch.cat([k for k, _ in keys], 2), torch.cat([v for _, v in keys], 2))
            state = self.handed_on(self.layer(x, entered, angles, past, visible, own))
            states.append(state)
        return states

    def paired(self, features: Tensor, embedded: Tensor, anchors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What `forward` takes, of the text's features and embeddings and the places of the latest tokens."""
        return features, torch.cat([embedded[:, 1:], embedded[:, -1:]], 1), anchors - 1

    def fused(self, features: Tensor) -> Tensor:
        return self.fuse(self.scaled(features))

    def hidden(self, state: Tensor) -> Tensor:
        """What the logits are made of."""
        return self.norm(state)

    def handed_on(self, state: Tensor) -> Tensor:
        """What the next step gets of a step's output."""
        return state

    def _entered(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """The layer's residual and what its attention reads."""
        return state, torch.cat([self.token_norm(embedded), self.state_norm(state)], -1)


class NextTokenHead(ChainHead):
    """An MTP layer, as `glm4moe` has it: it reads the target's last state and hands on its own, normalised."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.layer_norm = Norm(shape.n_embd)
        self.fuse = nn.Linear(2 * shape.n_embd, shape.n_embd, bias=False)
        self.initialise()

    def _made_layer(self) -> Layer:
        return Layer(self.shape, self.shape.n_embd)

    def initialise(self) -> None:
        Head.initialise(self)

    def paired(self, features: Tensor, embedded: Tensor, anchors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The first token stands beside a state of zeros."""
        return functional.pad(features[:, :-1], (0, 0, 1, 0)), embedded, anchors

    def fused(self, features: Tensor) -> Tensor:
        return features

    def hidden(self, state: Tensor) -> Tensor:
        return state

    def handed_on(self, state: Tensor) -> Tensor:
        return self.norm(state)

    def _entered(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        x = self.fuse(torch.cat([self.token_norm(embedded), self.state_norm(state)], -1))
        return x, self.layer_norm(x)


def _for_heads(angles: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    cos, sin = angles
    return cos.unsqueeze(-2), sin.unsqueeze(-2)
