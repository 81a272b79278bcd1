"""Finds contradictions between a header and the lists of its vocabulary.

llama.cpp fails over each of these, never ends, or takes all memory (`llama_vocab::impl::load`), so nothing is loaded
whose header contradicts itself. What llama.cpp can live with is no contradiction, however odd it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.header import Header
from specchat.gguf.splits import read_split
from specchat.gguf.string_array import StringArray
from specchat.gguf.tokenizer import Tokenizer, TokenType
from specchat.gguf.vocabulary_defaults import BPE, NO_VOCABULARY

TOKEN_EMBEDDING = "token_embd.weight"
LONGEST_TOKEN = 16 * 1024
"""llama.cpp goes down one level of its stack for each byte of some vocabularies' tokens."""

_SPACE = "\u2581".encode()
_ADDS_TOKENS = {"spm", BPE, "wpm", "ugm"}


class Contradiction(TranslatableText):
    """A problem that keeps a file from being loaded."""


def find_contradictions(header: Header, tokenizer: Tokenizer | None) -> Iterator[Contradiction]:
    for found in _found(header, tokenizer):
        yield Contradiction(found)


def _found(header: Header, tokenizer: Tokenizer | None) -> Iterator[TranslatableText]:
    if tokenizer is None:
        return
    rows = list(_wrong_rows(header, tokenizer))
    yield from rows
    tokens = header.metadata.get("tokenizer.ggml.tokens")
    if rows or not isinstance(tokens, StringArray):
        return
    if tokenizer.kind == NO_VOCABULARY:
        yield TranslatableText("It claims to have no tokenizer but lists {n} tokens.", n=len(tokens))
        return
    longest = tokens.longest
    if longest > LONGEST_TOKEN:
        yield TranslatableText("One of its tokens is {n} bytes long.", n=longest)
        return
    if _has_twins(tokenizer.texts):
        yield TranslatableText("Several of its tokens have the same text, which llama.cpp rejects.")
    yield from _without_ends(tokenizer)
    if check := _CHECKS.get(tokenizer.kind):
        yield from check(header, tokenizer)


def _wrong_rows(header: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    """From the header alone, before any list is looked at: there may be millions of tokens."""
    if read_split(header) is not None or is_draft_only(header):
        return
    embedding = next((tensor for tensor in header.tensors if tensor.name == TOKEN_EMBEDDING), None)
    if embedding is not None and tokenizer.n_vocab and embedding.shape[1:] != (tokenizer.n_vocab,):
        rows = " x ".join(map(str, embedding.shape[1:])) or TranslatableText("none")
        yield TranslatableText(
            "Its vocabulary has {tokens} tokens, but {tensor} has {rows}.",
            tokens=tokenizer.n_vocab,
            tensor=TOKEN_EMBEDDING,
            rows=rows,
        )


def _has_twins(texts: Sequence[bytes]) -> bool:
    """By their hashes, which differ wherever texts do: a set of the texts would take ten times the memory."""
    hashes = np.fromiter(map(hash, texts), np.int64, len(texts))
    return len(np.unique(hashes)) < len(texts)


def _without_ends(tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    if tokenizer.kind in _ADDS_TOKENS:
        if tokenizer.add_bos and tokenizer.bos is None:
            yield TranslatableText("It adds a token at the start of the text but doesn't say which one.")
        if tokenizer.add_eos and tokenizer.eos is None:
            yield TranslatableText("It adds a token at the end of the text but doesn't say which one.")


def _wrong_scores(header: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    scores = header.metadata.get("tokenizer.ggml.scores")
    n = len(scores) if isinstance(scores, np.ndarray) and scores.dtype in (np.float32, np.int32) else 0
    if n < tokenizer.n_vocab:
        yield TranslatableText(
            "Its tokenizer is of type {kind}, which needs a score for each of its {tokens} tokens, but it has {n}.",
            kind=tokenizer.model,
            tokens=tokenizer.n_vocab,
            n=n,
        )


def _check_wpm(_: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    if TokenType.BYTE in tokenizer.types:
        yield TranslatableText("Its tokenizer is of type {kind}, which has no byte tokens.", kind=tokenizer.model)
    yield from _without_spaces(tokenizer)


def _check_bpe(header: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    merges = header.metadata.get("tokenizer.ggml.merges")
    if not isinstance(merges, StringArray) and (merges is not None or tokenizer.pre != "kimi-k2"):
        yield TranslatableText("Its tokenizer has no merge rules.")
    if tokenizer.model == "gemma4":
        yield from _without_spaces(tokenizer)


def _check_ugm(header: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    yield from _wrong_scores(header, tokenizer)
    rules = header.metadata.get("tokenizer.ggml.precompiled_charsmap")
    if rules is None:
        return
    if not isinstance(rules, np.ndarray) or rules.dtype.itemsize != 1 or rules.dtype.kind not in "iu":
        yield TranslatableText("Its character map is not a list of bytes.")
    elif len(rules) < 4 or int.from_bytes(rules[:4].tobytes(), "little") + 4 >= len(rules):
        yield TranslatableText("Its character map is shorter than stated.")


def _check_rwkv(_: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    """llama.cpp looks for the longest token at each place, and stays there for ever where only a part of one fits."""
    first: set[int] = set()
    alone: set[int] = set()
    for text in tokenizer.texts:
        start = _start_of_rwkv(text)
        first.update(start[:1])
        if len(start) == 1:
            alone.add(start[0])
    yield from _missing_bytes(tokenizer, sorted(first - alone))


def _start_of_rwkv(text: bytes) -> bytes:
    """Its first two bytes, unescaped as llama.cpp does."""
    if b"\\" not in text[:5]:
        return text[:2]
    found = bytearray()
    at = 0
    while at < len(text) and len(found) < 2:
        code, at = text[at], at + 1
        if code == _BACKSLASH:
            if at == len(text):
                break
            code, at = text[at], at + 1
            if code == _HEX:
                digits, at = text[at : at + 2], at + 2
                if len(digits) < 2:
                    break
                code = (_digit(digits[0]) << 4) + _digit(digits[1]) & 0xFF
            else:
                code = _ESCAPED.get(code, code)
        found.append(code)
    return bytes(found)


_BACKSLASH, _HEX = b"\\x"
_ESCAPED = {ord("t"): ord("\t"), ord("n"): ord("\n"), ord("r"): ord("\r")}


def _digit(code: int) -> int:
    return code - ord("a") + 10 if code >= ord("a") else code - ord("0")


def _check_plamo2(header: Header, tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    yield from _wrong_scores(header, tokenizer)
    tokens = zip(tokenizer.texts, tokenizer.types, strict=False)
    named = {text.upper() for token, (text, kind) in enumerate(tokens) if token and kind == TokenType.BYTE}
    missing = [byte for byte in range(256) if b"<0X%02X>" % byte not in named]
    yield from _missing_bytes(tokenizer, missing)


def _missing_bytes(tokenizer: Tokenizer, missing: Sequence[int]) -> Iterator[TranslatableText]:
    if missing:
        shown = ", ".join(f"0x{byte:02X}" for byte in missing[:3])
        yield TranslatableText(
            "Its tokenizer is of type {kind}, which needs single-byte tokens, but {n} are missing ({bytes}).",
            kind=tokenizer.model,
            n=len(missing),
            bytes=shown if len(missing) <= 3 else f"{shown}, …",
        )


def _without_spaces(tokenizer: Tokenizer) -> Iterator[TranslatableText]:
    if not any(_SPACE in text for text in tokenizer.texts):
        yield TranslatableText(
            "Its tokenizer is of type {kind}, which writes spaces as {space}, but no token contains one.",
            kind=tokenizer.model,
            space=_SPACE.decode(),
        )


_CHECKS: Mapping[str, Callable[[Header, Tokenizer], Iterator[TranslatableText]]] = {
    "spm": _wrong_scores,
    "wpm": _check_wpm,
    BPE: _check_bpe,
    "ugm": _check_ugm,
    "rwkv": _check_rwkv,
    "plamo2": _check_plamo2,
}
