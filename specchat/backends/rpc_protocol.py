"""The part of ggml's RPC protocol that describes a server, over plain sockets, because llama.cpp's own client aborts
the process if a server is unreachable, busy, or has another version.
"""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Protocol

from specchat.domain.errors import RpcError
from specchat.domain.rpc import RpcDevice, RpcServer
from specchat.domain.translatable_text import TranslatableText

VERSION = (7, 0)
"""The major version must be the same, and the server's minor version must not be newer."""
CAPABILITIES = 24
"""The number of bytes that describe faster transports, in both directions; zeros mean none."""
PROBE_S = 4.0
_MOST_DEVICES = 64
_ENDLESS = 1 << 62
_SIZE = struct.Struct("<Q")


class Command(IntEnum):
    ALLOC_BUFFER = 0
    GET_ALIGNMENT = 1
    GET_MAX_SIZE = 2
    BUFFER_GET_BASE = 3
    FREE_BUFFER = 4
    BUFFER_CLEAR = 5
    GET_DEVICE_MEMORY = 11
    GET_ALLOC_SIZE = 13
    HELLO = 14
    DEVICE_COUNT = 15


class Connection(Protocol):
    """The methods of a socket that are used."""

    def recv(self, size: int, /) -> bytes: ...
    def sendall(self, data: bytes, /) -> None: ...


def probe_server(address: str, timeout_s: float = PROBE_S) -> RpcServer:
    """Returns the server's devices within `timeout_s`. Raises an `RpcError` if it can't be used."""
    with _connection(address, timeout_s) as connection:
        _greet(connection, address)
        (count,) = _ask(connection, Command.DEVICE_COUNT, b"", "<I")
        if not 1 <= count <= _MOST_DEVICES:
            raise _NonsenseError
        return RpcServer(address, tuple(_device(connection, index) for index in range(count)))


def _greet(connection: Connection, address: str) -> None:
    major, minor, _, _ = _ask(connection, Command.HELLO, bytes(CAPABILITIES), f"<BBBB{CAPABILITIES}x")
    if major != VERSION[0] or minor > VERSION[1]:
        raise RpcError(
            "The RPC server at {address} uses protocol version {theirs}, but specchat uses {ours}.",
            "On that machine, start a ggml-rpc-server from the same version of specchat or llama.cpp.",
            address=address,
            theirs=f"{major}.{minor}",
            ours=".".join(map(str, VERSION)),
        )


def _device(connection: Connection, index: int) -> RpcDevice:
    which = struct.pack("<I", index)
    free, total = _ask(connection, Command.GET_DEVICE_MEMORY, which, "<QQ")
    (alignment,) = _ask(connection, Command.GET_ALIGNMENT, which, "<Q")
    (max_size,) = _ask(connection, Command.GET_MAX_SIZE, which, "<Q")
    if not (0 < alignment <= 1 << 20 and free <= total < 1 << 60):
        raise _NonsenseError
    return RpcDevice(total, free, alignment, min(max_size, _ENDLESS))


class _ConnectionUntil:
    """Raises a `TimeoutError` at the deadline, even if a server keeps sending a little."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline

    def recv(self, size: int) -> bytes:
        return self._timed().recv(size)

    def sendall(self, data: bytes) -> None:
        self._timed().sendall(data)

    def _timed(self) -> socket.socket:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection


class _NonsenseError(Exception):
    """The reply is not from an RPC server of this version."""


def _ask(connection: Connection, command: Command, payload: bytes, reply: str) -> tuple[int, ...]:
    connection.sendall(bytes([command]) + _SIZE.pack(len(payload)) + payload)
    (size,) = _SIZE.unpack(receive(connection, _SIZE.size))
    if size != struct.calcsize(reply):
        raise _NonsenseError
    return struct.unpack(reply, receive(connection, size))


def receive(connection: Connection, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        part = connection.recv(min(size - len(received), 1 << 20))
        if not part:
            raise EOFError
        received += part
    return bytes(received)


@contextmanager
def _connection(address: str, timeout_s: float) -> Iterator[Connection]:
    deadline = time.monotonic() + timeout_s
    host, _, port = address.rpartition(":")
    try:
        connection = socket.create_connection((host, int(port)), timeout_s)
    except OSError as error:
        raise RpcError(
            "Can't reach the RPC server at {address}: {reason}.",
            "Check that ggml-rpc-server is running there and its port is open, or load the model without that machine.",
            address=address,
            reason=_reason(error),
        ) from error
    try:
        with connection:
            yield _ConnectionUntil(connection, deadline)
    except TimeoutError as error:
        raise RpcError(
            "The RPC server at {address} isn't responding: it may be in use.",
            "It serves one program at a time. Unload the model in the other program, or load without that machine.",
            address=address,
        ) from error
    except (_NonsenseError, EOFError, OSError) as error:
        raise RpcError(
            "The program at {address} is not an RPC server from this version of llama.cpp.",
            "On that machine, start the ggml-rpc-server that comes with specchat, or check the port.",
            address=address,
        ) from error


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return TranslatableText("no response")
    if isinstance(error, socket.gaierror):
        return TranslatableText("unknown host")
    return (error.strerror or str(error)).lower()
