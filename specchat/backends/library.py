"""Loads the shared libraries of llama.cpp once and forwards their log and aborts."""

import atexit
import ctypes
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from specchat.backends.binding import import_mtmd, llama
from specchat.backends.openmp import spin_settings
from specchat.domain.errors import ModelLoadError

log = logging.getLogger("specchat.llama")

_LEVELS = {1: logging.DEBUG, 2: logging.INFO, 3: logging.WARNING, 4: logging.ERROR}
_CONTINUED = 5

_error_lines: deque[str] = deque(maxlen=20)


class _Log:
    """llama.cpp writes lines in pieces; a record is a whole line."""

    def __init__(self) -> None:
        self._line = ""
        self._level = logging.INFO
        self.listeners: list[Callable[[str], None]] = []

    def __call__(self, level: int, text: bytes, _: object) -> None:
        if level != _CONTINUED:
            self._level = _LEVELS.get(level, logging.DEBUG)
        self._line += text.decode("utf-8", "replace")
        while "\n" in self._line:
            line, _, self._line = self._line.partition("\n")
            if line.strip(". "):
                self._record(line.rstrip())

    def _record(self, line: str) -> None:
        if self._level >= logging.ERROR:
            _error_lines.append(line)
        for listener in self.listeners:
            listener(line)
        # Much of what llama.cpp calls a warning or an error is reported by us in our own words.
        log.log(min(self._level, logging.INFO), "%s", line)


def _on_abort(message: bytes) -> None:
    log.critical("llama.cpp gave up: %s", message.decode("utf-8", "replace"))
    for handler in logging.getLogger().handlers:
        handler.flush()
    for listener in abort_listeners:
        listener(message.decode("utf-8", "replace"))


abort_listeners: list[Callable[[str], None]] = []
"""Called in the thread that gave up; the process ends when they return."""
_llama_log = _Log()
_log_callback = llama.llama_log_callback(_llama_log)
_AbortCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_abort_callback = _AbortCallback(_on_abort)
_starting = Lock()


@cache
def ggml() -> Any:
    """The handle whose symbols are llama.cpp's and, through its dependencies, ggml's.

    Opening ggml's files by path may load a second copy with a device registry of its own.
    """
    handle = llama._lib
    if hasattr(handle, "ggml_backend_dev_count"):
        return handle
    return ctypes.CDLL(str(Path(handle._name).with_name("ggml.dll")))


@cache
def ggml_base() -> Any:
    if hasattr(ggml(), "ggml_set_abort_callback"):
        return ggml()
    return ctypes.CDLL(str(Path(llama._lib._name).with_name("ggml-base.dll")))


def start() -> None:
    """Before any other call: logs, aborts, backends (those that ship as modules, and those in GGML_BACKEND_PATH).

    From any thread; while one of them starts it, the others wait.
    """
    with _starting:
        _start()


@cache
def _start() -> None:
    llama.llama_log_set(_log_callback, ctypes.c_void_p(0))
    base = ggml_base()
    base.ggml_set_abort_callback.argtypes = [_AbortCallback]
    base.ggml_set_abort_callback.restype = ctypes.c_void_p
    base.ggml_set_abort_callback(_abort_callback)
    if "GGML_VK_VISIBLE_DEVICES" in os.environ:
        # Makes Mesa's software device usable, on which fused flash attention crashes with 9 tokens at an odd place.
        os.environ.setdefault("GGML_VK_DISABLE_FUSION", "1")
    further = os.environ.pop("GGML_BACKEND_PATH", "")
    if not ggml().ggml_backend_dev_count():
        folder = Path(llama._lib._name).parent
        with spin_settings(folder):
            ggml().ggml_backend_load_all_from_path(os.fsencode(folder))
    for path in further.split(os.pathsep):
        if path:
            load_backend(Path(path))
    if further:
        os.environ["GGML_BACKEND_PATH"] = further  # for child processes; llama.cpp would take it for one path
    llama.llama_backend_init()
    atexit.register(_silence)


def load_backend(path: Path) -> bool:
    load = ggml().ggml_backend_load
    load.argtypes, load.restype = [ctypes.c_char_p], ctypes.c_void_p
    is_loaded = bool(load(os.fsencode(path)))
    if not is_loaded:
        log.warning("Couldn't load the backend %s; continuing without it", path)
    return is_loaded


@cache
def mtmd() -> Any:
    """The functions that read pictures. Another build of llama.cpp may lack them."""
    try:
        functions = import_mtmd()
    except (ImportError, OSError, RuntimeError) as error:
        log.info("Couldn't load libmtmd: %s", error)
        raise ModelLoadError(
            "This build of llama.cpp can't read pictures.", "Load the model without its mmproj file (--no-mmproj)."
        ) from error
    functions.mtmd_helper_log_set(_log_callback, ctypes.c_void_p(0))
    return functions


def _silence() -> None:
    """Libraries may still log while the interpreter is torn down."""
    llama.llama_log_set(llama.llama_log_callback(0), ctypes.c_void_p(0))


@cache
def non_empty_function() -> Any:
    """A C function that tells whether a C string is not empty: llama.cpp may ask it at every node, which would cost
    the interpreter lock each time if it were Python's. It is strlen, whose 1 is true.
    """
    libc = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
    return ctypes.cast(libc.strlen, llama.ggml_abort_callback)


@cache
def _logits_function() -> Any:
    function = llama._lib["llama_get_logits_ith"]
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_int32], ctypes.c_void_p
    return function


def logits_address(context: Any, row: int) -> int:
    """Like the binding's function, but creates no pointer object."""
    return int(_logits_function()(context, row))


@cache
def _embeddings_function() -> Any:
    function = llama._lib["llama_get_embeddings"]
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_void_p
    return function


def states_address(context: Any) -> int:
    """Of what the output matrix got, a row for each token whose logits were computed."""
    return int(_embeddings_function()(context) or 0)


@contextmanager
def capture_errors() -> Iterator[deque[str]]:
    """Collects llama.cpp's error messages inside the block, which explain failed loads."""
    _error_lines.clear()
    yield _error_lines


@contextmanager
def capture_log() -> Iterator[list[str]]:
    """All that llama.cpp says inside the block: nothing else tells how much memory went where."""
    lines: list[str] = []
    listener = lines.append
    _llama_log.listeners.append(listener)
    try:
        yield lines
    finally:
        _llama_log.listeners.remove(listener)
