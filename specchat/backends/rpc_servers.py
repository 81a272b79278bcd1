"""Knows the latest state of RPC servers, even while this program uses them."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock

from specchat.backends.rpc_protocol import probe_server
from specchat.domain.abandonable_call import call_abandonably
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import RpcError
from specchat.domain.rpc import RpcDevice, RpcServer
from specchat.domain.types import Device

_FRESH_S = 10.0
_USUAL_ALIGNMENT, _ENDLESS = 128, 1 << 62


class KnownRpcServers:
    """The latest states by address. Thread-safe."""

    def __init__(
        self,
        probe: Callable[[str], RpcServer] = probe_server,
        clock: Callable[[], float] = time.monotonic,
        in_use: Callable[[], Sequence[Device]] = lambda: (),
    ) -> None:
        """`in_use`: the devices of this program's engine, which may be using a server."""
        self._probe, self._clock, self._in_use = probe, clock, in_use
        self._known: dict[str, tuple[float, RpcServer]] = {}
        self._lock = Lock()

    def find(self, address: str) -> RpcServer:
        """Returns the state of a server. If it stops replying, it may be in use, so its last state counts."""
        used = self._used(address)
        with self._lock:
            asked, server = self._known.get(address, (0.0, None))
            if used:
                return _as_used(address, used, server)
            if server is not None and self._clock() - asked < _FRESH_S:
                return server
            try:
                server = self._probe(address)
            except RpcError:
                if server is None:
                    raise
            self._known[address] = self._clock(), server
            return server

    def check(self, address: str, cancel: CancelToken) -> RpcServer:
        """Probes a server again, unless this program uses it, because it serves only one program at a time."""
        if used := self._used(address):
            with self._lock:
                return _as_used(address, used, self._known.get(address, (0.0, None))[1])
        server = call_abandonably(lambda: self._probe(address), cancel, "RPC server")
        with self._lock:
            self._known[address] = self._clock(), server
        return server

    def _used(self, address: str) -> list[Device]:
        return [device for device in self._in_use() if device.description == address]


def _as_used(address: str, devices: Sequence[Device], before: RpcServer | None) -> RpcServer:
    known = before.devices if before is not None and len(before.devices) == len(devices) else ()
    usual = (RpcDevice(0, 0, _USUAL_ALIGNMENT, _ENDLESS),) * len(devices)
    return RpcServer(
        address,
        tuple(
            replace(device, total=used.total, free=used.free)
            for device, used in zip(known or usual, devices, strict=True)
        ),
    )
