"""The first load of a model file, in a process that may die of it."""

import hashlib
import json
import logging
import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends import devices
from specchat.backends.child import Child, ChildDied, ChildError, ChildTimedOut, child_command
from specchat.backends.child_loop import serve
from specchat.backends.llama_model import LlamaModel
from specchat.backends.weights import library_facts
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ModelFileError, ModelLoadError, UserError
from specchat.domain.ports import Remembers
from specchat.domain.types import CacheType, ModelSettings

log = logging.getLogger(__name__)

_SECONDS = 900.0
_REASON = re.compile(r"llama\.cpp gave up: (?:.*[/\\](?=[^/\\]+:\d+: ))?(.*)|^ *what\(\): *(.*)", re.MULTILINE)
"""An assertion of its own, without the folder of whoever compiled it, or an exception that nobody caught."""
_KILLED = -9


def file_key(path: Path, settings: ModelSettings) -> str:
    """The same file in the same state, with the same settings, library and machine."""
    try:
        stat = path.stat()
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    threads = settings.threads or devices.physical_cores()
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
        raise ModelLoadError(str(reply["error"]), str(reply["hint"]))
    passed.put(key, True)


def _as_load_error(path: Path, error: ChildError) -> ModelLoadError:
    if isinstance(error, ChildDied) and error.returncode == _KILLED:
        return ModelLoadError(
            f"The system ended the first load of {path.name}: memory ran out.",
            "Use a smaller context (-c), or choose a smaller model.",
        )
    if isinstance(error, ChildTimedOut):
        return ModelLoadError(f"The first load of {path.name} did not end in {_SECONDS:.0f} seconds.", "Try again.")
    return ModelLoadError(
        f"{path.name} crashes llama.cpp: {_last_words(error)}",
        "The file may be damaged or too new for this version: download it again, or update specchat.",
    )


def _last_words(error: ChildError) -> str:
    if not isinstance(error, ChildDied):
        return str(error)
    if reason := _REASON.search(error.stderr):
        return reason[1] or reason[2]
    if error.returncode is not None and error.returncode < 0:
        return f"{signal.strsignal(-error.returncode)}."
    return str(error)


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
        return {"error": error.message, "hint": error.hint}
    return {}


def _texts() -> Iterator[str]:
    """Every byte that text may have: llama.cpp ends the program over one that the vocabulary lacks.

    All characters of up to three bytes, because those that the vocabulary has do not show whether it has their bytes.
    """
    codes = [*range(0xD800), *range(0xE000, 0x10000), 0x1FFFD, 0x5FFFD, 0x9FFFD, 0xEFFFD, 0x10FFFD]
    for at in range(0, len(codes), 256):
        yield "".join(map(chr, codes[at : at + 256]))
