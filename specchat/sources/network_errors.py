"""Classifies the network errors that the HTTP client raises."""

import socket
import ssl
from collections.abc import Iterator
from enum import Enum, auto

import httpx2

from specchat.domain.translatable_text import TranslatableText

NO_TRUST = TranslatableText(
    "Check this computer's clock. On a company network, make sure that its certificate is installed on this computer."
)


class NetworkFailure(Enum):
    NOT_TRUSTED = auto()
    NOT_ENCRYPTED = auto()
    NOT_FOUND = auto()
    PROXY = auto()
    OUT_OF_REACH = auto()
    SILENT = auto()
    BROKEN_OFF = auto()


_BY_CAUSE = (
    (ssl.SSLCertVerificationError, NetworkFailure.NOT_TRUSTED),
    (ssl.SSLError, NetworkFailure.NOT_ENCRYPTED),
    (socket.gaierror, NetworkFailure.NOT_FOUND),
)


def classify_network_error(error: httpx2.HTTPError) -> NetworkFailure:
    causes = list(_causes(error))
    for kind, failure in _BY_CAUSE:
        if any(isinstance(cause, kind) for cause in causes):
            return failure
    match error:
        case httpx2.ProxyError():
            return NetworkFailure.PROXY
        case httpx2.ConnectError() | httpx2.ConnectTimeout():
            return NetworkFailure.OUT_OF_REACH
        case httpx2.TimeoutException():
            return NetworkFailure.SILENT
    return NetworkFailure.BROKEN_OFF


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
