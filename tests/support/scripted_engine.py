"""An engine that answers what a test tells it to, or does something else entirely."""

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

JSON, EVENTS = "application/json", "text/event-stream"
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = JSON
    holds: bool = False
    """The connection stays open after the body, which says nothing of its length, until the client or the test ends."""
    breaks: bool = False
    """More was promised than comes."""
    repeats: bool = False
    """The body comes again and again."""


def reply(value: object, **how: Any) -> Reply:
    return Reply(json.dumps(value).encode(), **how)


def events(*chunks: object, end: bytes = DONE, **how: Any) -> Reply:
    return Reply(b"".join(map(event, chunks)) + end, kind=EVENTS, **how)


def event(chunk: object) -> bytes:
    return b"data: " + (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n\n"


def delta(text: str = "", finish: str | None = None, **more: object) -> dict[str, object]:
    """A piece of a chat's answer; `more` belongs to the delta, or, with a capital letter, to the piece."""
    whole = {name.lower(): value for name, value in more.items() if name[0].isupper()}
    own = {name: value for name, value in more.items() if not name[0].isupper()}
    return {"choices": [{"index": 0, "delta": {"content": text, **own}, "finish_reason": finish}], **whole}


def usage(prompt: object, completion: object, **more: object) -> dict[str, object]:
    return {"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}, **more}


@dataclass
class Asked:
    line: str
    headers: Mapping[str, str]
    body: Any


class ScriptedEngine(ThreadingHTTPServer):
    """`replies`: by path, without the query; a function gets what was asked."""

    daemon_threads = False  # whoever answers has ended when this is closed

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scheme = "http"
        self.replies: dict[str, Reply | Callable[[Any], Reply]] = {}
        self.asked: list[Asked] = []
        self.closing, self.hung_up = Event(), Event()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}"

    def secure(self, certificate: Path) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.scheme = "https"

    def last(self, path: str) -> Any:
        """What was posted there last."""
        return next(each.body for each in reversed(self.asked) if each.line.partition("?")[0].endswith(path))

    def handle_error(self, request: object, client_address: object) -> None:
        """The client has seen enough."""


@contextmanager
def scripted_engine(certificate: Path | None = None) -> Iterator[ScriptedEngine]:
    with ScriptedEngine() as server:
        if certificate is not None:
            server.secure(certificate)
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedEngine

    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the requests instead."""

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(Asked(f"{self.command} {self.path}", headers, body))
        found = self.server.replies.get(self.path.partition("?")[0], Reply(b'{"error": "not found"}', 404))
        self._send(found if isinstance(found, Reply) else found(body))

    def _send(self, told: Reply) -> None:
        with suppress(ConnectionError):
            self.send_response(told.status)
            self.send_header("Content-Type", told.kind)
            for name, value in told.headers.items():
                self.send_header(name, value)
            if not (told.holds or told.repeats):
                self.send_header("Content-Length", str(len(told.body) + told.breaks))
            self.end_headers()
            self.wfile.write(told.body)
            self.wfile.flush()
            while told.repeats and not self.server.closing.is_set():
                self.wfile.write(told.body)
            if told.holds:
                self._wait_for_the_end()

    def _wait_for_the_end(self) -> None:
        """Whoever goes away is noticed."""
        self.connection.settimeout(0.02)
        while not self.server.closing.is_set():
            with suppress(TimeoutError):
                if not self.connection.recv(1):
                    break
        self.server.hung_up.set()
