"""Recognizes chats that exist already."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from specchat.domain.conversations import Attached, Attachment, ConversationTree, StoredMessage
from specchat.domain.ports import ChatStore
from specchat.services.chat.imports.foreign_chat import LOST_PICTURE, LOST_RECORDING

_LOST = re.compile(rf"^(?:{re.escape(LOST_PICTURE)}|{re.escape(LOST_RECORDING)})$\n*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _KnownMessage:
    digest: bytes
    """Of its author and its text, without whitespace at both ends, which Markdown does not keep."""
    n_lost: int
    """Pictures and recordings that its export did not contain."""

    def contains(self, other: "_KnownMessage") -> bool:
        return self.digest == other.digest and self.n_lost <= other.n_lost


class KnownChat:
    """A chat's title and visible messages. Keeps no texts, because there may be many."""

    def __init__(self, title: str, path: Iterable[StoredMessage]) -> None:
        self.title = title
        self._messages = tuple(map(_known_message, path))

    @property
    def beginning(self) -> tuple[str, bytes]:
        """Many chats may have the same title, but few have the same first message, too."""
        return self.title, self._messages[0].digest if self._messages else b""

    def __len__(self) -> int:
        return len(self._messages)

    def begins_with(self, other: "KnownChat") -> bool:
        pairs = zip(self._messages, other._messages, strict=False)
        return len(self) >= len(other) and all(message.contains(its) for message, its in pairs)


class KnownChats:
    """For chats of other programs."""

    def __init__(self, store: ChatStore) -> None:
        self._store = store
        self._unread = _by_title(store)
        self._by_beginning: dict[tuple[str, bytes], list[KnownChat]] = {}

    def add(self, chat: KnownChat) -> None:
        self._by_beginning.setdefault(chat.beginning, []).append(chat)

    def contains(self, chat: KnownChat) -> bool:
        """Whether there is such a chat, perhaps continued since."""
        for number in self._unread.pop(chat.title, []):
            self.add(self._read(number))
        return any(known.begins_with(chat) for known in self._by_beginning.get(chat.beginning, []))

    def _read(self, conversation: int) -> KnownChat:
        stored = self._store.conversation(conversation)
        path = [] if stored.leaf is None else self._store.path(stored.leaf, with_pictures=False)
        return KnownChat(stored.title, path)


class WholeChat:
    """All messages of a chat, with their versions and attachments. Keeps only digests."""

    def __init__(self, tree: ConversationTree) -> None:
        self.title = tree.conversation.title
        unsent = (tree.conversation.unsent_text, *map(_attached_key, tree.unsent_files))
        digests = _digests(tree.messages)
        self._messages = frozenset(digests.values())
        self._beginnings = [digests[each.id] for each in tree.messages if each.parent not in digests] or [
            _digest(unsent)
        ]

    @property
    def beginnings(self) -> list[tuple[str, bytes]]:
        """Its title with each version of the first message, or with what is unsent if there is no message."""
        return [(self.title, each) for each in self._beginnings]

    def contains(self, other: "WholeChat") -> bool:
        """Whether nothing of the other one would be lost; what is typed changes with the next message."""
        if not other._messages:
            return not self._messages and self._beginnings == other._beginnings
        return self._messages >= other._messages


class WholeChats:
    """For chats that specchat exported, whose versions of messages may have been deleted since."""

    def __init__(self, store: ChatStore) -> None:
        self._store = store
        self._unread = _by_title(store)
        self._by_beginning: dict[tuple[str, bytes], list[WholeChat]] = {}

    def add(self, chat: WholeChat) -> None:
        for beginning in chat.beginnings:
            self._by_beginning.setdefault(beginning, []).append(chat)

    def contains(self, chat: WholeChat) -> bool:
        """Whether there is such a chat, perhaps continued since."""
        for number in self._unread.pop(chat.title, []):
            self.add(WholeChat(self._store.tree(number, with_marks=False)))
        return any(known.contains(chat) for known in self._by_beginning.get(chat.beginnings[0], []))


def _by_title(store: ChatStore) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for conversation in store.conversations():
        found.setdefault(conversation.title, []).append(conversation.id)
    return found


def _digests(messages: Iterable[StoredMessage]) -> dict[int, bytes]:
    """By message. Each is of the message and all that precedes it; parents come before their children."""
    found: dict[int, bytes] = {}
    for message in messages:
        attached: tuple[Attached, ...] = (*message.attachments, *message.pictures, *message.recordings)
        content = (message.role, message.text.strip(), *map(_attached_key, attached))
        before = b"" if message.parent is None else found.get(message.parent, b"")
        found[message.id] = _digest(content, before)
    return found


def _digest(content: object, before: bytes = b"") -> bytes:
    return sha256(before + repr(content).encode(errors="replace")).digest()


def _attached_key(attached: Attached) -> object:
    if isinstance(attached, Attachment):
        return attached.name, attached.text.strip()
    return sha256(attached.content).digest()


def _known_message(message: StoredMessage) -> _KnownMessage:
    text, n_lost = _LOST.subn("", message.text)
    content = f"{message.role}\n{text.strip()}".encode(errors="replace")
    return _KnownMessage(sha256(content).digest(), n_lost)
