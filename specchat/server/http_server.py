"""Runs uvicorn with client timeouts and a shutdown that lets the running answer finish."""

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from types import FrameType

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from specchat.domain.completions import Completions, OnWaiting, ServerSettings
from specchat.server.address import open_listening_socket, require_key_beyond_loopback, server_url
from specchat.server.app import make_app
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.errors import CLOSE_HEADERS, ApiError, too_busy_error
from specchat.server.guard_middleware import MAX_HEADER_BYTES
from specchat.services.generation.server_stats import ServerStats

HEADERS_S = 10.0
UNREAD_S = 60.0
KEEP_ALIVE_S = 30
MOST_CONNECTIONS = 200
"""Each is an open file, of which some systems allow a program 256."""
TOLD_WHY = 20
"""The number of excess connections that get an answer; the others are closed at once."""
FINISHING_S = 10.0
_LAST_STEP_S = 5.0
_LEAVING_S = 2.0
_TICK_S = 0.05


class Server:
    def __init__(self, settings: ServerSettings, completions: Completions) -> None:
        require_key_beyond_loopback(settings)
        self._socket = open_listening_socket(settings)
        self.url = server_url(settings.host, self._socket.getsockname()[1])
        served = ServerStats()
        asking = RequestDispatcher(completions, served)
        self._server = _Server(_config(settings, asking, served), asking)

    def run(self, waits: OnWaiting = lambda by_ctrl_c: None) -> None:
        self._server.waits = waits
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        self._server.force_exit = self._server.should_exit
        self._server.should_exit = True


def _config(settings: ServerSettings, asking: RequestDispatcher, served: ServerStats) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(settings, asking, served),
        loop="asyncio",
        http=_Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.ERROR,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=round(_LAST_STEP_S),
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )


class _Server(uvicorn.Server):
    waits: OnWaiting
    _is_interrupted = False

    def __init__(self, config: uvicorn.Config, asking: RequestDispatcher) -> None:
        super().__init__(config)
        self._asking = asking

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Unlike uvicorn's, this does not raise the signal again: the program's end is a good one."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Only a second SIGINT ends the wait: programs such as timeout(1) send SIGTERM twice."""
        self._is_interrupted = sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._asking.close()
        if self._asking.is_answering:
            self.waits(self._is_interrupted)
        await self._until_all_are_answered(FINISHING_S)
        self._asking.cancel_all()
        await self._until_all_are_answered(_LAST_STEP_S)
        if self.force_exit:
            for connection in list(self.server_state.connections):
                if isinstance(connection, _Protocol):
                    connection.transport.abort()
        await super().shutdown(sockets)

    async def _until_all_are_answered(self, seconds: float) -> None:
        end = asyncio.get_running_loop().time() + seconds
        while self._asking.n_requests and not self.force_exit and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(_TICK_S)


class _Protocol(H11Protocol):
    _patience: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        surplus = len(self.connections) - MOST_CONNECTIONS
        if surplus <= 0:
            self._expect_headers()
        elif surplus <= TOLD_WHY:
            self._refuse(too_busy_error())
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self._refused:
            return
        if self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE:  # a rest that nobody waits for
            self._expect_headers()
        else:
            self._keep_patience()
        if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) < MAX_HEADER_BYTES:
            self.flow.resume_reading()  # else it would not be noticed that the client goes away

    def connection_lost(self, exc: Exception | None) -> None:
        self._keep_patience()
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        if len(self.conn.trailing_data[0]) > MAX_HEADER_BYTES:
            self._refuse(ApiError(431, "The request headers are too large."))
        else:
            self._refuse(ApiError(400, msg))

    def _expect_headers(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEADERS_S, self._headers_are_late)

    def _keep_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _headers_are_late(self) -> None:
        if self.conn.trailing_data[0]:
            self._refuse(ApiError(408, "The request headers took too long to arrive.", kind="timeout"))
        else:
            self.transport.close()

    def _refuse(self, refusal: ApiError) -> None:
        """Before any of our code gets to see the request. What else the client sends is not read, but for a moment it
        may: closed at once, the connection would break before the client has read why.
        """
        self._refused = True
        self._keep_patience()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        answer = {"Content-Type": "application/json", "Content-Length": str(len(refusal.body))}
        headers = list((refusal.headers | answer | CLOSE_HEADERS).items())
        status = HTTPStatus(refusal.status)
        response = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
        for event in (response, h11.Data(data=refusal.body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.write_eof()
        self._patience = self.loop.call_later(_LEAVING_S, self.transport.close)
