"""The connection to one server: starts it, lists its tools, calls them, and notices when it fails."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import anyio
from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult, Implementation, PaginatedRequestParams

from specchat import __version__
from specchat.domain.tool_servers import ServerState, ServerStatus, ServerTool, ToolError, ToolResult, ToolServerConfig
from specchat.domain.tools import CallState
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.mcp.failures import failure_reason, is_closed
from specchat.sources.mcp.guarded_stream import GuardedStream
from specchat.sources.mcp.http_transport import http_transport
from specchat.sources.mcp.limits import MAX_PAGES, MAX_REASON
from specchat.sources.mcp.output_tail import OutputTail
from specchat.sources.mcp.sdk import ClientSession, MCPError
from specchat.sources.mcp.stdio_transport import StartProgram, stdio_transport
from specchat.sources.mcp.tool_listing import ToolListing
from specchat.sources.mcp.tool_results import clean_text, read_result
from specchat.sources.mcp.traffic_limit import TrafficLimit

_REST_S = 1.0
"""Between two looks at a list of tools that keeps changing."""
_ENDED = TranslatableText("It ended.")
_DISCONNECTED = TranslatableText("The connection was closed.")
_FLOODED = TranslatableText("It sent too many messages.")
_US = Implementation(name="specchat", version=__version__)


class ToolConnection:
    def __init__(
        self,
        config: ToolServerConfig,
        report: Callable[[ServerStatus], None],
        start_program: StartProgram,
        start_s: float,
    ) -> None:
        """`report` is told each change of its status."""
        self._config, self._report = config, report
        self._start_program, self._start_s = start_program, start_s
        self._output = OutputTail(config.redact)
        self._status = ServerStatus(ServerState.STARTING)
        self._listing = ToolListing(config)
        self._session: ClientSession | None = None
        self._limit = TrafficLimit(lambda: self._note_end(_FLOODED))
        self._news = asyncio.Event()
        self._tools_changed = False
        self._end: TranslatableText | None = None

    async def run(self) -> None:
        """Until it fails, or is cancelled."""
        reason: TranslatableText | None = None
        try:
            await self._serve()
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - no server may end the thread of all
            reason = _FLOODED if self._end is _FLOODED else failure_reason(error) or self._end or self._usual_end
        else:
            reason = self._end
        finally:
            self._session = None
            state = ServerState.STOPPED if reason is None else ServerState.FAILED
            self._tell(ServerStatus(state, reason=reason and self._redacted(reason)))

    async def call(self, tool: ServerTool, arguments: Mapping[str, object], seconds: float) -> ToolResult:
        if self._session is None:
            return _failed("The server is not running.")
        if tool not in self._status.tools:
            return _failed("The server describes this tool in another way by now.")
        request = CallToolRequest(params=CallToolRequestParams(name=tool.name, arguments=dict(arguments)))
        if not _can_be_sent(request):
            return _failed("The arguments are nested too deeply, or have characters that do not exist.")
        self._limit.renew()
        try:
            async with asyncio.timeout(seconds):
                result = await self._session.send_request(request, CallToolResult)
        except TimeoutError:
            return _failed(f"The tool gave no result within {seconds:.0f} seconds.")
        except MCPError as error:
            return _failed(
                self._lost if is_closed(error) else clean_text(self._config.redact(error.message), MAX_REASON)
            )
        except (ValueError, RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return _failed("The server sent an invalid result.")
        return read_result(result, self._listing.output_schemas.get(tool.name), self._config)

    async def _serve(self) -> None:
        async with self._transport() as (incoming, outgoing):
            stream = GuardedStream(incoming, self._limit, self._note_tools, lambda: self._note_end(self._usual_end))
            async with ClientSession(stream, outgoing, client_info=_US) as session:
                await self._start(session)
                self._session = session
                await self._watch(session)

    def _transport(self) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        if self._config.url:
            return http_transport(self._config, self._limit)
        return stdio_transport(self._config, self._limit, self._output, self._start_program)

    async def _start(self, session: ClientSession) -> None:
        try:
            async with asyncio.timeout(self._start_s):
                await session.initialize()
                await self._list(session)
        except TimeoutError:
            raise ToolError(
                "It did not answer within {n} seconds.", "Check its settings.", n=round(self._start_s)
            ) from None

    async def _watch(self, session: ClientSession) -> None:
        while self._end is None:
            await self._news.wait()
            self._news.clear()
            if self._tools_changed and self._end is None:
                self._tools_changed = False
                async with asyncio.timeout(self._start_s):
                    await self._list(session)
                await asyncio.sleep(_REST_S)

    async def _list(self, session: ClientSession) -> None:
        listing, cursor = ToolListing(self._config), None
        for _ in range(MAX_PAGES):
            self._limit.renew()
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            listing.add(page.tools)
            cursor = page.next_cursor
            if not cursor or listing.is_full:
                break
        self._listing = listing
        self._tell(ServerStatus(ServerState.RUNNING, listing.tools, listing.left_out))

    def _note_tools(self) -> None:
        self._tools_changed = True
        self._news.set()

    def _note_end(self, why: TranslatableText) -> None:
        self._end = self._end or why
        self._news.set()

    @property
    def _usual_end(self) -> TranslatableText:
        return _DISCONNECTED if self._config.url else _ENDED

    @property
    def _lost(self) -> str:
        if self._config.url:
            return "The connection to the server was closed before it gave a result."
        return "The server ended before it gave a result."

    def _redacted(self, reason: TranslatableText) -> TranslatableText:
        values = {name: self._config.redact(value) for name, value in reason.values.items()}
        return TranslatableText(reason.template, **values)

    def _tell(self, status: ServerStatus) -> None:
        self._status = replace(status, output=self._output.lines)
        self._report(self._status)


def _can_be_sent(request: CallToolRequest) -> bool:
    """What only the transport notices ends the connection."""
    try:
        request.model_dump_json(by_alias=True)
    except ValueError:
        return False
    return True


def _failed(why: str) -> ToolResult:
    return ToolResult(CallState.FAILED, why)
