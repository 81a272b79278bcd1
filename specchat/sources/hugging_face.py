"""The Hugging Face Hub, through its own client."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit

from huggingface_hub import get_hf_file_metadata, hf_hub_url
from huggingface_hub.utils import build_hf_headers, validate_repo_id

from specchat import __version__
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError, HubAccessError, UserError
from specchat.domain.hub import Listing, Location, Page, RemoteFile, Search, Sorting
from specchat.domain.plain import expect
from specchat.sources.beginnings import Beginnings
from specchat.sources.hub_errors import explained, other_size, refusal
from specchat.sources.ranges import RangeSource
from specchat.sources.refusals import Asked, UnknownTokenError
from specchat.sources.repositories import hub_models, repository
from specchat.sources.retries import Clock, Patience
from specchat.sources.web import retried, same_origin, streamed, told

T = TypeVar("T")
Attempt = Callable[[Asked, str | None], T]
"""Is given the token."""

_HUB = "https://huggingface.co"
_PAGE = 30
_TOLD = ("downloads", "gated", "gguf", "lastModified", "likes", "private", "tags")
_SORT = {
    Sorting.DOWNLOADS: "downloads",
    Sorting.LIKES: "likes",
    Sorting.UPDATED: "lastModified",
    Sorting.TRENDING: "trendingScore",
}
_NAME = "specchat"
_PERSON = re.compile(r"[\w.-]{1,100}")


class HuggingFace:
    def __init__(
        self,
        token: Callable[[], str | None],
        endpoint: str | None = None,
        cache: Path | None = None,
        patience: Patience | None = None,
        doubted: Callable[[UserError], None] = lambda _: None,
        clock: Clock | None = None,
    ) -> None:
        """`cache`: the folder for what was read of files; without one it is read again each time.

        `doubted` hears, in any thread, that the Hub does not know the token and has answered without one.
        """
        self._token, self._doubted = token, doubted
        self._endpoint = (endpoint or os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
        self._kept = Beginnings(cache) if cache else None
        self._patience, self._clock = patience or Patience(), clock or Clock()
        self._one_try = replace(self._patience, tries=1)

    def search(self, search: Search, following: str | None, cancel: CancelToken) -> Page:
        query = following or _query(search)

        def attempt(asked: Asked, token: str | None) -> Page:
            answer, links = self._told(f"/api/models?{query}", asked, token, cancel)
            return Page(hub_models(answer), _following(links))

        return self._answered(attempt, Asked(self._endpoint), self._patience, cancel)

    def listing(self, repo: str, revision: str | None, cancel: CancelToken) -> Listing:
        def attempt(asked: Asked, token: str | None) -> Listing:
            validate_repo_id(repo)
            at = f"/revision/{quote(revision, safe='')}" if revision else ""
            answer, _ = self._told(f"/api/models/{repo}{at}?blobs=true", asked, token, cancel)
            return repository(answer)

        asked = Asked(self._endpoint, repo=repo, revision=revision or "")
        return self._answered(attempt, asked, self._patience, cancel)

    def location(self, file: RemoteFile, cancel: CancelToken) -> Location:
        """Asked once: whoever wants the bytes has a patience of his own.

        The redirect is read, not followed: the token stays with the Hub.
        """

        def attempt(asked: Asked, token: str | None) -> Location:
            found = get_hf_file_metadata(
                hf_hub_url(file.repo, file.path, revision=file.commit, endpoint=self._endpoint),
                token=token or False,
                timeout=self._patience.silence,
                library_name=_NAME,
                library_version=__version__,
            )
            if found.size not in (None, file.size):
                raise other_size(asked)
            is_at_home = token and same_origin(found.location, self._endpoint)
            headers = {"authorization": f"Bearer {token}"} if is_at_home else {}
            return Location(found.location, headers, file.size)

        return self._answered(attempt, self._asked_for(file), self._one_try, cancel)

    def source(self, file: RemoteFile, cancel: CancelToken) -> RangeSource:
        asked = self._asked_for(file)
        located = partial(self.location, file, cancel)
        return RangeSource(file, asked, located, self._kept, self._patience, cancel, self._clock)

    def who(self, token: str, cancel: CancelToken) -> str:
        """Whose it is. Asked once: somebody sits there and waits."""
        asked = Asked(self._endpoint, has_token=True)

        def attempt() -> str:
            with explained(asked):
                answer, _ = self._told("/api/whoami-v2", asked, token, cancel)
                return _person(answer, token)

        return retried(attempt, self._one_try, cancel, self._clock)

    def _answered(self, attempt: Attempt[T], asked: Asked, patience: Patience, cancel: CancelToken) -> T:
        """Without the token where the Hub does not know it: what is open to everyone stays open."""

        def answer(given: Callable[[], str | None]) -> T:
            def explained_attempt() -> T:
                token = given()  # a keyring may ask the user first: whoever cancels does not wait for that
                about = replace(asked, has_token=token is not None)
                with explained(about):
                    return attempt(about, token)

            return retried(explained_attempt, patience, cancel, self._clock)

        try:
            return answer(self._token)
        except UnknownTokenError as unknown:
            try:
                found = answer(lambda: None)
            except (HubAccessError, HubAbsentError):
                raise unknown from None
            self._doubted(unknown)
            return found

    def _told(
        self, what: str, asked: Asked, token: str | None, cancel: CancelToken
    ) -> tuple[object, Mapping[str | None, Mapping[str, str]]]:
        """Redirects are followed, as repositories are renamed; to other places the token does not come along."""
        url = f"{self._endpoint}{what}"
        headers = build_hf_headers(token=token or False, library_name=_NAME, library_version=__version__)
        with streamed(url, headers, self._patience, cancel, follow_redirects=True) as answer:
            if not answer.is_success:
                raise refusal(answer.status_code, answer.headers, asked)
            return told(answer, self._patience), answer.links

    def _asked_for(self, file: RemoteFile) -> Asked:
        return Asked(self._endpoint, repo=file.repo, revision=file.commit, file=file.path)


def _query(search: Search) -> str:
    wanted = {"search": search.text.strip(), "author": search.author.strip(), "sort": _SORT[search.sorting]}
    parameters = [("filter", "gguf"), *((name, value) for name, value in wanted.items() if value)]
    return urlencode([*parameters, ("limit", str(_PAGE)), *(("expand", each) for each in _TOLD)])


def _following(links: Mapping[str | None, Mapping[str, str]]) -> str | None:
    """Only what is asked for, not whom: the token goes nowhere else."""
    return urlsplit(links.get("next", {}).get("url", "")).query or None


def _person(answer: object, token: str) -> str:
    """ValueError: nobody's name. It is shown, and a server may repeat the token in its place."""
    name = expect(str, expect(dict, answer).get("name"))
    if not _PERSON.fullmatch(name) or token in name:
        raise ValueError("no name")
    return name
