"""How much of what a server sends is read."""

from specchat.domain.tool_servers import ToolError

MAX_MESSAGE = 4 << 20
"""Bytes of one message."""
MAX_TOOLS = 128
"""Of a server."""
MAX_PAGES = 64
"""Of its list of tools."""
MAX_NAME = 128
MAX_DESCRIPTION = 4000
MAX_SCHEMA = 32_000
"""Characters of JSON."""
MAX_RESULT = 50_000
"""Characters that the model reads."""
MAX_REASON = 300


def too_large_error() -> ToolError:
    return ToolError("It sent a message of more than 4 MB.", "Restart the server, or turn it off.")
