"""Reads server-sent events within limits: what an engine sends is not trusted to end."""

import codecs
from collections.abc import Iterable, Iterator

from specchat.domain.errors import RemoteEngineError

LONGEST_EVENT = 4 << 20
"""Characters. A call of a tool may come as one."""


def read_events(pieces: Iterable[bytes], where: str) -> Iterator[str]:
    """The data of each event. Whether the last one is whole shows when it is read."""
    data: list[str] = []
    size = 0
    for line in _lines(pieces, where):
        size += len(line) + 1
        if size > LONGEST_EVENT:
            raise endless_error(where)
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data, size = [], 0
    if data:
        yield "\n".join(data)


def _lines(pieces: Iterable[bytes], where: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    held: list[str] = []
    size = 0
    ends_in_return = False
    for piece in pieces:
        try:
            text = decoder.decode(piece)
        except UnicodeDecodeError:
            raise invalid_reply_error(where) from None
        if ends_in_return and text.startswith("\n"):
            text = text[1:]
        ends_in_return = text.endswith("\r") if text else ends_in_return
        *whole, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in whole:
            yield "".join([*held, line])
            held, size = [], 0
        held.append(rest)
        size += len(rest)
        if size > LONGEST_EVENT:
            raise endless_error(where)
    if any(held):
        yield "".join(held)


def endless_error(where: str) -> RemoteEngineError:
    return RemoteEngineError(
        "{where} sent too much data for one answer.", "Check that it is an engine, then try again.", where=where
    )


def invalid_reply_error(where: str) -> RemoteEngineError:
    return RemoteEngineError(
        "{where} doesn't respond like an engine: its reply is invalid.",
        "Check the address, and whether the engine is up to date.",
        where=where,
    )
