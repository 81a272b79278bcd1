"""The text written for the demo: questions in many phrasings with their answers. text/README.md tells the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TEXT = Path(__file__).parent / "text"

_KEYED = re.compile(r"(Q|A|what|how|why|list \w+):\s*(.*)")
_SLOT = re.compile(r"\{(\w+)\}")

Lists = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Turn:
    questions: tuple[str, ...]
    things: tuple[str, ...]
    """What the answer is about: nouns that the templates make questions of."""
    deeds: tuple[str, ...]
    """What the answer tells how to do."""
    facts: tuple[str, ...]
    """What the answer gives the reason for."""
    answer: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A question with its answer; more turns where the later ones need the first."""

    turns: tuple[Turn, ...]
    lists: Lists


@dataclass(frozen=True, slots=True)
class Guide:
    specchat: tuple[Topic, ...]
    small_talk: tuple[Topic, ...]
    outside: tuple[Topic, ...]


def read_guide(folder: Path = TEXT) -> Guide:
    return Guide(*(_folder(folder / name) for name in ("guide", "small_talk", "outside")))


def read_lines(path: Path) -> tuple[str, ...]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def read_choices(path: Path) -> dict[str, tuple[str, ...]]:
    """Lines such as `fast: quick | speedy`."""
    pairs = (line.split(":", 1) for line in read_lines(path))
    return {key.strip(): _choices(values) for key, values in pairs}


def slots(text: str) -> list[str]:
    return _SLOT.findall(text)


def _folder(folder: Path) -> tuple[Topic, ...]:
    return tuple(topic for path in sorted(folder.glob("*.txt")) for topic in parse_topics(path))


def parse_topics(path: Path) -> Iterator[Topic]:
    blocks = [_entries(block, path) for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))]
    lists = {key[5:]: _choices(text) for block in blocks for key, text in block if key.startswith("list ")}
    for block in blocks:
        turns = tuple(_turns([entry for entry in block if not entry[0].startswith("list ")], path))
        if turns:
            yield Topic(turns, lists)


def _entries(block: str, path: Path) -> list[tuple[str, str]]:
    """Keys with their texts; a line without a key goes on with the text before it."""
    entries: list[tuple[str, str]] = []
    for line in block.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        keyed = _KEYED.fullmatch(line.strip())
        if keyed:
            entries.append((keyed[1], keyed[2]))
        elif entries:
            key, text = entries[-1]
            entries[-1] = (key, f"{text} {line.strip()}")
        else:
            raise ValueError(f"{path.name}: a block starts with {line!r}")
    return entries


def _turns(entries: Sequence[tuple[str, str]], path: Path) -> Iterator[Turn]:
    asked: dict[str, tuple[str, ...]] = {}
    for key, text in entries:
        if key != "A":
            asked[key] = asked.get(key, ()) + _choices(text)
            continue
        if not asked:
            raise ValueError(f"{path.name}: nobody asked for {text!r}")
        questions, things, deeds, facts = (asked.get(kind, ()) for kind in ("Q", "what", "how", "why"))
        yield Turn(questions, things, deeds, facts, text)
        asked = {}
    if asked:
        raise ValueError(f"{path.name}: no answer to {asked}")


def _choices(text: str) -> tuple[str, ...]:
    return tuple(choice.strip() for choice in text.split("|") if choice.strip())
