"""Loads further llama.cpp backends from a folder after checking them and testing each in a separate process."""

import logging
import os
import stat
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from specchat import __version__
from specchat.backends.child import Child, ChildError, child_command
from specchat.domain.graphics import RefusedBackend
from specchat.domain.ports import FactCache
from specchat.domain.translatable_text import TranslatableText

log = logging.getLogger(__name__)

VARIABLE = "GGML_BACKEND_PATH"
"""llama.cpp's own variable. Here it may contain several paths, and child processes inherit it."""
_NAMES = {"win32": "ggml-*.dll", "darwin": "libggml-*.*"}
_SECONDS = 60.0
"""The time limit for a test; a driver may have to compile code first."""


@dataclass(frozen=True, slots=True)
class BackendFolder:
    """The backends found in the folder."""

    trusted: Sequence[Path] = ()
    refused: Sequence[RefusedBackend] = ()


def load_backend_folder(folder: Path, tried: FactCache, *, again: bool = False) -> BackendFolder:
    """Loads trusted backends with llama.cpp, here and in child processes. `tried`: the results of earlier trials by
    this version of the program. `again`: repeat those that failed, as after an update of the driver.
    """
    files = sorted(folder.glob(_NAMES.get(sys.platform, "libggml-*.so"))) if folder.is_dir() else []
    given = [path for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]
    trusted, refused = [], []
    for file in files:
        if str(file) in given:  # added by the parent process, which has tested it
            trusted.append(file)
        elif reason := _doubt(folder, file) or _trial(file, tried, again=again):
            log.warning("Not loading %s: %s", file, reason)
            refused.append(RefusedBackend(str(file), reason))
        else:
            trusted.append(file)
    added = [str(file) for file in trusted if str(file) not in given]
    if added:
        os.environ[VARIABLE] = os.pathsep.join([*given, *added])
    return BackendFolder(trusted, refused)


def _doubt(folder: Path, file: Path) -> TranslatableText | None:
    """Returns why a backend is not trusted, because others could have put it there or can change it."""
    if sys.platform == "win32":
        return None
    for path in (folder, file):
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode):
            return TranslatableText("{path} is a link", path=path)
        if state.st_uid not in (0, os.geteuid()):
            return TranslatableText("{path} belongs to another user", path=path)
        if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return TranslatableText("{path} can be changed by other users", path=path)
    return None


def _trial(file: Path, tried: FactCache, *, again: bool) -> TranslatableText | None:
    state = file.stat()
    key = f"{file}|{state.st_size}|{state.st_mtime_ns}|{_engine_version()}|{__version__}"
    known = tried.get(key)
    if not isinstance(known, str) or (again and known):
        known = _tried(file)
        tried.put(key, known)
    return TranslatableText("{words}", words=known) if known else None


def _tried(file: Path) -> str:
    """Returns why a backend failed the test. Empty if it loads and lists its devices."""
    with closing(Child(child_command("backend"), memory=None)) as child:
        try:
            reply = child.request({"path": str(file)}, seconds=_SECONDS)
        except ChildError as error:
            return str(error.message).removesuffix(".")
    return str(reply.get("problem", ""))


def _engine_version() -> str:
    try:
        return version("llama-cpp-python")
    except PackageNotFoundError:
        return ""


def child_main() -> None:
    from specchat.backends.child_loop import serve

    os.environ.setdefault("GGML_NO_BACKTRACE", "1")
    serve(_try, limits_itself=False)


def _try(request: dict[str, Any]) -> dict[str, Any]:
    from specchat.backends import devices, library

    before = devices.handles()
    if not library.load_backend(Path(request["path"])):
        return {"problem": "it is not a backend of this version of llama.cpp"}
    for handle in devices.handles():
        devices.describe(handle)
        if handle not in before:
            devices.require_start(handle)
    return {}
