"""Stores conversations in a SQLite file."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from specchat.domain.conversations import (
    Answer,
    Attached,
    Conversation,
    ConversationSettings,
    ConversationTree,
    Deletion,
    MessageState,
    SearchHit,
    StoredMessage,
)
from specchat.domain.errors import DeletedChatError
from specchat.domain.tools import CalledTool
from specchat.store import conversation_trees, messages, search, unsent_files
from specchat.store.database import Database, Row, damaged_chats_error
from specchat.store.encoding import decode_settings, decoding_errors, encode, require_times, require_types
from specchat.store.migrations import migrate
from specchat.store.projects import LIVE_PROJECT
from specchat.store.recovery import merge_chunks, recover
from specchat.store.salvage.pages import is_log_intact

_NEXT_S = 0.001
_NO_CLOCK_IS_SO_WRONG_S = 50 * 365 * 86400.0
"""Further ahead lies only what somebody made up in a file that was imported."""
_CONVERSATION = (
    "id, title, created, updated, titled_by_user, pinned, trashed, leaf, draft, settings, "
    "EXISTS (SELECT 1 FROM unsent WHERE unsent.conversation = conversation.id) "
    "OR EXISTS (SELECT 1 FROM picture_use WHERE picture_use.unsent = conversation.id), "
    f"(SELECT project.id FROM project WHERE {LIVE_PROJECT})"
)


def open_chat_store(path: Path) -> "SqliteChatStore":
    """Answers that a crash cut off are put together first; of an import that it cut off nothing stays."""
    _require_whole_log(path)
    with ExitStack() as undo:
        database = Database(path)
        undo.callback(database.close)
        # Copying the log into the file may have to wait for the disk: the journals do it, on threads of their own.
        database.execute("PRAGMA wal_autocheckpoint = 0")
        migrate(database)
        conversation_trees.remove_incomplete_trees(database)
        cut_off = recover(database)
        undo.pop_all()
    return SqliteChatStore(database, cut_off)


def open_chat_store_without_recovery(path: Path) -> "SqliteChatStore":
    """An answer that is not whole may be being written: it stays as it is."""
    _require_whole_log(path)
    with ExitStack() as undo:
        database = Database(path)
        undo.callback(database.close)
        migrate(database)
        undo.pop_all()
    return SqliteChatStore(database)


def _require_whole_log(path: Path) -> None:
    """Before SQLite opens the file: when it closes it again, a damaged log is gone."""
    if not is_log_intact(path):
        raise damaged_chats_error(path)


class SqliteChatStore:
    """For one thread."""

    def __init__(self, database: Database, cut_off: Sequence[int] = ()) -> None:
        self.database = database
        self.cut_off = cut_off

    def data_version(self) -> int:
        ((version,),) = self.database.rows("PRAGMA data_version")
        return int(version)

    def conversations(self) -> list[Conversation]:
        return self._conversations("trashed IS NULL ORDER BY pinned DESC, updated DESC, id DESC")

    def trashed_conversations(self) -> list[Conversation]:
        return self._conversations(f"trashed > {conversation_trees.INCOMPLETE} ORDER BY trashed DESC, id DESC")

    def unsent_conversations(self) -> list[Conversation]:
        return self._conversations("trashed IS NULL AND draft <> '' ORDER BY updated DESC, id DESC")

    def conversation(self, conversation: int) -> Conversation:
        found = self._conversations("id = ?", conversation)
        if not found:
            raise DeletedChatError("This chat was deleted.", "Choose another chat.")
        return found[0]

    def _conversations(self, which: str, *parameters: int) -> list[Conversation]:
        rows = self.database.rows(f"SELECT {_CONVERSATION} FROM conversation WHERE {which}", *parameters)
        with decoding_errors(self.database.path):
            return [_conversation(row) for row in rows]

    def next_timestamp(self, now: float) -> float:
        """The time at which something is used now: after all else, even when the clock was set back."""
        ((last,),) = self.database.rows(
            "SELECT max(updated) FROM conversation WHERE updated < ?", now + _NO_CLOCK_IS_SO_WRONG_S
        )
        return now if last is None else max(now, float(last) + _NEXT_S)

    def add_conversation(self, settings: ConversationSettings, now: float) -> Conversation:
        new = Conversation(id=0, title="", created=now, updated=self.next_timestamp(now), settings=settings)
        return replace(new, id=conversation_trees.insert_conversation(self.database, new))

    def save_conversation(self, conversation: Conversation) -> None:
        c = conversation
        self.database.execute(
            "UPDATE conversation SET title = ?, updated = ?, titled_by_user = ?, pinned = ?, trashed = ?, leaf = ?, "
            "draft = ?, settings = ? WHERE id = ?",
            *(c.title, c.updated, c.titled_by_user, c.pinned, c.trashed, c.leaf),
            *(c.unsent_text, encode(c.settings), c.id),
        )

    def move_to_project(self, conversations: Sequence[int], project: int | None) -> None:
        with self.database.transaction():
            for conversation in conversations:
                self.database.execute("UPDATE conversation SET project = ? WHERE id = ?", project, conversation)

    def set_trashed(self, conversations: Sequence[int], trashed: float | None) -> None:
        with self.database.transaction():
            for conversation in conversations:
                self.database.execute("UPDATE conversation SET trashed = ? WHERE id = ?", trashed, conversation)

    def unsent_files(self, conversation: int) -> tuple[Attached, ...]:
        return unsent_files.read_unsent_files(self.database, conversation)

    def save_unsent_files(self, conversation: int, files: Sequence[Attached]) -> None:
        unsent_files.save_unsent_files(self.database, conversation, files)

    def path(self, leaf: int, *, with_pictures: bool = True) -> list[StoredMessage]:
        return messages.path(self.database, leaf, with_pictures=with_pictures)

    def message(self, message: int) -> StoredMessage:
        return messages.message(self.database, message)

    def versions(self, message: int) -> list[int]:
        return messages.versions(self.database, message)

    def newest_leaf(self, message: int) -> int:
        messages.require_parent(self.database, message)
        return messages.newest_leaf(self.database, message)

    def answer(self, message: int) -> Answer | None:
        return messages.answer(self.database, message)

    def add_message(self, message: StoredMessage, answer: Answer | None = None) -> StoredMessage:
        with self.database.transaction():
            messages.require_parent(self.database, message.parent)
            added = messages.insert(self.database, message)
            if answer is not None:
                messages.save_answer(self.database, added, answer)
            self.database.execute(
                "UPDATE conversation SET leaf = ?, updated = ? WHERE id = ?",
                *(added, self.next_timestamp(message.created), message.conversation),
            )
        return self.message(added)

    def set_state(self, message: int, state: MessageState) -> None:
        with self.database.transaction():
            merge_chunks(self.database, message, state)

    def save_result(self, message: int, called: CalledTool, result: str) -> None:
        messages.save_result(self.database, message, called, result)

    def awaiting_consent(self) -> list[int]:
        return messages.awaiting_consent(self.database)

    def trash_message(self, message: int, now: float) -> None:
        messages.trash(self.database, message, now)

    def retract_message(self, message: int, now: float) -> None:
        messages.retract(self.database, message, now)

    def deletions(self) -> list[Deletion]:
        return messages.deletions(self.database)

    def restore_message(self, message: int, leaf: int | None) -> None:
        messages.restore(self.database, message, leaf)

    def tree(self, conversation: int, *, with_marks: bool = True) -> ConversationTree:
        with self.database.snapshot():
            return conversation_trees.read_tree(self.database, self.conversation(conversation), with_marks=with_marks)

    def marks_json(self, conversation: int) -> Mapping[int, str]:
        return conversation_trees.read_marks_json(self.database, conversation)

    def add_trees(self, new: Iterable[ConversationTree]) -> list[int]:
        return conversation_trees.add_trees(self.database, new)

    def purge(self, before: float) -> None:
        with self.database.transaction():
            self.database.execute(
                "DELETE FROM conversation WHERE trashed > ? AND trashed < ?", conversation_trees.INCOMPLETE, before
            )
            self.database.execute("DELETE FROM project WHERE trashed < ?", before)
            messages.purge(self.database, before)

    def purge_conversation(self, conversation: int) -> None:
        self.database.execute(
            "DELETE FROM conversation WHERE id = ? AND trashed > ?", conversation, conversation_trees.INCOMPLETE
        )

    def purge_message(self, message: int) -> None:
        messages.purge_deletion(self.database, message)

    def search(self, query: str, limit: int) -> list[SearchHit]:
        return search.search(self.database, query, limit)

    def close(self) -> None:
        self.database.close()


def _conversation(row: Row) -> Conversation:
    id_, title, created, updated, titled_by_user, pinned, trashed, leaf, unsent_text, settings, *others = row
    has_unsent_files, project = others
    require_types(str, title, unsent_text)
    require_times(created, updated, *(() if trashed is None else (trashed,)))
    return Conversation(
        id=id_,
        title=title,
        created=created,
        updated=updated,
        titled_by_user=bool(titled_by_user),
        pinned=bool(pinned),
        trashed=trashed,
        leaf=leaf,
        unsent_text=unsent_text,
        settings=decode_settings(settings),
        has_unsent_files=bool(has_unsent_files),
        project=project,
    )
