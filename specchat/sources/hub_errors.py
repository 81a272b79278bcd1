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
_WAIT_FIRST = TranslatableText("Try again in {minutes} minutes.")
_LONGEST_WAIT = 24 * 3600
_OFFLINE = TranslatableText("Check your connection, then try again.")
_GIVE_TOKEN = TranslatableText("Create a token at {tokens} and enter it in Settings > Hugging Face, or set HF_TOKEN.")


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
                "HF_HUB_OFFLINE is set, so specchat doesn't access the Hub.",
                "Unset it to access the Hub.",
            )
        case HFValidationError():
            return HubNotFoundError(
                "{repo} is not a valid repository name.", "Write it as owner/repo.", repo=asked.repo
            )
        case httpx2.TransportError():
            return _broken_way(error, asked)
        case httpx2.InvalidURL():
            return _no_address(asked)
    return unexpected_answer_error(asked)


def unexpected_answer_error(asked: HubRequest) -> HubError:
    return HubError(
        "{host} doesn't respond like the Hugging Face Hub.",
        "Check HF_ENDPOINT, and whether this network requires you to log in first.",
        host=asked.host,
    )


def connection_lost_error(asked: HubRequest) -> HubTemporaryError:
    return HubTemporaryError("The connection to {host} was lost.", "Try again.", host=asked.host)


def size_mismatch_error(asked: HubRequest) -> HubError:
    return HubError(
        "{file} is not the size that {host} reported.",
        "Reload the repository page.",
        file=asked.file,
        host=asked.host,
    )


def refusal_error(status: int, headers: Mapping[str, str], asked: HubRequest) -> HubError:
    if status == 429:
        return _too_many(headers, asked)
    if status >= 500 or status == 408:
        return HubTemporaryError(
            "{host} has a server problem (error {status}).",
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
        "{host} refused to send {file} (error {status}).",
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
        "Too many requests to {host}. Try again in {time}." if wait else "Too many requests to {host}.",
        "Wait a moment, then try again."
        if asked.has_token
        else "Wait a moment, then try again. The limit is higher with an access token.",
        wait=wait,
        time=_time(round(wait)),
        host=asked.host,
    )


def _time(seconds: int) -> TranslatableText:
    return TranslatableText("{n} seconds", n=seconds) if seconds > 1 else TranslatableText("a second")


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
                "The certificate for {host} is not trusted, so the connection is not secure.",
                NO_TRUST,
                host=asked.host,
            )
        case NetworkFailure.NOT_ENCRYPTED:
            return HubError(
                "Couldn't establish a secure connection to {host}.",
                "Check HF_ENDPOINT and your proxy settings.",
                host=asked.host,
            )
        case NetworkFailure.PROXY:
            return HubOfflineError(
                "The proxy refused the connection to {host}.", "Check the proxy settings.", host=asked.host
            )
        case NetworkFailure.NOT_FOUND | NetworkFailure.OUT_OF_REACH:
            return HubOfflineError("Can't reach {host}.", _OFFLINE, host=asked.host)
        case NetworkFailure.SILENT:
            return HubTemporaryError("{host} isn't responding.", _TRY_LATER, host=asked.host)
    return connection_lost_error(asked)


def _no_address(asked: HubRequest) -> HubError:
    return HubError("{address} is not a valid Hub URL.", "Correct or unset HF_ENDPOINT.", address=asked.endpoint)


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
                "Omit the revision, or choose one from {page}.",
                repo=asked.repo,
                revision=asked.revision,
                page=asked.page,
            )
        case "EntryNotFound":
            return file_not_found_error(asked)
    if "disabled" in words:
        return HubNotFoundError("The Hub has disabled {repo}.", "Choose another model.", repo=asked.repo)
    match status:
        case 401:
            return _no_token(asked)
        case 403:
            return _denied(asked) if asked.has_token else _no_token(asked)
        case 404 if asked.repo:
            return file_not_found_error(asked) if asked.file else _no_repository(asked)
    return HubError(
        "{host} rejected the request (error {status}).",
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
            "The Hub has no repository {repo} that your token can access.",
            "Check the name. For a private model, check the token's permissions at {tokens}.",
            repo=asked.repo,
            tokens=asked.tokens,
        )
    return HubNotFoundError(
        "The Hub has no public repository {repo}.",
        "Check the name. For a private model, create a token at {tokens} and enter it in Settings > "
        "Hugging Face, or set HF_TOKEN.",
        repo=asked.repo,
        tokens=asked.tokens,
    )


def _no_token(asked: HubRequest) -> HubAccessError:
    if not asked.repo:
        return HubAccessError("{host} requires an access token.", _GIVE_TOKEN, host=asked.host, tokens=asked.tokens)
    return HubAccessError(
        "{repo} is not public, and no Hugging Face access token is set.",
        _GIVE_TOKEN,
        repo=asked.repo,
        tokens=asked.tokens,
    )


def _unknown_token(asked: HubRequest) -> HubUnknownTokenError:
    return HubUnknownTokenError(
        "{host} rejected your token. It may have expired.",
        "Create a new one at {tokens} and enter it in Settings > Hugging Face, or set HF_TOKEN.",
        host=asked.host,
        tokens=asked.tokens,
    )


def _gated(words: str, asked: HubRequest) -> HubAccessError:
    if "reject" in words:
        return _denied(asked)
    if "await" in words:
        return HubAccessError(
            "The authors of {repo} haven't approved your request yet.",
            "Wait for their approval, or choose another model.",
            repo=asked.repo,
        )
    return HubAccessError(
        "You haven't accepted the license for {repo} yet.",
        "Accept it at {page}, then try again.",
        repo=asked.repo,
        page=asked.page,
    )


def _denied(asked: HubRequest) -> HubAccessError:
    if not asked.repo:
        return HubAccessError(
            "Your token doesn't allow this on {host}.",
            "Check the token's permissions at {tokens}.",
            host=asked.host,
            tokens=asked.tokens,
        )
    return HubAccessError(
        "You don't have access to {repo}: its authors or your token's permissions don't allow it.",
        "Choose another model, or check the token's permissions at {tokens}.",
        repo=asked.repo,
        tokens=asked.tokens,
    )
