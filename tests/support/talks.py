"""Conversations without an engine: as long as one likes, with the record of how each answer came about."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, count, islice

from support.paced_engine import pieces_of, stats_of

from specchat.domain.conversations import Answer, Conversation, ConversationTree, Mark, MessageState, StoredMessage
from specchat.domain.types import Role
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths

PAIR = Answer("target.gguf", "draft.gguf")
MARKDOWN = """## Answer {n}

A paragraph with **bold** words, *others*, `inline code` and [a link](https://example.org/page) that goes on for a few
lines, because answers usually do, and then it ends.

1. First, something short.
2. Second, something with `code` in it.
   - and a nested point

```python
def answer(n: int) -> str:
    \"\"\"Says what there is to say.\"\"\"
    return f"the answer is {{n}}"  # always
```

| what | how many |
|:--|--:|
| answers | {n} |

"""


def store(places: Paths, trees: Sequence[ConversationTree]) -> list[int]:
    with closing(open_chat_store(places.data / "chats.db")) as chats:
        return chats.add_trees(trees)


def conversation(
    title: str,
    turns: Sequence[tuple[str, str]],
    *,
    now: float,
    answer: Answer = PAIR,
    tokens_per_s: float = 40.0,
) -> ConversationTree:
    """Questions with their answers."""
    numbers = count(1)
    messages: list[StoredMessage] = []
    answers: dict[int, Answer] = {}
    for question, reply in turns:
        for role, text in ((Role.USER, question), (Role.ASSISTANT, reply)):
            parent = messages[-1].id if messages else None
            messages.append(StoredMessage(next(numbers), 1, parent, role, text, now, MessageState.DONE))
        marks = marks_of(reply)
        answers[messages[-1].id] = replace(answer, marks=marks, stats=stats_of(marks, tokens_per_s))
    kept = Conversation(1, title, now, now, titled_by_user=True, leaf=messages[-1].id)
    return ConversationTree(kept, tuple(messages), answers)


_PATTERN = ("draft", "draft", "target", "draft", "draft", "draft", "target", "ngram", "ngram", "target", "target")


def marks_of(text: str) -> tuple[Mark, ...]:
    """The same for the same text."""
    marks: list[Mark] = []
    end = position = 0
    for number, piece in enumerate(pieces_of(text)):
        end += len(piece)
        origin = _PATTERN[number % len(_PATTERN)]
        if origin == "target":
            marks.append(Mark(end, origin, None, 0.97))
            position = 0
        else:
            marks.append(Mark(end, origin, position, 0.99 - 0.07 * (number % 7)))
            position += 1
    return tuple(marks)


def long_talk(number: int, messages: int) -> ConversationTree:
    turns = [(f"Question {n} of chat {number}: what is it?", MARKDOWN.format(n=n)) for n in range(messages // 2)]
    return conversation(f"Chat {number}", turns, now=1_760_000_000.0 + 60 * number)


def long_answer(tokens: int) -> list[str]:
    sections = (pieces_of(MARKDOWN.format(n=n)) for n in count(1))
    return list(islice(chain.from_iterable(sections), tokens))
