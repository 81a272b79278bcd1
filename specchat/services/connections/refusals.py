"""Explains what an engine, or something on the way to it, says instead of an answer."""

from collections.abc import Mapping

from specchat.domain.engine_address import EngineAddress
from specchat.domain.errors import (
    ContextFullError,
    EngineBusyError,
    EngineKeyError,
    EngineLoadingError,
    EngineRejectedError,
    RemoteEngineError,
    ServedModelGoneError,
)
from specchat.domain.hosts import host_of
from specchat.domain.printable_text import printable_text
from specchat.domain.translatable_text import TranslatableText

_LONGEST_QUOTE = 300
_LONGEST_WAIT = 24 * 3600
_TOO_LONG = ("context", "too long", "too many tokens")
_KEY_HINT = TranslatableText(
    "Store the right key: specchat engines add NAME {where} --key, or set SPECCHAT_ENGINE_KEY."
)
_ITS_LOG = TranslatableText("Check the engine's log, then try again.")


def refusal_error(
    status: int, headers: Mapping[str, str], reply: object, address: EngineAddress, *, has_key: bool
) -> RemoteEngineError | ContextFullError:
    """`reply`: what came as JSON; None: something else."""
    where, reason = address.origin, quote_reason(reply)
    if 300 <= status < 400:
        return _redirect(headers.get("location", ""), where)
    if status in (401, 403, 407):
        return _no_access(where, has_key=has_key)
    if status == 503 and "loading" in reason.casefold():
        return EngineLoadingError("{where} is loading its model.", "Try again in a moment.", where=where)
    if status in (429, 503):
        return _busy(headers, reason, where)
    if status in (400, 413, 422, 500) and _is_too_long(reply, reason):
        return context_error(reason)
    if status == 404:
        return ServedModelGoneError(
            "{where} no longer has this model, or isn't the address of an engine ({reason})."
            if reason
            else "{where} no longer has this model, or isn't the address of an engine.",
            "List its models: specchat engines test {where}",
            where=where,
            reason=reason,
        )
    if status >= 500:
        return RemoteEngineError(
            "{where} has a problem (error {status}): {reason}" if reason else "{where} has a problem (error {status}).",
            _ITS_LOG,
            where=where,
            status=status,
            reason=reason,
        )
    return EngineRejectedError(
        "{where} rejected the request (error {status}): {reason}"
        if reason
        else "{where} rejected the request (error {status}).",
        "Change the settings named in this message, or choose another model.",
        where=where,
        status=status,
        reason=reason,
    )


def error_in_stream(reply: object, address: EngineAddress) -> RemoteEngineError | ContextFullError:
    """An engine that fails when it has begun to answer can only say so in the answer."""
    reason = quote_reason(reply)
    if _is_too_long(reply, reason):
        return context_error(reason)
    return RemoteEngineError(
        "{where} stopped answering: {reason}" if reason else "{where} stopped answering.",
        _ITS_LOG,
        where=address.origin,
        reason=reason,
    )


def context_error(reason: str) -> ContextFullError:
    return ContextFullError(
        "The chat doesn't fit the engine's context: {reason}"
        if reason
        else "The chat doesn't fit the engine's context.",
        "Shorten the chat, or start the engine with a larger context.",
        reason=reason,
    )


def web_page_error(where: str) -> RemoteEngineError:
    return RemoteEngineError(
        "{where} sent a web page instead of an answer.",
        "Check the address and port, and whether a proxy or this network requires you to log in first.",
        where=where,
    )


def quote_reason(reply: object) -> str:
    """Returns the engine's own reason in one line; empty if it gives none."""
    found = reply
    for name in ("error", "message", "detail"):
        if isinstance(found, Mapping) and name in found:
            found = found[name]
    if not isinstance(found, str):
        return ""
    return printable_text(" ".join(found[: 4 * _LONGEST_QUOTE].split()))[:_LONGEST_QUOTE]


def _redirect(location: str, where: str) -> RemoteEngineError:
    target = printable_text(location)[:_LONGEST_QUOTE]
    return RemoteEngineError(
        "{where} redirects to another address.",
        "specchat didn't follow the redirect. If {target} is your engine, use that address."
        if "://" in target and host_of(target)
        else "specchat didn't follow the redirect. Check the address.",
        where=where,
        target=target,
    )


def _no_access(where: str, *, has_key: bool) -> EngineKeyError:
    return EngineKeyError("{where} rejected the key." if has_key else "{where} requires a key.", _KEY_HINT, where=where)


def _busy(headers: Mapping[str, str], reason: str, where: str) -> EngineBusyError:
    given = headers.get("retry-after", "")
    seconds = min(int(given[:9]), _LONGEST_WAIT) if given.isascii() and given.isdigit() else 0
    return EngineBusyError(
        "{where} is busy: {reason}" if reason else "{where} is busy.",
        "Try again in {seconds} seconds." if seconds > 1 else "Try again in a moment.",
        where=where,
        reason=reason,
        seconds=seconds,
    )


def _is_too_long(reply: object, reason: str) -> bool:
    kind = reply.get("error") if isinstance(reply, Mapping) else None
    code = kind.get("type") if isinstance(kind, Mapping) else None
    words = reason.casefold()
    return code == "exceed_context_size_error" or ("token" in words and any(sign in words for sign in _TOO_LONG))
