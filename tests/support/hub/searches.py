"""Which repositories a search finds, and one page of them."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from support.hub.answers import Refused
from support.hub.repositories import Repository
from support.hub.shapes import EXPANDABLE, LISTED, LISTED_IN_FULL, Json, model, only
from support.hub.traffic import Request

Query = Mapping[str, list[str]]
Item = TypeVar("Item")

_SORTS: dict[str, Callable[[Repository], float]] = {
    "downloads": lambda repository: repository.card.downloads,
    "likes": lambda repository: repository.card.likes,
    "trendingScore": lambda repository: repository.card.trending,
    "lastModified": lambda repository: repository.newest.at.timestamp(),
    "createdAt": lambda repository: next(iter(repository.commits.values())).at.timestamp(),
}


def found(repositories: Sequence[Repository], query: Query) -> list[Repository]:
    sort = first(query, "sort", "trendingScore")
    if sort not in _SORTS:
        raise Refused(400, "", f"Invalid sort parameter: {sort}")
    words = first(query, "search").casefold().split()
    author, tags = first(query, "author"), set(query.get("filter", []))
    hits = [
        each
        for each in repositories
        if all(word in each.name.casefold() for word in words) and author in ("", each.author) and tags <= _tags(each)
    ]
    return sorted(hits, key=_SORTS[sort], reverse=first(query, "direction", "-1") == "-1")


def listed(repository: Repository, query: Query) -> Json:
    shown = model(repository, repository.newest)
    if wanted := expanded(query):
        return only(shown, wanted)
    card = ("cardData",) if flag(query, "cardData") else ()
    return only(shown, (*(LISTED_IN_FULL if flag(query, "full") else LISTED), *card))


def expanded(query: Query) -> list[str]:
    wanted = [*query.get("expand", []), *query.get("expand[]", [])]
    if unknown := set(wanted) - EXPANDABLE:
        raise Refused(400, "", f"Invalid expand parameter: {sorted(unknown)}")
    return wanted


def page(items: Sequence[Item], request: Request, largest: int) -> tuple[Sequence[Item], dict[str, str]]:
    """And the headers that lead to the next one."""
    try:
        size = min(int(first(request.query, "limit", str(largest))), largest)
        start = int(urlsafe_b64decode(first(request.query, "cursor")) or 0)
    except ValueError as error:
        raise Refused(400, "", "Invalid limit or cursor") from error
    stop = start + size
    if stop >= len(items):
        return items[start:], {}
    query = urlencode({**request.query, "cursor": [urlsafe_b64encode(str(stop).encode()).decode()]}, doseq=True)
    link = f'<http://{request.headers["host"]}{request.path}?{query}>; rel="next"'
    return items[start:stop], {"Link": link}


def first(query: Query, name: str, otherwise: str = "") -> str:
    return query.get(name, [otherwise])[0]


def flag(query: Query, name: str) -> bool:
    return first(query, name).casefold() in ("true", "1")


def _tags(repository: Repository) -> set[str]:
    tags = model(repository, repository.newest)["tags"]
    assert isinstance(tags, list)
    return set(tags)
