"""Looks up which files hold heads, using their headers."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.drafter_types import MODEL
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_refs import path_for_ref

if TYPE_CHECKING:
    from specchat.gguf.heads import HeadFacts


def find_head(path: Path) -> "HeadFacts | None":
    """Also one that is a part of its target's file. None as well where the file cannot be read."""
    return _head_in_state(path, file_state(path))


def require_answers(target: Path) -> None:
    """A head is no target."""
    head = find_head(target)
    if head is not None and head.is_own_file:
        from specchat.gguf.file_errors import no_target_error

        raise no_target_error(target.name)


def draft_type_of(draft: ModelRef) -> str:
    """Returns the kind of head."""
    head = _head_of(draft)
    return head.kind.value if head is not None and head.is_own_file else MODEL


def has_mtp(target: ModelRef) -> bool:
    """Layers of its own that guess further tokens."""
    head = _head_of(target)
    return head is not None and not head.is_own_file


def _head_of(model: ModelRef) -> "HeadFacts | None":
    with suppress(UserError):
        return find_head(path_for_ref(model))
    return None


@lru_cache(maxsize=256)
def _head_in_state(path: Path, state: str | None) -> "HeadFacts | None":
    from specchat.gguf.header import read_header
    from specchat.gguf.heads import read_head
    from specchat.gguf.source import FileSource

    with suppress(UserError):
        return read_head(read_header(FileSource(path)))
    return None
