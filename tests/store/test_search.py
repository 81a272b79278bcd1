from dataclasses import replace

import pytest
from support.chats import add

from specchat.domain.conversations import (
    Attachment,
    Conversation,
    ConversationSettings,
    MessageState,
    SearchHit,
    StoredMessage,
)
from specchat.domain.types import Role
from specchat.store.chat_store import SqliteChatStore
from specchat.store.recovery import add_chunk


def found(chats: SqliteChatStore, query: str) -> list[str]:
    return [hit.snippet for hit in chats.search(query, 10)]


def attach(chats: SqliteChatStore, conversation: Conversation, text: str, *files: Attachment) -> StoredMessage:
    return chats.add_message(StoredMessage(0, conversation.id, None, Role.USER, text, created=1.0, attachments=files))


def matched(hit: SearchHit) -> list[str]:
    return [hit.snippet[begin:end] for begin, end in hit.matches]


@pytest.fixture
def filled(chats: SqliteChatStore, conversation: Conversation) -> SqliteChatStore:
    add(chats, conversation, "The Größe of a café in C++")
    add(chats, conversation, "An elephant\nforgets nothing")
    return chats


@pytest.mark.parametrize("query", ["cafe", "CAFÉ", "caf", "grosse gr", "größ", "c++", "of the café", 'café "C++"'])
def test_as_one_types_without_accents_and_case(filled: SqliteChatStore, query: str) -> None:
    expected = [] if "grosse" in query else ["The Größe of a café in C++"]
    assert found(filled, query) == expected


def test_all_words_must_be_there_and_whole_but_the_last(filled: SqliteChatStore) -> None:
    assert found(filled, "forgets ele") == ["An elephant\nforgets nothing"]
    assert found(filled, "forg elephant") == []
    assert found(filled, "elephant café") == []
    assert found(filled, "elep ") == []


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "*",
        "(",
        ")",
        "a OR",
        "NOT x",
        "AND b",
        "NEAR(a, 2)",
        "text:x",
        "-x",
        "^",
        "a\0b",
        "",
        "  ",
        "++",
        "\ud83d",
    ],
)
def test_no_query_is_an_error(filled: SqliteChatStore, query: str) -> None:
    assert found(filled, query) == []


def test_every_character_may_be_asked_for(filled: SqliteChatStore) -> None:
    for code in range(0x2100):
        found(filled, f"a{chr(code)}b {chr(code)}")


def test_where_it_matches(filled: SqliteChatStore) -> None:
    (hit,) = filled.search("forgets eleph", 10)
    assert matched(hit) == ["elephant", "forgets"]
    assert hit.message is not None


def test_a_long_text_is_shown_around_the_match(chats: SqliteChatStore, conversation: Conversation) -> None:
    add(chats, conversation, "\n\n".join([*["before"] * 500, "*needle*", *["after"] * 500]))
    (hit,) = chats.search("needle", 10)
    assert matched(hit) == ["needle"]
    assert hit.snippet.startswith("*needle*\n\nafter")
    assert len(hit.snippet) < 2_000


def test_titles_come_first_then_the_newest_messages(chats: SqliteChatStore, conversation: Conversation) -> None:
    first = add(chats, conversation, "tides, older")
    add(chats, conversation, "tides, newer", first.id)
    other = chats.add_conversation(ConversationSettings(), now=2.0)
    chats.save_conversation(replace(other, title="On tides", titled_by_user=True))
    title, newer, older = chats.search("tides", 10)
    assert (title.conversation, title.message, title.snippet, title.matches) == (other.id, None, "On tides", ((3, 8),))
    assert (newer.snippet, older.snippet) == ("tides, newer", "tides, older")
    assert len(chats.search("tides", 2)) == 2


def test_versions_of_a_message_count_once(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "When?")
    for text in ("tides, first", "tides, again", "the moon"):
        add(chats, conversation, text, question.id, Role.ASSISTANT)
    assert found(chats, "tides") == ["tides, again"]
    assert found(chats, "first") == ["tides, first"]


def test_changes_are_found_and_what_was_before_is_not(chats: SqliteChatStore, conversation: Conversation) -> None:
    for title in ("Before", "After"):
        chats.save_conversation(replace(conversation, title=title, titled_by_user=True))
    assert found(chats, "before") == []
    assert found(chats, "after") == ["After"]


def test_what_is_in_the_trash_is_not_found(chats: SqliteChatStore, conversation: Conversation) -> None:
    message = add(chats, conversation, "needle")
    chats.trash_message(message.id, now=5.0)
    assert found(chats, "needle") == []
    chats.restore_message(message.id, message.id)
    assert found(chats, "needle") == ["needle"]
    chats.save_conversation(replace(chats.conversation(conversation.id), trashed=5.0, title="needle"))
    assert found(chats, "needle") == []


def test_the_title_of_what_was_emptied_is_found_where_the_user_gave_it(
    chats: SqliteChatStore, conversation: Conversation
) -> None:
    message = add(chats, conversation, "What?")
    chats.save_conversation(replace(chats.conversation(conversation.id), title="needle"))
    assert found(chats, "needle") == ["needle"]
    chats.trash_message(message.id, now=5.0)
    assert found(chats, "needle") == []
    chats.save_conversation(replace(chats.conversation(conversation.id), titled_by_user=True))
    assert found(chats, "needle") == ["needle"]


def test_purging_takes_it_out_of_the_index(chats: SqliteChatStore, conversation: Conversation) -> None:
    chats.trash_message(add(chats, conversation, "needle").id, now=5.0)
    chats.purge(before=6.0)
    chats.database.execute("INSERT INTO message_index (message_index, rank) VALUES ('integrity-check', 1)")
    assert chats.database.rows("SELECT * FROM message_index WHERE message_index MATCH 'needle'") == []


def test_streamed_text_is_found_once_it_is_whole(chats: SqliteChatStore, conversation: Conversation) -> None:
    message = add(chats, conversation, "hay ")
    chats.set_state(message.id, MessageState.STREAMING)
    add_chunk(chats.database, message.id, "needle", ())
    assert found(chats, "needle") == []
    chats.set_state(message.id, MessageState.DONE)
    assert found(chats, "needle") == ["hay needle"]


def test_attached_files_are_found_by_text_and_name(chats: SqliteChatStore, conversation: Conversation) -> None:
    files = (Attachment("tides.txt", "one\n\nThe secret word is banana."), Attachment("b.txt", "apple"))
    message = attach(chats, conversation, "What is it?", *files)
    (hit,) = chats.search("banan", 10)
    assert (hit.message, matched(hit)) == (message.id, ["banana"])
    (hit,) = chats.search("tides", 10)
    assert hit.snippet.startswith("tides.txt\n\none")
    assert [hit.message for hit in chats.search("apple", 10)] == [message.id]


def test_a_message_is_found_once_by_what_it_says_before_what_is_attached(
    chats: SqliteChatStore, conversation: Conversation
) -> None:
    said = attach(chats, conversation, "A needle?", Attachment("a", "needle, a"), Attachment("b", "needle, b"))
    attach(chats, conversation, "Or?", Attachment("a", "needle, c"), Attachment("b", "needle, d"))
    assert found(chats, "needle") == ["A needle?", "needle, d"]
    assert [hit.message for hit in chats.search("needle", 1)] == [said.id]


def test_what_is_attached_to_deleted_messages_is_not_found(chats: SqliteChatStore, conversation: Conversation) -> None:
    message = attach(chats, conversation, "What?", Attachment("a", "needle"))
    chats.trash_message(message.id, now=5.0)
    assert found(chats, "needle") == []
    chats.purge(before=6.0)
    chats.database.execute("INSERT INTO attachment_index (attachment_index, rank) VALUES ('integrity-check', 1)")
    assert chats.database.rows("SELECT * FROM attachment") == []


def test_texts_too_long_to_be_marked_are_shown_from_their_beginning(
    chats: SqliteChatStore, conversation: Conversation
) -> None:
    attach(chats, conversation, "What?", Attachment("long.txt", "word " * 50_000 + "needle"))
    (hit,) = chats.search("needle", 10)
    assert hit.snippet.startswith("long.txt\n\nword word")
    assert hit.matches == ()


@pytest.mark.parametrize("query", ["テキスト", "日本語の", "テキスト html", "HTMLテ", "日本 テキ"])
def test_words_of_scripts_without_spaces_are_found_within_a_sentence(
    chats: SqliteChatStore, conversation: Conversation, query: str
) -> None:
    add(chats, conversation, "これは日本語のHTMLテキストです。")
    (hit,) = chats.search(query, 10)
    assert {word.lower() for word in matched(hit)} == set(query.lower().split())


def test_scripts_without_spaces_in_titles_files_and_versions(
    chats: SqliteChatStore, conversation: Conversation
) -> None:
    chats.save_conversation(replace(conversation, title="潮の満ち引き", titled_by_user=True))
    first = attach(chats, conversation, "資料", Attachment("潮の表.txt", "一〇〇%_\\"))
    add(chats, conversation, "今日の潮")
    again = chats.add_message(replace(first, text="潮の資料", attachments=()))
    assert found(chats, "の満ち") == ["潮の満ち引き"]
    assert [hit.message for hit in chats.search("潮", 10)] == [None, again.id, first.id]
    assert [hit.message for hit in chats.search("潮の表", 10)] == [first.id]
    assert found(chats, "〇%_\\") != []
    assert found(chats, "〇_%") == []
    assert len(chats.search("潮", 2)) == 2
