"""The first load of a model file, in a process that may die of it."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends.child import Child, ChildDied, ChildError, child_command
from specchat.backends.child_loop import serve
from specchat.backends.llama_model import LlamaModel
from specchat.backends.weights import library_version
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ModelLoadError, UserError
from specchat.domain.ports import Remembers
from specchat.domain.types import CacheType, ModelSettings

_SECONDS = 900.0
_GAVE_UP = "llama.cpp gave up: "


def file_key(path: Path, settings: ModelSettings) -> str:
    """The same file in the same state, with the same settings and library."""
    stat = path.stat()
    facts = [str(path.resolve()), stat.st_size, stat.st_mtime_ns, asdict(settings), library_version()]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def preflight(
    path: Path,
    settings: ModelSettings,
    passed: Remembers,
    cancel: CancelToken,
    make_child: Callable[[], Child] = lambda: Child(child_command("preflight"), memory=None),
) -> None:
    key = file_key(path, settings)
    if passed.get(key):
        return
    child = make_child()
    try:
        with cancel.listening(child.close):
            reply = child.request({"path": str(path), "settings": asdict(settings)}, seconds=_SECONDS)
    except ChildError as error:
        cancel.check()
        raise ModelLoadError(
            f"{path.name} crashes llama.cpp: {_last_words(error)}",
            "The file may be damaged or too new for this version: download it again, or update specchat.",
        ) from error
    finally:
        child.close()
    if reply.get("error"):
        raise ModelLoadError(str(reply["error"]), str(reply["hint"]))
    passed.put(key, True)


def _last_words(error: ChildError) -> str:
    stderr = error.stderr if isinstance(error, ChildDied) else ""
    for line in stderr.splitlines():
        if _GAVE_UP in line:
            return line.partition(_GAVE_UP)[2]
    return str(error)


def child_main() -> None:
    serve(_try)


def _try(request: dict[str, Any]) -> dict[str, Any]:
    facts = request["settings"]
    settings = ModelSettings(**{**facts, "cache_type": CacheType(facts["cache_type"])})
    try:
        model = LlamaModel(Path(request["path"]), settings)
        model.evaluate(np.zeros(1, dtype=np.int32), 1, CancelToken())
        model.close()
    except UserError as error:
        return {"error": error.message, "hint": error.hint}
    return {}
