"""Says why a server failed."""

import httpx2

from specchat.domain.tool_servers import ToolError
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.mcp.limits import MAX_REASON
from specchat.sources.mcp.sdk import MCPError

_CLOSED = "Connection closed"
"""What the SDK says of a call when the connection ends."""
_INVALID = TranslatableText("It sent an invalid reply.")


def failure_reason(error: BaseException) -> TranslatableText | None:
    """Groups may hold several errors, the first of which that says something counts. None: none does."""
    errors = _errors(error)
    for each in errors:
        if isinstance(each, ToolError):
            return each.message
    for each in errors:
        if isinstance(each, httpx2.HTTPError):
            return TranslatableText("It can't be reached: {reason}.", reason=_words(each) or "no answer")
        if isinstance(each, MCPError) and not is_closed(each):
            return TranslatableText("It refused: {reason}", reason=_words(each))
        if isinstance(each, ValueError | RuntimeError):
            return _INVALID
    return None


def is_closed(error: MCPError) -> bool:
    return error.message == _CLOSED


def _errors(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [inner for each in error.exceptions for inner in _errors(each)]
    return [error]


def _words(error: Exception) -> str:
    words = error.message if isinstance(error, MCPError) else str(error)
    return "".join(char for char in words if char.isprintable())[:MAX_REASON]
