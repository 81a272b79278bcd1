"""Archives, whose headers may say anything."""

import json
import zipfile
from pathlib import Path

import pytest
from support.foreign_exports import TALK, THREAD, TIDES, chatgpt, jan_messages, node
from support.imported_chats import shown, tree
from support.pictures import png

from specchat.domain.errors import UserError
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.imports import export_files
from specchat.store.chat_store import SqliteChatStore


def test_an_archive_that_unpacks_to_too_much(
    tmp_path: Path, files: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 5_000_000 + "]")
    monkeypatch.setattr(export_files, "LARGEST_FILE", 1_000_000)
    with pytest.raises(UserError, match="too large"):
        files.import_files([path])
    monkeypatch.setattr(export_files, "LARGEST_FILE", 10_000_000)
    monkeypatch.setattr(export_files, "LARGEST_EXPORT", 1_000_000)
    with pytest.raises(UserError, match="when unpacked"):
        files.import_files([path])
    monkeypatch.setattr(export_files, "MOST_FILES", 0)
    with pytest.raises(UserError, match="more than 0 files"):
        files.import_files([path])


def test_a_damaged_archive(tmp_path: Path, files: ConversationFiles) -> None:
    path = tmp_path / "chats.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
    whole = path.read_bytes()
    for content in (whole[:60], whole[:40] + b"xxxx" + whole[44:], b"PK\x03\x04", whole[:-30]):
        path.write_bytes(content)
        with pytest.raises(UserError):
            files.import_files([path])


def test_an_archive_packed_by_a_method_that_unpacks_all_at_once(tmp_path: Path, files: ConversationFiles) -> None:
    """A megabyte of it may become many gigabytes."""
    path = tmp_path / "chats.zip"
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
        with pytest.raises(UserError, match="damaged"):
            files.import_files([path])


def test_names_in_an_archive_are_shown_without_escapes(tmp_path: Path, files: ConversationFiles) -> None:
    path = tmp_path / "chats.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
        archive.writestr("\x1b]0;pwned\x07\u202ebad\n.json", "[{")
    report = files.import_files([path])
    assert [skipped.title for skipped in report.skipped] == ["bad .json"]


def test_a_damaged_picture_is_left_out(tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles) -> None:
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(node("q", "s", "user", pointer, "What is this?"))]))
        archive.writestr("file-Ab1-dot.png", png(8, 8))
    path.write_bytes(path.read_bytes().replace(png(8, 8), bytes(len(png(8, 8)))))
    question = tree(chats, files.import_files([path])).messages[0]
    assert (question.text, question.pictures) == ("[picture]\n\nWhat is this?", ())


def test_a_damaged_thread_does_not_keep_the_others_out(
    tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles
) -> None:
    whole = {"thread.json": json.dumps(THREAD), "messages.jsonl": jan_messages()}
    archive = tmp_path / "jan.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        for folder in ("bad", "good"):
            for name, text in whole.items():
                content = text[: len(text) // 2] if folder == "bad" else text
                (tmp_path / folder).mkdir(exist_ok=True)
                (tmp_path / folder / name).write_text(content, encoding="utf-8")
                writer.writestr(f"{folder}/{name}", content)
        writer.writestr("other.json", '{"name": "é"}'.encode("latin-1"))
    report = files.import_files([archive])
    assert shown(chats, report) == TALK
    assert [skipped.title for skipped in report.skipped] == ["bad/thread.json", "other.json"]
    again = files.import_files([tmp_path])
    assert (again.n_existing, [skipped.title for skipped in again.skipped]) == (1, ["bad/thread.json"])
    with pytest.raises(UserError, match="damaged"):
        files.import_files([tmp_path / "bad" / "thread.json"])
