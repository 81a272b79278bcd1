"""Encodes values for table columns as compact JSON, compressed where they are large."""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from specchat.domain.conversations import Answer, ConversationSettings, Mark
from specchat.domain.mark_serialization import marks_from_plain, marks_to_plain
from specchat.domain.serialization import from_plain, to_plain
from specchat.store.database import damaged_chats_error

T = TypeVar("T")
LATEST = 253_402_300_799.0
"""The end of the year 9999, beyond which there are no dates."""


@contextmanager
def decoding_errors(path: Path) -> Iterator[None]:
    """What cannot be decoded was not written by us."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise damaged_chats_error(path) from error


def require_types(kind: type, *values: object) -> None:
    """Damage may turn a text into bytes, for which SQLite has no complaint."""
    if not all(isinstance(value, kind) for value in values):
        raise ValueError("not the kind of value that was written")


def require_times(*times: float) -> None:
    if not all(0 <= time <= LATEST for time in times):
        raise ValueError("no time at which anything can have happened")


def encode(value: object) -> str:
    return json.dumps(to_plain(value), separators=(",", ":"))


def decode(kind: type[T], text: str) -> T:
    return from_plain(kind, json.loads(text))


@lru_cache(maxsize=256)
def decode_settings(text: str) -> ConversationSettings:
    """Most conversations have the same."""
    return decode(ConversationSettings, text)


def encode_answer(answer: Answer) -> str:
    return encode(replace(answer, marks=()))


def encode_marks(marks: Sequence[Mark]) -> bytes:
    return zlib.compress(json.dumps(marks_to_plain(marks), separators=(",", ":")).encode())


def decode_marks(packed: bytes) -> tuple[Mark, ...]:
    return marks_from_plain(json.loads(marks_as_json(packed)))


def marks_as_json(packed: bytes) -> str:
    return zlib.decompress(packed).decode()
