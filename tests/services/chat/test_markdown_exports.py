from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import import_copies, import_refusal, texts_of, varied_tree

from specchat.domain.conversations import (
    ConversationSettings,
    ConversationTree,
    StoredMessage,
)
from specchat.domain.types import Role
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore


def test_markdown_is_readable(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    exports.write(tmp_path / "one.md", chats.add_trees([varied_tree()]))
    lines = (tmp_path / "one.md").read_text(encoding="utf-8").replace("\0", "").splitlines()
    assert [line for line in lines if line] == [
        "# Tides «and» moons <!-- specchat:conversation -->",
        "## System prompt <!-- specchat:system -->",
        "Be brief.",
        "## You <!-- specchat:user -->",
        "Why two a day?",
        "## target.gguf <!-- specchat:assistant -->",
        "Hello, world",
        "*4 tokens · 40.0 tokens/s · 2 of 3 guesses accepted (67%) · 2.00 tokens per pass · 0.05 s saved"
        " · speculation off: it does not pay* <!-- specchat:figures -->",
        "## You <!-- specchat:user -->",
        "Thanks 🙂",
    ]


def shown_first(tree: ConversationTree) -> ConversationTree:
    return replace(tree, conversation=replace(tree.conversation, leaf=1))


def test_answers_that_no_model_is_known_for_have_a_heading(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, messages: MessageService
) -> None:
    """Imported ones, and those that the user wrote over them."""
    tree = varied_tree()
    (chat,) = chats.add_trees([replace(tree, answers={})])
    leaf = chats.conversation(chat).leaf
    assert leaf is not None
    answer = next(each for each in reversed(chats.path(leaf)) if each.role is Role.ASSISTANT)
    messages.edit_answer(answer.id, "In my words.")
    exports.write(tmp_path / "one.md", [chat])
    assert "## Answer <!-- specchat:assistant -->\n\nIn my words." in (tmp_path / "one.md").read_text(encoding="utf-8")


def test_markdown_brings_back_what_was_shown(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    exports.write(tmp_path / "all.md", chats.add_trees([varied_tree(), shown_first(varied_tree())]))
    first, second = import_copies(chats, tmp_path / "all.md")
    assert texts_of(chats, first) == ["Why two a day?", "Hello, world", "Thanks\0 🙂"]
    kept = chats.conversation(first)
    assert (kept.title, kept.settings) == ("Tides «and» moons", ConversationSettings(system_prompt="Be brief."))
    assert [m.text for m in chats.path(kept.leaf or 0)] == texts_of(chats, first)
    (question,) = chats.tree(second).messages
    original = varied_tree().messages[0]
    assert (question.text, question.attached) == (original.text, original.attached)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- specchat:user -->",
        "## You <!-- \\specchat:user -->",
        "<!-- \\\\specchat:figures --> x",
        "# Title <!-- specchat:conversation -->\n\n## You <!-- specchat:user -->",
        "a\n\n\n# b\n```\n<!-- specchat:assistant -->\n```",
        " <!-- " * 1000,
    ],
)
def test_text_that_looks_like_a_marker_is_kept(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, text: str
) -> None:
    question = StoredMessage(1, 1, None, Role.USER, text.strip("\n"), 1.0)
    tree = ConversationTree(replace(varied_tree().conversation, leaf=1), (question,))
    exports.write(tmp_path / "one.md", chats.add_trees([tree]))
    (copy,) = import_copies(chats, tmp_path / "one.md")
    assert texts_of(chats, copy) == [text.strip("\n")]


def test_line_ends_of_other_systems_do_no_harm(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    path = tmp_path / "one.md"
    exports.write(path, chats.add_trees([varied_tree()]))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (copy,) = import_copies(chats, path)
    assert len(texts_of(chats, copy)) == 3


def test_pictures_come_back_from_markdown(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    exports.write(tmp_path / "one.md", chats.add_trees([shown_first(varied_tree())]))
    text = (tmp_path / "one.md").read_text(encoding="utf-8")
    assert "### größe.png <!-- specchat:picture -->\n\n![](data:image/png;base64," in text
    assert "### tones.wav <!-- specchat:recording -->\n\n[audio](data:audio/wav;base64," in text
    (copy,) = import_copies(chats, tmp_path / "one.md")
    assert chats.tree(copy).messages[0].media == varied_tree().messages[0].media
    damaged = tmp_path / "damaged.md"
    for now, then in (("data:image/png;base64,", "https://example.org/"), ("base64,", "base64,AAAA")):
        damaged.write_text(text.replace(now, then), encoding="utf-8")
        assert "damaged" in import_refusal(exports, damaged).message
