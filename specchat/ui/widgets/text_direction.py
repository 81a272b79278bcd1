"""Determines the writing direction of text."""

from unicodedata import bidirectional

_ISOLATES, _END_OF_ISOLATE = ("LRI", "RLI", "FSI"), "PDI"
_LEFTWARDS = ("R", "AL")
_ISOLATED = "\u2068{}\u2069"
"""Isolates a text, so that it keeps its own direction."""


def is_right_to_left(text: str) -> bool | None:
    """By its first letter, as Unicode has it; None: it has none."""
    inside = 0
    for character in text:
        kind = bidirectional(character)
        if kind in _ISOLATES:
            inside += 1
        elif kind == _END_OF_ISOLATE:
            inside = max(0, inside - 1)
        elif not inside and kind in ("L", *_LEFTWARDS):
            return kind != "L"
    return None


def isolate_direction(text: str) -> str:
    """Begins and ends at its own ends, and turns nothing round that stands beside it."""
    return _ISOLATED.format(text) if has_right_to_left(text) else text


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and any(bidirectional(character) in _LEFTWARDS for character in text)
