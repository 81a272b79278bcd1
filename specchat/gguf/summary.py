"""Summarises a model from its header, before it is loaded."""

from collections import Counter
from dataclasses import dataclass

from specchat.domain.errors import ModelFileError
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.draft_kinds import ASSISTANT, draft_kind, is_draft_only
from specchat.gguf.file_errors import printable
from specchat.gguf.header import Header
from specchat.gguf.hyperparameters import per_layer
from specchat.gguf.metadata import integer, text
from specchat.gguf.problems import find_problems
from specchat.gguf.source import ByteSource
from specchat.gguf.splits import require_first_part
from specchat.gguf.tensor_types import FILE_TYPES
from specchat.gguf.tokenizer import Tokenizer, read_tokenizer

_GUESSED_FILE_TYPE = 1024


@dataclass(frozen=True, slots=True)
class TokenizerSummary:
    model: str
    pre: str | None
    sha256: str
    bos: int | None
    eos: int | None
    add_bos: bool
    add_eos: bool


@dataclass(frozen=True, slots=True)
class ModelSummary:
    architecture: str
    parameters: int
    quantization: str
    file_size: int
    n_layer: int | None
    n_ctx_train: int | None
    n_embd: int | None
    n_head: int | None
    n_head_kv: int | None
    n_vocab: int | None
    tokenizer: TokenizerSummary | None
    chat_template: bool
    draft_kind: str | None
    """Of a head's own file."""
    draft_inside: str | None
    """Of a head that is a part of the model."""
    bytes_read: int
    problems: tuple[TranslatableText, ...]


def summarise(header: Header, source: ByteSource) -> ModelSummary:
    split = require_first_part(header)
    architecture = _architecture(header)
    tokenizer = read_tokenizer(header)
    n_head = _most(header, "attention.head_count")
    kind, is_head = draft_kind(header), is_draft_only(header)
    return ModelSummary(
        architecture=architecture,
        parameters=sum(tensor.n_values for tensor in header.tensors),
        quantization=_quantization(header),
        file_size=source.size,
        n_layer=_n_layer(header),
        n_ctx_train=_number(header, "context_length"),
        n_embd=_number(header, "embedding_length"),
        n_head=n_head,
        n_head_kv=_most(header, "attention.head_count_kv", n_head),
        n_vocab=_n_vocab(header, tokenizer),
        tokenizer=_summarise_tokenizer(tokenizer) if tokenizer else None,
        chat_template=chat_template(header) is not None,
        draft_kind=_own_kind(header, kind) if is_head else None,
        draft_inside=None if is_head else kind,
        bytes_read=source.bytes_read,
        problems=tuple(find_problems(header, tokenizer, split)),
    )


def _own_kind(header: Header, kind: str | None) -> str | None:
    return "assistant" if header.architecture == ASSISTANT else kind


def chat_template(header: Header) -> str | None:
    return text(header.metadata, "tokenizer.chat_template", header.name) or None


def _architecture(header: Header) -> str:
    if header.architecture is None:
        what = text(header.metadata, "general.type", header.name)
        raise ModelFileError(
            "{name} is not a model. It contains: {what}."
            if what
            else "{name} is not a model. It doesn't say what it contains.",
            "Choose a model file.",
            name=header.name,
            what=printable(what or ""),
        )
    return header.architecture


def _quantization(header: Header) -> str:
    file_type = integer(header.metadata, "general.file_type", header.name)
    if file_type is not None and file_type & ~_GUESSED_FILE_TYPE in FILE_TYPES:
        return FILE_TYPES[file_type & ~_GUESSED_FILE_TYPE]
    sizes: Counter[str] = Counter()
    for tensor in header.tensors:
        sizes[tensor.type] += tensor.size
    return sizes.most_common(1)[0][0] if sizes else "unknown"


def _number(header: Header, suffix: str) -> int | None:
    return integer(header.metadata, f"{header.architecture}.{suffix}", header.name)


def _most(header: Header, suffix: str, default: int | None = None) -> int | None:
    values = per_layer(header.metadata, f"{header.architecture}.{suffix}", header.name)
    return max(values, default=default)


def _n_layer(header: Header) -> int | None:
    """As llama.cpp counts: without the layers that only predict further tokens."""
    n_blocks = _number(header, "block_count")
    return None if n_blocks is None else n_blocks - (_number(header, "nextn_predict_layers") or 0)


def _n_vocab(header: Header, tokenizer: Tokenizer | None) -> int | None:
    if tokenizer is not None and tokenizer.n_vocab:
        return tokenizer.n_vocab
    embeddings = (tensor.shape[1] for tensor in header.tensors if _is_embedding(tensor.name, tensor.shape))
    return _number(header, "vocab_size") or next(embeddings, None)


def _is_embedding(name: str, shape: tuple[int, ...]) -> bool:
    return name == TOKEN_EMBEDDING and len(shape) == 2


def _summarise_tokenizer(tokenizer: Tokenizer) -> TokenizerSummary:
    return TokenizerSummary(
        model=printable(tokenizer.model),
        pre=None if tokenizer.pre is None else printable(tokenizer.pre),
        sha256=tokenizer.sha256,
        bos=tokenizer.bos,
        eos=tokenizer.eos,
        add_bos=tokenizer.add_bos,
        add_eos=tokenizer.add_eos,
    )
