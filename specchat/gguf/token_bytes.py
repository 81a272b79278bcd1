"""Decodes a vocabulary's tokens to bytes; each type of vocabulary writes them differently."""

import re
from collections.abc import Callable, Iterator
from functools import cache

from specchat.gguf.tokenizer import Tokenizer, TokenType
from specchat.gguf.vocabulary_defaults import BPE

_SPACE = "\u2581".encode()
_BYTE = re.compile(rb"<0x([0-9A-F]{2})>")
_TEXT = frozenset((TokenType.NORMAL, TokenType.BYTE))


def is_text(tokenizer: Tokenizer) -> bool:
    """Returns whether the tokens can write any text unchanged, so that they can be translated."""
    return bool(tokenizer.texts) and (tokenizer.kind == "spm" or tokenizer.model in ("gpt2", "gemma4"))


def overlap(target: Tokenizer, draft: Tokenizer) -> float:
    """The share of the larger vocabulary that both have."""
    pieces = set(_pieces(target)), set(_pieces(draft))
    return len(pieces[0] & pieces[1]) / max(1, *map(len, pieces))


def _pieces(tokenizer: Tokenizer) -> Iterator[bytes]:
    piece = _of_byte_alphabet if tokenizer.kind == BPE and tokenizer.model != "gemma4" else _of_sentence_pieces
    return _of_text(tokenizer, piece)


def _of_text(tokenizer: Tokenizer, piece: Callable[[bytes], bytes]) -> Iterator[bytes]:
    for text, kind in zip(tokenizer.texts, tokenizer.types, strict=False):
        if kind in _TEXT:
            yield piece(text)


def _of_sentence_pieces(text: bytes) -> bytes:
    byte = _BYTE.fullmatch(text)
    return bytes([int(byte[1], 16)]) if byte else text.replace(_SPACE, b" ")


def _of_byte_alphabet(text: bytes) -> bytes:
    try:
        return text.decode("utf-8", "replace").translate(_byte_alphabet()).encode("latin-1")
    except UnicodeEncodeError:  # characters that stand for themselves
        return text


@cache
def _byte_alphabet() -> dict[int, str]:
    """GPT-2 stands printable characters in for the bytes that are none."""
    plain = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = [byte for byte in range(256) if byte not in plain]
    return {256 + at: chr(byte) for at, byte in enumerate(others)}
