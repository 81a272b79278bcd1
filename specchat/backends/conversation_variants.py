"""Variants of a conversation for chat templates that are stricter about roles."""

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from specchat.domain.types import Message, Role

Conversation = tuple[Message, ...]

BETWEEN = "\n\n"
_MOST_COUNTED = 16
"""If there are more system messages, they are not counted; only their order is checked."""


def conversation_variants(conversation: Conversation) -> Iterator[Conversation]:
    """Yields the conversation unchanged, then with more and more changes, each form once."""
    without_system = system_as_user(conversation)
    yield from dict.fromkeys(
        (
            conversation,
            without_system,
            merge_neighbours(conversation),
            merge_neighbours(without_system),
        )
    )


def system_as_user(conversation: Conversation) -> Conversation:
    return tuple(_system_told_by_user(conversation))


def _system_told_by_user(conversation: Conversation) -> Iterator[Message]:
    waiting: list[str] = []
    for message in conversation:
        if message.role is Role.SYSTEM:
            waiting.append(message.content)
        elif message.role is Role.USER:
            yield Message(Role.USER, BETWEEN.join([*waiting, message.content]), name=message.name)
            waiting.clear()
        else:
            yield message
    if waiting:
        yield Message(Role.USER, BETWEEN.join(waiting))


def merge_neighbours(conversation: Conversation) -> Conversation:
    """Merges neighboring messages of the same role, except tool calls and their results."""
    merged: list[Message] = []
    for (role, _, tells_of_tools), group in groupby(conversation, key=_mergeable):
        messages = list(group)
        if tells_of_tools:
            merged += messages
        else:
            merged.append(Message(role, BETWEEN.join(message.content for message in messages), name=messages[0].name))
    return tuple(merged)


def _mergeable(message: Message) -> tuple[Role, str, bool]:
    return message.role, message.name, message.role is Role.TOOL or bool(message.tool_calls)


def shows_conversation(text: str, conversation: Conversation) -> bool:
    """Returns whether the text contains the system prompt and the last message, even if trimmed or re-wrapped."""
    page, last = _squeezed(text), conversation[-1:]
    system = [_squeezed(m.content) for m in conversation if m.role is Role.SYSTEM]
    said_last = [_squeezed(m.content) for m in last if m.role is not Role.TOOL]
    if len(system) > _MOST_COUNTED:
        is_shown = _shows_in_order(page, system) and all(piece in page for piece in said_last)
    else:
        is_shown = _shows_as_often(page, {*system, *said_last} - {""}, conversation)
    return is_shown and all(_shows_answer(page, m.content) for m in last if m.role is Role.TOOL)


def _shows_as_often(page: str, pieces: Collection[str], conversation: Conversation) -> bool:
    """Whether each piece appears as often as in the conversation. Assistant messages don't count, because templates
    omit earlier reasoning.
    """
    said = [_squeezed(m.content) for m in conversation if m.role in (Role.SYSTEM, Role.USER)]
    return all(piece in page and page.count(piece) >= sum(content.count(piece) for content in said) for piece in pieces)


def _shows_in_order(page: str, pieces: Sequence[str]) -> bool:
    at = 0
    for piece in pieces:
        at = page.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _shows_answer(page: str, content: str) -> bool:
    """Whether the text contains a tool's result; some templates write it as a JSON string."""
    as_json = json.dumps(content, ensure_ascii=False)[1:-1]
    return _squeezed(content) in page or _squeezed(as_json) in page


def _squeezed(text: str) -> str:
    return "".join(text.split())
