"""Wire format between an engine's process and its client: length-prefixed, pickled domain values.

The process that computes reads files from strangers, so the client doesn't trust what it sends. It creates only values
of the domain, and reads no message that is too long.
"""

import importlib
import io
import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import IO, Any

from specchat.domain import errors
from specchat.domain.answer_tasks import CountTask
from specchat.domain.benchmark import BenchPlan, BenchProgress
from specchat.domain.engine import EngineEvent, EngineTask
from specchat.domain.errors import BugError, Cancelled, UserError
from specchat.domain.loading import LoadStage
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device, PairChoice

MAX_MESSAGE_BYTES = 256 << 20
_LENGTH = struct.Struct(">I")
_DOMAIN = "specchat.domain."

# Requests


@dataclass(frozen=True, slots=True)
class Start:
    """The first request, with settings and folders."""

    recalls: bool
    """Whether to guess from answers in other chats, too."""

    embeds: bool
    """Whether embedding models and rerankers may be loaded."""

    data: Path
    config: Path
    cache: Path
    logs: Path
    moves_with: Path | None


@dataclass(frozen=True, slots=True)
class Load:
    choice: PairChoice


@dataclass(frozen=True, slots=True)
class Generate:
    task: EngineTask
    is_cancelled: bool = False
    """The answer was canceled before it was asked for. A `Cancel` might arrive only after its first tokens."""


@dataclass(frozen=True, slots=True)
class Count:
    task: CountTask


@dataclass(frozen=True, slots=True)
class Bench:
    plan: BenchPlan


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancels the job with its number. The only request that doesn't wait for its turn and has no reply."""

    closing: bool


Request = Start | Load | Generate | Count | Bench | Cancel

# Replies


@dataclass(frozen=True, slots=True)
class LoadingUpdate:
    stage: LoadStage
    done: float


@dataclass(frozen=True, slots=True)
class DeviceList:
    """The available devices."""

    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class Alive:
    """Sent if passes were made since the last reply, or a child process with its own limits is working."""


@dataclass(frozen=True, slots=True)
class Events:
    events: tuple[EngineEvent, ...]


@dataclass(frozen=True, slots=True)
class BenchUpdate:
    """The progress of a benchmark."""

    progress: BenchProgress


@dataclass(frozen=True, slots=True)
class LogLine:
    level: int
    logger: str
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The last reply to a request, unless it is RequestFailed."""

    result: object = None


@dataclass(frozen=True, slots=True)
class RequestFailed:
    kind: str
    """The error's class."""
    message: str = ""
    hint: str = ""
    cause: str = ""
    """The class of the exception, if it is a bug of specchat."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A request or reply with the number of its job, because several answers run at once."""

    job: int
    message: Any


Reply = LoadingUpdate | DeviceList | Alive | Events | BenchUpdate | LogLine | Done | RequestFailed


def write(stream: IO[bytes], *values: object) -> None:
    """All at once, so that whoever reads wakes once."""
    stream.write(b"".join(map(_packed, values)))
    stream.flush()


def _packed(value: object) -> bytes:
    pickled = io.BytesIO()
    pickler = pickle.Pickler(pickled, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _AS_CALLS
    pickler.dump(value)
    content = pickled.getvalue()
    return _LENGTH.pack(len(content)) + content


def read(stream: IO[bytes]) -> Any:
    """Raises EOFError at the end, and ValueError for an invalid message."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > MAX_MESSAGE_BYTES:
        raise ValueError(f"{length} bytes at once")
    content = _exactly(stream, length)
    try:
        return _Values(io.BytesIO(content)).load()
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def to_failure(error: UserError | Cancelled) -> RequestFailed:
    if isinstance(error, Cancelled):
        return RequestFailed(type(error).__name__)
    cause = error.__cause__ if type(error) is UserError else None
    kind = next(kind.__name__ for kind in type(error).__mro__ if getattr(errors, kind.__name__, None) is kind)
    return RequestFailed(kind, error.message, error.hint, type(cause).__name__ if cause else "")


def to_error(failure: RequestFailed) -> UserError | Cancelled:
    if failure.kind == Cancelled.__name__:
        return Cancelled()
    kind = getattr(errors, failure.kind, None)
    known = kind if isinstance(kind, type) and issubclass(kind, UserError) else UserError
    error = known(failure.message, failure.hint)
    if failure.cause:
        error.__cause__ = BugError(failure.cause)
    return error


def _path(text: str) -> Path:
    return Path(text)


def _read_text(plain: object) -> TranslatableText:
    return from_plain(TranslatableText, plain)


_AS_CALLS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    type(Path()): lambda path: (_path, (str(path),)),
    TranslatableText: lambda said: (_read_text, (to_plain(said),)),
}
"""Types restored with calls, because pickle would otherwise change an object or its class after its creation."""
_CALLABLE = (_path, _read_text)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if content is None or len(content) < length:
        raise EOFError
    return content


class _Values(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        return _value_class(module, name)


@cache
def _value_class(module: str, name: str) -> Callable[..., object]:
    """Allows only frozen dataclasses, enums and a few factories, because a pickle could set attributes of a class."""
    if module == __name__ or module.startswith(_DOMAIN):
        found = getattr(importlib.import_module(module), name, None)
        if isinstance(found, type) and is_dataclass(found) and hasattr(found, "__setstate__"):
            return found
        if isinstance(found, type) and issubclass(found, Enum):
            return partial(_member, found)
        if found in _CALLABLE:
            return found
    raise pickle.UnpicklingError(f"{module}.{name}")


def _member(kind: type[Enum], value: object) -> Enum:
    return kind(value)
