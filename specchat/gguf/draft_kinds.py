"""Detects the kind of draft that a file contains."""

import re

from specchat.gguf.header import Header
from specchat.gguf.medusa_tensors import MEDUSA

ASSISTANT = "gemma4-assistant"
_BY_ARCHITECTURE = {"eagle3": "eagle3", "dflash": "dflash", ASSISTANT: "mtp", MEDUSA: "medusa"}
_NEXTN_TENSOR = re.compile(r"blk\.\d+\.nextn\.")
_DSPARK_TENSOR = "markov_w1.weight"
_TRUNK_TENSOR = "blk.0.attn_norm.weight"


def draft_kind(header: Header) -> str | None:
    """Also for a whole model with a built-in head; `is_draft_only` tells the two apart."""
    kind = _BY_ARCHITECTURE.get(header.architecture or "")
    if kind == "dflash" and _has_tensor(header, _DSPARK_TENSOR):
        return "dspark"
    return "mtp" if kind is None and _has_nextn_head(header) else kind


def is_draft_only(header: Header) -> bool:
    """Returns whether this file can't answer without its target."""
    if header.architecture in _BY_ARCHITECTURE:
        return True
    return _has_nextn_head(header) and not _has_tensor(header, _TRUNK_TENSOR)


def _has_nextn_head(header: Header) -> bool:
    return any(_NEXTN_TENSOR.match(tensor.name) for tensor in header.tensors)


def _has_tensor(header: Header, name: str) -> bool:
    return any(tensor.name == name for tensor in header.tensors)
