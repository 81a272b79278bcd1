"""Pictures of messages, and of what is not sent yet."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.pictures import picture

from specchat.domain.conversations import Attachment, Conversation, ConversationSettings, StoredMessage
from specchat.domain.errors import DamagedChatsError
from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.store import media as stored_pictures
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.database import Database
from specchat.store.migrations import migrate
from specchat.store.salvage.salvage import salvage
from specchat.store.schema import MIGRATIONS

RED, DARK, TALL = picture(), picture("dark.png", red=20), picture("tall.png", height=9)
FILE = Attachment("a.txt", "apple")


def ask(store: SqliteChatStore, conversation: Conversation, *pictures: Picture) -> StoredMessage:
    return store.add_message(StoredMessage(0, conversation.id, None, Role.USER, "What?", 1.0, pictures=pictures))


@pytest.fixture(autouse=True)
def _nothing_in_memory() -> None:
    stored_pictures._in_use.clear()


def opened_anew(path: Path) -> SqliteChatStore:
    stored_pictures._in_use.clear()
    return open_chat_store(path)


def n_stored(store: SqliteChatStore) -> int:
    ((n,),) = store.database.rows("SELECT count(*) FROM picture")
    return int(n)


def test_they_come_back_in_their_order_and_are_stored_once(
    chats_path: Path, chats: SqliteChatStore, conversation: Conversation
) -> None:
    again = replace(RED, name="again.png")
    asked = ask(chats, conversation, RED, TALL, again)
    ask(chats, conversation, RED)
    with closing(opened_anew(chats_path)) as store:
        assert store.message(asked.id).pictures == (RED, TALL, again)
        assert store.path(asked.id)[0].pictures == (RED, TALL, again)
        assert store.path(asked.id, with_pictures=False)[0].pictures == ()
        assert n_stored(store) == 2


def test_a_picture_is_in_memory_once(chats: SqliteChatStore, conversation: Conversation) -> None:
    asked = ask(chats, conversation, RED)
    (known,) = asked.pictures
    assert known is RED
    stored_pictures._in_use.clear()
    (one,), (other,) = (chats.message(asked.id).pictures for _ in range(2))
    assert one is other
    assert one == RED


def test_unsent_ones_are_kept_beside_files(chats: SqliteChatStore, conversation: Conversation) -> None:
    for files in [(RED,), (RED, TALL, FILE), (TALL, FILE), (TALL, RED, RED), (FILE,), ()]:
        chats.save_unsent_files(conversation.id, files)
        stored_pictures._in_use.clear()
        assert chats.unsent_files(conversation.id) == files
        assert chats.conversation(conversation.id).has_unsent_files == bool(files)
        assert n_stored(chats) == len({file.digest for file in files if isinstance(file, Picture)})


def test_those_that_stay_are_not_written_again(chats: SqliteChatStore, conversation: Conversation) -> None:
    chats.save_unsent_files(conversation.id, (RED, TALL))
    rows = chats.database.rows("SELECT id FROM picture_use")
    before = chats.database.rows("SELECT total_changes()")
    chats.save_unsent_files(conversation.id, (RED, TALL))
    assert chats.database.rows("SELECT total_changes()") == before
    chats.save_unsent_files(conversation.id, (RED, TALL, DARK))
    assert chats.database.rows("SELECT id FROM picture_use")[:2] == rows


def test_a_picture_goes_with_its_last_use(chats: SqliteChatStore, conversation: Conversation) -> None:
    asked, other = ask(chats, conversation, RED, TALL), ask(chats, conversation, TALL)
    chats.save_unsent_files(conversation.id, (DARK,))
    chats.trash_message(asked.id, now=2.0)
    assert n_stored(chats) == 3, "it can be restored"
    chats.purge(before=3.0)
    assert n_stored(chats) == 2
    assert chats.message(other.id).pictures == (TALL,)
    chats.save_conversation(replace(chats.conversation(conversation.id), trashed=4.0))
    chats.purge_conversation(conversation.id)
    assert n_stored(chats) == 0
    assert chats.database.rows("SELECT * FROM picture_use") == []


def test_chats_from_before_can_have_them(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:3])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, NULL, '', '{}')")
    with closing(open_chat_store(chats_path)) as store:
        assert ask(store, store.conversation(1), RED).pictures == (RED,)


def test_a_damaged_name_is_reported(chats: SqliteChatStore, conversation: Conversation) -> None:
    asked = ask(chats, conversation, RED)
    chats.database.execute("UPDATE picture_use SET name = x'00'")
    with pytest.raises(DamagedChatsError):
        chats.message(asked.id)


@pytest.fixture
def filled(chats_path: Path) -> tuple[Path, StoredMessage]:
    with closing(open_chat_store(chats_path)) as store:
        conversation = store.add_conversation(ConversationSettings(), now=1.0)
        asked = ask(store, conversation, RED, TALL)
        store.save_unsent_files(conversation.id, (DARK,))
    return chats_path, asked


def salvaged(path: Path) -> tuple[SqliteChatStore, int]:
    stored_pictures._in_use.clear()
    found = salvage(path)
    return SqliteChatStore(found.database), sum(chat.n_lost for chat in found.damaged)


def test_salvaging_keeps_them(filled: tuple[Path, StoredMessage]) -> None:
    path, asked = filled
    store, n_lost = salvaged(path)
    with closing(store):
        assert (store.message(asked.id).pictures, n_lost) == ((RED, TALL), 0)
        assert store.unsent_files(asked.conversation) == (DARK,)


def test_salvaging_leaves_out_a_picture_whose_bytes_have_changed(filled: tuple[Path, StoredMessage]) -> None:
    path, asked = filled
    content = path.read_bytes()
    assert content.count(TALL.content) == 1
    path.write_bytes(content.replace(TALL.content, TALL.content[:-1] + b"\0"))
    store, n_lost = salvaged(path)
    with closing(store):
        assert (store.message(asked.id).pictures, n_lost) == ((RED,), 1)
        assert n_stored(store) == 2
