"""Which files hold heads, by their headers."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.draft_types import MODEL
from specchat.domain.errors import UserError
from specchat.services.models.shelf_facts import file_state

if TYPE_CHECKING:
    from specchat.gguf.heads import HeadFacts


def head_in(path: Path) -> "HeadFacts | None":
    """Also one that is a part of its target's file. None as well where the file cannot be read."""
    return _head_in_state(path, file_state(path))


def draft_type_of(path: Path) -> str:
    """How a draft guesses."""
    head = head_in(path)
    return head.kind.value if head is not None and head.is_own_file else MODEL


def has_mtp(target: Path) -> bool:
    """Layers of its own that guess further tokens."""
    head = head_in(target)
    return head is not None and not head.is_own_file


@lru_cache(maxsize=256)
def _head_in_state(path: Path, state: str | None) -> "HeadFacts | None":
    from specchat.gguf.header import read_header
    from specchat.gguf.heads import read_head
    from specchat.gguf.source import FileSource

    with suppress(UserError):
        return read_head(read_header(FileSource(path)))
    return None
