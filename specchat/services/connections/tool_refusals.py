"""Tells whether an engine refused a request because of the tools in it, and says so."""

from specchat.domain.errors import EngineRejectedError, RemoteEngineError, UserError
from specchat.services.connections.dialects.openai import OpenAiDialect

_INVALID_REQUEST = ("400", "422", "501")


def may_be_for_tools(error: UserError) -> bool:
    """Whether to ask again without them. Few engines say plainly which field they don't know."""
    if type(error) not in (RemoteEngineError, EngineRejectedError):
        return False
    values = error.message.values
    reason = str(values.get("reason", "")).casefold()
    return values.get("status") in _INVALID_REQUEST or "tool" in reason or "function" in reason


def no_tools_error(dialect: OpenAiDialect, error: UserError) -> EngineRejectedError:
    reason = str(error.message.values.get("reason", ""))
    return EngineRejectedError(
        "{engine} can't call tools with this model: {reason}"
        if reason
        else "{engine} can't call tools with this model.",
        dialect.tools_hint,
        engine=dialect.name,
        reason=reason,
    )
