"""Estimates the number of tokens without a tokenizer; rather too many than too few."""

import re

_PIECE = re.compile(r"[A-Za-z]{1,4}|[^A-Za-z\s]")
"""Vocabularies have most words in a piece or two; digits, signs and other scripts a character at a time."""
_SAMPLE = 20_000


def estimate_tokens(text: str) -> int:
    """Of a long text, from samples of its beginning, middle and end."""
    if len(text) <= 3 * _SAMPLE:
        return _count(text)
    middle = len(text) // 2
    samples = (text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:])
    return sum(map(_count, samples)) * len(text) // (3 * _SAMPLE)


def _count(text: str) -> int:
    return sum(1 for _ in _PIECE.finditer(text))
