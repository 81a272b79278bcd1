"""Loads the shared libraries of llama.cpp once and forwards their log and aborts."""

import atexit
import ctypes
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

from specchat.backends.binding import import_mtmd, llama
from specchat.backends.openmp import spin_settings
from specchat.domain.errors import ComputeError, ModelLoadError

log = logging.getLogger("specchat.llama")

_LEVELS = {1: logging.DEBUG, 2: logging.INFO, 3: logging.WARNING, 4: logging.ERROR}
_CONTINUED = 5
_CPU = 0
"""The type of a device."""

_error_lines: deque[str] = deque(maxlen=20)


class _Log:
    """Joins the pieces of lines that llama.cpp writes, and logs whole lines."""

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
        # specchat reports most of llama.cpp's warnings and errors itself, in its own words.
        log.log(min(self._level, logging.INFO), "%s", line)


def _on_abort(message: bytes) -> None:
    log.critical("llama.cpp gave up: %s", message.decode("utf-8", "replace"))
    for handler in logging.getLogger().handlers:
        handler.flush()
    for listener in abort_listeners:
        listener(message.decode("utf-8", "replace"))


abort_listeners: list[Callable[[str], None]] = []
"""Called in the thread that aborts; the process ends when they return."""
_llama_log = _Log()
_log_callback = llama.llama_log_callback(_llama_log)
_AbortCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_abort_callback = _AbortCallback(_on_abort)
_starting = Lock()


@cache
def _ggml() -> Any:
    """Returns the handle with the symbols of llama.cpp and, through its dependencies, of ggml.

    Opening ggml's files by path could load a second copy with a separate device registry.
    """
    handle = llama._lib
    if hasattr(handle, "ggml_backend_dev_count"):
        return handle
    return ctypes.CDLL(str(Path(handle._name).with_name("ggml.dll")))


@cache
def _ggml_base() -> Any:
    if hasattr(_ggml(), "ggml_set_abort_callback"):
        return _ggml()
    return ctypes.CDLL(str(Path(llama._lib._name).with_name("ggml-base.dll")))


def ggml_function(name: str) -> Any:
    """Returns a function of ggml or of its base, which on Windows does not show through in ggml."""
    return (_ggml_base() if hasattr(_ggml_base(), name) else _ggml())[name]


def ggml_functions(signatures: Mapping[str, Sequence[Any]]) -> SimpleNamespace:
    """`signatures`: the return type of each function, then its parameter types."""
    found = {}
    for name, (result, *parameters) in signatures.items():
        function = ggml_function(name)
        function.restype, function.argtypes = result, parameters
        found[name] = function
    return SimpleNamespace(**found)


def start() -> None:
    """Sets up logs, aborts and backends (the included modules, and those in GGML_BACKEND_PATH).

    Call it before any other function, from any thread. While one thread starts the library, others wait.
    """
    with _starting:
        _start()


@cache
def _start() -> None:
    llama.llama_log_set(_log_callback, ctypes.c_void_p(0))
    base = _ggml_base()
    base.ggml_set_abort_callback.argtypes = [_AbortCallback]
    base.ggml_set_abort_callback.restype = ctypes.c_void_p
    base.ggml_set_abort_callback(_abort_callback)
    if "GGML_VK_VISIBLE_DEVICES" in os.environ:
        # Fused flash attention crashes on Mesa's software device with 9 tokens at an odd position.
        os.environ.setdefault("GGML_VK_DISABLE_FUSION", "1")
    further = os.environ.pop("GGML_BACKEND_PATH", "")
    if not _ggml().ggml_backend_dev_count():
        folder = Path(llama._lib._name).parent
        with spin_settings(folder):
            _ggml().ggml_backend_load_all_from_path(os.fsencode(folder))
    for path in further.split(os.pathsep):
        if path:
            load_backend(Path(path))
    if further:
        os.environ["GGML_BACKEND_PATH"] = further  # for child processes; llama.cpp would read it as one path
    _require_cpu()
    llama.llama_backend_init()
    atexit.register(_silence)


def _require_cpu() -> None:
    """Everything needs it, even if all layers are on a GPU."""
    by_type = _ggml().ggml_backend_dev_by_type
    by_type.argtypes, by_type.restype = [ctypes.c_int], ctypes.c_void_p
    if not by_type(_CPU):
        raise ComputeError(
            "None of llama.cpp's CPU backends could be loaded.",
            "Reinstall specchat. If LD_LIBRARY_PATH or LLAMA_CPP_LIB_PATH is set, unset it.",
        )


def load_backend(path: Path) -> bool:
    load = _ggml().ggml_backend_load
    load.argtypes, load.restype = [ctypes.c_char_p], ctypes.c_void_p
    is_loaded = bool(load(_native_path(path)))
    if not is_loaded:
        log.warning("Couldn't load the backend %s; continuing without it", path)
    return is_loaded


def _native_path(path: Path) -> bytes:
    """In the encoding that ggml takes for a path. On Windows, that of this path only is the system's old one."""
    return str(path).encode("mbcs", "replace") if sys.platform == "win32" else os.fsencode(path)


@cache
def mtmd() -> Any:
    """The functions that read pictures and recordings. Another build of llama.cpp may lack them."""
    try:
        functions = import_mtmd()
    except (ImportError, OSError, RuntimeError) as error:
        log.info("Couldn't load libmtmd: %s", error)
        raise ModelLoadError(
            "This build of llama.cpp can't read pictures or audio.",
            "Load the model without its mmproj file (--no-mmproj).",
        ) from error
    functions.mtmd_helper_log_set(_log_callback, ctypes.c_void_p(0))
    return functions


def _silence() -> None:
    """Turns logging off, because libraries may still log while the interpreter shuts down."""
    llama.llama_log_set(llama.llama_log_callback(0), ctypes.c_void_p(0))


@cache
def non_empty_function() -> Any:
    """Returns a C function that tells whether a C string is not empty (strlen, whose result counts as true). llama.cpp
    may call it at every node, where a Python function would need the interpreter lock each time.
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
    """Returns the address of the output layer's input: one row for each token with logits."""
    return int(_embeddings_function()(context) or 0)


@contextmanager
def capture_errors() -> Iterator[deque[str]]:
    """Collects llama.cpp's error messages inside the block, which explain failed loads."""
    _error_lines.clear()
    yield _error_lines


@contextmanager
def capture_log() -> Iterator[list[str]]:
    """Collects llama.cpp's log inside the block, which is the only source for the memory on each device."""
    lines: list[str] = []
    listener = lines.append
    _llama_log.listeners.append(listener)
    try:
        yield lines
    finally:
        _llama_log.listeners.remove(listener)
