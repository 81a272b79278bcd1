"""One of the many ways in which a person may type a question."""

from __future__ import annotations

import re
from random import Random

from guide import TEXT, Lists, Turn, read_choices, read_lines, slots

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Wording:
    def __init__(self) -> None:
        self._templates = read_choices(TEXT / "templates.txt")
        self._synonyms = read_choices(TEXT / "synonyms.txt")
        by_length = sorted(self._synonyms, key=len, reverse=True)
        self._replaceable = re.compile(rf"\b({'|'.join(map(re.escape, by_length))})\b(?!-)", re.IGNORECASE)
        self._around = read_choices(TEXT / "around.txt")
        self._little_words = frozenset(read_lines(TEXT / "little_words.txt"))

    def ask(self, turn: Turn, lists: Lists, rng: Random) -> str:
        """A question that the turn answers, filled in and roughened."""
        return self._rough(_filled(self._plain(turn, rng), lists, rng), rng)

    def exactly(self, turn: Turn) -> list[str]:
        """Every written question and every template's, as they stand."""
        return [*turn.questions, *(t.replace("{}", item) for item, t in self._templated(turn))]

    def _plain(self, turn: Turn, rng: Random) -> str:
        templated = self._templated(turn)
        if turn.questions and (not templated or rng.random() < 0.7):
            return rng.choice(turn.questions)
        item, template = rng.choice(templated)
        return template.replace("{}", item)

    def _templated(self, turn: Turn) -> list[tuple[str, str]]:
        kinds = (("what", turn.things), ("how", turn.deeds), ("why", turn.facts))
        return [(item, template) for kind, items in kinds for item in items for template in self._templates[kind]]

    def _rough(self, text: str, rng: Random) -> str:
        if rng.random() < 0.35:
            text = self._other_words(text, rng)
        if rng.random() < 0.05:
            text = self._keywords(text, rng)
        if rng.random() < 0.12:
            text = _framed(text, self._around, rng)
        if rng.random() < 0.08:
            text = _mistyped(text, rng)
        if rng.random() < 0.3:
            text = text.rstrip("?.! ") or text
        return _cased(text, rng)

    def _other_words(self, text: str, rng: Random) -> str:
        def other(found: re.Match[str]) -> str:
            if rng.random() < 0.5:
                return found[0]
            return rng.choice(self._synonyms[found[0].lower()])

        return self._replaceable.sub(other, text)

    def _keywords(self, text: str, rng: Random) -> str:
        words = text.rstrip("?.!").split()
        kept = [word for word in words if word.lower() not in self._little_words or rng.random() < 0.2]
        return " ".join(kept) if kept else text


def _filled(text: str, lists: Lists, rng: Random) -> str:
    for slot in slots(text):
        text = text.replace(f"{{{slot}}}", rng.choice(lists[slot]), 1)
    return text


def _framed(text: str, around: dict[str, tuple[str, ...]], rng: Random) -> str:
    if rng.random() < 0.6:
        rest = text if text[:2].isupper() or text.startswith("I ") else text[:1].lower() + text[1:]
        return f"{rng.choice(around['before'])} {rest}"
    return f"{text.rstrip('?. ')} {rng.choice(around['after'])}"


def _mistyped(text: str, rng: Random) -> str:
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not long:
        return text
    chosen = rng.choice(long)
    word = words[chosen]
    at = rng.randrange(1, len(word) - 1)
    words[chosen] = rng.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + rng.choice(_LETTERS) + word[at + 1 :],
        ]
    )
    return " ".join(words)


def _cased(text: str, rng: Random) -> str:
    chance = rng.random()
    if chance < 0.35:
        return text.lower()
    if chance < 0.36:
        return text.upper()
    return text
