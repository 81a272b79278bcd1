"""Conversations out to files and in from them."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.ports import ChatStore
from specchat.services.export_json import json_pieces, read_json
from specchat.services.export_markdown import markdown_pieces, read_markdown

_WRITERS: dict[str, Callable[[Iterable[ConversationTree]], Iterator[str]]] = {
    ".json": json_pieces,
    ".md": markdown_pieces,
    ".markdown": markdown_pieces,
}
LARGEST_IMPORT = 256 << 20
"""Bytes."""


class Exports:
    def __init__(self, store: ChatStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def tree(self, conversation: int) -> ConversationTree:
        return self._store.tree(conversation)

    def write(self, path: Path, conversations: Sequence[int] | None = None) -> None:
        """In the format that the name ends with. None: all conversations."""
        writer = _WRITERS.get(path.suffix.lower())
        if writer is None:
            raise UserError("{name} names no format.", "End the name with .json or .md.", name=path.name)
        if conversations is None:
            conversations = [conversation.id for conversation in self._store.conversations()]
        write_whole(path, writer(self.tree(conversation) for conversation in conversations))

    def read(self, path: Path) -> list[int]:
        """The new conversations; none where anything is wrong with the file."""
        content = _content(path)
        try:
            trees = self._trees(content.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise UserError(
                "{name} is damaged.", "Export the conversations again, or choose another file.", name=path.name
            ) from error
        return self._store.add_trees(trees)

    def _trees(self, text: str) -> list[ConversationTree]:
        return read_json(text) if text.lstrip()[:1] == "{" else read_markdown(text, self._clock())


def write_whole(path: Path, pieces: Iterator[str]) -> None:
    """Whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", errors="replace", newline="") as file:
            file.writelines(pieces)
        part.replace(path)
    except OSError as error:
        raise UserError(
            "{path} cannot be written: {reason}.",
            "Free some space, or choose another folder.",
            path=path,
            reason=error.strerror,
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise UserError("There is no file {path}.", "Check the path.", path=path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_IMPORT + 1)
    except OSError as error:
        raise UserError(
            "{path} cannot be read: {reason}.", "Check who may read it.", path=path, reason=error.strerror
        ) from error
    if len(content) > LARGEST_IMPORT:
        raise UserError(
            "{name} is too large to be imported.", "At most {n} MB can be.", name=path.name, n=LARGEST_IMPORT >> 20
        )
    return content
