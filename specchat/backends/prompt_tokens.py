"""A prompt becomes tokens: the template's markers are control tokens, the same characters in a message are text."""

from collections.abc import Iterator
from itertools import groupby

from specchat.backends.shielding import PromptText
from specchat.backends.vocabulary import Vocabulary

_NOWHERE = "\U0010ffff"
"""In no control token."""


def prompt_tokens(vocabulary: Vocabulary, prompt: PromptText) -> list[int]:
    bos = vocabulary.bos_text()
    has_bos = bool(bos) and _masked(prompt).startswith(bos)
    if not prompt.literal:
        return vocabulary.tokenize(prompt.text, add_special=not has_bos, parse_special=True)
    tokens = [] if has_bos else vocabulary.added_before()
    for text, is_templates in _parts(vocabulary, prompt):
        if is_templates:
            tokens += vocabulary.tokenize(text, add_special=False, parse_special=True)
        else:
            tokens += vocabulary.tokenize_literally(text)
    return tokens if has_bos else [*tokens, *vocabulary.added_after()]


def _parts(vocabulary: Vocabulary, prompt: PromptText) -> Iterator[tuple[str, bool]]:
    """Cut at control tokens only, as llama.cpp cuts: each stretch of text between two of them stays whole."""
    pieces = list(_pieces(vocabulary, prompt))
    for is_templates, group in groupby(pieces, key=lambda piece: piece[1]):
        if is_templates:
            yield "".join(text for text, _ in group), True
        else:
            yield from group


def _pieces(vocabulary: Vocabulary, prompt: PromptText) -> Iterator[tuple[str, bool]]:
    masked = _masked(prompt)
    end, before = 0, ""
    for start, stop in [*vocabulary.control_texts.spans(masked), (len(masked), len(masked))]:
        after = masked[start:stop]
        is_literal = _NOWHERE in masked[end:start]
        text = prompt.text[end:start]
        yield (vocabulary.stripped(text, before, after) if is_literal else text), not is_literal
        yield after, True
        end, before = stop, after


def _masked(prompt: PromptText) -> str:
    """Of the same length, without what must stay text."""
    pieces, end = [], 0
    for start, stop in prompt.literal:
        pieces += [prompt.text[end:start], _NOWHERE * (stop - start)]
        end = stop
    return "".join([*pieces, prompt.text[end:]])
