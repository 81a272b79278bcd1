"""Runs the connections to MCP servers in a thread of its own, which exists only while there are servers."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from specchat.domain.tool_servers import ServerState, ServerStatus, ServerTool, ToolResult, ToolServerConfig
from specchat.domain.tools import CallState

if TYPE_CHECKING:
    from specchat.sources.mcp.stdio_transport import StartProgram
    from specchat.sources.mcp.tool_connection import ToolConnection

_START_S = 60.0
"""Some servers are downloaded when they start."""
_END_S = 12.0


class McpToolHost:
    def __init__(
        self, start_program: "StartProgram", changed: Callable[[str], None] = lambda _: None, start_s: float = _START_S
    ) -> None:
        """`changed` is told, in the thread of the servers, whose status is another one."""
        self._start_program, self._changed, self._start_s = start_program, changed, start_s
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._statuses: dict[str, ServerStatus] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._connections: dict[str, ToolConnection] = {}
        self._locks = defaultdict[str, asyncio.Lock](asyncio.Lock)
        """One server starts or ends once at a time."""

    def start(self, config: ToolServerConfig) -> None:
        self._statuses[config.name] = ServerStatus(ServerState.STARTING)
        self._submit(self._start(config))

    def stop(self, server: str) -> None:
        if self._loop is not None:
            self._submit(self._stop(server))

    def status(self, server: str) -> ServerStatus:
        return self._statuses.get(server, ServerStatus())

    def call(
        self, tool: ServerTool, arguments: Mapping[str, object], seconds: float, done: Callable[[ToolResult], None]
    ) -> Future[ToolResult]:
        running = self._submit(self._call(tool, arguments, seconds))
        running.add_done_callback(lambda ended: done(_result(ended)))
        return running

    def close(self) -> None:
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        ending = asyncio.run_coroutine_threadsafe(self._stop_all(), loop)
        with suppress(TimeoutError):
            ending.result(_END_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_END_S)

    def _submit(self, job: Coroutine[Any, Any, Any]) -> "Future[Any]":
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="tools", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(job, self._loop)

    # In the thread

    async def _start(self, config: ToolServerConfig) -> None:
        from specchat.sources.mcp.tool_connection import ToolConnection

        name = config.name
        async with self._locks[name]:
            await self._end(name)
            self._report(name, ServerStatus(ServerState.STARTING))
            connection = ToolConnection(
                config, lambda status: self._report(name, status), self._start_program, self._start_s
            )
            self._connections[name] = connection
            self._tasks[name] = asyncio.create_task(connection.run())

    async def _stop(self, server: str) -> None:
        async with self._locks[server]:
            await self._end(server)

    async def _end(self, server: str) -> None:
        connection, task = self._connections.pop(server, None), self._tasks.pop(server, None)
        if connection is not None and task is not None:
            task.cancel()
            await asyncio.wait([task])
        self._report(server, ServerStatus())

    async def _stop_all(self) -> None:
        await asyncio.gather(*map(self._stop, list(self._locks)))

    async def _call(self, tool: ServerTool, arguments: Mapping[str, object], seconds: float) -> ToolResult:
        connection = self._connections.get(tool.server)
        if connection is None:
            return ToolResult(CallState.FAILED, "The server is not running.")
        return await connection.call(tool, arguments, seconds)

    def _report(self, server: str, status: ServerStatus) -> None:
        self._statuses[server] = status
        self._changed(server)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _result(ended: "Future[ToolResult]") -> ToolResult:
    try:
        return ended.result()
    except CancelledError:
        return ToolResult(CallState.CANCELLED, "")
    except Exception:  # noqa: BLE001 - whatever a server sends, its call ends
        return ToolResult(CallState.FAILED, "The server sent an invalid result.")
