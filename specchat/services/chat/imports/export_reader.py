"""Reads the chats of an export of another program."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationTree
from specchat.domain.translatable_text import TranslatableText
from specchat.services.chat.export_json import unknown_format_error
from specchat.services.chat.imports import jan
from specchat.services.chat.imports.export_files import MESSAGES, THREAD, ArchiveFiles, ExportFiles
from specchat.services.chat.imports.foreign_chat import ForeignChat, UnreadableChatError, build_tree
from specchat.services.chat.imports.formats import MessageFormat, find_format
from specchat.services.chat.imports.json_values import json_values
from specchat.services.chat.titles import one_line

_UNKNOWN = TranslatableText("Its format is unknown.")


@dataclass(frozen=True, slots=True)
class SkippedChat:
    """A chat of a file that was not imported."""

    title: str
    """Empty: it is not known."""
    reason: str


def read_export(
    files: ExportFiles, name: str, now: float, cancel: CancelToken | None = None
) -> Iterator[ConversationTree | SkippedChat]:
    """Raises a UserError where there are none, and a ValueError for damaged files. `name`: of the export."""
    has_chats = False
    for each in files.names:
        if cancel is not None:
            cancel.check()
        for chat in _chats_in(files, each):
            if cancel is not None:
                cancel.check()
            has_chats = True
            yield _finished(chat, now) if isinstance(chat, ForeignChat) else chat
    if not has_chats:
        raise unknown_format_error(name)


def _chats_in(files: ExportFiles, name: str) -> Iterator[ForeignChat | SkippedChat]:
    folder, _, file = name.rpartition("/")
    other = {THREAD: MESSAGES, MESSAGES: THREAD}.get(file, "")
    has_other = bool(other) and f"{folder}/{other}".lstrip("/") in files.names
    if has_other and file == MESSAGES:
        return
    values = json_values(_text(files, name))
    if has_other:
        thread = next(values, None)
        messages = json_values(_text(files, f"{folder}/{other}".lstrip("/")))
        if isinstance(thread, dict):
            yield jan.read_thread(thread, [each for each in messages if isinstance(each, dict)])
        return
    has_chats = False
    try:
        for chat in _chats_of(values, files):
            has_chats = True
            yield chat
    except (ValueError, RecursionError):
        if has_chats or not isinstance(files, ArchiveFiles):
            raise
        yield SkippedChat(_shown(name), TranslatableText("The file is damaged."))


def _chats_of(values: Iterator[object], files: ExportFiles) -> Iterator[ForeignChat | SkippedChat]:
    """What isn't known as a whole is something else; an archive has files of other kinds as well."""
    first = next(values, None)
    known = find_format(first)
    if known is None or not isinstance(first, dict):
        return
    if isinstance(known, MessageFormat):
        messages = [first, *(each for each in values if isinstance(each, dict))]
        yield known.read(messages)
        return
    for plain in chain([first], values):
        if isinstance(plain, dict) and known.matches(plain):
            yield known.read(plain, files.find_picture)
        else:
            yield SkippedChat("", _UNKNOWN)


def _finished(chat: ForeignChat, now: float) -> ConversationTree | SkippedChat:
    try:
        return build_tree(chat, now)
    except UnreadableChatError as error:
        return SkippedChat(_shown(chat.title), error.reason)


def _shown(name: str) -> str:
    return one_line(name)[:80]


def _text(files: ExportFiles, name: str) -> str:
    return files.read(name).decode("utf-8-sig")
