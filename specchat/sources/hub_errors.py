"""What the Hub and the way to it do wrong, put into words once.

The causes are cut off on purpose: a server may repeat a token in what it says.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from urllib.parse import urlsplit

import httpx2
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import parse_ratelimit_headers

from specchat.domain.errors import HubAbsentError, HubError, HubOfflineError, HubTroubleError
from specchat.domain.said import Said
from specchat.sources.broken_ways import NO_TRUST, BrokenWay, broken_way
from specchat.sources.refusals import Asked, hub_refusal

_TRY_LATER = Said("Try again in a few minutes.")
_WAIT_FIRST = Said("It asks to wait {minutes} minutes: try again after that.")
_LONGEST_WAIT = 24 * 3600
_OFFLINE = Said("Check the connection, then try again.")


@contextmanager
def explained(asked: Asked) -> Iterator[None]:
    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, OfflineModeIsEnabled, ValueError) as error:
        raise explanation(error, asked) from None


def explanation(error: Exception, asked: Asked) -> HubError:
    match error:
        case HfHubHTTPError():
            return refusal(error.response.status_code, error.response.headers, asked)
        case OfflineModeIsEnabled():
            return HubOfflineError(
                "HF_HUB_OFFLINE keeps this program off the Hub.",
                "Unset it to ask the Hub.",
            )
        case HFValidationError():
            return HubAbsentError(
                "{repo} cannot be the name of a repository.", "Write it as owner/name.", repo=asked.repo
            )
        case httpx2.TransportError():
            return _broken_way(error, asked)
        case httpx2.InvalidURL():
            return _no_address(asked)
    return no_hub(asked)


def no_hub(asked: Asked) -> HubError:
    return HubError(
        "What {host} answers is not what the Hub would say.",
        "Check HF_ENDPOINT, and whether this network wants you to log in first.",
        host=asked.host,
    )


def broken_off(asked: Asked) -> HubTroubleError:
    return HubTroubleError("The connection to {host} broke off.", "Try again.", host=asked.host)


def other_size(asked: Asked) -> HubError:
    return HubError(
        "{file} is not as long as {host} said before.",
        "Look into the repository again.",
        file=asked.file,
        host=asked.host,
    )


def refusal(status: int, headers: Mapping[str, str], asked: Asked) -> HubError:
    if status == 429:
        return _too_many(headers, asked)
    if status >= 500 or status == 408:
        return HubTroubleError(
            "{host} has trouble of its own (error {status}).",
            _WAIT_FIRST if _minutes(headers) > 1 else _TRY_LATER,
            minutes=_minutes(headers),
            wait=_seconds(headers),
            host=asked.host,
            status=status,
        )
    return hub_refusal(status, headers, asked)


def storage_refusal(status: int, headers: Mapping[str, str], url: str, asked: Asked) -> HubError:
    """Of the place to which the Hub sent us. Its addresses expire: a new one may help."""
    return HubTroubleError(
        "{host} refuses to send {file} (error {status}).",
        _WAIT_FIRST if _minutes(headers) > 1 else _TRY_LATER,
        minutes=_minutes(headers),
        wait=_seconds(headers),
        host=urlsplit(url).hostname,
        file=asked.file,
        status=status,
    )


def _too_many(headers: Mapping[str, str], asked: Asked) -> HubTroubleError:
    wait = _seconds(headers)
    return HubTroubleError(
        "{host} has been asked too often; it answers again in {wait} seconds."
        if wait
        else "{host} has been asked too often.",
        "Wait, then try again." if asked.has_token else "Wait, then try again. With a token you may ask more often.",
        wait=wait,
        host=asked.host,
    )


def _minutes(headers: Mapping[str, str]) -> int:
    return ceil(_seconds(headers) / 60)


def _seconds(headers: Mapping[str, str]) -> float:
    with suppress(ValueError):  # Python reads no number of thousands of digits
        limit = parse_ratelimit_headers(headers)
        if limit is not None and limit.remaining == 0:
            return min(limit.reset_in_seconds, _LONGEST_WAIT)
        given = headers.get("Retry-After", "")
        return min(int(given), _LONGEST_WAIT) if given.isascii() and given.isdigit() else 0
    return 0


def _broken_way(error: httpx2.TransportError, asked: Asked) -> HubError:
    if isinstance(error, httpx2.UnsupportedProtocol):
        return _no_address(asked)
    match broken_way(error):
        case BrokenWay.NOT_TRUSTED:
            return HubError(
                "The certificate of {host} is not trusted, so the connection is not safe.",
                NO_TRUST,
                host=asked.host,
            )
        case BrokenWay.NOT_ENCRYPTED:
            return HubError(
                "No encrypted connection to {host} could be made.",
                "Check HF_ENDPOINT and the settings of the proxy.",
                host=asked.host,
            )
        case BrokenWay.NOT_FOUND:
            return HubOfflineError("{host} is not found: is there a network?", _OFFLINE, host=asked.host)
        case BrokenWay.PROXY:
            return HubOfflineError(
                "The proxy does not let us through to {host}.", "Check its settings.", host=asked.host
            )
        case BrokenWay.OUT_OF_REACH:
            return HubOfflineError("{host} cannot be reached.", _OFFLINE, host=asked.host)
        case BrokenWay.SILENT:
            return HubTroubleError("{host} does not answer.", _TRY_LATER, host=asked.host)
    return broken_off(asked)


def _no_address(asked: Asked) -> HubError:
    return HubError(
        "{address} is not the address of a Hub.", "Correct HF_ENDPOINT, or unset it.", address=asked.endpoint
    )
