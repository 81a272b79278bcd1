"""Reads from a model's header what matters for drafting: read cost per token and vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.files import require_tokenizer
from specchat.gguf.header import Header, read_header
from specchat.gguf.hyperparameters import per_layer
from specchat.gguf.medusa_tensors import MEDUSA, count_heads
from specchat.gguf.metadata import integer, text
from specchat.gguf.placement import INPUTS, OUTPUT
from specchat.gguf.source import FileSource
from specchat.gguf.splits import find_other_parts
from specchat.gguf.summary import summarise
from specchat.gguf.tensors import TensorInfo
from specchat.gguf.tokenizer import Tokenizer
from specchat.services.drafts.speedup import ModelCost
from specchat.services.models.model_facts import file_state

_EXPERTS = "_exps."


@dataclass(frozen=True, slots=True)
class DraftFacts:
    name: str
    architecture: str
    quantization: str
    size: int
    side: ModelCost
    is_draft_only: bool
    """It guesses for one certain model only."""


def read_draft_facts(path: Path) -> DraftFacts:
    return _facts(path, file_state(path))


def read_tokenizer_of(path: Path) -> Tokenizer:
    return require_tokenizer(FileSource(path))


@lru_cache(maxsize=4096)
def _facts(path: Path, state: str | None) -> DraftFacts:
    source = FileSource(path)
    header = read_header(source)
    summary = summarise(header, source)
    others = [FileSource(part) for part in find_other_parts(path, header)]
    tensors = [*header.tensors, *(tensor for other in others for tensor in read_header(other).tensors)]
    return DraftFacts(
        name=(text(header.metadata, "general.name", header.name) or "").strip() or path.stem,
        architecture=summary.architecture,
        quantization=summary.quantization,
        size=source.size + sum(other.size for other in others),
        side=ModelCost(sum(tensor.n_values for tensor in tensors), _read_for_a_token(header, tensors)),
        is_draft_only=is_draft_only(header),
    )


def _read_for_a_token(header: Header, tensors: Sequence[TensorInfo]) -> float:
    share = _share_of_experts(header)
    is_tied = all(tensor.name != OUTPUT for tensor in tensors)
    read = 0.0
    for tensor in tensors:
        if _EXPERTS in tensor.name:
            read += tensor.size * share
        elif tensor.name not in INPUTS or (is_tied and tensor.name == TOKEN_EMBEDDING):
            read += tensor.size
    return read / count_heads(tensors) if header.architecture == MEDUSA else read


def _share_of_experts(header: Header) -> float:
    count = integer(header.metadata, f"{header.architecture}.expert_count", header.name) or 0
    used = max(per_layer(header.metadata, f"{header.architecture}.expert_used_count", header.name), default=0)
    return used / count if 0 < used < count else 1.0
