"""Recognizes chats that exist already."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from specchat.domain.conversations import StoredMessage
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
    def __init__(self, store: ChatStore, without: Iterable[int] = ()) -> None:
        self._store = store
        self._unread: dict[str, list[int]] = {}
        self._by_beginning: dict[tuple[str, bytes], list[KnownChat]] = {}
        left_out = set(without)
        for conversation in store.conversations():
            if conversation.id not in left_out:
                self._unread.setdefault(conversation.title, []).append(conversation.id)

    def read(self, conversation: int) -> KnownChat:
        stored = self._store.conversation(conversation)
        path = [] if stored.leaf is None else self._store.path(stored.leaf, with_pictures=False)
        return KnownChat(stored.title, path)

    def add(self, chat: KnownChat) -> None:
        self._by_beginning.setdefault(chat.beginning, []).append(chat)

    def has(self, chat: KnownChat) -> bool:
        return any(len(known) == len(chat) for known in self._found(chat))

    def contains(self, chat: KnownChat) -> bool:
        """Whether there is such a chat, perhaps continued since."""
        return bool(self._found(chat))

    def _found(self, chat: KnownChat) -> Sequence[KnownChat]:
        for number in self._unread.pop(chat.title, []):
            self.add(self.read(number))
        return [known for known in self._by_beginning.get(chat.beginning, []) if known.begins_with(chat)]


def _known_message(message: StoredMessage) -> _KnownMessage:
    text, n_lost = _LOST.subn("", message.text)
    content = f"{message.role}\n{text.strip()}".encode(errors="replace")
    return _KnownMessage(sha256(content).digest(), n_lost)
