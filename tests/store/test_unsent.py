"""The files attached to what is not sent yet."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from support import attaching_child

from specchat.domain.conversations import Attachment, Conversation
from specchat.store.chat_store import SqliteChatStore, open_chat_store

ONE, TWO, THREE = (Attachment(f"{name}.txt", f"{name}\n\0 größer\r\n") for name in ("one", "two", "three"))


def test_they_are_kept_in_their_order(chats_path: Path, chats: SqliteChatStore, conversation: Conversation) -> None:
    assert not chats.conversation(conversation.id).has_unsent_files
    for files in [(ONE,), (ONE, TWO, THREE), (ONE, THREE), (THREE, TWO, ONE), (ONE, ONE)]:
        chats.save_unsent_files(conversation.id, files)
        with closing(open_chat_store(chats_path)) as again:
            assert again.unsent_files(conversation.id) == files
            assert again.conversation(conversation.id).has_unsent_files
    chats.save_unsent_files(conversation.id, ())
    assert chats.unsent_files(conversation.id) == ()
    assert not chats.conversation(conversation.id).has_unsent_files


def test_those_that_stay_are_not_written_again(chats: SqliteChatStore, conversation: Conversation) -> None:
    chats.save_unsent_files(conversation.id, (ONE, TWO))
    before = chats.database.rows("SELECT total_changes()")
    chats.save_unsent_files(conversation.id, (ONE, TWO))
    assert chats.database.rows("SELECT total_changes()") == before
    rows = chats.database.rows("SELECT id FROM unsent")
    chats.save_unsent_files(conversation.id, (ONE, TWO, THREE))
    assert chats.database.rows("SELECT id FROM unsent")[:2] == rows


def test_they_go_with_their_conversation(chats: SqliteChatStore, conversation: Conversation) -> None:
    other = chats.add_conversation(conversation.settings, now=2.0)
    for each in (conversation, other):
        chats.save_unsent_files(each.id, (ONE,))
    chats.database.execute("UPDATE conversation SET trashed = 5 WHERE id = ?", conversation.id)
    assert chats.unsent_files(conversation.id) == (ONE,), "it can be restored"
    chats.purge(before=6.0)
    assert (chats.unsent_files(conversation.id), chats.unsent_files(other.id)) == ((), (ONE,))


def test_a_kill_takes_nothing_away(chats_path: Path) -> None:
    with subprocess.Popen([sys.executable, attaching_child.__file__, chats_path], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline().rstrip() == b"kept"
        child.kill()
    with closing(open_chat_store(chats_path)) as store:
        (conversation,) = store.conversations()
        assert store.unsent_files(conversation.id) == attaching_child.FILES
