"""Real engines for the tests of connections: `specchat serve`, and llama-server where there is one."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event

from specchat.services.bench.llama_server import find_free_port

HOST = "127.0.0.1"
POLL_S = 0.05


_PROGRAM = "SPECCHAT_TEST_LLAMA_SERVER"


def has_llama_server() -> bool:
    return bool(os.environ.get(_PROGRAM))


@contextmanager
def llama_server(*arguments: object) -> Iterator[str]:
    """Its address, once it is ready."""
    program, port = Path(os.environ[_PROGRAM]), find_free_port()
    command = [program, "--host", HOST, "--port", port, "-t", 1, "-np", 1, "--offline", "--no-webui", *arguments]
    libraries = {"LD_LIBRARY_PATH": str(program.parent)}
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | libraries
    ) as process:
        try:
            while not _is_ready(port):
                assert process.poll() is None, command
                Event().wait(POLL_S)
            yield f"http://{HOST}:{port}"
        finally:
            process.terminate()


def _is_ready(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
