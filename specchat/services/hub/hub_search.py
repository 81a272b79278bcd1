"""Searches the Hub for models that can run on this machine.

The Hub cannot tell sizes apart, so its pages are read on until enough of what they list is wanted.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubAccessError, HubError, HubNotFoundError, HubOfflineError
from specchat.domain.hub import Gating, HubFileKind, HubModel, HubQuery, RemoteModel, RepoListing, is_repository
from specchat.domain.types import Device
from specchat.services.memory.device_memory import known_devices
from specchat.services.memory.fit_estimator import ModelSize, fit_listed
from specchat.services.models.file_choice import default_quantization, estimated_parameters, estimated_size
from specchat.services.models.pair_fit import Fit, LocalModel

if TYPE_CHECKING:  # they take their time to import
    from specchat.gguf.summary import ModelSummary
    from specchat.services.hub.hub import Hub

_ENOUGH = 20
_MOST_REQUESTS = 6


@dataclass(frozen=True, slots=True)
class FoundModel:
    model: HubModel
    size: int = 0
    """In the usual quantisation."""
    fit: Fit | None = None
    """None: the Hub does not say how large it is."""


@dataclass(frozen=True, slots=True)
class HubSearchResults:
    wanted: HubQuery
    models: tuple[FoundModel, ...] = ()
    looked_at: int = 0
    devices: tuple[Device, ...] = ()
    """Against whose memory models were measured."""
    following: str | None = None
    """Where to read on; None: that was all."""
    offline: HubOfflineError | None = None
    """Why the Hub was not asked."""
    here: tuple[LocalModel, ...] = ()
    """In its place, what is on this computer."""


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    model: RemoteModel
    fit: Fit
    here: bool


@dataclass(frozen=True, slots=True)
class RepositoryDetails:
    listing: RepoListing
    files: tuple[RepositoryFile, ...]
    """The smallest first."""
    others: tuple[RemoteModel, ...]
    """Neither models nor heads."""
    devices: tuple[Device, ...] = ()
    """Against whose memory they were measured."""
    heads: tuple[RepositoryFile, ...] = ()
    refused: HubError | None = None
    """Why its files cannot be had, as far as that was found out."""


class HubSearch:
    def __init__(
        self,
        hub: "Callable[[], Hub]",
        here: Callable[[], Sequence[LocalModel]],
        is_here: Callable[[RemoteModel], bool],
        devices: Callable[[], Sequence[Device]] = known_devices,
    ) -> None:
        self._hub, self._here, self._is_here, self._devices = hub, here, is_here, devices

    def search(self, wanted: HubQuery, cancel: CancelToken) -> HubSearchResults:
        start = HubSearchResults(wanted, devices=tuple(self._devices()))
        try:
            return self._with_exact(self._read_on(start, cancel), cancel)
        except HubOfflineError as error:
            return replace(start, offline=error, here=_matching(self._here(), wanted.text))

    def search_more(self, found: HubSearchResults, cancel: CancelToken) -> HubSearchResults:
        """With what was found before."""
        return self._read_on(found, cancel)

    def fetch_repository(self, repo: str, cancel: CancelToken) -> RepositoryDetails:
        listing = self._hub().fetch_listing(repo, None, cancel)
        devices = self._devices()

        def offered(models: Iterable[RemoteModel]) -> tuple[RepositoryFile, ...]:
            by_size = sorted(models, key=lambda model: model.size)
            return tuple(_file(model, devices, is_here=self._is_here(model)) for model in by_size)

        return RepositoryDetails(
            listing,
            offered(model for model in listing.models if model.kind is HubFileKind.MODEL),
            tuple(model for model in listing.models if model.kind is not HubFileKind.MODEL and not model.kind.is_head),
            tuple(devices),
            offered(model for model in listing.models if model.kind.is_head),
            self._refusal(listing, cancel),
        )

    def filter_local(self, models: Sequence[RemoteModel]) -> list[RemoteModel]:
        return [model for model in models if self._is_here(model)]

    def inspect(self, model: RemoteModel, cancel: CancelToken) -> "ModelSummary":
        return self._hub().inspect(model.first, cancel)

    def _refusal(self, listing: RepoListing, cancel: CancelToken) -> HubError | None:
        """Everyone may list what a gated repository holds: only a file tells who may have it."""
        if listing.gating is Gating.OPEN or not listing.models:
            return None
        try:
            with self._hub().open_file(listing.models[0].first, cancel) as file:
                file.read(file.size - 1, 1)
        except HubError as error:
            return error
        return None

    def _read_on(self, found: HubSearchResults, cancel: CancelToken) -> HubSearchResults:
        before = len(found.models)
        for _ in range(_MOST_REQUESTS):
            page = self._hub().source.search(found.wanted, found.following, cancel)
            known = {each.model.repo for each in found.models}
            new = [_add_estimates(model, found.devices) for model in page.models if model.repo not in known]
            found = replace(
                found,
                models=(*found.models, *(each for each in new if _is_wanted(each, found.wanted))),
                looked_at=found.looked_at + len(new),
                following=page.following,
            )
            if found.following is None or len(found.models) - before >= _ENOUGH:
                break
        return found

    def _with_exact(self, found: HubSearchResults, cancel: CancelToken) -> HubSearchResults:
        """A repository whose whole name was given comes first, whatever else is wanted."""
        name = found.wanted.text.strip()
        if not is_repository(name):
            return found
        same = [each for each in found.models if each.model.repo.casefold() == name.casefold()]
        if not same:
            try:
                listing = self._hub().fetch_listing(name, None, cancel)
            except (HubNotFoundError, HubAccessError):
                if found.looked_at == 0:
                    raise
                return found
            same = [FoundModel(HubModel(listing.repo, listing.gating, licence=listing.licence))]
        return replace(found, models=(*same, *(each for each in found.models if each not in same)))


def _add_estimates(model: HubModel, devices: Sequence[Device]) -> FoundModel:
    if not model.parameters:
        return FoundModel(model)
    size = estimated_size(model.parameters, default_quantization(model.parameters, is_draft=False))
    return FoundModel(model, size, _fit(size, model.parameters, devices))


def _file(model: RemoteModel, devices: Sequence[Device], *, is_here: bool) -> RepositoryFile:
    parameters = estimated_parameters(model.size, model.quantization)
    return RepositoryFile(model, _fit(model.size, parameters, devices), is_here)


def _fit(size: int, parameters: int, devices: Sequence[Device]) -> Fit:
    return fit_listed([ModelSize(size, parameters)], devices).verdict


def _is_wanted(found: FoundModel, wanted: HubQuery) -> bool:
    parameters = found.model.parameters
    if wanted.most_parameters is not None and not 0 < parameters <= wanted.most_parameters:
        return False
    return not wanted.only_fitting or found.fit in (Fit.FITS, Fit.TIGHT)


def _matching(models: Sequence[LocalModel], text: str) -> tuple[LocalModel, ...]:
    words = text.casefold().split()
    return tuple(
        model
        for model in models
        if not model.problems and all(word in f"{model.name} {model.path}".casefold() for word in words)
    )
