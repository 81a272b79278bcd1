"""Real `ggml-rpc-server` processes on loopback, and what stands on a port instead of one."""

import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

FOLDER_VARIABLE = "SPECCHAT_TEST_RPC"


def rpc_module() -> str:
    return str(Path(os.environ[FOLDER_VARIABLE]) / "libggml-rpc.so")


class RpcServerProcess:
    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, command: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> None:
        """`command`: another way to start it at this port."""
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(command or self._usual, stdout=nowhere, stderr=nowhere, env=environment)
        while self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        raise AssertionError("ggml-rpc-server ended")

    @property
    def _usual(self) -> list[str]:
        return [str(Path(os.environ[FOLDER_VARIABLE]) / "ggml-rpc-server"), "-p", str(self.port), "-t", "1"]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def rpc_servers(count: int) -> Iterator[list[RpcServerProcess]]:
    with ExitStack() as running:
        servers = [RpcServerProcess() for _ in range(count)]
        for server in servers:
            running.callback(server.kill)
            server.start()
        yield servers


@contextmanager
def answering_with(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of what takes connections and does something else."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as taken:

        def run() -> None:
            with suppress(OSError):
                while True:
                    connection = taken.enter_context(listener.accept()[0])
                    with suppress(OSError):
                        answer(connection)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
