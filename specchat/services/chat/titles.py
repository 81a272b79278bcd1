"""Derives a conversation's title from its first question."""

import re
import unicodedata
from collections.abc import Collection
from os.path import splitext

from specchat.domain.printable_text import printable_text

MAX_TITLE_LENGTH = 200
_LONGEST_AUTOMATIC = 40
_LOOKED_AT = 2000
_SHORTEST_SENTENCE = 12
"""Shorter ones are greetings or abbreviations."""

_WORD = re.compile(r"\w+")
_CODE_BLOCK = re.compile(r"^\s*(```|~~~).*?(^\s*\1|\Z)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_URL = re.compile(r"https?://(www\.)?([^\s/]+)\S*")
_LINE_MARKUP = re.compile(r"^\s*(#+|>|[-*+]|\d+[.)])\s+", re.MULTILINE)
_EMPHASIS = re.compile(r"\*+|~~+|`+|(?<!\w)_+|_+(?!\w)")
_NUMBER = re.compile(r"(?P<plain>.+) \((?P<number>[2-9]|[1-9]\d)\)", re.DOTALL)
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s)|[。！？]")


def automatic_title(question: str) -> str:
    """Empty if the question has no words."""
    question = question[:_LOOKED_AT]
    title = _first_sentence(_plain(_CODE_BLOCK.sub(" ", question)) or _plain(question))
    return _shorten(title).rstrip(" .,;:")


def has_words(title: str, query: str) -> bool:
    """Whether all words of the query are there, without regard to case and accents. The last one may be incomplete."""
    words, wanted = (_WORD.findall(_without_accents(text)) for text in (title, query))
    last = () if query[-1:].isspace() or not wanted else (wanted.pop(),)
    begun = all(any(word.startswith(part) for word in words) for part in last)
    return bool(wanted or last) and begun and set(wanted) <= set(words)


def make_unique_title(title: str, taken: Collection[str]) -> str:
    """Appends a number, as in "… (2)"."""
    known = _NUMBER.fullmatch(title)
    plain, number = (known["plain"], int(known["number"])) if known else (title, 1)
    while True:
        number += 1
        ending = f" ({number})"
        found = plain[: MAX_TITLE_LENGTH - len(ending)] + ending
        if found not in taken:
            return found


def make_unique_name(name: str, taken: Collection[str]) -> str:
    """Makes the name of a file or a folder unique, as in "notes (2).txt". Names of folders end with a slash."""
    if name not in taken:
        return name
    stem, suffix = (name[:-1], "/") if name.endswith("/") else splitext(name)
    return make_unique_title(stem, [other.removesuffix(suffix) for other in taken if other.endswith(suffix)]) + suffix


def one_line(text: str) -> str:
    return " ".join(printable_text(text, " ").split())


def _without_accents(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def _plain(text: str) -> str:
    for markup, replacement in ((_LINK, r"\1"), (_URL, r"\2"), (_LINE_MARKUP, ""), (_EMPHASIS, "")):
        text = markup.sub(replacement, text)
    return one_line(text)


def _first_sentence(text: str) -> str:
    ends = (end.end() for end in _SENTENCE_END.finditer(text))
    return next((text[:end] for end in ends if end >= _SHORTEST_SENTENCE), text)


def _shorten(text: str) -> str:
    if len(text) <= _LONGEST_AUTOMATIC:
        return text
    cut = text[:_LONGEST_AUTOMATIC]
    words, _, last = cut.rpartition(" ")
    ends_with_word = text[_LONGEST_AUTOMATIC] == " "
    kept = cut if ends_with_word or not words else words
    return kept.rstrip(" .,;:-") + "…"
