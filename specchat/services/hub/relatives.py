"""Searches the Hub for smaller relatives of a target with few requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import HubModel, HubQuery, HubSortOrder
from specchat.services.hub.hub import Hub
from specchat.services.models.model_names import (
    count_shared_words,
    normalize_name,
    parse_parameters,
    relative_search_terms,
)

_LOOKED_INTO = 5
_LEAST_SMALLER = 2.0
_BEST_SMALLER = 10.0
_A_WORD_IN_COMMON = 0.5
"""The bonus for a common word, in halvings of the distance to the best size."""


@dataclass(frozen=True, slots=True)
class RelativeQuery:
    """A relative of this target."""

    name: str
    architecture: str
    parameters: int


def find_relatives(wanted: RelativeQuery, hub: Hub, cancel: CancelToken) -> list[HubModel]:
    """The likeliest first: of its own kind, and about a tenth as large."""
    found: dict[str, HubModel] = {}
    for text in relative_search_terms(wanted.name):
        for model in hub.source.search(HubQuery(text, sorting=HubSortOrder.DOWNLOADS), None, cancel).models:
            found.setdefault(model.repo, model)
    likely = sorted(_smaller(wanted, found), key=lambda model: _distance(wanted, model))
    by_name = {normalize_name(model.repo): model for model in reversed(likely)}  # others publish the same
    return [model for model in likely if by_name[normalize_name(model.repo)] is model][:_LOOKED_INTO]


def _smaller(wanted: RelativeQuery, found: dict[str, HubModel]) -> Iterator[HubModel]:
    for model in found.values():
        if 0 < _parameters(model) <= wanted.parameters / _LEAST_SMALLER and normalize_name(
            model.repo
        ) != normalize_name(wanted.name):
            yield model


def _distance(wanted: RelativeQuery, model: HubModel) -> tuple[bool, float, int]:
    far = abs(log2(wanted.parameters / _parameters(model) / _BEST_SMALLER))
    alike = _A_WORD_IN_COMMON * count_shared_words(wanted.name, model.repo)
    is_other = "" != model.architecture.removesuffix("moe") != wanted.architecture.removesuffix("moe")
    return is_other, far - alike, -model.downloads


def _parameters(model: HubModel) -> int:
    return model.parameters or parse_parameters(model.repo)
