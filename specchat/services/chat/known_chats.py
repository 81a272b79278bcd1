"""Recognizes chats that exist already."""

from collections.abc import Iterable, Sequence

from specchat.domain.conversations import StoredMessage
from specchat.domain.ports import ChatStore
from specchat.domain.types import Role


class KnownChats:
    """Chats by their titles and visible messages."""

    def __init__(self, store: ChatStore, without: Iterable[int] = ()) -> None:
        self._store = store
        self._by_title: dict[str, list[int]] = {}
        self._hashes: dict[int, int] = {}
        left_out = set(without)
        for conversation in store.conversations():
            if conversation.id not in left_out:
                self._by_title.setdefault(conversation.title, []).append(conversation.id)

    def has(self, title: str, path: Sequence[StoredMessage]) -> bool:
        known = self._by_title.get(title, [])
        if not known:
            return False
        spoken = _spoken_texts(path)
        wanted = hash(spoken)
        return any(self._hash(number) == wanted and _spoken_texts(self.path(number)) == spoken for number in known)

    def _hash(self, conversation: int) -> int:
        """Reads each chat once, because many may have the same title."""
        if conversation not in self._hashes:
            self._hashes[conversation] = hash(_spoken_texts(self.path(conversation)))
        return self._hashes[conversation]

    def path(self, conversation: int) -> list[StoredMessage]:
        leaf = self._store.conversation(conversation).leaf
        return [] if leaf is None else self._store.path(leaf, with_pictures=False)


def _spoken_texts(path: Iterable[StoredMessage]) -> tuple[tuple[Role, str], ...]:
    """Strips whitespace, which Markdown does not keep."""
    return tuple((message.role, message.text.strip()) for message in path)
