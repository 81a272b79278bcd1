"""Conversations as JSON: nothing is lost. What is read is not trusted: anything unfit is a ValueError."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

from specchat.domain.conversations import (
    Answer,
    Conversation,
    ConversationSettings,
    ConversationTree,
    Mark,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import UserError
from specchat.domain.plain import expect, from_plain, marks_from_plain, plain_marks, to_plain
from specchat.domain.types import Role, SamplingParams
from specchat.services.titles import LONGEST_TITLE, one_line

_FORMAT, _VERSION = "specchat conversations", 1
_LATEST = 253_402_300_799.0
"""The end of the year 9999, beyond which there are no dates."""
_LIMITS = {
    "temperature": (0.0, 100.0),
    "top_k": (0, 1 << 24),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "repeat_penalty": (0.01, 100.0),
    "frequency_penalty": (-100.0, 100.0),
    "presence_penalty": (-100.0, 100.0),
    "penalty_last_n": (-1, 1 << 24),
    "seed": (-1, (1 << 63) - 1),
}


def json_pieces(trees: Iterable[ConversationTree]) -> Iterator[str]:
    """One conversation at a time: all of them may be a lot."""
    yield f'{{"format": "{_FORMAT}", "version": {_VERSION}, "conversations": ['
    for number, tree in enumerate(trees):
        yield ",\n" if number else "\n"
        yield json.dumps(plain_tree(tree), ensure_ascii=False)
    yield "\n]}\n"


def read_json(text: str) -> list[ConversationTree]:
    file = expect(dict, json.loads(text, parse_constant=_refuse))
    if file.get("format") != _FORMAT:
        raise not_ours()
    if file.get("version") != _VERSION:
        raise UserError("A newer specchat wrote this file.", "Update specchat.")
    return [_tree(expect(dict, plain)) for plain in expect(list, file.get("conversations"))]


def not_ours() -> UserError:
    return UserError(
        "This file holds no conversations of specchat.", "Choose a .json or .md file that specchat exported."
    )


def plain_tree(tree: ConversationTree) -> dict[str, object]:
    conversation = _without(to_plain(tree.conversation), "id", "trashed")
    return {**conversation, "messages": [_plain_message(m, tree.answers.get(m.id)) for m in tree.messages]}


def _plain_message(message: StoredMessage, answer: Answer | None) -> dict[str, object]:
    plain = _without(to_plain(message), "conversation", "version", "versions")
    if answer is not None:
        plain["answer"] = {
            **expect(dict, to_plain(replace(answer, marks=()))),
            "marks": plain_marks(answer.marks),
        }
    return plain


def _without(plain: object, *names: str) -> dict[str, object]:
    return {name: value for name, value in expect(dict, plain).items() if name not in names}


def _tree(plain: Mapping[str, object]) -> ConversationTree:
    entries = [expect(dict, entry) for entry in expect(list, plain.get("messages"))]
    messages = tuple(_message(entry) for entry in entries)
    _require_tree(messages)
    answers = {
        message.id: _answer(expect(dict, entry["answer"]), message)
        for message, entry in zip(messages, entries, strict=True)
        if "answer" in entry
    }
    return ConversationTree(_conversation(plain, messages), messages, answers)


def _conversation(plain: Mapping[str, object], messages: tuple[StoredMessage, ...]) -> Conversation:
    read = from_plain(Conversation, {**plain, "id": 0, "trashed": None})
    _require_time(read.created, read.updated)
    ids = [message.id for message in messages]
    leaf = read.leaf if read.leaf in ids else (ids[-1] if ids else None)
    title = one_line(read.title)[:LONGEST_TITLE]
    return replace(read, title=title, leaf=leaf, settings=_usable(read.settings))


def _message(plain: Mapping[str, object]) -> StoredMessage:
    read = from_plain(StoredMessage, {**plain, "conversation": 0})
    _require_time(read.created)
    if read.role not in (Role.USER, Role.ASSISTANT):
        raise ValueError(f"a {read.role} message among the others")
    at_rest = MessageState.STOPPED if read.state is MessageState.STREAMING else read.state
    return replace(read, state=at_rest)


def _require_tree(messages: tuple[StoredMessage, ...]) -> None:
    known: set[int | None] = {None}
    for message in messages:
        if message.id in known or message.parent not in known:
            raise ValueError("its messages do not follow one another")
        known.add(message.id)


def _answer(plain: Mapping[str, object], message: StoredMessage) -> Answer:
    marks = _fitting(marks_from_plain(plain.get("marks", [])), len(message.text))
    return replace(from_plain(Answer, {**plain, "marks": []}), marks=marks)


def _fitting(marks: tuple[Mark, ...], length: int) -> tuple[Mark, ...]:
    """None where they belong to another text: the text matters more than its colours."""
    ends = [0, *(mark.end for mark in marks), length]
    return marks if all(earlier <= later for earlier, later in pairwise(ends)) else ()


def _require_time(*times: float) -> None:
    if not all(0 <= time <= _LATEST for time in times):
        raise ValueError("a date that does not exist")


def _usable(settings: ConversationSettings) -> ConversationSettings:
    """With usual values in place of those that no model can be run with."""
    sampling = settings.sampling
    unusable = [n for n, (least, most) in _LIMITS.items() if not least <= getattr(sampling, n) <= most]
    usual = {name: getattr(SamplingParams(), name) for name in unusable}
    return replace(settings, sampling=replace(sampling, **usual), max_tokens=_usable_length(settings.max_tokens))


def _usable_length(tokens: int | None) -> int | None:
    return tokens if tokens is not None and 0 < tokens <= 1 << 24 else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
