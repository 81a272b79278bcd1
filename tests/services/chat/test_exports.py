from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.chats import ANSWER, SETTINGS, add, conversation_in, import_copies, varied_tree, without_ids

from specchat.domain.conversations import (
    Attachment,
    ConversationSettings,
    ConversationTree,
    MessageState,
)
from specchat.domain.errors import UserError
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.known_chats import WholeChat
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore


def test_json_loses_nothing(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    (original,) = chats.add_trees([varied_tree()])
    exports.write(tmp_path / "one.json", [original])
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert copy != original
    assert without_ids(chats.tree(copy)) == without_ids(chats.tree(original)) == without_ids(varied_tree())


@pytest.mark.parametrize("name", ["all.json", "all.md"])
def test_what_exists_is_not_imported_again(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, conversations: ConversationService, name: str
) -> None:
    """Two chats of the same words in one file are both imported."""
    own = chats.add_trees([varied_tree()] * 2)
    exports.write(tmp_path / name)
    report = exports.import_files([tmp_path / name])
    assert (report.added, report.n_existing) == ([], 2)
    conversations.delete(*own)
    report = exports.import_files([tmp_path / name] * 2)
    assert (len(report.added), report.n_existing) == (2, 2)
    for conversation in report.added:
        conversations.rename(conversation, "Another")
    assert len(exports.read(tmp_path / name)) == 2


def test_what_would_be_lost_is_imported(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    """A version that was deleted since comes back; what was added since is no reason."""
    (own,) = chats.add_trees([varied_tree()])
    exports.write(tmp_path / "all.json")
    conversation = chats.conversation(own)
    shown = {each.id for each in chats.path(conversation.leaf or 0)}
    hidden = [each.id for each in chats.tree(own).messages if each.id not in shown]
    add(chats, conversation, "And then?", conversation.leaf)
    assert exports.read(tmp_path / "all.json") == []
    chats.trash_message(hidden[0], now=5.0)
    assert len(exports.read(tmp_path / "all.json")) == 1


def test_many_chats_of_one_title_are_recognized_quickly(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A version of the first message that was edited counts as its beginning, too."""
    tree = varied_tree()
    asked = replace(tree.messages[0], attachments=(), pictures=(), recordings=())
    chat = replace(tree.conversation, leaf=2)
    trees = [
        ConversationTree(chat, (replace(asked, id=1, text=f"Edited {n}"), replace(asked, id=2, text=f"Hi {n}")))
        for n in range(50)
    ]
    trees += [ConversationTree(replace(tree.conversation, leaf=None, unsent_text=f"Draft {n}"), ()) for n in range(50)]
    own = chats.add_trees(trees)
    exports.write(tmp_path / "all.json")
    chats.trash_message(chats.tree(own[0]).messages[0].id, now=5.0)
    compared: list[WholeChat] = []
    contains = WholeChat.contains

    def count(known: WholeChat, other: WholeChat) -> bool:
        compared.append(other)
        return contains(known, other)

    monkeypatch.setattr(WholeChat, "contains", count)
    report = exports.import_files([tmp_path / "all.json"])
    assert (len(report.added), report.n_existing) == (1, 99)
    assert len(compared) < 2 * len(trees)


def test_attachments_and_what_is_typed_count(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    tree = varied_tree()
    typed = ConversationTree(replace(tree.conversation, leaf=None, unsent_text="Why two"), ())
    other = ConversationTree(replace(typed.conversation, unsent_text="Why three"), ())
    files = [Attachment("a.txt", "Tides"), Attachment("a.txt", "Moons")]
    asked = [
        ConversationTree(replace(tree.conversation, leaf=1), (replace(tree.messages[0], attachments=(file,)),), {})
        for file in files
    ]
    chats.add_trees([typed, asked[0]])
    exports.write(tmp_path / "old.json")
    both = chats.add_trees([other, asked[1]])
    exports.write(tmp_path / "new.json", both)
    assert exports.read(tmp_path / "old.json") == []
    chats.set_trashed(both, 1.0)
    assert len(exports.read(tmp_path / "new.json")) == 2


def test_all_conversations_but_the_trash(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, conversations: ConversationService
) -> None:
    kept, _, deleted = chats.add_trees([varied_tree(), varied_tree(), varied_tree()])
    conversations.delete(deleted)
    chats.trash_message(chats.tree(kept).messages[0].id, now=5.0)
    conversations.create(ConversationSettings())
    exports.write(tmp_path / "all.json")
    assert sorted(len(chats.tree(copy).messages) for copy in import_copies(chats, tmp_path / "all.json")) == [4, 5]


def test_json_says_what_it_is(exported: dict[str, Any]) -> None:
    assert (exported["format"], exported["version"]) == ("specchat conversations", 1)
    answered = conversation_in(exported)["messages"][2]
    assert answered["answer"]["stats"]["n_generated"] == ANSWER.stats.n_generated
    assert answered["answer"]["marks"][1] == [7, "draft", 0, 0.9312]


def test_an_answer_that_is_being_written_comes_back_stopped(
    tmp_path: Path,
    chats: SqliteChatStore,
    exports: ConversationFiles,
    messages: MessageService,
    conversations: ConversationService,
) -> None:
    new = conversations.create(SETTINGS)
    messages.begin_answer(messages.add_question(new.id, "Why?").id, ANSWER)
    exports.write(tmp_path / "one.json", [new.id])
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert messages.shown_path(copy)[-1].state is MessageState.STOPPED


def test_an_export_that_fails_leaves_the_old_file(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    path = tmp_path / "all.json"
    path.write_text("old")
    with pytest.raises(UserError, match="was deleted"):
        exports.write(path, [*chats.add_trees([varied_tree()]), 99])
    assert [file.name for file in tmp_path.glob("all*")] == ["all.json"]
    assert path.read_text() == "old"
    with pytest.raises(UserError, match=r"Can't write .*all\.json: "):
        exports.write(tmp_path / "nowhere" / "all.json")


def test_the_name_says_which_format(tmp_path: Path, exports: ConversationFiles) -> None:
    with pytest.raises(UserError, match=r"all\.pdf doesn't have a recognized file extension"):
        exports.write(tmp_path / "all.pdf")
    assert not (tmp_path / "all.pdf").exists()


def test_an_export_replaces_no_other_file(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    other = tmp_path / "one.json.part"
    other.write_text("of somebody else")
    exports.write(tmp_path / "one.json", chats.add_trees([varied_tree()]))
    assert other.read_text() == "of somebody else"
    assert sorted(path.name for path in tmp_path.glob("one*")) == ["one.json", "one.json.part"]
