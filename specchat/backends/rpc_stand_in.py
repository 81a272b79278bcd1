"""Stands in for RPC servers while memory is measured, because they may be in use or far away.

It replies on loopback like the real server did when it was probed, and allocates nothing.
"""

import socket
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress

from specchat.backends import rpc_registry
from specchat.backends.rpc_protocol import CAPABILITIES, VERSION, Command, receive
from specchat.domain.rpc import RpcServer

_BASE = 1 << 20
"""A fake address that is never written to."""


class RpcStandIn:
    def __init__(self, server: RpcServer) -> None:
        self.server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._run, name="rpc-stand-in", daemon=True).start()

    def _run(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), name="rpc-stand-in", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, EOFError):
            while True:
                (command,) = receive(connection, 1)
                (size,) = struct.unpack("<Q", receive(connection, 8))
                reply = self._reply(command, receive(connection, size))
                if reply is not None:
                    connection.sendall(struct.pack("<Q", len(reply)) + reply)

    def _reply(self, command: int, payload: bytes) -> bytes | None:
        """Returns None for commands without a reply, which only store or free."""
        match command:
            case Command.HELLO:
                return bytes([*VERSION, 0, 0]) + bytes(CAPABILITIES)
            case Command.DEVICE_COUNT:
                return struct.pack("<I", len(self.server.devices))
            case Command.ALLOC_BUFFER:
                return struct.pack("<QQ", 1, struct.unpack_from("<Q", payload, 4)[0])
            case Command.BUFFER_GET_BASE:
                return struct.pack("<Q", _BASE)
            case Command.GET_ALLOC_SIZE:  # llama.cpp uses the tensor's own size if it is larger
                return struct.pack("<Q", 0)
        if command not in (Command.GET_DEVICE_MEMORY, Command.GET_ALIGNMENT, Command.GET_MAX_SIZE):
            return None
        device = self.server.devices[struct.unpack("<I", payload)[0]]
        match command:
            case Command.GET_DEVICE_MEMORY:
                return struct.pack("<QQ", device.free, device.total)
            case Command.GET_ALIGNMENT:
                return struct.pack("<Q", device.alignment)
        return struct.pack("<Q", device.max_size)


_standing: dict[str, RpcStandIn] = {}


def stand_in_for(servers: Sequence[RpcServer]) -> None:
    """Creates stand-ins, or updates the memory of existing ones."""
    for server in servers:
        known = _standing.get(server.address)
        if known is not None:
            known.server = server
        else:
            _standing[server.address] = stand_in = RpcStandIn(server)
            rpc_registry.add(server.address, stand_in.endpoint)
