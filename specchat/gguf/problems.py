"""Finds reasons why llama.cpp could not chat with a model whose header is valid."""

from collections.abc import Iterator

from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.contradictions import TOKEN_EMBEDDING, find_contradictions
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.file_errors import printable
from specchat.gguf.header import Header
from specchat.gguf.medusa_tensors import MEDUSA
from specchat.gguf.splits import Split
from specchat.gguf.tokenizer import Tokenizer
from specchat.gguf.vocabulary_defaults import KNOWN_MODELS, NO_VOCABULARY

ONE_PART = TranslatableText("It is part 1 of {all}. The parameters and size shown are for this part only.")
"""A remark rather than a problem."""

_NEEDED = {
    "block_count": TranslatableText("It doesn't state its number of layers."),
    "embedding_length": TranslatableText("It doesn't state the width of its layers."),
    "context_length": TranslatableText("It doesn't state its context length."),
}
_OTHER_CONTENTS = {
    "mmproj": TranslatableText("It encodes images for another model and can't chat."),
    "adapter": TranslatableText("It is a LoRA adapter for another model and can't chat."),
    "imatrix": TranslatableText("It contains calibration data, not a model."),
}


def find_problems(header: Header, tokenizer: Tokenizer | None, split: Split | None) -> Iterator[TranslatableText]:
    if header.architecture == MEDUSA:  # all else is its target's
        return
    contents = "mmproj" if header.architecture == "clip" else header.metadata.get("general.type")
    if isinstance(contents, str) and contents in _OTHER_CONTENTS:
        yield _OTHER_CONTENTS[contents]
        return
    if split is not None:
        yield TranslatableText(ONE_PART, all=split.n_parts)
    for suffix, missing in _NEEDED.items():
        if f"{header.architecture}.{suffix}" not in header.metadata:
            yield missing
    yield from _tokenizer_problems(tokenizer)
    yield from find_contradictions(header, tokenizer)
    if split is None:
        yield from _tensor_problems(header)


def _tokenizer_problems(tokenizer: Tokenizer | None) -> Iterator[TranslatableText]:
    if tokenizer is None or tokenizer.kind == NO_VOCABULARY:
        yield TranslatableText("It has no tokenizer.")
        return
    if tokenizer.model not in KNOWN_MODELS:
        yield TranslatableText("Its tokenizer has an unknown type: {name}.", name=printable(tokenizer.model))
    if not tokenizer.texts:
        yield TranslatableText("Its vocabulary is empty.")


def _tensor_problems(header: Header) -> Iterator[TranslatableText]:
    if not header.tensors:
        yield TranslatableText("It contains only a vocabulary, no weights.")
        return
    if is_draft_only(header):
        return
    if not any(tensor.name == TOKEN_EMBEDDING for tensor in header.tensors):
        yield TranslatableText("The tensor {tensor} is missing.", tensor=TOKEN_EMBEDDING)
