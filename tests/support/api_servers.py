"""`specchat serve` in a process of its own, and the server alone in a thread."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from subprocess import Popen
from typing import Any
from urllib.parse import urlsplit

from openai import OpenAI
from support.commands import Argument, started

from specchat.domain.completions import Completions, ServerSettings
from specchat.server.http_server import Server

HOST = "127.0.0.1"
ANSWER_S = 60.0


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        parsed = json.loads(self.body)
        assert isinstance(parsed, dict)
        return parsed

    @property
    def error(self) -> dict[str, Any]:
        """In OpenAI's shape."""
        error = self.json["error"]
        assert set(error) == {"message", "type", "param", "code"}
        assert error["message"]
        assert isinstance(error, dict)
        return error

    @property
    def events(self) -> list[dict[str, Any]]:
        """Of server-sent events, which must end as OpenAI's do."""
        assert self.headers["content-type"].startswith("text/event-stream")
        blocks = self.body.decode().split("\n\n")
        assert blocks[-2:] == ["data: [DONE]", ""]
        return [json.loads(block.removeprefix("data: ")) for block in blocks[:-2]]


@dataclass(frozen=True)
class Api:
    url: str

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def client(self, key: str = "none") -> OpenAI:
        return OpenAI(base_url=self.url, api_key=key, max_retries=0, timeout=ANSWER_S)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        connection = HTTPConnection(HOST, self.port, timeout=ANSWER_S)
        try:
            connection.request(method, path, body, dict(headers or {}))
            return _read(connection.getresponse())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Response:
        return self.send("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, value: object) -> Response:
        return self.send("POST", path, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def chat(self, text: str, **options: object) -> Response:
        return self.post("/v1/chat/completions", {"messages": [{"role": "user", "content": text}], **options})

    def complete(self, prompt: object, **options: object) -> Response:
        return self.post("/v1/completions", {"prompt": prompt, **options})

    def metrics(self) -> dict[str, float]:
        lines = self.get("/metrics").body.decode().splitlines()
        samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name.removeprefix("specchat_"): float(value) for name, _, value in samples}

    def raw(self, sent: bytes) -> bytes:
        """All that comes back until the server closes the connection."""
        with self.connection() as connection:
            connection.sendall(sent)
            return received(connection)

    @contextmanager
    def connection(self) -> Iterator[socket.socket]:
        with socket.create_connection((HOST, self.port), ANSWER_S) as connection:
            yield connection


def received(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def status_of_next(connection: socket.socket) -> int:
    """Of one answer, read to its end: it may come in several pieces. The connection stays open."""
    response = HTTPResponse(connection)
    response.begin()
    response.read()
    return response.status


@contextmanager
def serving(home: Path, *arguments: Argument, changes: Mapping[str, str] | None = None) -> Iterator[Api]:
    with serving_process(home, *arguments, changes=changes) as (_, api):
        yield api


@contextmanager
def serving_process(
    home: Path, *arguments: Argument, changes: Mapping[str, str] | None = None
) -> Iterator[tuple[Popen[bytes], Api]]:
    command = ("serve", "--port", "0", "-t", "1", *arguments)
    with started(home, *command, changes=changes) as process:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        assert line.startswith("Serving "), line or (process.stderr.read().decode() if process.stderr else "")
        yield process, Api(line.rpartition(" at ")[2].split()[0])


@contextmanager
def listening(completions: Completions, settings: ServerSettings | None = None) -> Iterator[Api]:
    server = Server(settings or ServerSettings(port=0), completions)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Api(server.url)
    finally:
        server.stop()
        thread.join()


def _read(response: HTTPResponse) -> Response:
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Response(response.status, headers, response.read())
