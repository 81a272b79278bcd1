"""Recognises filler tokens that no model was trained to use."""

import re

from specchat.gguf.tokenizer import Tokenizer, TokenType

_FILLER = re.compile(
    rb"\[pad\d*\]|<pad>|<unused\d+>|\[unused\d+\]|<\|dummy_\d+\|>|<\|?reserved[^<>]*>|<extra_id_\d+>",
    re.IGNORECASE,
)


def is_spare(tokenizer: Tokenizer, token: int) -> bool:
    if token >= len(tokenizer.texts):
        return False
    if tokenizer.types[token] == TokenType.UNUSED:
        return True
    return _FILLER.fullmatch(tokenizer.texts[token]) is not None


def differs_harmlessly(target: Tokenizer, draft: Tokenizer, token: int) -> bool:
    """One side only fills up here, and the other is not an ordinary piece of text."""
    target_spare, draft_spare = is_spare(target, token), is_spare(draft, token)
    if target_spare and draft_spare:
        return True
    other = draft if target_spare else target
    return (target_spare or draft_spare) and other.types[token] != TokenType.NORMAL
