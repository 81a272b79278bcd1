"""The first load of a model file, in a process that may die of it."""

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends import devices
from specchat.backends.child import Child, ChildError, ChildTimedOut, child_command
from specchat.backends.child_loop import serve
from specchat.backends.cores import physical_cores
from specchat.backends.crashes import crash, was_killed
from specchat.backends.llama_model import LlamaModel
from specchat.backends.weights import library_facts
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ModelFileError, ModelLoadError, UserError
from specchat.domain.plain import from_plain, to_plain
from specchat.domain.ports import Remembers
from specchat.domain.said import Said
from specchat.domain.types import CacheType, ModelSettings

log = logging.getLogger(__name__)

_SECONDS = 900


def file_key(path: Path, settings: ModelSettings) -> str:
    """The same file in the same state, with the same settings, library and machine."""
    try:
        stat = path.stat()
    except OSError as error:
        raise ModelFileError(
            "{path} cannot be read: {reason}.", "Check the path.", path=path, reason=error.strerror
        ) from error
    threads = settings.threads or physical_cores()
    machine = [library_facts(), threads, *((device.name, device.description) for device in devices.available())]
    facts = [str(path.resolve()), stat.st_size, stat.st_mtime_ns, asdict(settings), *machine]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@contextmanager
def preflight_child() -> Iterator[Child]:
    """Starts with the first request, so it costs nothing where every file is known."""
    child = Child(child_command("preflight"), memory=None)
    try:
        yield child
    finally:
        child.close()


def preflight(path: Path, settings: ModelSettings, passed: Remembers, child: Child, cancel: CancelToken) -> None:
    key = file_key(path, settings)
    if passed.get(key):
        return
    log.info("The first load of %s, in a process of its own", path.name)
    try:
        with cancel.listening(child.close):
            reply = child.request({"path": str(path), "settings": asdict(settings)}, seconds=_SECONDS)
    except ChildError as error:
        cancel.check()
        raise _as_load_error(path, error) from error
    if reply.get("error"):
        raise ModelLoadError(from_plain(Said, reply["error"]), from_plain(Said, reply["hint"]))
    passed.put(key, True)


def _as_load_error(path: Path, error: ChildError) -> ModelLoadError:
    if was_killed(error):
        return ModelLoadError(
            "The system ended the first load of {name}: memory ran out.",
            "Use a smaller context (-c), or choose a smaller model.",
            name=path.name,
        )
    if isinstance(error, ChildTimedOut):
        return ModelLoadError(
            "The first load of {name} did not end in {n} seconds.", "Try again.", name=path.name, n=_SECONDS
        )
    return crash(path.name, error)


def child_main() -> None:
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # llama.cpp would call a debugger, which takes its time
    serve(_try)


def _try(request: dict[str, Any]) -> dict[str, Any]:
    facts = request["settings"]
    settings = ModelSettings(**{**facts, "cache_type": CacheType(facts["cache_type"])})
    try:
        with closing(LlamaModel(Path(request["path"]), settings)) as model:
            for text in _texts():
                model.vocabulary.tokenize(text, add_special=False, parse_special=False)
            model.evaluate(np.zeros(1, dtype=np.int32), 1, CancelToken())
    except UserError as error:
        return {"error": to_plain(error.message), "hint": to_plain(error.hint)}
    return {}


def _texts() -> Iterator[str]:
    """Every byte that text may have: llama.cpp ends the program over one that the vocabulary lacks.

    All characters of up to three bytes, because those that the vocabulary has do not show whether it has their bytes.
    """
    codes = [*range(0xD800), *range(0xE000, 0x10000), 0x1FFFD, 0x5FFFD, 0x9FFFD, 0xEFFFD, 0x10FFFD]
    for at in range(0, len(codes), 256):
        yield "".join(map(chr, codes[at : at + 256]))
