"""Loads a model file for the first time in a child process that may crash."""

import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends import devices
from specchat.backends.child import Child, ChildError, ChildOutOfMemory, ChildTimedOut, child_command
from specchat.backends.child_loop import serve
from specchat.backends.cores import physical_cores
from specchat.backends.crash_errors import crash_error, memory_limit_error, was_killed_by_system
from specchat.backends.device_choice import all_on_cpu
from specchat.backends.embedding_model import EmbeddingModel
from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.backends.vocabulary_check import check_vocabulary
from specchat.backends.weights import Weights, library_facts
from specchat.domain.cancel_token import CancelToken
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import MemoryShortageError, ModelFileError, ModelLoadError, UserError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import ModelSettings

log = logging.getLogger(__name__)

_SECONDS, _SECONDS_ON_GPU = 120, 900
"""Time limits in addition to reading the weights; a GPU driver may have to compile code."""
_SLOW_DISK = 10_000_000
"""In bytes per second."""
_MORE, _MORE_ON_GPU = 384 << 20, 2 << 30
"""Memory limits in addition to the estimate; a GPU driver needs some for itself."""


@dataclass(frozen=True, slots=True)
class HeadFile:
    """A head that is loaded with the target. `path`: None if the head is in the target's file."""

    kind: HeadKind
    path: Path | None
    settings: ModelSettings


_pending: list[Path] = []


def is_first_load_pending() -> bool:
    """Whether a first load is running, which has its own time limit and reports no progress."""
    return bool(_pending)


def file_key(path: Path, settings: ModelSettings) -> str:
    """Returns a key for this file in its current state, with these settings, this library and this machine."""
    try:
        stat = path.stat()
    except OSError as error:
        raise ModelFileError(
            "Can't read {path}: {reason}.", "Check the path.", path=path, reason=error.strerror
        ) from error
    threads = settings.threads or physical_cores()
    machine = [library_facts(), threads, *((device.name, device.description) for device in devices.available())]
    facts = [str(path.resolve()), stat.st_size, stat.st_mtime_ns, to_plain(settings), *machine]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@contextmanager
def preflight_child() -> Iterator[Child]:
    """Creates the child process. It starts with the first request, so known files cost nothing."""
    child = Child(child_command("preflight"), memory=None)
    try:
        yield child
    finally:
        child.close()


def run_preflight(
    path: Path,
    settings: ModelSettings,
    passed: FactCache,
    child: Child,
    cancel: CancelToken,
    needed: MemoryBreakdown | None = None,
    heads: Sequence[HeadFile] = (),
    pooling: Pooling | None = None,
) -> None:
    """`needed`: the estimated memory. None: only the file's size is known. `pooling`: for embeddings and reranking.

    Models on other machines are not tested: each machine serves only one program at a time, and would get the weights
    twice. They may crash this process instead.
    """
    key = "".join([file_key(path, settings), *(file_key(head.path or path, head.settings) for head in heads)])
    key = f"{pooling.name} {key}" if pooling is not None else key
    if passed.get(key) or settings.rpc:
        return
    log.info("Loading %s for the first time, in a separate process", path.name)
    needed = needed or MemoryBreakdown(weights=path.stat().st_size)
    on_gpu = not all_on_cpu(settings)
    seconds = (_SECONDS_ON_GPU if on_gpu else _SECONDS) + needed.weights // _SLOW_DISK
    memory = 2 * needed.total + (_MORE_ON_GPU if on_gpu else _MORE)  # weights may be mapped, and repacked in addition
    suspect = next((head.path for head in heads if head.path), path)
    _ask_child(child, _request(path, settings, heads, pooling), suspect, cancel, seconds=seconds, memory=memory)
    passed.put(key, True)


def run_projector_preflight(
    mmproj: Path, target: Path, settings: ModelSettings, passed: FactCache, child: Child, cancel: CancelToken
) -> Mapping[str, MemoryBreakdown]:
    """Returns what it took; empty where that was told before."""
    key = f"mmproj {file_key(mmproj, settings)} {file_key(target, settings)}"
    if passed.get(key):
        return {}
    log.info("Loading %s for the first time, in a separate process", mmproj.name)
    size = mmproj.stat().st_size
    seconds = (_SECONDS if all_on_cpu(settings) else _SECONDS_ON_GPU) + size // _SLOW_DISK
    request = {"path": str(target), "settings": to_plain(settings), "mmproj": str(mmproj)}
    reply = _ask_child(child, request, mmproj, cancel, seconds=seconds, memory=2 * size + _MORE_ON_GPU)
    passed.put(key, True)
    return from_plain(_Allocated, reply).allocated


@dataclass(frozen=True, slots=True)
class _Allocated:
    allocated: Mapping[str, MemoryBreakdown]


def _ask_child(
    child: Child, request: Mapping[str, object], suspect: Path, cancel: CancelToken, *, seconds: int, memory: int
) -> dict[str, Any]:
    """`suspect`: the file that is to blame if the child ends."""
    _pending.append(suspect)
    try:
        with cancel.listening(child.close):
            reply = child.request(request, seconds=seconds, memory=memory)
    except ChildError as error:
        cancel.check()
        raise _as_load_error(suspect, error, seconds) from error
    finally:
        _pending.remove(suspect)
    if reply.get("error"):
        kind = MemoryShortageError if reply.get("lacks_memory") else ModelLoadError
        raise kind(from_plain(TranslatableText, reply["error"]), from_plain(TranslatableText, reply["hint"]))
    return reply


def _as_load_error(path: Path, error: ChildError, seconds: int) -> ModelLoadError:
    if isinstance(error, ChildOutOfMemory):
        return memory_limit_error(path.name)
    if was_killed_by_system(error):
        return MemoryShortageError(
            "The system ran out of memory while checking {name}.",
            "Use a smaller context (-c), or choose a smaller model.",
            name=path.name,
        )
    if isinstance(error, ChildTimedOut):
        return ModelLoadError("Checking {name} took longer than {n} seconds.", "Try again.", name=path.name, n=seconds)
    return crash_error(path.name, error)


def child_main() -> None:
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # llama.cpp would call a debugger, which takes time
    serve(_try)


def _request(path: Path, settings: ModelSettings, heads: Sequence[HeadFile], pooling: Pooling | None) -> dict[str, Any]:
    facts = [
        {
            "kind": head.kind.value,
            "path": str(head.path) if head.path is not None else None,
            "settings": to_plain(head.settings),
        }
        for head in heads
    ]
    return {"path": str(path), "settings": to_plain(settings), "heads": facts, "pooling": pooling}


def _settings(facts: dict[str, Any]) -> ModelSettings:
    return from_plain(ModelSettings, facts)


def _try(request: dict[str, Any]) -> dict[str, Any]:
    path, cancel = Path(request["path"]), CancelToken()
    try:
        check_vocabulary(path)
        if "mmproj" in request:
            return _try_projector(path, Path(request["mmproj"]), _settings(request["settings"]))
        if request["pooling"] is not None:
            _try_pooling(path, _settings(request["settings"]), Pooling(request["pooling"]))
            return {}
        with ExitStack() as loaded:
            model = loaded.enter_context(closing(LlamaModel(path, _settings(request["settings"]))))
            for head in request["heads"]:
                _try_head(model, head, loaded)
            model.evaluate(np.zeros(1, dtype=np.int32), 1, cancel)
    except UserError as error:
        lacks_memory = isinstance(error, MemoryShortageError)
        return {"error": to_plain(error.message), "hint": to_plain(error.hint), "lacks_memory": lacks_memory}
    return {}


def _try_projector(target: Path, mmproj: Path, settings: ModelSettings) -> dict[str, Any]:
    """Of the target, no weights are needed."""
    with (
        closing(Weights(target, settings, CancelToken(), allocate=False)) as weights,
        closing(MediaEncoder(mmproj, weights, settings)) as encoder,
    ):
        encoder.open()
        return {"allocated": to_plain(encoder.allocated)}


def _try_pooling(path: Path, settings: ModelSettings, pooling: Pooling) -> None:
    with closing(EmbeddingModel(path, settings, pooling)) as model:
        model.pool([np.zeros(1, dtype=np.int32)], CancelToken())


def _try_head(target: LlamaModel, request: dict[str, Any], loaded: ExitStack) -> None:
    """Makes one guess; a head that doesn't work with its target ends the process here."""
    kind, path = HeadKind(request["kind"]), Path(request["path"]) if request["path"] else None
    head = loaded.enter_context(closing(LlamaHead(kind, target, path, _settings(request["settings"]))))
    target.capture_layers(head.layers)
    target.keep(0)
    target.evaluate(np.zeros(1, dtype=np.int32), 1, CancelToken())
    head.try_guess(target)
