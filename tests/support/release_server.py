"""A place on this computer that says which version is the newest, or fails to."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

PAGE = "https://127.0.0.1/specchat/0.2.0"


class ReleaseServer(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scheme = "http"
        self.status = 200
        self.headers: Mapping[str, str] = {}
        self.body = b""
        self.holds = False
        """The rest of an answer, until the end."""
        self.reached, self.closing = Event(), Event()
        self.requests: list[tuple[str, Message]] = []
        self.tell("0.2.0")

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}/latest.json"

    def secure(self, certificate: Path) -> None:
        """`certificate`: with its key."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.scheme = "https"

    def tell(self, version: object, page: object = PAGE, **more: object) -> None:
        self.body = json.dumps({"version": version, "page": page, **more}).encode()

    def lead_to(self, address: str) -> None:
        self.status, self.headers = 302, {"Location": address, "Set-Cookie": "who=you"}


@contextmanager
def release_server(certificate: Path | None = None) -> Iterator[ReleaseServer]:
    with ReleaseServer() as server:
        if certificate is not None:
            server.secure(certificate)
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.closing.set()
        server.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ReleaseServer

    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the requests instead."""

    def do_GET(self) -> None:
        server = self.server
        server.requests.append((f"{self.command} {self.path}", self.headers))
        server.reached.set()
        with suppress(ConnectionError):
            self.send_response(server.status)
            for name, value in server.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(server.body[:1] if server.holds else server.body)
            self.wfile.flush()
            if server.holds:
                server.closing.wait()
