"""Exports conversations to files and imports them."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.ports import ChatStore
from specchat.domain.translatable_text import TranslatableText
from specchat.services.atomic_write import write_text
from specchat.services.chat import export_json
from specchat.services.chat.export_json import json_chunks
from specchat.services.chat.export_markdown import markdown_chunks

if TYPE_CHECKING:
    from specchat.services.chat.chat_import import ImportReport


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
        """Writes conversations in the format of the file's extension. None: all that were used.

        Returns those that are too large to be imported again.
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
        pieces = written.counted(writer(trees))
        write_text(path, (cancel or CancelToken()).checked(pieces))
        return written.too_large

    def import_files(
        self,
        paths: Sequence[Path],
        cancel: CancelToken | None = None,
        on_read: Callable[[int], None] = lambda n_read: None,
    ) -> "ImportReport":
        """Imports all files, or nothing if a file is damaged. `on_read`: called with the number of chats so far."""
        from specchat.services.chat.chat_import import ChatImport, ImportReport

        reading = ChatImport(self._store, self._clock(), cancel or CancelToken(), on_read)
        with closing(reading.trees(paths)) as trees:
            added = self._add(trees, n_files=len(paths))
        return ImportReport(added, reading.n_existing, tuple(reading.skipped))

    def _add(self, trees: Iterable[ConversationTree], n_files: int) -> list[int]:
        try:
            return self._store.add_trees(trees)
        except UserError as error:
            if n_files > 1:
                error.hint = TranslatableText("{hint} Nothing was imported from the other files.", hint=error.hint)
            raise

    def read(self, path: Path, cancel: CancelToken | None = None) -> list[int]:
        """Returns the new conversations."""
        return self.import_files([path], cancel).added


class _Written:
    def __init__(self) -> None:
        self.too_large: list[int] = []
        self._n_written = 0
        """Characters of the current conversation."""

    def each(self, conversations: Iterable[int]) -> Iterator[int]:
        """The next conversation is requested once the last one has been written."""
        for conversation in conversations:
            self._n_written = 0
            yield conversation
            if self._n_written > export_json.LARGEST_CHAT:
                self.too_large.append(conversation)

    def counted(self, pieces: Iterable[str]) -> Iterator[str]:
        for piece in pieces:
            self._n_written += len(piece)
            yield piece
