"""Answers over HTTP, spoilt as planned."""

import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Event, Thread
from time import monotonic
from urllib.parse import parse_qs, urlsplit

from support.hub.answers import Answer
from support.hub.faults import Fault
from support.hub.traffic import OriginName, Request, Traffic

_RESET_ON_CLOSE = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
_PAUSES_PER_SECOND = 20

Answered = Callable[[Request], tuple[Answer, Fault]]
_Connection = socket.socket | tuple[bytes, socket.socket]


class Origin(ThreadingTCPServer):
    request_queue_size = 128

    def __init__(self, name: OriginName, answered: Answered, traffic: Traffic) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.name, self.answered, self.traffic = name, answered, traffic
        self.closing = Event()
        self.errors: list[Exception] = []
        self._open: set[_Connection] = set()
        self._thread = Thread(target=self.serve_forever, args=(0.02,), name=f"local {name}")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        for connection in list(self._open):
            assert isinstance(connection, socket.socket)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def process_request(self, request: _Connection, client_address: object) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: _Connection) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exception()
        assert isinstance(error, Exception)
        self.errors.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Origin

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the requests instead."""

    def _serve(self) -> None:
        address = urlsplit(self.path)
        request = Request(
            method=self.command,
            origin=self.server.name,
            path=address.path,
            query=parse_qs(address.query),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
            at=monotonic(),
        )
        self.server.traffic.add(request)
        self._send(request, *self.server.answered(request))

    do_GET = do_HEAD = do_POST = _serve

    def _send(self, request: Request, answer: Answer, fault: Fault) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(answer.length + fault.length_off_by))
        self.end_headers()
        if request.method == "HEAD":
            return
        turn = min(answer.start + fault.after_bytes, answer.end)
        self._pour(request, answer, (answer.start, turn), fault.corrupted_at)
        if fault.reset:
            self._reset()
        if fault.reset or fault.truncated or (fault.stalled and self.server.closing.wait(fault.stalled)):
            self.close_connection = True
            return
        self._pour(request, answer, (turn, answer.end), fault.corrupted_at, fault.bytes_per_second)
        if fault.length_off_by:
            self.close_connection = True

    def _pour(
        self, request: Request, answer: Answer, part: tuple[int, int], corrupted_at: int | None, pace: int = 0
    ) -> None:
        at, end = part
        size = max(pace // _PAUSES_PER_SECOND, 1) if pace else 1 << 16
        for chunk in answer.content.chunks(at, end, size):
            if answer.status in (200, 206):
                self.server.traffic.sent(request, len(chunk))
            self.wfile.write(_with_a_wrong_byte(chunk, at, corrupted_at))
            at += len(chunk)
            if pace and self.server.closing.wait(len(chunk) / pace):
                self.close_connection = True
                return

    def _reset(self) -> None:
        while _undelivered(self.connection) and not self.server.closing.wait(0.001):
            pass
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self.rfile.close()
        self.connection.close()


def _with_a_wrong_byte(chunk: bytes, at: int, corrupted_at: int | None) -> bytes:
    if corrupted_at is None or not at <= corrupted_at < at + len(chunk):
        return chunk
    wrong = bytearray(chunk)
    wrong[corrupted_at - at] ^= 0xFF
    return bytes(wrong)


def _undelivered(connection: socket.socket) -> int:
    """What the other side has not taken yet: a reset throws it away."""
    if sys.platform != "linux":
        return 0
    import fcntl
    import termios

    (waiting,) = struct.unpack("i", fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4)))
    return int(waiting)
