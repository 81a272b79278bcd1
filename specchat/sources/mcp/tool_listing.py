"""Checks the tools that a server lists: what cannot be offered is left out, and named."""

import json
from collections.abc import Iterable

from mcp_types import Tool

from specchat.domain.printable_text import printable_text
from specchat.domain.tool_servers import ServerTool, ToolServerConfig
from specchat.sources.mcp.limits import MAX_DESCRIPTION, MAX_NAME, MAX_SCHEMA, MAX_TOOLS


class ToolListing:
    def __init__(self, config: ToolServerConfig) -> None:
        self._config = config
        self._tools: dict[str, ServerTool] = {}
        self._left_out: list[str] = []
        self.output_schemas: dict[str, object] = {}
        """By name, of the tools that declare their results."""

    @property
    def is_full(self) -> bool:
        return len(self._tools) >= MAX_TOOLS or len(self._left_out) >= MAX_TOOLS

    @property
    def tools(self) -> tuple[ServerTool, ...]:
        return tuple(self._tools.values())

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self._left_out)

    def add(self, listed: Iterable[Tool]) -> None:
        for tool in listed:
            if self.is_full:
                self._left_out.append(f"all after the first {MAX_TOOLS}")
                return
            schema = _schema(tool)
            if reason := self._refusal(tool.name, schema):
                self._left_out.append(f"{printable_text(tool.name[:40])} ({reason})")
                continue
            description = (tool.description or tool.title or "")[:MAX_DESCRIPTION]
            self._tools[tool.name] = ServerTool(
                self._config.name, tool.name, description, schema, self._config.fingerprint
            )
            if tool.output_schema is not None:
                self.output_schemas[tool.name] = tool.output_schema

    def _refusal(self, name: str, schema: str) -> str:
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            return "not a valid name"
        if name in self._tools:
            return "listed twice"
        if not schema:
            return "not valid arguments"
        return "too many arguments" if len(schema) > MAX_SCHEMA else ""


def _schema(tool: Tool) -> str:
    """Empty where it is none, as with numbers that JSON does not know."""
    try:
        return json.dumps(tool.input_schema, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return ""
