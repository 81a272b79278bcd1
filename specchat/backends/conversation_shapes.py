"""The same conversation in the forms that stricter templates ask for."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from specchat.domain.types import Message, Role

Conversation = tuple[Message, ...]

BETWEEN = "\n\n"


def shapes(conversation: Conversation) -> Iterator[Conversation]:
    """As it is first, then with ever more rewriting; each form once."""
    without_system = system_told_by_user(conversation)
    yield from dict.fromkeys(
        (
            conversation,
            without_system,
            neighbours_merged(conversation),
            neighbours_merged(without_system),
        )
    )


def system_told_by_user(conversation: Conversation) -> Conversation:
    return tuple(_system_told_by_user(conversation))


def _system_told_by_user(conversation: Conversation) -> Iterator[Message]:
    waiting: list[str] = []
    for message in conversation:
        if message.role is Role.SYSTEM:
            waiting.append(message.content)
        elif message.role is Role.USER:
            yield _joined(Role.USER, [*waiting, message.content])
            waiting.clear()
        else:
            yield message
    if waiting:
        yield _joined(Role.USER, waiting)


def neighbours_merged(conversation: Conversation) -> Conversation:
    return tuple(
        _joined(role, (message.content for message in group))
        for role, group in groupby(conversation, key=lambda message: message.role)
    )


def _joined(role: Role, contents: Iterable[str]) -> Message:
    return Message(role, BETWEEN.join(contents))


def shows(text: str, conversation: Conversation) -> bool:
    """Whether the system's text and the last message are in the text; templates may trim and re-wrap them."""
    page = _squeezed(text)
    expected = {_squeezed(m.content) for m in conversation if m.role is Role.SYSTEM}
    expected |= {_squeezed(m.content) for m in conversation[-1:]}
    # What an assistant said does not count: templates leave out its earlier thoughts.
    said = [_squeezed(m.content) for m in conversation if m.role is not Role.ASSISTANT]
    return all(
        piece in page and page.count(piece) >= sum(content.count(piece) for content in said)
        for piece in expected - {""}
    )


def _squeezed(text: str) -> str:
    return "".join(text.split())
