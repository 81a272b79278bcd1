"""Access to the Hugging Face Hub: search, listings, file locations and headers."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit

from huggingface_hub import get_hf_file_metadata, hf_hub_url
from huggingface_hub.hf_api import ModelInfo, RepoSibling
from huggingface_hub.utils import build_hf_headers, validate_repo_id

from specchat import __version__
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubAccessError, HubNotFoundError, HubUnknownTokenError, UserError
from specchat.domain.hub import (
    DownloadLocation,
    Gating,
    HubFileKind,
    HubModel,
    HubQuery,
    HubResultPage,
    HubSortOrder,
    RemoteFile,
    RemoteModel,
    RepoListing,
    hub_endpoint,
    is_model_file,
)
from specchat.domain.serialization import require_type
from specchat.sources.file_names import is_safe_path, kind_of, parse_part, quantization_of
from specchat.sources.header_cache import HeaderCache
from specchat.sources.http_requests import (
    Clock,
    RetryPolicy,
    call_with_retries,
    read_json,
    same_origin,
    stream_response,
)
from specchat.sources.hub_errors import HubRequest, explain_hub_errors, refusal_error, size_mismatch_error
from specchat.sources.range_source import RangeSource

T = TypeVar("T")
Attempt = Callable[[HubRequest, str | None], T]  # is given the token

_PAGE = 30
_TOLD = ("downloads", "gated", "gguf", "lastModified", "likes", "private", "tags")
_SORT = {
    HubSortOrder.DOWNLOADS: "downloads",
    HubSortOrder.LIKES: "likes",
    HubSortOrder.UPDATED: "lastModified",
    HubSortOrder.TRENDING: "trendingScore",
}
_NAME = "specchat"
_PERSON = re.compile(r"[\w.-]{1,100}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_REPO = re.compile(r"[\w.-]+(?:/[\w.-]+)?", re.ASCII)
_LONGEST = 200
_MOST_TOKENS = 1 << 31
_MOST_PARAMETERS = 10**14
_MOST_BYTES = 1 << 62
_UNFIT = (ValueError, TypeError, KeyError, AttributeError)
"""Exceptions that the client raises for unexpected values."""


class HuggingFace:
    def __init__(
        self,
        token: Callable[[], str | None],
        endpoint: str | None = None,
        cache: Path | None = None,
        patience: RetryPolicy | None = None,
        doubted: Callable[[UserError], None] = lambda _: None,
        clock: Clock | None = None,
    ) -> None:
        """`cache`: the folder for what was read of files; without one it is read again each time.

        `doubted` hears, in any thread, that the Hub does not know the token and has answered without one.
        """
        self._token, self._doubted = token, doubted
        self._endpoint = (endpoint or hub_endpoint()).rstrip("/")
        self._kept = HeaderCache(cache) if cache else None
        self._patience, self._clock = patience or RetryPolicy(), clock or Clock()
        self._one_try = replace(self._patience, tries=1)

    def search(self, search: HubQuery, following: str | None, cancel: CancelToken) -> HubResultPage:
        query = following or _query(search)

        def attempt(asked: HubRequest, token: str | None) -> HubResultPage:
            answer, links = self._fetched(f"/api/models?{query}", asked, token, cancel)
            return HubResultPage(_parse_models(answer), _following(links))

        return self._answered(attempt, HubRequest(self._endpoint), self._patience, cancel)

    def listing(self, repo: str, revision: str | None, cancel: CancelToken) -> RepoListing:
        def attempt(asked: HubRequest, token: str | None) -> RepoListing:
            validate_repo_id(repo)
            at = f"/revision/{quote(revision, safe='')}" if revision else ""
            answer, _ = self._fetched(f"/api/models/{repo}{at}?blobs=true", asked, token, cancel)
            return _parse_listing(answer)

        about = HubRequest(self._endpoint, repo=repo, revision=revision or "")
        return self._answered(attempt, about, self._patience, cancel)

    def location(self, file: RemoteFile, cancel: CancelToken) -> DownloadLocation:
        """Asked once: whoever wants the bytes has a patience of his own.

        The redirect is read, not followed: the token stays with the Hub.
        """

        def attempt(asked: HubRequest, token: str | None) -> DownloadLocation:
            found = get_hf_file_metadata(
                hf_hub_url(file.repo, file.path, revision=file.commit, endpoint=self._endpoint),
                token=token or False,
                timeout=self._patience.silence,
                library_name=_NAME,
                library_version=__version__,
            )
            if found.size not in (None, file.size):
                raise size_mismatch_error(asked)
            is_at_home = token and same_origin(found.location, self._endpoint)
            headers = {"authorization": f"Bearer {token}"} if is_at_home else {}
            return DownloadLocation(found.location, headers, file.size)

        return self._answered(attempt, self._asked_for(file), self._one_try, cancel)

    def open_file(self, file: RemoteFile, cancel: CancelToken) -> RangeSource:
        asked = self._asked_for(file)
        located = partial(self.location, file, cancel)
        return RangeSource(file, asked, located, self._kept, self._patience, cancel, self._clock)

    def whoami(self, token: str, cancel: CancelToken) -> str:
        """Whose it is. Asked once: somebody sits there and waits."""
        asked = HubRequest(self._endpoint, has_token=True)

        def attempt() -> str:
            with explain_hub_errors(asked):
                answer, _ = self._fetched("/api/whoami-v2", asked, token, cancel)
                return _person(answer, token)

        return call_with_retries(attempt, self._one_try, cancel, self._clock)

    def _answered(self, attempt: Attempt[T], asked: HubRequest, patience: RetryPolicy, cancel: CancelToken) -> T:
        """Without the token where the Hub does not know it: what is open to everyone stays open."""

        def answer(given: Callable[[], str | None]) -> T:
            def explained_attempt() -> T:
                token = given()  # a keyring may ask the user first: whoever cancels does not wait for that
                about = replace(asked, has_token=token is not None)
                with explain_hub_errors(about):
                    return attempt(about, token)

            return call_with_retries(explained_attempt, patience, cancel, self._clock)

        try:
            return answer(self._token)
        except HubUnknownTokenError as unknown:
            try:
                found = answer(lambda: None)
            except (HubAccessError, HubNotFoundError):
                raise unknown from None
            self._doubted(unknown)
            return found

    def _fetched(
        self, what: str, asked: HubRequest, token: str | None, cancel: CancelToken
    ) -> tuple[object, Mapping[str | None, Mapping[str, str]]]:
        """Redirects are followed, as repositories are renamed; to other places the token does not come along.

        `HfApi` reads answers of any length for any time, sleeps between tries where no cancel wakes it, and gives up a
        page for one bad description: its session, headers and values are used here, its requests are not.
        """
        url = f"{self._endpoint}{what}"
        headers = build_hf_headers(token=token or False, library_name=_NAME, library_version=__version__)
        with stream_response(url, headers, self._patience, cancel, follow_redirects=True) as answer:
            if not answer.is_success:
                raise refusal_error(answer.status_code, answer.headers, asked)
            return read_json(answer, self._patience), answer.links

    def _asked_for(self, file: RemoteFile) -> HubRequest:
        return HubRequest(self._endpoint, repo=file.repo, revision=file.commit, file=file.path)


def _query(search: HubQuery) -> str:
    text, author = search.text.strip(), search.author.strip()
    if text.endswith("/") and not author:
        text, author = "", text[:-1]
    wanted = {"search": text, "author": author, "sort": _SORT[search.sorting]}
    parameters = [("filter", "gguf"), *((name, value) for name, value in wanted.items() if value)]
    return urlencode([*parameters, ("limit", str(_PAGE)), *(("expand", each) for each in _TOLD)])


def _following(links: Mapping[str | None, Mapping[str, str]]) -> str | None:
    """Only what is asked for, not whom: the token goes nowhere else."""
    return urlsplit(links.get("next", {}).get("url", "")).query or None


def _person(answer: object, token: str) -> str:
    """ValueError: nobody's name. It is shown, and a server may repeat the token in its place."""
    name = require_type(str, require_type(dict, answer).get("name"))
    if not _PERSON.fullmatch(name) or token in name:
        raise ValueError("no name")
    return name


def _parse_models(answer: object) -> tuple[HubModel, ...]:
    """What authors describe badly does not hide what others have. ValueError: none of it is a model."""
    found, models = require_type(list, answer), []
    for each in found:
        with suppress(*_UNFIT):
            models.append(_hub_model(ModelInfo(**each)))
    if found and not models:
        raise ValueError("no models")
    return tuple(models)


def _parse_listing(answer: object) -> RepoListing:
    """ValueError: it is no repository."""
    try:
        info = ModelInfo(**require_type(dict, answer))
        repo, commit = _matching(_REPO, info.id), _matching(_COMMIT, info.sha)
        files = [file for each in info.siblings or () if (file := _file(each, repo, commit))]
        return RepoListing(repo, commit, _gating(info), _licence(info), tuple(_models(files)))
    except _UNFIT as error:
        raise ValueError("no repository") from error


def _hub_model(info: ModelInfo) -> HubModel:
    gguf: Mapping[str, object] = info.gguf if isinstance(info.gguf, dict) else {}
    return HubModel(
        repo=_matching(_REPO, info.id),
        gating=_gating(info),
        private=bool(info.private),
        licence=_licence(info),
        downloads=_number(info.downloads),
        likes=_number(info.likes),
        updated=info.last_modified,
        architecture=_text(gguf.get("architecture")),
        parameters=_number(gguf.get("total"), _MOST_PARAMETERS),
        n_ctx_train=_number(gguf.get("context_length"), _MOST_TOKENS) or None,
    )


def _file(sibling: RepoSibling, repo: str, commit: str) -> RemoteFile | None:
    path, size = sibling.rfilename, sibling.lfs.size if sibling.lfs else sibling.size
    if not is_model_file(path) or not is_safe_path(path) or type(size) is not int:
        return None
    if not 0 <= size < _MOST_BYTES:
        return None
    sha256 = sibling.lfs.sha256 if sibling.lfs else None
    is_known = isinstance(sha256, str) and _SHA256.fullmatch(sha256)
    return RemoteFile(repo, commit, path, size, sha256 if is_known else None)


def _models(files: Iterable[RemoteFile]) -> Iterator[RemoteModel]:
    """Those of which parts are missing are left out: nobody could run them."""
    parts: dict[tuple[str, int], dict[int, RemoteFile]] = defaultdict(dict)
    for file in files:
        name, part, n_parts = parse_part(file.path) or (file.path, 1, 1)
        parts[name, n_parts][part] = file
    for (_, n_parts), found in sorted(parts.items()):
        if sorted(found) == list(range(1, n_parts + 1)):
            yield _model(tuple(found[part] for part in sorted(found)))


def _model(files: tuple[RemoteFile, ...]) -> RemoteModel:
    kind = kind_of(files[0].path)
    return RemoteModel(files, kind, "" if kind is HubFileKind.IMATRIX else quantization_of(files[0].path))


def _gating(info: ModelInfo) -> Gating:
    return Gating.AUTO if info.gated == "auto" else Gating.MANUAL if info.gated else Gating.OPEN


def _licence(info: ModelInfo) -> str:
    tags = info.tags if isinstance(info.tags, list) else []
    named = (tag.removeprefix("license:") for tag in tags if isinstance(tag, str) and tag.startswith("license:"))
    return _text(next(named, ""))


def _matching(pattern: re.Pattern[str], plain: object) -> str:
    text = require_type(str, plain)
    if len(text) > _LONGEST or not pattern.fullmatch(text):
        raise ValueError(text)
    return text


def _text(plain: object) -> str:
    """It is shown: nothing in it may be invisible or turn the text around."""
    return plain if isinstance(plain, str) and plain.isprintable() and len(plain) <= _LONGEST else ""


def _number(plain: object, most: int = 1 << 53) -> int:
    """0: not known, or no number that there could be."""
    return plain if type(plain) is int and 0 <= plain <= most else 0
