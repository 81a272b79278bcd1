"""The error for the loss of a machine that held part of a model."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from specchat.backends import library
from specchat.backends.rpc_protocol import probe_server
from specchat.domain.errors import EngineStoppedError, RpcError

_ABORTS = ("Remote RPC server crashed", "Failed to connect to ", "RPC handshake failed")
_LOOK_S = 1.0


@contextmanager
def told_of_losses(servers: Sequence[str], on_lost: Callable[[EngineStoppedError], None]) -> Iterator[None]:
    """Calls `on_lost` if a machine is lost while computing in this process, which ends when it returns."""

    def listen(message: str) -> None:
        if was_machine_lost(message):
            on_lost(lost_machine_error(servers))

    library.abort_listeners.append(listen)
    try:
        yield
    finally:
        library.abort_listeners.remove(listen)


def was_machine_lost(last_words: str) -> bool:
    return any(abort in last_words for abort in _ABORTS)


def lost_machine_error(servers: Sequence[str]) -> EngineStoppedError:
    """Returns the error for a lost machine. Checks which one it is, because llama.cpp doesn't report it."""
    lost = [server for server in servers if not _answers(server)] or servers
    return EngineStoppedError(
        "Lost the connection to {servers}, which held part of the model.",
        "Continue once ggml-rpc-server is running there again, or load the model without that machine.",
        servers=", ".join(lost),
    )


def _answers(server: str) -> bool:
    with suppress(RpcError):
        probe_server(server, _LOOK_S)
        return True
    return False
