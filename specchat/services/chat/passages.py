"""Splits documents into passages and finds those that a question is about.

Each way to rank passages is one list of their numbers, the best first: by their words, and by their meaning where an
embedding model is chosen. `fuse_rankings` makes one of them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from specchat.domain.documents import DocumentSource, Passage, label_within, numbered_place, regions, windows
from specchat.services.chat.token_estimate import estimate_tokens
from specchat.store.passage_index import rank_passages

_SIZE, _OVERLAP = 1200, 200
"""Bytes."""
_USUAL_TOKENS = 300
"""Of one passage."""
_FOR_LABEL = 20
MOST_RANKED = 100
_RANK_OFFSET = 2
_EARLIER_WEIGHT = 0.5
"""The weight of earlier questions."""
_LEAST_FOR_BEGINNINGS = 6
_ASKED_PLACE = re.compile(
    r"\b(page|seite|p\.|s\.|paragraph|absatz|par\.|row|zeile|line|chapter|kapitel|ch\.)\s*(\d{1,9})", re.IGNORECASE
)
_MOST_ASKED_PLACES = 20
_UNITS = {
    "p.": ("page", "seite", "p.", "s."),
    "par.": ("paragraph", "absatz", "par."),
    "row": ("row", "zeile"),
    "line": ("line", "zeile"),
    "ch.": ("chapter", "kapitel", "ch."),
}
_BLOCKS = ("par.", "row", "line")
"""Blocks of these are labelled with the number of their first one."""


@dataclass(frozen=True, slots=True)
class _Found:
    document: int
    number: int
    passage: Passage
    text: str


@lru_cache(maxsize=4)
def split_passages(text: str) -> tuple[Passage, ...]:
    """No passage spans two places."""
    per_byte = len(text) / max(1, len(text.encode("utf-8", "replace")))
    size, overlap = max(1, round(_SIZE * per_byte)), round(_OVERLAP * per_byte)
    passages: list[Passage] = []
    for region in regions(text):
        counted = region
        for start, end in windows(text, region, size, overlap):
            counted = Passage(start, end, label_within(text, counted, start))
            passages.append(counted)
    return tuple(passages)


def find_passages(
    documents: Mapping[str, str],
    question: str,
    earlier: Sequence[str],
    room: int,
    by_meaning: Sequence[Sequence[int]] = (),
) -> list[DocumentSource]:
    """Returns the best passages of documents (texts by name) in their order, about `room` tokens in total.

    `by_meaning`: rankings for the same queries, of `passage_texts`.
    """
    found = _all_passages(documents)
    queries = search_queries(question, earlier)
    rankings = [*rank_passages([each.text for each in found], queries, MOST_RANKED), *by_meaning]
    weights = [1.0, *[_EARLIER_WEIGHT] * (len(queries) - 1)]
    weights += weights[: len(by_meaning)]
    order = [*_asked_places(found, question), *fuse_rankings(rankings, weights)]
    return _sources(documents, _chosen(found, order, room))


def search_queries(question: str, earlier: Sequence[str]) -> list[str]:
    return [question, *(text for text in earlier if text.strip())]


def passage_texts(documents: Mapping[str, str]) -> list[str]:
    return [each.text for each in _all_passages(documents)]


def _all_passages(documents: Mapping[str, str]) -> list[_Found]:
    return [
        _Found(document, number, passage, text[passage.start : passage.end])
        for document, text in enumerate(documents.values())
        for number, passage in enumerate(split_passages(text))
    ]


@lru_cache(maxsize=2)
def spread_passages(documents: tuple[tuple[str, str], ...], room: int) -> tuple[DocumentSource, ...]:
    """Returns passages from all parts of documents (name, text), as many as a question would find."""
    return tuple(find_passages(dict(documents), "", (), room))


def fuse_rankings(rankings: Sequence[Sequence[int]], weights: Sequence[float]) -> list[int]:
    """Adds up reciprocal ranks, which need no common scale of scores."""
    scores: dict[int, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, number in enumerate(ranking):
            scores[number] = scores.get(number, 0.0) + weight / (_RANK_OFFSET + rank)
    return sorted(scores, key=lambda number: -scores[number])


def _asked_places(found: Sequence[_Found], question: str) -> list[int]:
    """Returns the passages of places that the question names, such as pages."""
    named = [(name.lower(), int(number)) for name, number in _ASKED_PLACE.findall(question)]
    asked = [(unit, number) for name, number in named for unit, names in _UNITS.items() if name in names]
    places = [numbered_place(each.passage.label) for each in found] if asked else []
    first_asked = list(dict.fromkeys(asked))[:_MOST_ASKED_PLACES]
    return [at for unit, number in first_asked for at in _at_place(found, places, unit, number)]


def _at_place(found: Sequence[_Found], places: Sequence[tuple[str, int] | None], unit: str, number: int) -> list[int]:
    """Returns the passages with this number in each document, or those of the block that contains it."""
    nearest: dict[int, int] = {}
    for each, place in zip(found, places, strict=True):
        if place is None or place[0] != unit:
            continue
        if place[1] == number or (unit in _BLOCKS and place[1] < number):
            nearest[each.document] = max(place[1], nearest.get(each.document, 0))
    return [at for at, each in enumerate(found) if places[at] == (unit, nearest.get(each.document))]


def _chosen(found: Sequence[_Found], order: Sequence[int], room: int) -> list[_Found]:
    """Includes the beginnings, which say what a document is, and without matches, passages from everywhere."""
    beginnings = [at for at, each in enumerate(found) if each.number == 0]
    if room < _LEAST_FOR_BEGINNINGS * _USUAL_TOKENS * len(beginnings):
        beginnings = []
    step = max(1, round(len(found) * _usual_tokens(found) / max(1, room)))
    others = order or [*range(0, len(found), step), *range(len(found))]
    taken: dict[int, _Found] = {}
    for at in dict.fromkeys([*beginnings, *others]):
        tokens = estimate_tokens(found[at].text) + _FOR_LABEL
        if tokens > room:
            if not taken:
                taken[at] = _shortened(found[at], room / tokens)
            break
        taken[at] = found[at]
        room -= tokens
    return [taken[at] for at in sorted(taken)]


def _usual_tokens(found: Sequence[_Found]) -> float:
    sample = found[:: max(1, len(found) // 20)]
    return sum(estimate_tokens(each.text) + _FOR_LABEL for each in sample) / max(1, len(sample))


def _shortened(found: _Found, share: float) -> _Found:
    """Cuts a passage for a context that has no room for it."""
    text = found.text[: max(1, int(len(found.text) * share))]
    return replace(found, passage=replace(found.passage, end=found.passage.start + len(text)), text=text)


def _sources(documents: Mapping[str, str], chosen: Sequence[_Found]) -> list[DocumentSource]:
    sources = []
    for document, name in enumerate(documents):
        joined: list[Passage] = []
        for each in (each.passage for each in chosen if each.document == document):
            if joined and each.start < joined[-1].end:  # they overlap
                joined[-1] = Passage(joined[-1].start, each.end, joined[-1].label)
            else:
                joined.append(each)
        if joined:
            sources.append(DocumentSource(name, tuple(joined)))
    return sources
