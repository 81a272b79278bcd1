"""Turns refusals of the Hub into user errors."""

from collections.abc import Mapping
from dataclasses import dataclass

from specchat.domain.errors import HubAccessError, HubError, HubNotFoundError
from specchat.domain.translatable_text import TranslatableText

_GIVE_TOKEN = TranslatableText(
    "Make a token at {tokens} and enter it in the settings, under Hugging Face, or set HF_TOKEN."
)


class UnknownTokenError(HubAccessError):
    """Whatever was asked for, it may be open to everyone."""


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


def hub_refusal_error(status: int, headers: Mapping[str, str], asked: HubRequest) -> HubError:
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


def _unknown_token(asked: HubRequest) -> UnknownTokenError:
    return UnknownTokenError(
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
