"""Compares the text of a document with the words that were put in."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from specchat.domain.documents import regions

_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff]|[^\\W_\u3040-\u30ff\u3400-\u9fff]+")
"""Scripts without spaces: each character."""


@dataclass(frozen=True)
class WordComparison:
    n_words: int
    lost: tuple[str, ...]
    added: tuple[str, ...]
    """Doubled, or glued of others."""
    in_order: float
    """The share of neighbours that still are."""


def compare_words(put_in: str, text: str) -> WordComparison:
    wanted = _words(put_in)
    found = _words("\n".join(text[region.start : region.end] for region in regions(text)))
    lost, added = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    pairs = Counter(pairwise(wanted))
    kept = (pairs & Counter(pairwise(found))).total()
    return WordComparison(len(wanted), tuple(lost.elements()), tuple(added.elements()), kept / max(1, pairs.total()))


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))
