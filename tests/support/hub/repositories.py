"""What the Hub keeps, and who may see it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from support.hub.answers import Refused
from support.hub.blobs import Blob

Gating = Literal["open", "auto", "manual"]
_FIRST_COMMIT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Card:
    gating: Gating
    licence: str
    downloads: int
    likes: int
    trending: int
    private: bool
    gguf: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    at: datetime
    files: Mapping[str, Blob]


@dataclass(frozen=True, slots=True)
class Repository:
    name: str
    card: Card
    commits: Mapping[str, Commit] = field(default_factory=dict)
    branches: Mapping[str, str] = field(default_factory=dict)

    @property
    def author(self) -> str:
        return self.name.partition("/")[0]

    @property
    def newest(self) -> Commit:
        """What searches tell about."""
        return self.at("main") or list(self.commits.values())[-1]

    def at(self, revision: str) -> Commit | None:
        return self.commits.get(self.branches.get(revision, revision))


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    accepted: frozenset[str]
    denied: frozenset[str]


class Shelf:
    """Its values are replaced, never changed: any thread may read."""

    def __init__(self) -> None:
        self._repositories: dict[str, Repository] = {}
        self._accounts: dict[str, Account] = {}

    def commit(self, name: str, card: Card, files: Mapping[str, Blob], revision: str) -> Commit:
        past = self._repositories.get(name, Repository(name, card))
        number = sum(len(each.commits) for each in self._repositories.values())
        commit_id = hashlib.sha1(f"{name} {number}".encode()).hexdigest()
        commit = Commit(commit_id, _FIRST_COMMIT + timedelta(hours=number), files)
        commits, branches = {**past.commits, commit.id: commit}, {**past.branches, revision: commit.id}
        self._repositories[name] = replace(past, card=card, commits=commits, branches=branches)
        return commit

    def know(self, token: str, account: Account) -> None:
        self._accounts[token] = account

    def account(self, authorization: str | None) -> Account | None:
        if authorization is None:
            return None
        account = self._accounts.get(authorization.removeprefix("Bearer "))
        if account is None:
            raise Refused(401, "", "Invalid credentials in Authorization header")
        return account

    def visible(self, account: Account | None) -> list[Repository]:
        return [each for each in list(self._repositories.values()) if _may_see(account, each)]

    def repository(self, name: str, account: Account | None) -> Repository:
        repository = self._repositories.get(name)
        if repository is not None and _may_see(account, repository):
            return repository
        if account is None:
            raise Refused(401, "RepoNotFound", "Invalid username or password.")
        raise Refused(404, "RepoNotFound", "Repository not found")


def refuse_unless_accepted(repository: Repository, account: Account | None, page: str) -> None:
    """Everyone may list what a gated repository holds; only its files are kept back."""
    name = repository.name
    if repository.card.gating == "open" or (account is not None and name in account.accepted - account.denied):
        return
    restricted = f"Access to model {name} is restricted"
    if account is None:
        reason = f"{restricted}. You must have access to it and be authenticated to access it. Please log in."
        raise Refused(401, "GatedRepo", reason)
    if name in account.denied:
        reason = f"Your request to access model {name} has been rejected by the repo's authors."
        raise Refused(403, "GatedRepo", reason)
    raise Refused(
        403, "GatedRepo", f"{restricted} and you are not in the authorized list. Visit {page} to ask for access."
    )


def _may_see(account: Account | None, repository: Repository) -> bool:
    return not repository.card.private or (account is not None and repository.name in account.accepted)
