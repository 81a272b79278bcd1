"""Starts a server as a child process and talks to it over its standard streams, a line for each message.

Unlike the SDK's transport it limits how long a line may be, keeps the end of the error output, and ends the children of
the server, too, even when this process is killed.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Protocol

import anyio
import psutil
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp_types import jsonrpc_message_adapter

from specchat.domain.tool_servers import ToolError, ToolServerConfig
from specchat.sources.mcp.limits import MAX_MESSAGE, too_large_error
from specchat.sources.mcp.output_tail import OutputTail
from specchat.sources.mcp.sdk import SessionMessage, get_default_environment
from specchat.sources.mcp.traffic_limit import TrafficLimit

_FLUSH_S, _EXIT_S, _TERMINATE_S = 0.5, 2.0, 1.0
_POLL_S = 0.02
_OUTPUT_REST_S = 0.01
"""Between two pieces of error output: a server that never stops complaining has to wait."""
_Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[_Incoming], MemoryObjectSendStream[SessionMessage]]


class StartProgram(Protocol):
    """Starts a program that ends with this process. Raises an OSError where it can't be started."""

    def __call__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: str | None, limit: int
    ) -> AbstractAsyncContextManager[asyncio.subprocess.Process]: ...


@asynccontextmanager
async def stdio_transport(
    config: ToolServerConfig, limit: TrafficLimit, output: OutputTail, start_program: StartProgram
) -> AsyncIterator[Streams]:
    incoming_in, incoming = anyio.create_memory_object_stream[_Incoming](0)
    outgoing, outgoing_out = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with _started(config, start_program) as process, anyio.create_task_group() as tasks:
            tasks.start_soon(_read_messages, process, limit, incoming_in)
            tasks.start_soon(_write_messages, process, outgoing_out)
            tasks.start_soon(_read_output, process, output)
            try:
                yield incoming, outgoing
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(process)
                tasks.cancel_scope.cancel()
    finally:
        for stream in (incoming_in, incoming, outgoing, outgoing_out):
            stream.close()


@asynccontextmanager
async def _started(config: ToolServerConfig, start: StartProgram) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {**get_default_environment(), **config.env}
    program = shutil.which(config.command, path=environment.get("PATH"))
    if program is None:
        raise _no_program_error(config.command, environment.get("PATH"))
    if config.cwd and not os.path.isdir(config.cwd):
        raise ToolError("The folder {folder} wasn't found.", "Check the server's settings.", folder=config.cwd)
    async with AsyncExitStack() as stack:
        try:
            process = await stack.enter_async_context(
                start([program, *config.args], environment, config.cwd or None, MAX_MESSAGE)
            )
        except (OSError, ValueError) as error:
            raise ToolError(
                "{command} couldn't be started: {reason}.",
                "Check the command and its folder.",
                command=config.command,
                reason=getattr(error, "strerror", None) or "its arguments are not valid",
            ) from error
        yield process


def _no_program_error(command: str, path: str | None) -> ToolError:
    if os.path.exists(command):
        return ToolError("{command} isn't a program that can be started.", "Enter the path of one.", command=command)
    first, *others = command.split() or [command]
    if others and shutil.which(first, path=path) is not None:
        return ToolError(
            "{command} wasn't found. Arguments belong in args.", "Correct it in a text editor.", command=command
        )
    return ToolError("{command} wasn't found.", "Install it, or enter its full path.", command=command)


async def _read_messages(
    process: asyncio.subprocess.Process, limit: TrafficLimit, incoming: MemoryObjectSendStream[_Incoming]
) -> None:
    assert process.stdout is not None
    async with incoming:
        try:
            while (line := await process.stdout.readline()) and limit.take_bytes(len(line)):
                await incoming.send(_parse(line))
        except ValueError:  # longer than the limit
            raise too_large_error() from None
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            pass  # the session has ended


def _parse(line: bytes) -> _Incoming:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write_messages(
    process: asyncio.subprocess.Process, outgoing: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    assert process.stdin is not None
    with suppress(anyio.ClosedResourceError, ConnectionError):
        async with outgoing:
            async for sent in outgoing:
                line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()


async def _read_output(process: asyncio.subprocess.Process, output: OutputTail) -> None:
    assert process.stderr is not None
    while piece := await process.stderr.read(1 << 16):
        output.add(piece.decode("utf-8", "replace"))
        await asyncio.sleep(_OUTPUT_REST_S)


async def _end(process: asyncio.subprocess.Process) -> None:
    """By closing its input, then with signals; with its children, which may have stayed behind."""
    family = _family(process.pid)
    assert process.stdin is not None
    process.stdin.close()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_exit(process), _EXIT_S)
    family = _alive([*family, *_family(process.pid)])
    _signal_group(process, signal.SIGTERM)
    for each in family:
        with suppress(psutil.Error):
            each.terminate()
    for _ in range(round(_TERMINATE_S / _POLL_S)):
        if process.returncode is not None and not (family := _alive(family)):
            break
        await asyncio.sleep(_POLL_S)
    if sys.platform != "win32":
        _signal_group(process, signal.SIGKILL)
    for each in _alive(family):
        with suppress(psutil.Error):
            each.kill()
    with suppress(ProcessLookupError):
        process.kill()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_exit(process), _EXIT_S)


async def _exit(process: asyncio.subprocess.Process) -> None:
    """Not `wait`, which waits for whoever has inherited its pipes, too."""
    while process.returncode is None:
        await asyncio.sleep(_POLL_S)


def _family(pid: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return []


def _alive(processes: Sequence[psutil.Process]) -> list[psutil.Process]:
    alive = []
    for each in dict.fromkeys(processes):
        with suppress(psutil.Error):
            if each.is_running() and each.status() != psutil.STATUS_ZOMBIE:
                alive.append(each)
    return alive


def _signal_group(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """What its children started stays in its group when they end before it."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
    elif process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
