"""Runs a local llama-server process as a benchmark method."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from specchat.backends.child import child_command, child_environment
from specchat.backends.child_process import RunningChild, spawn
from specchat.domain.benchmark import BenchMethod
from specchat.domain.cancel_token import CancelToken
from specchat.domain.drafter_types import MODEL, NONE
from specchat.domain.errors import ComputeError, ModelLoadError
from specchat.domain.heads import HeadKind
from specchat.domain.types import GenerationRequest, GenerationStats

HOST = "127.0.0.1"
START_S, ANSWER_S, POLL_S = 600.0, 1800.0, 0.1
ALL_LAYERS = 999
_NO_GPU = b"no usable GPU found"
"""The first warning of a llama-server that finds no GPU."""
_SPEC_TYPES = {MODEL: "draft-simple", **{kind.value: f"draft-{kind.value}" for kind in HeadKind}}
"""llama-server's names for the draft types."""


class LlamaServer:
    """One server with one setting, ready when it is made."""

    def __init__(self, command: list[str], port: int, cancel: CancelToken) -> None:
        self._port = port
        self._running = RunningChild(spawn(child_command("keeper"), child_environment()))
        try:
            self._running.stdin.write(json.dumps(command).encode() + b"\n")
            self._running.stdin.flush()
            self._wait_until_ready(Path(command[0]).name, cancel)
        except BaseException:
            self.close()
            raise

    def answer(self, request: GenerationRequest, cancel: CancelToken) -> GenerationStats:
        try:
            status, answer = self._ask("POST", "/completion", _body(request), cancel)
            if status == 200:
                return _stats(answer)
            reason = str(answer.get("error", status))
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
            cancel.check()
            reason = str(error) or type(error).__name__
        raise ComputeError(
            "llama-server didn't respond: {reason}",
            "Run llama-server by itself to see why, or omit --peer.",
            reason=reason,
        )

    @property
    def found_no_gpu(self) -> bool:
        return _NO_GPU in self._running.tail.start

    def close(self) -> None:
        self._running.stop()

    def _wait_until_ready(self, name: str, cancel: CancelToken) -> None:
        for _ in range(round(START_S / POLL_S)):
            if self._running.process.poll() is not None:
                break
            with suppress(OSError, HTTPException, ValueError):
                if self._ask("GET", "/health", None, cancel)[0] == 200:
                    return
            cancel.wait(POLL_S)
        last_words = self._running.stop().rpartition("\n")[2]
        raise ModelLoadError(
            "{name} failed to start: {reason}",
            "Check that this llama-server supports these models, or omit --peer.",
            name=name,
            reason=last_words or "it printed no message.",
        )

    def _ask(
        self, method: str, path: str, body: Mapping[str, object] | None, cancel: CancelToken
    ) -> tuple[int, dict[str, Any]]:
        connection = HTTPConnection(HOST, self._port, timeout=ANSWER_S)
        try:
            connection.connect()
            with _cut_off_by(cancel, connection.sock):
                content = None if body is None else json.dumps(body)
                connection.request(method, path, content, {"Content-Type": "application/json"})
                response = connection.getresponse()
                answer = json.loads(response.read())
        finally:
            connection.close()
        return response.status, answer if isinstance(answer, dict) else {}


@contextmanager
def _cut_off_by(cancel: CancelToken, connection: socket.socket) -> Iterator[None]:
    def cut_off() -> None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    with cancel.listening(cut_off):
        yield


def build_server_command(
    method: BenchMethod, port: int, *, n_ctx: int, threads: int, layers: int | None, draft_layers: int | None
) -> list[str]:
    assert method.peer is not None
    command = [str(method.peer), "-m", str(method.target), "-c", str(n_ctx), "-np", "1", "--offline"]
    command += ["-t", str(threads), "-tb", str(threads), "-ngl", _layers(layers)]
    command += ["--host", HOST, "--port", str(port)]
    if method.draft is not None:
        command += ["-md", str(method.draft), "-ngld", _layers(draft_layers), "-td", str(threads), "-tbd", str(threads)]
    if method.draft_type != NONE:
        command += ["--spec-type", _SPEC_TYPES[method.draft_type]]
        if method.draft_max is not None:
            command += ["--spec-draft-n-max", str(method.draft_max)]
    return command


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _layers(count: int | None) -> str:
    return str(ALL_LAYERS if count is None or count < 0 else count)


def _body(request: GenerationRequest) -> dict[str, object]:
    sampling = request.sampling
    return {
        "prompt": list(request.prompt),
        "n_predict": -1 if request.max_tokens is None else request.max_tokens,
        "stop": list(request.stop),
        "ignore_eos": request.ignore_eos,
        "cache_prompt": False,
        "samplers": ["penalties", "top_k", "top_p", "min_p", "temperature"],
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repeat_penalty": sampling.repeat_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "presence_penalty": sampling.presence_penalty,
        "repeat_last_n": sampling.penalty_last_n,
        "seed": sampling.seed & 0xFFFFFFFF,
    }


def _stats(answer: Mapping[str, Any]) -> GenerationStats:
    timings = answer["timings"]
    generated, drafted = int(timings["predicted_n"]), int(timings.get("draft_n", 0))
    accepted = int(timings.get("draft_n_accepted", 0))
    passes = generated - accepted
    seconds = timings["predicted_ms"] / 1000
    return GenerationStats(
        n_prompt=int(timings["prompt_n"]),
        n_generated=generated,
        n_drafted=drafted,
        n_accepted=accepted,
        n_verify_steps=passes,
        acceptance_rate=accepted / drafted if drafted else 0.0,
        mean_accepted_length=generated / passes if passes else 0.0,
        ttft_s=timings["prompt_ms"] / 1000,
        # Its first token comes with the prompt, as ours does, and is not counted on either side.
        tokens_per_s=(generated - 1) / seconds if seconds > 0 else 0.0,
    )
