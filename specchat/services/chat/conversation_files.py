"""Exports conversations to files and imports them."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, dropwhile
from pathlib import Path
from typing import TextIO

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.ports import ChatStore
from specchat.domain.types import Role
from specchat.services.atomic_write import write_text
from specchat.services.chat.export_json import json_chunks, read_json
from specchat.services.chat.export_markdown import markdown_chunks, read_markdown

LARGEST_CHAT = 256 << 20
"""Characters in a file, of which one conversation is in memory at a time."""


class ConversationFiles:
    def __init__(self, store: ChatStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._writers: dict[str, Callable[[Iterable[ConversationTree]], Iterator[str]]] = {
            ".json": lambda trees: json_chunks(trees, store.marks_json),
            ".md": markdown_chunks,
            ".markdown": markdown_chunks,
        }

    def load_tree(self, conversation: int) -> ConversationTree:
        return self._store.tree(conversation)

    def write(
        self, path: Path, conversations: Sequence[int] | None = None, cancel: CancelToken | None = None
    ) -> list[int]:
        """In the format that the name ends with. None: all conversations that were used.

        Those that are so large that the file cannot be imported again.
        """
        writer = self._writers.get(path.suffix.lower())
        if writer is None:
            raise UserError(
                "{name} doesn't have a recognized file extension.", "End the name with .json or .md.", name=path.name
            )
        if conversations is None:
            conversations = [each.id for each in self._store.conversations() if not each.is_untouched]
        if not conversations:
            raise UserError("There are no chats to export.", "Send a message in the window first.")
        written = _Written()
        trees = (self._store.tree(conversation, with_marks=False) for conversation in written.each(conversations))
        write_text(path, _until(cancel, written.counted(writer(trees))))
        return written.too_large

    def read(self, path: Path, cancel: CancelToken | None = None) -> list[int]:
        """The new conversations; none where anything is wrong with the file."""
        with closing(self._trees(path, cancel)) as trees:
            return self._store.add_trees(trees)

    def find_duplicates(self, added: Sequence[int]) -> list[int]:
        """Returns imported chats that existed already, with the same title and visible messages."""
        titles = {each.id: each.title for each in self._store.conversations()}
        before: dict[str, list[int]] = {}
        for conversation in titles.keys() - set(added):
            before.setdefault(titles[conversation], []).append(conversation)

        def is_double(new: int) -> bool:
            known = before.get(titles[new], [])
            return bool(known) and self._spoken_texts(new) in map(self._spoken_texts, known)

        return list(filter(is_double, added))

    def _spoken_texts(self, conversation: int) -> list[tuple[Role, str]]:
        """Without the blanks around it, which Markdown does not keep."""
        leaf = self._store.conversation(conversation).leaf
        path = [] if leaf is None else self._store.path(leaf, with_pictures=False)
        return [(message.role, message.text.strip()) for message in path]

    def _trees(self, path: Path, cancel: CancelToken | None) -> Generator[ConversationTree, None, None]:
        if path.is_dir():
            raise UserError("{path} is a folder.", "Specify a file inside it.", path=path)
        if not path.is_file():
            raise UserError("File not found: {path}.", "Check the path.", path=path)
        try:
            with path.open(encoding="utf-8-sig", newline="\n") as file:
                lines = _Lines(path.name, file)
                for tree in self._trees_in(_until(cancel, lines), path.name):
                    yield tree
                    lines.n_read = 0
        except OSError as error:
            raise UserError(
                "Can't read {path}: {reason}.", "Check its permissions.", path=path, reason=error.strerror
            ) from error
        except (ValueError, RecursionError) as error:
            raise UserError(
                "{name} is damaged.", "Export the chats again, or choose another file.", name=path.name
            ) from error

    def _trees_in(self, lines: Iterator[str], name: str) -> Iterator[ConversationTree]:
        lines = dropwhile(_is_blank, lines)
        first = next(lines, "")
        lines = chain((first,), lines)
        is_json = first.lstrip()[:1] == "{"
        return read_json(lines, name) if is_json else read_markdown(lines, self._clock(), name)


class _Written:
    def __init__(self) -> None:
        self.too_large: list[int] = []
        self._n_written = 0
        """Characters, of one conversation."""

    def each(self, conversations: Iterable[int]) -> Iterator[int]:
        """The next one is asked for when all of the last one is written."""
        for conversation in conversations:
            self._n_written = 0
            yield conversation
            if self._n_written > LARGEST_CHAT:
                self.too_large.append(conversation)

    def counted(self, pieces: Iterable[str]) -> Iterator[str]:
        for piece in pieces:
            self._n_written += len(piece)
            yield piece


class _Lines:
    """The lines of a file that may be larger than memory."""

    def __init__(self, name: str, file: TextIO) -> None:
        self.n_read = 0
        """Characters, since a conversation was complete."""
        self._name, self._file = name, file

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(LARGEST_CHAT + 1):
            self.n_read += len(line)
            if self.n_read > LARGEST_CHAT:
                raise UserError(
                    "{name} is too large to import.",
                    "A single chat can be at most {n} MB.",
                    name=self._name,
                    n=LARGEST_CHAT >> 20,
                )
            yield line


def _until(cancel: CancelToken | None, pieces: Iterable[str]) -> Iterator[str]:
    for piece in pieces:
        if cancel is not None:
            cancel.check()
        yield piece


def _is_blank(line: str) -> bool:
    return not line.strip()
