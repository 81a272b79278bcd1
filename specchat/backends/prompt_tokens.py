"""Tokenizes a prompt: markers from the template become control tokens, but message text never does."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from specchat.backends.shielding import PromptText
from specchat.backends.vocabulary import Vocabulary

_NOWHERE = "\U0010ffff"
"""A character that occurs in no control token."""


def tokenize_prompt(vocabulary: Vocabulary, prompt: PromptText) -> list[int]:
    if not prompt.literal:
        return vocabulary.tokenize(prompt.text, add_special=not _has_bos(vocabulary, prompt), parse_special=True)
    return tokenize_with_rows(vocabulary, [prompt], [])


def tokenize_with_rows(
    vocabulary: Vocabulary, texts: Sequence[PromptText], between: Sequence[Sequence[int]]
) -> list[int]:
    """Each text by itself, as mtmd does; `between` them: pictures."""
    has_bos = _has_bos(vocabulary, texts[0])
    tokens = [] if has_bos else vocabulary.added_before()
    for text, rows in zip(texts, [*between, ()], strict=True):
        tokens += [*_tokens(vocabulary, text), *rows]
    return tokens if has_bos else [*tokens, *vocabulary.added_after()]


def _has_bos(vocabulary: Vocabulary, prompt: PromptText) -> bool:
    """Whether the template begins with it; message text that only looks like it doesn't count."""
    bos = vocabulary.bos_text()
    is_literal = any(start < min(stop, len(bos)) for start, stop in prompt.literal)
    return bool(bos) and prompt.text.startswith(bos) and not is_literal


def _tokens(vocabulary: Vocabulary, prompt: PromptText) -> list[int]:
    if not prompt.literal:
        return vocabulary.tokenize(prompt.text, add_special=False, parse_special=True) if prompt.text else []
    tokens = list[int]()
    for text, is_templates in _parts(vocabulary, prompt.text, _masked(prompt)):
        if is_templates:
            tokens += vocabulary.tokenize(text, add_special=False, parse_special=True)
        else:
            tokens += vocabulary.tokenize_literally(text)
    return tokens


def _parts(vocabulary: Vocabulary, text: str, masked: str) -> Iterator[tuple[str, bool]]:
    """Cuts the text only at control tokens, like llama.cpp, so that the text between two of them stays whole."""
    pieces = _pieces(vocabulary, text, masked)
    for is_templates, group in groupby(pieces, key=lambda piece: piece[1]):
        if is_templates:
            yield "".join(piece for piece, _ in group), True
        else:
            yield from group


def _pieces(vocabulary: Vocabulary, text: str, masked: str) -> Iterator[tuple[str, bool]]:
    end, before = 0, ""
    for start, stop in [*vocabulary.control_texts.spans(masked), (len(masked), len(masked))]:
        after = masked[start:stop]
        is_literal = _NOWHERE in masked[end:start]
        piece = text[end:start]
        yield (vocabulary.stripped(piece, before, after) if is_literal else piece), not is_literal
        yield after, True
        end, before = stop, after


def _masked(prompt: PromptText) -> str:
    """Returns a text of the same length in which the parts that must stay text are masked."""
    pieces, end = [], 0
    for start, stop in prompt.literal:
        pieces += [prompt.text[end:start], _NOWHERE * (stop - start)]
        end = stop
    return "".join([*pieces, prompt.text[end:]])
