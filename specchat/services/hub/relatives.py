"""Which repositories of the Hub may hold a draft, found with few requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from specchat.domain.cancel import CancelToken
from specchat.domain.hub import HubModel, Search
from specchat.services.hub.hub import Hub
from specchat.services.models.model_names import bare, parameters_named, searches_for_relatives, words_shared

_LOOKED_INTO = 5
_LEAST_SMALLER = 2.0
_BEST_SMALLER = 10.0
_A_WORD_IN_COMMON = 0.5
"""As much as being that many halvings nearer to the best size."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A relative of this target."""

    name: str
    architecture: str
    parameters: int


def relatives(wanted: Wanted, hub: Hub, cancel: CancelToken) -> list[HubModel]:
    """The likeliest first: of its own kind, and about a tenth as large."""
    found: dict[str, HubModel] = {}
    for text in searches_for_relatives(wanted.name):
        for model in hub.search(Search(text), None, cancel).models:
            found.setdefault(model.repo, model)
    likely = sorted(_smaller(wanted, found), key=lambda model: _distance(wanted, model))
    by_name = {bare(model.repo): model for model in reversed(likely)}  # others publish the same
    return [model for model in likely if by_name[bare(model.repo)] is model][:_LOOKED_INTO]


def _smaller(wanted: Wanted, found: dict[str, HubModel]) -> Iterator[HubModel]:
    for model in found.values():
        if 0 < _parameters(model) <= wanted.parameters / _LEAST_SMALLER and bare(model.repo) != bare(wanted.name):
            yield model


def _distance(wanted: Wanted, model: HubModel) -> tuple[bool, float, int]:
    far = abs(log2(wanted.parameters / _parameters(model) / _BEST_SMALLER))
    alike = _A_WORD_IN_COMMON * words_shared(wanted.name, model.repo)
    is_other = "" != model.architecture.removesuffix("moe") != wanted.architecture.removesuffix("moe")
    return is_other, far - alike, -model.downloads


def _parameters(model: HubModel) -> int:
    return model.parameters or parameters_named(model.repo)
