"""Room in which a thread that has used up its stack can still be traced: faulthandler sees to the first thread only."""

import ctypes
import sys

_SIZE = 1 << 18


class _StackOnLinux(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class _StackOnMac(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t), ("flags", ctypes.c_int))


class SignalStack:
    """Of the thread that makes it, which is to keep it until its end."""

    def __init__(self) -> None:
        if sys.platform == "win32":  # which keeps a page for that
            return
        self._room = ctypes.create_string_buffer(_SIZE)
        kind = _StackOnMac if sys.platform == "darwin" else _StackOnLinux
        stack = kind(start=ctypes.addressof(self._room), size=_SIZE, flags=0)
        ctypes.CDLL(None).sigaltstack(ctypes.byref(stack), None)
