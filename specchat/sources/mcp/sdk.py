"""Loads the client of the MCP SDK without its servers: these need web frameworks and cryptography, and twice the time.

The packages' own `__init__` would import everything, so they are entered as bare packages beforehand.
"""

import importlib.util
import logging
import sys
from types import ModuleType

for _name in ("mcp", "mcp.client"):
    if _name not in sys.modules:
        _spec = importlib.util.find_spec(_name)
        assert _spec is not None
        _package = ModuleType(_name)
        _package.__path__ = list(_spec.submodule_search_locations or ())
        _package.__spec__ = _spec
        sys.modules[_name] = _package

from mcp.client._transport import ReadStream, WriteStream  # noqa: E402
from mcp.client.session import ClientSession  # noqa: E402
from mcp.client.stdio import get_default_environment  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.shared.message import SessionMessage  # noqa: E402

for _name in ("client", "mcp"):  # they log what servers send
    logging.getLogger(_name).setLevel(logging.CRITICAL)

__all__ = [
    "ClientSession",
    "MCPError",
    "ReadStream",
    "SessionMessage",
    "WriteStream",
    "get_default_environment",
    "streamable_http_client",
]
