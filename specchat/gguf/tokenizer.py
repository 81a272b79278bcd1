"""Reads the tokenizer facts that decide whether two models share a vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.header import Header
from specchat.gguf.metadata import flag, integer, integers, text
from specchat.gguf.string_array import StringArray
from specchat.gguf.vocabulary_defaults import NO_VOCABULARY, defaults_for

_PREFIX = "tokenizer.ggml"


class TokenType(IntEnum):
    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, slots=True)
class Tokenizer:
    model: str
    kind: str
    pre: str | None
    splitting: str
    sha256: str
    """Of all tokens in order, each as its length (64 bits, little endian) and then its bytes."""
    bos: int | None
    eos: int | None
    add_bos: bool
    add_eos: bool
    texts: Sequence[bytes]
    types: Sequence[int]
    n_vocab: int

    @property
    def identity(self) -> str:
        """The same where everything is the same, token for token."""
        facts = (self.model, self.kind, self.pre, self.splitting, self.sha256, self.bos, self.eos)
        return sha256(repr((*facts, self.add_bos, self.add_eos, list(self.types), self.n_vocab)).encode()).hexdigest()


def read_tokenizer(header: Header) -> Tokenizer | None:
    model = text(header.metadata, f"{_PREFIX}.model", header.name)
    if model is None:
        return None
    pre = "gemma4" if model == "gemma4" else text(header.metadata, f"{_PREFIX}.pre", header.name)
    defaults = defaults_for(model, pre)
    if defaults.kind == NO_VOCABULARY:
        return _without_tokens(header, model, pre)
    tokens = _token_list(header)
    return Tokenizer(
        model=model,
        kind=defaults.kind,
        pre=pre,
        splitting=defaults.splitting,
        sha256=sha256(tokens.raw).hexdigest(),
        bos=_special(header, "bos_token_id", defaults.bos, len(tokens)),
        eos=_special(header, "eos_token_id", defaults.eos, len(tokens)),
        add_bos=defaults.always_adds_bos or _adds(header, "add_bos_token", defaults.add_bos),
        add_eos=_adds(header, "add_eos_token", defaults.add_eos),
        texts=_texts_as_loaded(tokens),
        types=_types(header, len(tokens)),
        n_vocab=len(tokens),
    )


def _without_tokens(header: Header, model: str, pre: str | None) -> Tokenizer:
    n_vocab = integer(header.metadata, f"{header.architecture}.vocab_size", header.name) or 0
    digest = sha256().hexdigest()
    return Tokenizer(model, NO_VOCABULARY, pre, "", digest, None, None, False, False, (), (), n_vocab)


def _token_list(header: Header) -> StringArray:
    tokens = header.metadata.get(f"{_PREFIX}.tokens")
    if not isinstance(tokens, StringArray):
        raise damaged_file_error(header.name, "its tokenizer has no list of tokens")
    return tokens


def _texts_as_loaded(tokens: StringArray) -> Sequence[bytes]:
    """llama.cpp ends a text at a zero byte and names empty ones."""
    if not tokens.has_odd_texts():
        return tokens
    return tuple(
        raw if raw and 0 not in raw else raw.partition(b"\0")[0] or b"[EMPTY_%d]" % token
        for token, raw in enumerate(tokens)
    )


def _types(header: Header, n_tokens: int) -> Sequence[int]:
    types = integers(header.metadata, f"{_PREFIX}.token_type", header.name)
    if types is None:
        return (TokenType.NORMAL,) * n_tokens
    if len(types) < n_tokens:
        raise damaged_file_error(
            header.name, "it has {tokens} tokens but {types} token types", tokens=n_tokens, types=len(types)
        )
    return tuple(types[:n_tokens])


def _special(header: Header, key: str, default: int | None, n_tokens: int) -> int | None:
    """A number outside the vocabulary counts as not given."""
    for token in (integer(header.metadata, f"{_PREFIX}.{key}", header.name), default):
        if token is not None and 0 <= token < n_tokens:
            return token
    return None


def _adds(header: Header, key: str, default: bool) -> bool:
    given = flag(header.metadata, f"{_PREFIX}.{key}", header.name)
    return default if given is None else given
