"""Stopping a computation on the CPU without asking Python, which would cost the interpreter lock at every node."""

import ctypes
import ctypes.util
import sys

import llama_cpp.llama_cpp as llama


class AbortFlag:
    """llama.cpp asks strlen of a buffer: 0 goes on, 1 stops."""

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(2)
        libc = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        self.callback = ctypes.cast(libc.strlen, llama.ggml_abort_callback)
        self.data = ctypes.cast(self._buffer, ctypes.c_void_p)

    def raise_(self) -> None:
        self._buffer[0] = b"\x01"

    def lower(self) -> None:
        self._buffer[0] = b"\x00"
