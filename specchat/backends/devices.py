"""Lists the compute devices and their memory."""

import ctypes
from functools import cache
from types import SimpleNamespace
from typing import Any

import psutil

from specchat.backends import library
from specchat.domain.errors import SettingError
from specchat.domain.types import Device

_KINDS = {0: "cpu", 1: "gpu", 2: "igpu", 3: "accel", 4: "meta"}


_HANDLE, _SIZE, _SIZE_P = ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "ggml_backend_dev_count": (_SIZE,),
    "ggml_backend_dev_get": (_HANDLE, _SIZE),
    "ggml_backend_dev_name": (ctypes.c_char_p, _HANDLE),
    "ggml_backend_dev_description": (ctypes.c_char_p, _HANDLE),
    "ggml_backend_dev_type": (ctypes.c_int, _HANDLE),
    "ggml_backend_dev_memory": (None, _HANDLE, _SIZE_P, _SIZE_P),
    "ggml_backend_dev_init": (_HANDLE, _HANDLE, ctypes.c_char_p),
    "ggml_backend_free": (None, _HANDLE),
    "ggml_backend_reg_count": (_SIZE,),
    "ggml_backend_reg_get": (_HANDLE, _SIZE),
    "ggml_backend_reg_name": (ctypes.c_char_p, _HANDLE),
}
"""The return type of each function, then its parameter types."""


@cache
def _functions() -> SimpleNamespace:
    return library.ggml_functions(_SIGNATURES)


def handles() -> list[int]:
    library.start()
    ggml = _functions()
    return [ggml.ggml_backend_dev_get(i) for i in range(ggml.ggml_backend_dev_count())]


def describe(handle: int) -> Device:
    ggml = _functions()
    kind = _KINDS.get(ggml.ggml_backend_dev_type(handle), "gpu")
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    ggml.ggml_backend_dev_memory(handle, ctypes.byref(free), ctypes.byref(total))
    name = ggml.ggml_backend_dev_name(handle).decode()
    description = ggml.ggml_backend_dev_description(handle).decode("utf-8", "replace")
    if kind == "cpu":  # llama.cpp reports all of the memory as free
        memory = psutil.virtual_memory()
        return Device(name, description, kind, memory.total, memory.available)
    return Device(name, description, kind, total.value, free.value)


def backend_names() -> list[str]:
    library.start()
    ggml = _functions()
    numbers = range(ggml.ggml_backend_reg_count())
    return [ggml.ggml_backend_reg_name(ggml.ggml_backend_reg_get(i)).decode() for i in numbers]


def require_start(handle: int) -> None:
    """Starts a device. One that can't compute here, or is from another version, ends the process."""
    ggml = _functions()
    started = ggml.ggml_backend_dev_init(handle, None)
    if not started:
        raise SettingError(
            "{name} can't be used.", "Update its driver, or choose another device.", name=describe(handle).name
        )
    ggml.ggml_backend_free(started)


def available() -> list[Device]:
    return [describe(handle) for handle in handles()]


def find(name: str) -> int:
    """Returns the handle of a device by its name, as listed by `available`."""
    known = {describe(handle).name: handle for handle in handles()}
    for known_name, handle in known.items():
        if known_name.lower() == name.strip().lower():
            return handle
    raise SettingError("Unknown device: {name}.", "Available devices: {known}.", name=name, known=", ".join(known))
