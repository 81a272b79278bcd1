"""Looks up what a model is made for, using its header."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from specchat.domain.embeddings import Pooling
from specchat.domain.errors import ModelLoadError, UserError
from specchat.services.models.model_facts import file_state


def find_pooling(path: Path) -> Pooling | None:
    """None: it is made to write. None as well where the file cannot be read."""
    return _pooling_in_state(path, file_state(path))


def require_writer(target: Path) -> None:
    if find_pooling(target) is not None:
        raise ModelLoadError(
            "{name} can't chat: it is made for embeddings or reranking.",
            "Choose a text generation model. To offer this one to other programs, use: specchat serve",
            name=target.name,
        )


@lru_cache(maxsize=256)
def _pooling_in_state(path: Path, state: str | None) -> Pooling | None:
    from specchat.gguf.header import read_header
    from specchat.gguf.pooling import read_pooling
    from specchat.gguf.source import FileSource

    with suppress(UserError):
        return read_pooling(read_header(FileSource(path)))
    return None
