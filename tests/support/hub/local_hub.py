from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from support.hub.answers import Answer, Refused, refusal, within
from support.hub.blobs import Blob, Source
from support.hub.faults import Fault, FaultPlan
from support.hub.repositories import Account, Card, Gating, Shelf
from support.hub.serving import Origin
from support.hub.sites import HubSite, Storage
from support.hub.traffic import OriginName, Request, Traffic

Site = Callable[[Request], Answer]


class LocalHub:
    """Two origins, as in reality: the Hub itself, and the storage that large files come from."""

    def __init__(self, page_size: int = 1000) -> None:
        self._library, self._storage = Shelf(), Storage()
        self._faults, self._traffic = FaultPlan(), Traffic()
        self._cdn_origin = self._origin("cdn", self._storage.answer)
        self.cdn = self._cdn_origin.address
        site = HubSite(self._library, self._storage, self.cdn, page_size)
        self._hub_origin = self._origin("hub", site.answer)
        self.endpoint = self._hub_origin.address

    def __enter__(self) -> Self:
        for origin in (self._hub_origin, self._cdn_origin):
            origin.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for origin in (self._hub_origin, self._cdn_origin):
            origin.stop()
        if errors := self._hub_origin.errors + self._cdn_origin.errors:
            raise ExceptionGroup("the local Hub failed", errors)

    def environment(self) -> dict[str, str]:
        """For a child process; it still needs an HF_HOME of its own."""
        return {
            "HF_ENDPOINT": self.endpoint,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "NO_PROXY": "127.0.0.1",
        }

    def add(
        self,
        repo: str,
        files: Mapping[str, Source],
        *,
        revision: str = "main",
        gating: Gating = "open",
        licence: str = "mit",
        downloads: int = 0,
        likes: int = 0,
        trending: int = 0,
        private: bool = False,
        gguf: Mapping[str, object] | None = None,
    ) -> str:
        """A commit that holds these files and no others; what is said about the repository replaces what was said."""
        card = Card(gating, licence, downloads, likes, trending, private, gguf)
        blobs = {path: Blob.named(path, source) for path, source in files.items()}
        return self._library.commit(repo, card, blobs, revision).id

    def token(
        self, token: str, *, accepted: Collection[str] = (), denied: Collection[str] = (), name: str = "someone"
    ) -> None:
        """Of someone who may see `accepted`, be they gated or private, and was turned away from `denied`."""
        self._library.know(token, Account(name, frozenset(accepted), frozenset(denied)))

    def fault(
        self,
        path_or_glob: str,
        fault: Fault,
        *,
        times: int | None = 1,
        after_bytes: int = 0,
        origin: OriginName | None = None,
    ) -> None:
        """For requests with this path, "/owner/name/resolve/…/file" or "/repos/owner/name/…/file" in the storage.

        An answer that it cannot spoil (a HEAD, a redirect, bytes elsewhere in the file) does not use it up.
        """
        begins = after_bytes or fault.after_bytes
        self._faults.add(path_or_glob, replace(fault, after_bytes=begins), times, origin)

    def clear_faults(self) -> None:
        self._faults.clear()

    @property
    def requests(self) -> list[Request]:
        return self._traffic.requests

    def bytes_sent(self, path_or_glob: str) -> int:
        return sum(request.sent_bytes for request in self.requests if request.is_for(path_or_glob))

    def wait_until(self, condition: Callable[[], bool], timeout: float = 60) -> None:
        """Looked at whenever a request comes in or bytes go out."""
        self._traffic.wait_until(condition, timeout)

    def _origin(self, name: OriginName, site: Site) -> Origin:
        return Origin(name, partial(self._answered, site), self._traffic)

    def _answered(self, site: Site, request: Request) -> tuple[Answer, Fault]:
        whole = _plain(site, request)
        part = within(whole, request)
        fault = self._faults.take(request, part)
        if fault.status is not None:
            return refusal(request, fault.refused(request, whole)), fault
        if fault.expired:
            self._storage.expire(request)
            return _plain(site, request), fault
        return (whole if fault.ignores_range else part), fault


def _plain(site: Site, request: Request) -> Answer:
    try:
        return site(request)
    except Refused as refused:
        return refusal(request, refused)
