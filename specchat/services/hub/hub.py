"""Remembers what repositories of the Hub hold, and reads headers of their models."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubNotFoundError
from specchat.domain.hub import HubReference, RemoteFile, RepoListing
from specchat.domain.ports import ModelSource, RemoteBytes

if TYPE_CHECKING:  # it needs numpy
    from specchat.gguf.summary import ModelSummary

_NAMED_AT_MOST = 6


class Hub:
    def __init__(self, source: ModelSource) -> None:
        self.source = source
        self._seen: dict[tuple[str, str | None], RepoListing] = {}

    def fetch_listing(self, repo: str, revision: str | None, cancel: CancelToken) -> RepoListing:
        """Asks anew each time."""
        listing = self.source.listing(repo, revision, cancel)
        self._seen[repo, revision] = listing
        return listing

    def find_file(self, reference: HubReference, cancel: CancelToken) -> RemoteFile:
        repo, revision = reference.repo, reference.revision
        listing = self._seen.get((repo, revision)) or self.fetch_listing(repo, revision, cancel)
        files = {file.path: file for model in listing.models for file in model.files}
        if found := files.get(reference.file):
            return found
        names = [model.first.path for model in listing.models]
        raise HubNotFoundError(
            "{repo} has no model file {file}.",
            "Choose one of these: {names}" if names else "It has no GGUF models. Choose another repository.",
            repo=repo,
            file=reference.file,
            names=", ".join([*names[:_NAMED_AT_MOST], *(["…"] if len(names) > _NAMED_AT_MOST else [])]),
        )

    @contextmanager
    def open_file(self, file: RemoteFile, cancel: CancelToken) -> Iterator[RemoteBytes]:
        """What was read is kept for the next time, unless that ended in an error."""
        source = self.source.open_file(file, cancel)
        yield source
        source.save_to_cache()

    def inspect(self, file: RemoteFile, cancel: CancelToken) -> "ModelSummary":
        from specchat.gguf.header import read_header
        from specchat.gguf.summary import summarise

        with self.open_file(file, cancel) as source:
            return summarise(read_header(source), source)
