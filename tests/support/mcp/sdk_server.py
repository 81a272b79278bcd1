"""A server of the SDK: over its standard streams, or over HTTP at the port that it prints."""

import socket
import sys
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer

server = MCPServer("notes")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool(structured_output=False)
def note(text: str) -> str:
    """Keeps a note."""
    return f"kept: {text}"


@server.tool()
async def wait(seconds: float) -> str:
    """Waits."""
    await anyio.sleep(seconds)
    return "waited"


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("no such note")


def main() -> None:
    if "--http" in sys.argv:
        import uvicorn

        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)  # noqa: T201
        app: Any = server.streamable_http_app()
        uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
    else:
        print("starting with TOKEN-1234", file=sys.stderr, flush=True)  # noqa: T201
        server.run("stdio")


if __name__ == "__main__":
    main()
