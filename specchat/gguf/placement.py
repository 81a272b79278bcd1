"""Sums the weights of a model on each device, given the placement of its layers."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from specchat.domain.memory import CPU
from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.splits import read_parts
from specchat.gguf.tensors import TensorInfo

OUTPUT = "output.weight"
INPUTS = (TOKEN_EMBEDDING, "per_layer_token_embd.weight", "position_embd.weight", "token_types.weight")
"""Always in the computer's own memory."""
_FIRST_LAYER = ("per_layer_model_proj.weight", "per_layer_proj_norm.weight")
_EVERYWHERE = ("rope_freqs.", "rope_factors_")
"""On each device that has layers."""
BLOCK = re.compile(r"blk\.(\d+)\.")


@dataclass(frozen=True)
class Inventory:
    tensors: tuple[TensorInfo, ...]

    @cached_property
    def tied(self) -> TensorInfo | None:
        """The embedding where it is the output as well."""
        named = {tensor.name: tensor for tensor in self.tensors}
        return None if OUTPUT in named else named.get(TOKEN_EMBEDDING)

    def by_device(self, layers: Sequence[str], unused: Collection[str], *, rearranged: bool) -> Counter[str]:
        """`layers`: where each is, and the output as the one after the last."""
        found: Counter[str] = Counter()
        for tensor in self.tensors:
            if tensor.name not in unused:
                for device in _devices(tensor.name, layers):
                    found[device] += tensor.size
        if self.tied is not None and (rearranged or layers[-1] != CPU):
            found[layers[-1]] += self.tied.size
        return found


def read_inventory(path: Path) -> Inventory:
    """Reads the inventory of all parts of a split model."""
    return Inventory(tuple(tensor for _, header in read_parts(path) for tensor in header.tensors))


def _devices(name: str, layers: Sequence[str]) -> Collection[str]:
    if block := BLOCK.match(name):
        return (layers[min(int(block[1]), len(layers) - 1)],)
    if name in INPUTS:
        return (CPU,)
    if name in _FIRST_LAYER:
        return (layers[0],)
    return set(layers[:-1]) if name.startswith(_EVERYWHERE) else (layers[-1],)
