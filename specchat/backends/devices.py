"""Lists the compute devices and their memory."""

import ctypes
from typing import Any

import psutil

from specchat.backends import library
from specchat.domain.errors import SettingError
from specchat.domain.types import Device

_KINDS = {0: "cpu", 1: "gpu", 2: "igpu", 3: "accel", 4: "meta"}


def _functions() -> Any:
    ggml = library.ggml()
    ggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    ggml.ggml_backend_dev_get.argtypes, ggml.ggml_backend_dev_get.restype = [ctypes.c_size_t], ctypes.c_void_p
    for name in ("ggml_backend_dev_name", "ggml_backend_dev_description"):
        getattr(ggml, name).argtypes, getattr(ggml, name).restype = [ctypes.c_void_p], ctypes.c_char_p
    ggml.ggml_backend_dev_type.argtypes, ggml.ggml_backend_dev_type.restype = [ctypes.c_void_p], ctypes.c_int
    size_p = ctypes.POINTER(ctypes.c_size_t)
    ggml.ggml_backend_dev_memory.argtypes = [ctypes.c_void_p, size_p, size_p]
    return ggml


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
    ggml.ggml_backend_reg_count.restype = ctypes.c_size_t
    ggml.ggml_backend_reg_get.argtypes, ggml.ggml_backend_reg_get.restype = [ctypes.c_size_t], ctypes.c_void_p
    name_of = library.ggml_base().ggml_backend_reg_name
    name_of.argtypes, name_of.restype = [ctypes.c_void_p], ctypes.c_char_p
    return [name_of(ggml.ggml_backend_reg_get(i)).decode() for i in range(ggml.ggml_backend_reg_count())]


def require_start(handle: int) -> None:
    """Starts a device. One that can't compute here, or is from another version, ends the process."""
    base = library.ggml_base()
    base.ggml_backend_dev_init.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    base.ggml_backend_dev_init.restype = ctypes.c_void_p
    base.ggml_backend_free.argtypes = [ctypes.c_void_p]
    started = base.ggml_backend_dev_init(handle, None)
    if not started:
        raise SettingError(
            "{name} can't be used.", "Update its driver, or choose another device.", name=describe(handle).name
        )
    base.ggml_backend_free(started)


def available() -> list[Device]:
    return [describe(handle) for handle in handles()]


def find(name: str) -> int:
    """Returns the handle of a device by its name, as listed by `available`."""
    known = {describe(handle).name: handle for handle in handles()}
    for known_name, handle in known.items():
        if known_name.lower() == name.strip().lower():
            return handle
    raise SettingError("Unknown device: {name}.", "Available devices: {known}.", name=name, known=", ".join(known))
