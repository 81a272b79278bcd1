"""Reads chats that another program exported."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationTree
from specchat.domain.translatable_text import TranslatableText
from specchat.services.chat.export_json import unknown_format_error
from specchat.services.chat.imports import jan
from specchat.services.chat.imports.export_files import BELONG_TOGETHER, MESSAGES, ArchiveFiles, ExportFiles
from specchat.services.chat.imports.foreign_chat import ForeignChat, UnreadableChatError, build_tree
from specchat.services.chat.imports.formats import MessageFormat, find_format
from specchat.services.chat.imports.untrusted import FindPicture, as_object, as_text, picture_from_content
from specchat.services.chat.json_values import JsonValues
from specchat.services.chat.titles import one_line

_UNKNOWN = TranslatableText("Its format is unknown.")


@dataclass(frozen=True, slots=True)
class SkippedChat:
    """A chat that couldn't be imported."""

    title: str
    """Empty if it is unknown."""
    reason: str


def read_export(
    files: ExportFiles, name: str, now: float, cancel: CancelToken
) -> Iterator[ConversationTree | SkippedChat]:
    """Raises a UserError if there are no chats, and a ValueError if a file is damaged. `name`: that of the export."""
    has_chats = False
    names = frozenset(files.names)
    for each in cancel.checked(files.names):
        for chat in cancel.checked(_chats_in(files, names, each)):
            has_chats = True
            yield _finished(chat, now) if isinstance(chat, ForeignChat) else chat
    if not has_chats:
        raise unknown_format_error(name)


def _chats_in(files: ExportFiles, names: Collection[str], name: str) -> Iterator[ForeignChat | SkippedChat]:
    folder, _, file = name.rpartition("/")
    other = f"{folder}/{BELONG_TOGETHER.get(file, '')}".lstrip("/")
    is_thread = file in BELONG_TOGETHER and other in names
    if is_thread and file == MESSAGES:
        return
    contents = [files.read(each) for each in ((name, other) if is_thread else (name,))]
    has_chats = False
    try:
        texts = [content.decode("utf-8-sig") for content in contents]
        for chat in _thread(name, *texts) if is_thread else _chats_of(name, texts[0], files):
            has_chats = True
            yield chat
    except (ValueError, RecursionError):
        if has_chats or not (isinstance(files, ArchiveFiles) or len(names) > len(contents)):
            raise
        yield SkippedChat(_shown(name), TranslatableText("The file is damaged."))


def _thread(name: str, thread: str, messages: str) -> Iterator[ForeignChat | SkippedChat]:
    values = JsonValues(messages, name)
    values.require_few()
    first = next(iter(JsonValues(thread, name)), None)
    if isinstance(first, dict):
        yield jan.read_thread(first, [each for each in values if isinstance(each, dict)])
    else:
        yield _unknown(first)


def _chats_of(name: str, text: str, files: ExportFiles) -> Iterator[ForeignChat | SkippedChat]:
    """Yields nothing for other kinds of files, which archives contain as well."""
    values = JsonValues(text, name)
    remaining = iter(values)
    first = next(remaining, None)
    known = find_format(first)
    if known is None or not isinstance(first, dict):
        return
    if isinstance(known, MessageFormat):
        values.require_few()
        messages = [first, *(each for each in remaining if isinstance(each, dict))]
        yield known.read(messages)
        return
    for plain in chain([first], remaining):
        if isinstance(plain, dict) and known.matches(plain):
            yield known.read(plain, _picture_finder(files))
        else:
            yield _unknown(plain)


def _unknown(plain: object) -> SkippedChat:
    """The formats call a chat's title one of these."""
    values = as_object(plain)
    return SkippedChat(_shown(as_text(values.get("title")) or as_text(values.get("name"))), _UNKNOWN)


def _picture_finder(files: ExportFiles) -> FindPicture:
    """Reads each picture of a chat once, however many of its messages refer to it."""
    return cache(lambda file_id: picture_from_content(files.find_picture(file_id)))


def _finished(chat: ForeignChat, now: float) -> ConversationTree | SkippedChat:
    try:
        return build_tree(chat, now)
    except UnreadableChatError as error:
        return SkippedChat(_shown(chat.title), error.reason)


def _shown(name: str) -> str:
    return one_line(name)[:80]
