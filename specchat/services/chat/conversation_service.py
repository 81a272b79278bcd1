"""Manages the list of conversations."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from specchat.domain.conversations import (
    Answer,
    Attached,
    Conversation,
    ConversationSettings,
    ConversationTree,
    MessageState,
    SearchHit,
    StoredMessage,
)
from specchat.domain.errors import DamagedChatsError
from specchat.domain.ports import ChatStore
from specchat.domain.types import Role
from specchat.services.chat.titles import MAX_TITLE_LENGTH, automatic_title, has_words, make_unique_title, one_line

_DAYS_IN_TRASH = 30
_DAY_S = 86400.0
MOST_HITS = 100


class ConversationService:
    def __init__(self, store: ChatStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._version: int | None = None

    def have_changed(self) -> bool:
        """Returns whether another program or a journal has changed chats since the last call."""
        before, self._version = self._version, self._store.data_version()
        return before not in (None, self._version)

    def list_all(self) -> list[Conversation]:
        """Lists all chats: first the pinned ones, then the newest."""
        return self._store.conversations()

    def list_used(self) -> list[Conversation]:
        """Lists all chats except the empty one that the window opens with."""
        return [conversation for conversation in self.list_all() if not conversation.is_untouched]

    def list_awaiting_consent(self) -> frozenset[int]:
        """Lists the chats that end with calls of tools of which one waits for consent, or runs.
        Empty if that part of the database is damaged.
        """
        try:
            return frozenset(self._store.awaiting_consent())
        except DamagedChatsError:
            return frozenset()

    def find_interrupted(self) -> Conversation | None:
        """Returns the chat whose answer was interrupted when the program last ended."""
        if not self._store.cut_off:
            return None
        kept = {conversation.id: conversation for conversation in self.list_all()}
        return next((kept[id_] for id_ in reversed(self._store.cut_off) if id_ in kept), None)

    def get(self, conversation: int) -> Conversation:
        return self._store.conversation(conversation)

    def create(self, settings: ConversationSettings, project: int | None = None) -> Conversation:
        """Creates a chat, or returns the last one if it hasn't been used."""
        for conversation in self.list_all():
            if conversation.is_untouched:
                used = self._store.next_timestamp(self._clock())
                return self._moved(self._save(replace(conversation, settings=settings, updated=used)), project)
        return self._moved(self._store.add_conversation(settings, self._clock()), project)

    def move(self, conversations: Sequence[int], project: int | None) -> None:
        """Moves chats into a project, or out of their project (None)."""
        self._store.move_to_project(conversations, project)

    def _moved(self, conversation: Conversation, project: int | None) -> Conversation:
        if conversation.project != project:
            self.move([conversation.id], project)
        return replace(conversation, project=project)

    def rename(self, conversation: int, title: str) -> Conversation:
        """Renames a chat; an empty title means an automatic one with its next first question."""
        title = one_line(title)[:MAX_TITLE_LENGTH]
        return self._save(replace(self.get(conversation), title=title, titled_by_user=bool(title)))

    def pin(self, conversation: int, pinned: bool = True) -> Conversation:
        return self._save(replace(self.get(conversation), pinned=pinned))

    def save_unsent_text(self, conversation: int, text: str) -> Conversation:
        return self._save(replace(self.get(conversation), unsent_text=text))

    def unsent_files(self, conversation: int) -> tuple[Attached, ...]:
        """Returns the files attached to the unsent message."""
        return self._store.unsent_files(conversation)

    def save_unsent_files(self, conversation: int, files: Sequence[Attached]) -> None:
        self._store.save_unsent_files(self.get(conversation).id, files)

    def change_settings(self, conversation: int, settings: ConversationSettings) -> Conversation:
        return self._save(replace(self.get(conversation), settings=settings))

    def branch(self, message: int) -> Conversation:
        """Creates a conversation with the messages up to this one, and with a new name."""
        path = self._store.path(message)
        origin = self.get(path[-1].conversation)
        now = self._clock()
        used = self._store.next_timestamp(now)
        title = make_unique_title(origin.title, {listed.title for listed in self.list_all()}) if origin.title else ""
        conversation = replace(
            origin, title=title, created=now, updated=used, pinned=False, unsent_text="", leaf=message
        )
        tree = ConversationTree(conversation, tuple(map(_at_rest, path)), self._answers(path))
        (added,) = self._store.add_trees([tree])
        return self.get(added)

    def keep_answer(
        self,
        question: StoredMessage,
        text: str,
        state: MessageState,
        answer: Answer | None,
        settings: ConversationSettings,
    ) -> Conversation:
        """Creates a conversation from a question and an answer that were not stored."""
        now = self._clock()
        asked = replace(question, id=1, parent=None, created=now)
        replied = StoredMessage(2, 0, asked.id, Role.ASSISTANT, text, now, state)
        used = self._store.next_timestamp(now)
        title = automatic_title(question.text)
        conversation = Conversation(0, title, now, used, leaf=replied.id, settings=settings)
        answers = {replied.id: answer} if answer is not None else {}
        (added,) = self._store.add_trees([ConversationTree(conversation, (asked, replied), answers)])
        return self.get(added)

    def search(self, query: str) -> list[SearchHit]:
        """Searches titles, messages and attachments. Also finds a chat without messages by the text that titles it."""
        found = [
            SearchHit(chat.id, title, None, "") for chat, title in self._unsent_titles() if has_words(title, query)
        ]
        return [*found, *self._store.search(query, MOST_HITS - len(found))][:MOST_HITS]

    def delete(self, *conversations: int, now: float | None = None) -> None:
        """Moves chats to the trash. `now`: when their project was deleted together with them."""
        self._store.set_trashed([self.get(each).id for each in conversations], self._clock() if now is None else now)

    def restore(self, *conversations: int) -> None:
        self._store.set_trashed([self.get(each).id for each in conversations], None)

    def list_trash(self) -> list[Conversation]:
        """Lists deleted items, the latest first."""
        return self._store.trashed_conversations()

    def purge_old(self) -> None:
        self._store.purge(self._clock() - _DAYS_IN_TRASH * _DAY_S)

    def empty_trash(self) -> None:
        self._store.purge(float("inf"))

    def delete_permanently(self, conversation: int) -> None:
        """Deletes a chat in the trash."""
        self._store.purge_conversation(conversation)

    def _unsent_titles(self) -> Iterator[tuple[Conversation, str]]:
        for chat in self._store.unsent_conversations():
            if not chat.own_title:
                yield chat, automatic_title(chat.unsent_text)

    def _save(self, conversation: Conversation) -> Conversation:
        self._store.save_conversation(conversation)
        return conversation

    def _answers(self, path: list[StoredMessage]) -> dict[int, Answer]:
        answers = {message.id: self._store.answer(message.id) for message in path}
        return {message: answer for message, answer in answers.items() if answer is not None}


def _at_rest(message: StoredMessage) -> StoredMessage:
    return replace(message, state=MessageState.STOPPED) if message.state is MessageState.STREAMING else message
