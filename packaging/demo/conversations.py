"""Conversations of the guide's topics, as a person might have them with the demo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gibberish import gibberish
from guide import TEXT, Guide, Topic, read_guide, read_lines
from wording import Wording

_SHARES = {"specchat": 0.8, "small_talk": 0.11, "outside": 0.09}
_TURNS = (1, 1, 1, 1, 1, 1, 2, 2, 3, 4)
_LONG = range(8, 24)


@dataclass(frozen=True, slots=True)
class Conversation:
    turns: tuple[tuple[str, str], ...]
    system: str | None = None


class Conversations:
    def __init__(self, guide: Guide | None = None) -> None:
        self._guide = guide or read_guide()
        self._wording = Wording()
        self._systems = read_lines(TEXT / "systems.txt")

    def draw(self, rng: Random, n_topics: int | None = None) -> Conversation:
        if n_topics is None:
            n_topics = rng.choice(_LONG) if rng.random() < 0.004 else rng.choice(_TURNS)
        turns = tuple(turn for _ in range(n_topics) for turn in self._turns(self._topic(rng), rng))
        return Conversation(turns, rng.choice(self._systems) if rng.random() < 0.2 else None)

    def every_text(self) -> Iterator[str]:
        """Each question and answer once: what the tokenizer learns from."""
        for topic in (*self._guide.specchat, *self._guide.small_talk, *self._guide.outside):
            for turn in topic.turns:
                questions = self._wording.exactly(turn)
                yield from questions
                yield from [turn.answer] * max(4, len(questions) // 2)
        yield from self._systems

    def _topic(self, rng: Random) -> Topic:
        (kind,) = rng.choices(list(_SHARES), list(_SHARES.values()))
        topics: tuple[Topic, ...] = getattr(self._guide, kind)
        return rng.choice(topics)

    def _turns(self, topic: Topic, rng: Random) -> Iterator[tuple[str, str]]:
        for turn in topic.turns:
            if turn.questions == ("{gibberish}",):
                yield gibberish(rng), turn.answer
            else:
                yield self._wording.ask(turn, topic.lists, rng), turn.answer
