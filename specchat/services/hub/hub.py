"""What can be done with the Hub before anything is downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError
from specchat.domain.hub import HubReference, Listing, Page, RemoteFile, Search
from specchat.domain.ports import ModelSource, RemoteBytes

if TYPE_CHECKING:  # it needs numpy
    from specchat.gguf.summary import ModelSummary

_NAMED_AT_MOST = 6


class Hub:
    def __init__(self, source: ModelSource) -> None:
        self._source = source
        self._seen: dict[tuple[str, str | None], Listing] = {}

    def search(self, search: Search, following: str | None, cancel: CancelToken) -> Page:
        return self._source.search(search, following, cancel)

    def look(self, repo: str, revision: str | None, cancel: CancelToken) -> Listing:
        """Asks anew each time."""
        listing = self._source.listing(repo, revision, cancel)
        self._seen[repo, revision] = listing
        return listing

    def find(self, reference: HubReference, cancel: CancelToken) -> RemoteFile:
        repo, revision = reference.repo, reference.revision
        listing = self._seen.get((repo, revision)) or self.look(repo, revision, cancel)
        files = {file.path: file for model in listing.models for file in model.files}
        if found := files.get(reference.file):
            return found
        names = [model.first.path for model in listing.models]
        raise HubAbsentError(
            "{repo} has no model file {file}.",
            "Choose one of these: {names}" if names else "It has no GGUF models; choose another repository.",
            repo=repo,
            file=reference.file,
            names=", ".join([*names[:_NAMED_AT_MOST], *(["…"] if len(names) > _NAMED_AT_MOST else [])]),
        )

    @contextmanager
    def opened(self, file: RemoteFile, cancel: CancelToken) -> Iterator[RemoteBytes]:
        """What was read is kept for the next time, unless that ended in an error."""
        source = self._source.source(file, cancel)
        yield source
        source.keep()

    def inspect(self, file: RemoteFile, cancel: CancelToken) -> "ModelSummary":
        from specchat.gguf.header import read_header
        from specchat.gguf.summary import summarise

        with self.opened(file, cancel) as source:
            return summarise(read_header(source), source)
