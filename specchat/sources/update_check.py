"""Fetches the newest version number from one address, without sending any data about the user."""

from functools import partial
from threading import Timer

import httpx2

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.domain.hosts import host_of, is_loopback
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.http_requests import RetryPolicy, call_with_retries
from specchat.sources.network_errors import NO_TRUST, NetworkFailure, classify_network_error

LONGEST = 64 << 10
_HEADERS = {"user-agent": "specchat", "accept": "application/json", "accept-encoding": "identity"}
_ONCE = RetryPolicy(tries=1)
_SECONDS = 10
_MOST_STEPS = 5
"""The most redirects."""
_TRY_LATER = TranslatableText("Try again in a few minutes.")
_CHECK_CONNECTION = TranslatableText("Check your connection, then try again.")


def fetch(address: str, cancel: CancelToken, seconds: float = _SECONDS) -> bytes:
    """ValueError: more than there could be to say."""
    ending = CancelToken()
    limit = Timer(seconds, ending.cancel)
    limit.daemon = True
    limit.start()
    try:
        with cancel.listening(ending.cancel):
            return call_with_retries(partial(_error_for, address, ending), _ONCE, ending)
    except Cancelled:
        cancel.check()
        raise UserError("{host} isn't responding.", _TRY_LATER, host=host_of(address)) from None
    finally:
        limit.cancel()


def _error_for(address: str, ending: CancelToken) -> bytes:
    try:
        return _followed(address, ending)
    except httpx2.InvalidURL:
        raise _no_address(address) from None
    except httpx2.HTTPError as error:
        raise to_update_error(error, host_of(address)) from error


def _followed(address: str, ending: CancelToken) -> bytes:
    """Each step is made by a client of its own: none knows what the one before was told to remember."""
    url = httpx2.URL(address)
    if not (_is_safe(url) or (url.scheme == "http" and is_loopback(url.host))):
        raise _no_address(address)
    for _ in range(_MOST_STEPS):
        ending.check()
        with httpx2.stream("GET", url, headers=_HEADERS, timeout=_SECONDS) as answer:
            if answer.next_request is None:
                return _body(answer, ending)
            url = answer.next_request.url
        if not _is_safe(url):
            raise UserError("{host} redirects to an unsafe address.", _TRY_LATER, host=host_of(address))
    raise UserError("{host} redirects endlessly.", _TRY_LATER, host=host_of(address))


def _body(answer: httpx2.Response, ending: CancelToken) -> bytes:
    host, status = answer.url.host, answer.status_code
    if status in (404, 410):
        raise UserError("{host} doesn't say which version is the latest.", "Try again later.", host=host)
    if status != 200:
        raise UserError("{host} has a server problem (error {status}).", _TRY_LATER, host=host, status=status)
    body = bytearray()
    for piece in answer.iter_raw():
        ending.check()
        body += piece
        if len(body) > LONGEST:
            raise ValueError("it is endless")
    return bytes(body)


def _is_safe(url: httpx2.URL) -> bool:
    return url.scheme == "https" and bool(url.host) and not url.userinfo


def to_update_error(error: httpx2.HTTPError, host: str) -> UserError:
    match classify_network_error(error):
        case NetworkFailure.NOT_TRUSTED:
            return UserError(
                "The certificate for {host} is not trusted, so the connection is not secure.",
                NO_TRUST,
                host=host,
            )
        case NetworkFailure.PROXY:
            return UserError("The proxy refused the connection to {host}.", "Check the proxy settings.", host=host)
        case NetworkFailure.NOT_FOUND | NetworkFailure.OUT_OF_REACH | NetworkFailure.NOT_ENCRYPTED:
            return UserError("Can't reach {host}.", _CHECK_CONNECTION, host=host)
        case NetworkFailure.SILENT:
            return UserError("{host} isn't responding.", _TRY_LATER, host=host)
    return UserError("The connection to {host} was lost.", "Try again.", host=host)


def _no_address(address: str) -> UserError:
    return UserError(
        "Can't use {address} for update checks.",
        "Correct or unset SPECCHAT_UPDATES. The URL must start with https://.",
        address=address,
    )
