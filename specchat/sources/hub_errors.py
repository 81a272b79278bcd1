"""Turns errors of the Hub and of the connection to it into user errors.

The causes are cut off on purpose: a server may repeat a token in what it says.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from urllib.parse import urlsplit

import httpx2
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import parse_ratelimit_headers

from specchat.domain.errors import (
    HubAccessError,
    HubError,
    HubNotFoundError,
    HubOfflineError,
    HubTemporaryError,
    HubUnknownTokenError,
)
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.network_errors import NO_TRUST, NetworkFailure, classify_network_error

_TRY_LATER = TranslatableText("Try again in a few minutes.")
_WAIT_FIRST = TranslatableText("It asks to wait {minutes} minutes: try again after that.")
_LONGEST_WAIT = 24 * 3600
_OFFLINE = TranslatableText("Check the connection, then try again.")
_GIVE_TOKEN = TranslatableText(
    "Make a token at {tokens} and enter it in the settings, under Hugging Face, or set HF_TOKEN."
)


@dataclass(frozen=True, slots=True)
class HubRequest:
    """What a refusal has to name."""

    endpoint: str
    repo: str = ""
    revision: str = ""
    file: str = ""
    has_token: bool = False

    @property
    def host(self) -> str:
        """Also where the endpoint is no address at all."""
        return self.endpoint.rpartition("//")[2].partition("/")[0].partition(":")[0]

    @property
    def page(self) -> str:
        """Where people look at the repository, and accept its licence."""
        return f"{self.endpoint}/{self.repo}"

    @property
    def tokens(self) -> str:
        return f"{self.endpoint}/settings/tokens"


@contextmanager
def explain_hub_errors(asked: HubRequest) -> Iterator[None]:
    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, OfflineModeIsEnabled, ValueError) as error:
        raise to_hub_error(error, asked) from None


def to_hub_error(error: Exception, asked: HubRequest) -> HubError:
    match error:
        case HfHubHTTPError():
            return refusal_error(error.response.status_code, error.response.headers, asked)
        case OfflineModeIsEnabled():
            return HubOfflineError(
                "HF_HUB_OFFLINE keeps this program off the Hub.",
                "Unset it to ask the Hub.",
            )
        case HFValidationError():
            return HubNotFoundError(
                "{repo} cannot be the name of a repository.", "Write it as owner/name.", repo=asked.repo
            )
        case httpx2.TransportError():
            return _broken_way(error, asked)
        case httpx2.InvalidURL():
            return _no_address(asked)
    return unexpected_answer_error(asked)


def unexpected_answer_error(asked: HubRequest) -> HubError:
    return HubError(
        "What {host} answers is not what the Hub would say.",
        "Check HF_ENDPOINT, and whether this network wants you to log in first.",
        host=asked.host,
    )


def connection_lost_error(asked: HubRequest) -> HubTemporaryError:
    return HubTemporaryError("The connection to {host} broke off.", "Try again.", host=asked.host)


def size_mismatch_error(asked: HubRequest) -> HubError:
    return HubError(
        "{file} is not as long as {host} said before.",
        "Look into the repository again.",
        file=asked.file,
        host=asked.host,
    )


def refusal_error(status: int, headers: Mapping[str, str], asked: HubRequest) -> HubError:
    if status == 429:
        return _too_many(headers, asked)
    if status >= 500 or status == 408:
        return HubTemporaryError(
            "{host} has trouble of its own (error {status}).",
            _WAIT_FIRST if _minutes(headers) > 1 else _TRY_LATER,
            minutes=_minutes(headers),
            wait=_seconds(headers),
            host=asked.host,
            status=status,
        )
    return _refusal_of_the_hub(status, headers, asked)


def storage_refusal_error(status: int, headers: Mapping[str, str], url: str, asked: HubRequest) -> HubError:
    """Of the place to which the Hub sent us. Its addresses expire: a new one may help."""
    return HubTemporaryError(
        "{host} refuses to send {file} (error {status}).",
        _WAIT_FIRST if _minutes(headers) > 1 else _TRY_LATER,
        minutes=_minutes(headers),
        wait=_seconds(headers),
        host=urlsplit(url).hostname,
        file=asked.file,
        status=status,
    )


def _too_many(headers: Mapping[str, str], asked: HubRequest) -> HubTemporaryError:
    wait = _seconds(headers)
    return HubTemporaryError(
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


def _broken_way(error: httpx2.TransportError, asked: HubRequest) -> HubError:
    if isinstance(error, httpx2.UnsupportedProtocol):
        return _no_address(asked)
    match classify_network_error(error):
        case NetworkFailure.NOT_TRUSTED:
            return HubError(
                "The certificate of {host} is not trusted, so the connection is not safe.",
                NO_TRUST,
                host=asked.host,
            )
        case NetworkFailure.NOT_ENCRYPTED:
            return HubError(
                "No encrypted connection to {host} could be made.",
                "Check HF_ENDPOINT and the settings of the proxy.",
                host=asked.host,
            )
        case NetworkFailure.NOT_FOUND:
            return HubOfflineError("{host} is not found: is there a network?", _OFFLINE, host=asked.host)
        case NetworkFailure.PROXY:
            return HubOfflineError(
                "The proxy does not let us through to {host}.", "Check its settings.", host=asked.host
            )
        case NetworkFailure.OUT_OF_REACH:
            return HubOfflineError("{host} cannot be reached.", _OFFLINE, host=asked.host)
        case NetworkFailure.SILENT:
            return HubTemporaryError("{host} does not answer.", _TRY_LATER, host=asked.host)
    return connection_lost_error(asked)


def _no_address(asked: HubRequest) -> HubError:
    return HubError(
        "{address} is not the address of a Hub.", "Correct HF_ENDPOINT, or unset it.", address=asked.endpoint
    )


def _refusal_of_the_hub(status: int, headers: Mapping[str, str], asked: HubRequest) -> HubError:
    if status == 401 and asked.has_token:
        return _unknown_token(asked)
    code, words = headers.get("X-Error-Code", ""), headers.get("X-Error-Message", "").casefold()
    match code:
        case "GatedRepo":
            return _gated(words, asked) if asked.has_token else _no_token(asked)
        case "RepoNotFound":
            return _no_repository(asked)
        case "RevisionNotFound":
            return HubNotFoundError(
                "{repo} has no revision {revision}.",
                "Leave the revision out, or choose one from {page}.",
                repo=asked.repo,
                revision=asked.revision,
                page=asked.page,
            )
        case "EntryNotFound":
            return file_not_found_error(asked)
    if "disabled" in words:
        return HubNotFoundError("The Hub has closed {repo}.", "Choose another model.", repo=asked.repo)
    match status:
        case 401:
            return _no_token(asked)
        case 403:
            return _denied(asked) if asked.has_token else _no_token(asked)
        case 404 if asked.repo:
            return file_not_found_error(asked) if asked.file else _no_repository(asked)
    return HubError(
        "{host} refuses the request (error {status}).",
        "Check HF_ENDPOINT, or try again later.",
        host=asked.host,
        status=status,
    )


def file_not_found_error(asked: HubRequest) -> HubNotFoundError:
    return HubNotFoundError(
        "{repo} has no file {file}.", "Choose one from {page}.", repo=asked.repo, file=asked.file, page=asked.page
    )


def _no_repository(asked: HubRequest) -> HubError:
    if asked.has_token:
        return HubNotFoundError(
            "The Hub has no repository {repo} that your token may see.",
            "Check the name; for a private model, check the token's permissions at {tokens}.",
            repo=asked.repo,
            tokens=asked.tokens,
        )
    return HubNotFoundError(
        "The Hub has no public repository {repo}.",
        "Check the name. For a private model, make a token at {tokens} and enter it in the settings, under"
        " Hugging Face, or set HF_TOKEN.",
        repo=asked.repo,
        tokens=asked.tokens,
    )


def _no_token(asked: HubRequest) -> HubAccessError:
    if not asked.repo:
        return HubAccessError("{host} wants a token.", _GIVE_TOKEN, host=asked.host, tokens=asked.tokens)
    return HubAccessError(
        "{repo} is not open to everyone, and you have given no token.",
        _GIVE_TOKEN,
        repo=asked.repo,
        tokens=asked.tokens,
    )


def _unknown_token(asked: HubRequest) -> HubUnknownTokenError:
    return HubUnknownTokenError(
        "{host} does not know your token; it may have expired.",
        "Make a new one at {tokens} and enter it in the settings, under Hugging Face, or set HF_TOKEN.",
        host=asked.host,
        tokens=asked.tokens,
    )


def _gated(words: str, asked: HubRequest) -> HubAccessError:
    if "reject" in words:
        return _denied(asked)
    if "await" in words:
        return HubAccessError(
            "The authors of {repo} have not answered your request yet.",
            "Wait for their answer, or choose another model.",
            repo=asked.repo,
        )
    return HubAccessError(
        "You have not accepted the licence of {repo} yet.",
        "Open {page}, accept it there, then try again.",
        repo=asked.repo,
        page=asked.page,
    )


def _denied(asked: HubRequest) -> HubAccessError:
    if not asked.repo:
        return HubAccessError(
            "{host} does not allow this with your token.",
            "Check the token's permissions at {tokens}.",
            host=asked.host,
            tokens=asked.tokens,
        )
    return HubAccessError(
        "You may not have {repo}: its authors or the token's permissions do not allow it.",
        "Choose another model, or check the token's permissions at {tokens}.",
        repo=asked.repo,
        tokens=asked.tokens,
    )
