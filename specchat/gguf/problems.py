"""Why llama.cpp would not chat with a model although its header is sound."""

from collections.abc import Iterator

from specchat.domain.said import Said
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.faults import printable
from specchat.gguf.header import Header
from specchat.gguf.splits import Split
from specchat.gguf.strings import StringArray
from specchat.gguf.tokenizer import Tokenizer
from specchat.gguf.vocabulary_defaults import BPE, KNOWN_MODELS, NO_VOCABULARY

TOKEN_EMBEDDING = "token_embd.weight"
ONE_PART = Said("It is part 1 of {all}; parameters and size are those of this part alone.")
"""A remark rather than a problem."""

_NEEDED = {
    "block_count": Said("It does not say how many layers it has."),
    "embedding_length": Said("It does not say how wide its layers are."),
    "context_length": Said("It does not say how long a text it can read."),
}
_OTHER_CONTENTS = {
    "mmproj": Said("It reads images for another model and cannot chat."),
    "adapter": Said("It is an adapter (LoRA) for another model and cannot chat."),
    "imatrix": Said("It holds measurements for making other files, not a model."),
}


def find_problems(header: Header, tokenizer: Tokenizer | None, split: Split | None) -> Iterator[Said]:
    contents = "mmproj" if header.architecture == "clip" else header.metadata.get("general.type")
    if isinstance(contents, str) and contents in _OTHER_CONTENTS:
        yield _OTHER_CONTENTS[contents]
        return
    if split is not None:
        yield Said(ONE_PART, all=split.n_parts)
    for suffix, missing in _NEEDED.items():
        if f"{header.architecture}.{suffix}" not in header.metadata:
            yield missing
    yield from _tokenizer_problems(header, tokenizer)
    if split is None:
        yield from _tensor_problems(header, tokenizer)


def _tokenizer_problems(header: Header, tokenizer: Tokenizer | None) -> Iterator[Said]:
    if tokenizer is None or tokenizer.kind == NO_VOCABULARY:
        yield Said("It has no tokenizer.")
        return
    if tokenizer.model not in KNOWN_MODELS:
        yield Said("Its tokenizer, {name}, is of an unknown kind.", name=printable(tokenizer.model))
    if not tokenizer.texts:
        yield Said("Its vocabulary is empty.")
    if len(set(tokenizer.texts)) < len(tokenizer.texts):
        yield Said("Some of its tokens have the same text, which llama.cpp refuses.")
    merges = header.metadata.get("tokenizer.ggml.merges")
    if tokenizer.kind == BPE and tokenizer.pre != "kimi-k2" and not isinstance(merges, StringArray):
        yield Said("Its tokenizer has no merge rules.")


def _tensor_problems(header: Header, tokenizer: Tokenizer | None) -> Iterator[Said]:
    if not header.tensors:
        yield Said("It holds no weights, only a vocabulary.")
        return
    if is_draft_only(header):
        return
    embedding = next((tensor for tensor in header.tensors if tensor.name == TOKEN_EMBEDDING), None)
    if embedding is None:
        yield Said("The tensor {tensor} is missing.", tensor=TOKEN_EMBEDDING)
    elif tokenizer is not None and tokenizer.texts and embedding.shape[1:] != (len(tokenizer.texts),):
        rows = " x ".join(map(str, embedding.shape[1:])) or Said("none")
        yield Said(
            "Its vocabulary has {tokens} tokens, but {tensor} has {rows}.",
            tokens=len(tokenizer.texts),
            tensor=TOKEN_EMBEDDING,
            rows=rows,
        )
