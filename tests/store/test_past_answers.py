from dataclasses import replace
from pathlib import Path

from support.chats import add, add_answer

from specchat.domain.conversations import Conversation, ConversationSettings
from specchat.store.chat_store import SqliteChatStore
from specchat.store.recent_answers import newest_answers


def test_the_newest_answers_the_oldest_of_them_first(
    chats: SqliteChatStore, chats_path: Path, conversation: Conversation
) -> None:
    texts = [f"answer {n:13}" for n in range(6)]
    question = add(chats, conversation, "Why?")
    for text in ("", *texts[:4]):
        add_answer(chats, question, text)
    other = chats.add_conversation(ConversationSettings(), now=2.0)
    for text in texts[4:]:
        add_answer(chats, add(chats, other, "And then?"), text)
    assert newest_answers(chats_path, 1000) == texts
    assert newest_answers(chats_path, 119) == texts[1:]
    assert newest_answers(chats_path, 80) == texts[2:]


def test_what_is_in_the_trash_is_left_out(chats: SqliteChatStore, chats_path: Path, conversation: Conversation) -> None:
    question = add(chats, conversation, "Why?")
    add_answer(chats, question, "kept")
    chats.trash_message(add_answer(chats, question, "thrown away").id, now=3.0)
    trashed = chats.add_conversation(ConversationSettings(), now=2.0)
    add_answer(chats, add(chats, trashed, "And then?"), "thrown away as well")
    chats.save_conversation(replace(chats.conversation(trashed.id), trashed=3.0))
    assert newest_answers(chats_path, 1000) == ["kept"]


def test_one_long_answer_leaves_room_for_others(
    chats: SqliteChatStore, chats_path: Path, conversation: Conversation
) -> None:
    question = add(chats, conversation, "Why?")
    add_answer(chats, question, "short")
    add_answer(chats, question, "long" * 1000)
    short, long = newest_answers(chats_path, 1000)
    assert short == "short"
    assert len(long) == 250
