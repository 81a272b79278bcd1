"""RPC servers as devices of llama.cpp. A server stays in a process until it ends, so a load with other servers needs a
new process.
"""

import ctypes
import re
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from specchat.backends import devices, library
from specchat.backends.rpc_protocol import probe_server
from specchat.domain.errors import SettingError

_BUFFER = re.compile(r"RPC\d+\[[^\]]*\]")
_added: dict[str, tuple[int, ...]] = {}
"""The handles of each server's devices, by its address."""
_names: dict[str, str] = {}
"""The devices by llama.cpp's names for their buffers, which are numbered from 0 for each server."""


def connect(servers: Sequence[str]) -> None:
    """Adds servers after probing them, because one that doesn't reply would abort the process or block it forever."""
    for address in servers:
        if address not in _added:
            probe_server(address)
            add(address, address)


def add(address: str, endpoint: str) -> None:
    """`endpoint`: the server's real address, which differs for a stand-in."""
    library.start()
    before = devices.handles()
    registered = _add_function()(endpoint.encode())
    _functions().ggml_backend_register(registered)
    _added[address] = handles = tuple(handle for handle in devices.handles() if handle not in before)
    _names.update({f"RPC{at}[{endpoint}]": devices.describe(handle).name for at, handle in enumerate(handles)})


def of_servers(servers: Sequence[str]) -> list[int]:
    return [handle for address in servers for handle in _added.get(address, ())]


def name_buffers(log: Sequence[str]) -> list[str]:
    """Returns the lines with each buffer named after its device."""
    return [_BUFFER.sub(lambda found: _names.get(found[0], found[0]), line) for line in log]


def added() -> tuple[str, ...]:
    return tuple(_added)


def _add_function() -> "ctypes._CFunctionType":
    ggml = _functions()
    backend = ggml.ggml_backend_reg_by_name(b"RPC")
    if not backend:
        raise SettingError(
            "llama.cpp's RPC backend is not installed here.",
            "If you run specchat from source, start it once with: python3 packaging/dev.py run --gpu rpc",
        )
    function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)
    return function(ggml.ggml_backend_reg_get_proc_address(backend, b"ggml_backend_rpc_add_server"))


_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "ggml_backend_register": (None, ctypes.c_void_p),
    "ggml_backend_reg_by_name": (ctypes.c_void_p, ctypes.c_char_p),
    "ggml_backend_reg_get_proc_address": (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p),
}
"""The return type of each function, then its parameter types."""


@cache
def _functions() -> SimpleNamespace:
    return library.ggml_functions(_SIGNATURES)
