"""A chat as another program keeps it, and the conversation that it becomes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from specchat.domain.conversations import (
    Answer,
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    StoredMessage,
)
from specchat.domain.picture_header import MOST_PICTURES
from specchat.domain.pictures import Picture
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Role
from specchat.services.chat.titles import MAX_TITLE_LENGTH, automatic_title, one_line

MOST_MESSAGES = 100_000
LOST_PICTURE = "[picture]"
"""Stands for a picture that the export doesn't contain."""


class UnreadableChatError(Exception):
    """A single chat of an export can't be imported."""

    def __init__(self, reason: TranslatableText) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ForeignMessage:
    id: str
    parent: str | None
    role: Role | None
    """None: it is hidden, but other messages follow it."""
    text: str = ""
    created: float | None = None
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    model: str = ""

    @property
    def is_shown(self) -> bool:
        is_spoken = self.role in (Role.USER, Role.ASSISTANT)
        return is_spoken and bool(self.text.strip() or self.pictures or self.attachments)


@dataclass(frozen=True, slots=True)
class ForeignChat:
    messages: Sequence[ForeignMessage]
    title: str = ""
    created: float | None = None
    updated: float | None = None
    system_prompt: str = ""
    leaf: str | None = None
    """The last message of the shown path; None means the newest path."""
    pinned: bool = False


def chain(messages: Sequence[ForeignMessage]) -> list[ForeignMessage]:
    """Links messages without versions into one path."""
    return [replace(message, id=str(at), parent=str(at - 1) if at else None) for at, message in enumerate(messages)]


def build_tree(chat: ForeignChat, now: float) -> ConversationTree:
    """Raises an UnreadableChatError."""
    return _Tree(chat, now).build()


@dataclass(slots=True)
class _Shown:
    """A message of the conversation, or several consecutive ones of the same author."""

    parts: list[ForeignMessage]
    parent: "_Shown | None"
    number: int = 0
    n_children: int = 0

    @property
    def role(self) -> Role:
        role = self.parts[0].role
        assert role is not None
        return role

    def message(self, now: float) -> StoredMessage:
        created = next((part.created for part in self.parts if part.created is not None), now)
        return StoredMessage(
            id=self.number,
            conversation=0,
            parent=self.parent.number if self.parent is not None else None,
            role=self.role,
            text="\n\n".join(part.text.strip("\n") for part in self.parts if part.text.strip()),
            created=created,
            attachments=tuple(file for part in self.parts for file in part.attachments),
            pictures=tuple(picture for part in self.parts for picture in part.pictures)[:MOST_PICTURES],
        )


@dataclass(slots=True)
class _Tree:
    chat: ForeignChat
    now: float
    _shown: list[_Shown] = field(default_factory=list)
    _by_id: dict[str, _Shown | None] = field(default_factory=dict)
    """What each message became: itself, or the shown one before it."""

    def build(self) -> ConversationTree:
        if len(self.chat.messages) > MOST_MESSAGES:
            raise UnreadableChatError(TranslatableText("It has more than {n} messages.", n=MOST_MESSAGES))
        self._add_all()
        if not self._shown:
            raise UnreadableChatError(TranslatableText("It contains no messages."))
        for number, shown in enumerate(self._shown, 1):
            shown.number = number
        messages = tuple(shown.message(self.now) for shown in self._shown)
        answers = {shown.number: Answer(model) for shown in self._shown if (model := _model(shown))}
        return ConversationTree(self._conversation(messages), messages, answers)

    def _add_all(self) -> None:
        """Adds parents before their children, without recursion, because the nesting depth is unlimited."""
        known = {message.id: message for message in self.chat.messages}
        if len(known) < len(self.chat.messages):
            raise UnreadableChatError(TranslatableText("Several of its messages have the same ID."))
        children = _children(self.chat.messages, known)
        to_do = list(reversed(children.get(None, [])))
        while to_do:
            message = to_do.pop()
            self._add(message, is_only=len(children.get(message.parent, [])) == 1)
            to_do += reversed(children.get(message.id, []))
        if len(self._by_id) < len(known):
            raise UnreadableChatError(TranslatableText("Its messages follow one another in a circle."))

    def _add(self, message: ForeignMessage, *, is_only: bool) -> None:
        before = self._by_id.get(message.parent) if message.parent is not None else None
        self._by_id[message.id] = before
        if not message.is_shown:
            return
        if is_only and before is not None and before.role is message.role and not before.n_children:
            before.parts.append(message)
            return
        if before is not None:
            before.n_children += 1
        self._by_id[message.id] = shown = _Shown([message], before)
        self._shown.append(shown)

    def _conversation(self, messages: Sequence[StoredMessage]) -> Conversation:
        chat = self.chat
        title = one_line(chat.title)[:MAX_TITLE_LENGTH]
        question = next((message.text for message in messages if message.role is Role.USER), messages[0].text)
        created = chat.created if chat.created is not None else messages[0].created
        return Conversation(
            id=0,
            title=title or automatic_title(question),
            created=created,
            updated=chat.updated if chat.updated is not None else max(created, messages[-1].created),
            titled_by_user=bool(title),
            pinned=chat.pinned,
            leaf=self._leaf(),
            settings=ConversationSettings(system_prompt=chat.system_prompt.strip()),
        )

    def _leaf(self) -> int:
        """Returns the end of the shown path, or of the newest one if the file doesn't say."""
        found = self._by_id.get(self.chat.leaf) if self.chat.leaf is not None else None
        return (found or self._shown[-1]).number


def _children(
    messages: Sequence[ForeignMessage], known: Mapping[str, ForeignMessage]
) -> dict[str | None, list[ForeignMessage]]:
    """Returns the children of each message. Messages without a known parent begin the chat."""
    children: dict[str | None, list[ForeignMessage]] = {}
    for message in messages:
        parent = message.parent if message.parent in known else None
        children.setdefault(parent, []).append(message if parent == message.parent else replace(message, parent=None))
    return children


def _model(shown: _Shown) -> str:
    return next((part.model for part in shown.parts if part.model and shown.role is Role.ASSISTANT), "")
