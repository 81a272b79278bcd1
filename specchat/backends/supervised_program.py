"""Starts other programs, such as MCP servers, that end with this process, together with all that they have started."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

from specchat.backends.child import child_command, child_environment

Process = asyncio.subprocess.Process
_LONGEST_REPLY = 4096
_EXIT_S, _POLL_S = 2.0, 0.02

if sys.platform == "win32":
    from specchat.backends.job_object import put_into_job

    @asynccontextmanager
    async def supervised_program(
        command: Sequence[str], environment: Mapping[str, str], folder: str | None, limit: int
    ) -> AsyncIterator[Process]:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            limit=limit,
            creationflags=subprocess.CREATE_NO_WINDOW,
        )
        try:
            put_into_job(process.pid)
            yield process
        finally:
            await _close(process)

else:
    import socket

    from specchat.backends.supervisor_child import SOCKET

    @asynccontextmanager
    async def supervised_program(
        command: Sequence[str], environment: Mapping[str, str], folder: str | None, limit: int
    ) -> AsyncIterator[Process]:
        """The process is that of its supervisor, which leads a group of its own. Raises an OSError where the program
        can't be started. `limit`: bytes of a line.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *child_command("supervisor"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=child_environment() | {SOCKET: str(theirs.fileno())},
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    limit=limit,
                )
            try:
                await _request(ours, {"command": list(command), "environment": dict(environment), "folder": folder})
                yield process
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                await _close(process)

    async def _request(ours: socket.socket, asked: Mapping[str, object]) -> None:
        ours.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(ours, json.dumps(asked).encode() + b"\n")
        reply = await loop.sock_recv(ours, _LONGEST_REPLY)
        if reply != b"{}":
            raise OSError(0, json.loads(reply)["error"] if reply else "")


async def _close(process: Process) -> None:
    """Not with `wait`: whoever still holds its pipes must not hold us."""
    for _ in range(round(_EXIT_S / _POLL_S)):
        if process.returncode is not None:
            break
        await asyncio.sleep(_POLL_S)
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
