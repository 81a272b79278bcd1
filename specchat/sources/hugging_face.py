"""The Hugging Face Hub, through its own client."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from huggingface_hub import get_hf_file_metadata, hf_hub_url
from huggingface_hub.utils import build_hf_headers, validate_repo_id

from specchat import __version__
from specchat.domain.cancel import CancelToken
from specchat.domain.hub import Listing, Location, Page, RemoteFile, Search, Sorting
from specchat.sources.beginnings import Beginnings
from specchat.sources.hub_errors import explained, other_size, refusal
from specchat.sources.ranges import RangeSource
from specchat.sources.refusals import Asked
from specchat.sources.repositories import hub_models, repository
from specchat.sources.web import Patience, retried, same_origin, streamed, told

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


class HuggingFace:
    def __init__(
        self,
        token: Callable[[], str | None],
        endpoint: str | None = None,
        cache: Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        """`cache`: the folder for what was read of files; without one it is read again each time."""
        self._token = token
        self._endpoint = (endpoint or os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
        self._kept = Beginnings(cache) if cache else None
        self._patience = patience or Patience()

    def search(self, search: Search, following: str | None, cancel: CancelToken) -> Page:
        asked, token = self._asked()
        query = following or _query(search)

        def attempt() -> Page:
            with explained(asked):
                answer, links = self._told(f"?{query}", asked, token, cancel)
                return Page(hub_models(answer), _following(links))

        return retried(attempt, self._patience, cancel)

    def listing(self, repo: str, revision: str | None, cancel: CancelToken) -> Listing:
        asked, token = self._asked(repo=repo, revision=revision or "")

        def attempt() -> Listing:
            with explained(asked):
                validate_repo_id(repo)
                at = f"/revision/{quote(revision, safe='')}" if revision else ""
                answer, _ = self._told(f"/{repo}{at}?blobs=true", asked, token, cancel)
                return repository(answer)

        return retried(attempt, self._patience, cancel)

    def location(self, file: RemoteFile, cancel: CancelToken) -> Location:
        """The redirect is read, not followed: the token stays with the Hub."""
        asked, token = self._asked(repo=file.repo, revision=file.commit, file=file.path)

        def attempt() -> Location:
            with explained(asked):
                found = get_hf_file_metadata(
                    hf_hub_url(file.repo, file.path, revision=file.commit, endpoint=self._endpoint),
                    token=token or False,
                    timeout=self._patience.silence,
                    library_name=_NAME,
                    library_version=__version__,
                )
                is_at_home = same_origin(found.location, self._endpoint)
            if found.size not in (None, file.size):
                raise other_size(asked)
            headers = {"authorization": f"Bearer {token}"} if token and is_at_home else {}
            return Location(found.location, headers, file.size)

        return retried(attempt, self._patience, cancel)

    def source(self, file: RemoteFile, cancel: CancelToken) -> RangeSource:
        asked, _ = self._asked(repo=file.repo, revision=file.commit, file=file.path)
        return RangeSource(file, asked, lambda: self.location(file, cancel), self._kept, self._patience, cancel)

    def _told(
        self, what: str, asked: Asked, token: str | None, cancel: CancelToken
    ) -> tuple[object, Mapping[str | None, Mapping[str, str]]]:
        """Redirects are followed, as repositories are renamed; to other places the token does not come along."""
        url = f"{self._endpoint}/api/models{what}"
        headers = build_hf_headers(token=token or False, library_name=_NAME, library_version=__version__)
        with streamed(url, headers, self._patience, cancel, follow_redirects=True) as answer:
            if not answer.is_success:
                raise refusal(answer.status_code, answer.headers, asked)
            return told(answer, self._patience), answer.links

    def _asked(self, **what: str) -> tuple[Asked, str | None]:
        token = self._token()
        return Asked(self._endpoint, has_token=token is not None, **what), token


def _query(search: Search) -> str:
    wanted = {"search": search.text.strip(), "author": search.author.strip(), "sort": _SORT[search.sorting]}
    parameters = [("filter", "gguf"), *((name, value) for name, value in wanted.items() if value)]
    return urlencode([*parameters, ("limit", str(_PAGE)), *(("expand", each) for each in _TOLD)])


def _following(links: Mapping[str | None, Mapping[str, str]]) -> str | None:
    """Only what is asked for, not whom: the token goes nowhere else."""
    return urlsplit(links.get("next", {}).get("url", "")).query or None
