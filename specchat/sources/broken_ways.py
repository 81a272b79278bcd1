"""What can go wrong on the way to another computer, told from what the client raises."""

import socket
import ssl
from collections.abc import Iterator
from enum import Enum, auto

import httpx2

from specchat.domain.said import Said

NO_TRUST = Said(
    "Check this computer's clock. In a company network, its certificate must be installed on this computer."
)


class BrokenWay(Enum):
    NOT_TRUSTED = auto()
    NOT_ENCRYPTED = auto()
    NOT_FOUND = auto()
    PROXY = auto()
    OUT_OF_REACH = auto()
    SILENT = auto()
    BROKEN_OFF = auto()


_BY_CAUSE = (
    (ssl.SSLCertVerificationError, BrokenWay.NOT_TRUSTED),
    (ssl.SSLError, BrokenWay.NOT_ENCRYPTED),
    (socket.gaierror, BrokenWay.NOT_FOUND),
)


def broken_way(error: httpx2.HTTPError) -> BrokenWay:
    causes = list(_causes(error))
    for kind, way in _BY_CAUSE:
        if any(isinstance(cause, kind) for cause in causes):
            return way
    match error:
        case httpx2.ProxyError():
            return BrokenWay.PROXY
        case httpx2.ConnectError() | httpx2.ConnectTimeout():
            return BrokenWay.OUT_OF_REACH
        case httpx2.TimeoutException():
            return BrokenWay.SILENT
    return BrokenWay.BROKEN_OFF


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
