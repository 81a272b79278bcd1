"""Installs an alternate signal stack, so that faulthandler can trace a stack overflow in any thread."""

import ctypes
import sys
import threading

_SIZE = 1 << 18
_kept = threading.local()


class _StackOnLinux(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class _StackOnMac(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t), ("flags", ctypes.c_int))


def install_signal_stack() -> None:
    """Installs the stack for this thread. Not needed on Windows, which reserves a page for this."""
    if sys.platform == "win32":
        return
    _kept.room = ctypes.create_string_buffer(_SIZE)
    kind = _StackOnMac if sys.platform == "darwin" else _StackOnLinux
    stack = kind(start=ctypes.addressof(_kept.room), size=_SIZE, flags=0)
    ctypes.CDLL(None).sigaltstack(ctypes.byref(stack), None)
