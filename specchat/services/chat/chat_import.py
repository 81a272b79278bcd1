"""Reads chats from files that specchat or other programs exported."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, dropwhile
from pathlib import Path
from typing import TextIO

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.ports import ChatStore
from specchat.services.chat import export_json
from specchat.services.chat.binary_file_kinds import HEAD_BYTES
from specchat.services.chat.export_json import is_first_line, is_own_format, read_json
from specchat.services.chat.export_markdown import read_markdown, shown_messages
from specchat.services.chat.imports.export_files import ExportFiles, open_archive, open_file, open_folder
from specchat.services.chat.imports.export_reader import SkippedChat, read_export
from specchat.services.chat.json_values import JsonValues
from specchat.services.chat.known_chats import KnownChat, KnownChats, WholeChat, WholeChats
from specchat.services.chat.text_files import detect_non_text

_LONGEST_FIRST_LINE = 200
"""Characters."""
_ARCHIVE = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class ImportReport:
    added: list[int]
    n_existing: int = 0
    """Chats that existed already and were not imported again."""
    skipped: tuple[SkippedChat, ...] = ()


class ChatImport:
    def __init__(self, store: ChatStore, now: float, cancel: CancelToken, on_read: Callable[[int], None]) -> None:
        self._known, self._known_whole = KnownChats(store), WholeChats(store)
        self._now, self._cancel, self._on_read = now, cancel, on_read
        self._n_read = 0
        """Chats, also those that exist already."""
        self.n_existing = 0
        self.skipped: list[SkippedChat] = []

    def trees(self, paths: Iterable[Path]) -> Generator[ConversationTree, None, None]:
        for path in paths:
            yield from self._trees(path)

    def _trees(self, path: Path) -> Iterator[ConversationTree]:
        try:
            if path.is_dir():
                yield from self._of_others(_require_threads(path), path.name)
            elif path.exists() and not path.is_file():
                raise UserError("{path} is not a regular file.", "Choose another file.", path=path)
            elif not path.is_file():
                raise UserError("File not found: {path}.", "Check the path.", path=path)
            elif _is_archive(path):
                with open_archive(path) as files:
                    yield from self._of_others(files, path.name)
            elif _is_no_text(path):
                raise export_json.unknown_format_error(path.name)
            else:
                yield from self._of_file(path)
        except OSError as error:
            raise UserError(
                "Can't read {path}: {reason}.", "Check its permissions.", path=path, reason=error.strerror
            ) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise UserError(
                "{name} is damaged.", "Export the chats again, or choose another file.", name=path.name
            ) from error

    def _of_file(self, path: Path) -> Iterator[ConversationTree]:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            reader = _Lines(path.name, file)
            lines: Iterator[str] = dropwhile(_is_blank, self._cancel.checked(reader))
            first = next(lines, "")
            lines = chain((first,), lines)
            if first.lstrip()[:1] not in ("{", "["):
                own = read_markdown(lines, self._now, path.name)
            elif is_first_line(first):
                own = read_json(lines, path.name)
            elif is_own_format(_first_value(first + reader.rest(), path.name)):
                own = read_json(iter([path.read_text(encoding="utf-8-sig")]), path.name)
            else:
                yield from self._of_others(open_file(path), path.name)
                return
            added: list[WholeChat] = []
            for tree in own:
                self._count()
                whole = WholeChat(tree)
                if self._known_whole.contains(whole):
                    self.n_existing += 1
                else:
                    added.append(whole)
                    yield tree
                reader.n_read = 0
            for whole in added:
                self._known_whole.add(whole)

    def _of_others(self, files: ExportFiles, name: str) -> Iterator[ConversationTree]:
        added: list[KnownChat] = []
        for chat in read_export(files, name, self._now, self._cancel):
            if isinstance(chat, SkippedChat):
                self.skipped.append(chat)
                continue
            self._count()
            known = KnownChat(chat.conversation.title, shown_messages(chat))
            if self._known.contains(known):
                self.n_existing += 1
            else:
                added.append(known)
                yield chat
        for known in added:  # a file may contain two chats with the same words, but another file only repeats them
            self._known.add(known)

    def _count(self) -> None:
        self._n_read += 1
        self._on_read(self._n_read)


def contains_chats(path: Path) -> bool:
    """Whether it is a JSON file or an archive with chats."""
    try:
        if not path.is_file():  # opening a pipe waits for its writer
            return False
        if _is_archive(path):
            with open_archive(path) as files:
                return _has_chats(files)
        with path.open(encoding="utf-8-sig") as file:
            if is_first_line(file.readline(_LONGEST_FIRST_LINE)):
                return True
        return _has_chats(open_file(path))
    except (OSError, ValueError, RecursionError, UserError):
        return False


def _has_chats(files: ExportFiles) -> bool:
    return any(isinstance(each, ConversationTree) for each in read_export(files, "", 0.0, CancelToken()))


def _require_threads(folder: Path) -> ExportFiles:
    files = open_folder(folder)
    if files is None:
        raise UserError("{path} is a folder.", "Specify a file inside it.", path=folder)
    return files


def _is_no_text(path: Path) -> bool:
    with path.open("rb") as file:
        return detect_non_text(file.read(HEAD_BYTES)) is not None


def _is_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_ARCHIVE)) == _ARCHIVE


def _first_value(text: str, name: str) -> object:
    return next(iter(JsonValues(text, name)), None)


class _Lines:
    """The lines of a file that may be larger than memory."""

    def __init__(self, name: str, file: TextIO) -> None:
        self.n_read = 0
        """Characters since the last complete conversation."""
        self._name, self._file = name, file

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(export_json.LARGEST_CHAT + 1):
            self._count(line)
            yield line

    def rest(self) -> str:
        """Short lines would take much more memory one by one."""
        text = self._file.read(export_json.LARGEST_CHAT + 1)
        self._count(text)
        return text

    def _count(self, text: str) -> None:
        self.n_read += len(text)
        if self.n_read > export_json.LARGEST_CHAT:
            raise UserError(
                "{name} is too large to import.",
                "A single chat can be at most {n} MB.",
                name=self._name,
                n=export_json.LARGEST_CHAT >> 20,
            )


def _is_blank(line: str) -> bool:
    return not line.strip()
