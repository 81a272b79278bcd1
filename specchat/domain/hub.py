"""Repositories, files, addresses and queries of the Hugging Face Hub."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

_REFERENCE = re.compile(
    r"(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?:(?P<file>[^:]+\.(?:gguf|safetensors))", re.IGNORECASE
)
_HUB = "https://huggingface.co"
_NAMES = {"huggingface.co", "www.huggingface.co", "hf.co"}
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_NO_OWNERS = {"api", "blog", "collections", "datasets", "docs", "papers", "settings", "spaces"}


@dataclass(frozen=True, slots=True)
class HubReference:
    """A model on the Hub as people write it: owner/repo[@revision]:file.gguf"""

    repo: str
    file: str
    revision: str | None = None

    @property
    def name(self) -> str:
        return self.file.rpartition("/")[2]

    def __str__(self) -> str:
        return f"{self.repo}{f'@{self.revision}' if self.revision else ''}:{self.file}"


def parse_hub_reference(text: str) -> HubReference | None:
    found = _REFERENCE.fullmatch(text)
    if found is None or not is_model_file(found["file"]):
        return None
    return HubReference(found["repo"], found["file"], found["revision"])


def is_model_file(path: str) -> bool:
    """Decides by name, because Medusa heads are safetensors files, but not all of those are heads."""
    name = re.split(r"[/\\]", path)[-1].casefold()
    return name.endswith(".gguf") or (name.endswith(".safetensors") and "medusa" in name)


def page_url(repo: str) -> str:
    return f"{hub_endpoint()}/{repo}"


def parse_repository_url(text: str) -> str | None:
    """Returns the repository of a page URL or a model reference. None: the text is a search query."""
    if reference := parse_hub_reference(text):
        return reference.repo
    try:
        address = urlsplit(text if "://" in text else f"//{text}")
    except ValueError:
        return None
    if address.netloc.lower() not in {*_NAMES, urlsplit(hub_endpoint()).netloc.lower()}:
        return None
    repo = "/".join(address.path.split("/")[1:3])
    return repo if is_repository(repo) and repo.partition("/")[0] not in _NO_OWNERS else None


def is_repository(text: str) -> bool:
    return _REPO.fullmatch(text) is not None


def hub_endpoint() -> str:
    return (os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")


class Gating(StrEnum):
    OPEN = "open"
    AUTO = "auto"
    """Whoever accepts the licence may have it."""
    MANUAL = "manual"
    """The authors decide who may."""


@dataclass(frozen=True, slots=True)
class HubModel:
    """One repository among the results of a search."""

    repo: str
    gating: Gating = Gating.OPEN
    private: bool = False
    licence: str = ""
    downloads: int = 0
    likes: int = 0
    updated: datetime | None = None
    architecture: str = ""
    parameters: int = 0
    """0: not known."""
    n_ctx_train: int | None = None


class HubSortOrder(StrEnum):
    DOWNLOADS = "downloads"
    LIKES = "likes"
    UPDATED = "updated"
    TRENDING = "trending"


@dataclass(frozen=True, slots=True)
class HubQuery:
    """A search. The Hub doesn't support the last two fields, so specchat filters its results."""

    text: str = ""
    """Words of the name; "author/" for all by one author; a repository's whole name."""
    author: str = ""
    sorting: HubSortOrder = HubSortOrder.TRENDING
    most_parameters: int | None = None
    only_fitting: bool = False


@dataclass(frozen=True, slots=True)
class HubResultPage:
    models: Sequence[HubModel]
    following: str | None
    """What the next page is asked for with; None: this is the last."""


class HubFileKind(StrEnum):
    MODEL = "model"
    MMPROJ = "mmproj"
    IMATRIX = "imatrix"
    MTP = "mtp"
    EAGLE3 = "eagle3"
    DFLASH = "dflash"
    DSPARK = "dspark"
    MEDUSA = "medusa"

    @property
    def is_head(self) -> bool:
        """It guesses for its own model."""
        return self not in (HubFileKind.MODEL, HubFileKind.MMPROJ, HubFileKind.IMATRIX)


@dataclass(frozen=True, slots=True)
class RemoteFile:
    repo: str
    commit: str
    path: str
    """Inside the repository."""
    size: int
    sha256: str | None
    """None: small enough to be kept in the repository itself."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """One model: its file, or all files that it is split into."""

    files: tuple[RemoteFile, ...]
    kind: HubFileKind
    quantization: str

    @property
    def first(self) -> RemoteFile:
        return self.files[0]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def reference(self) -> HubReference:
        return HubReference(self.first.repo, self.first.path)


@dataclass(frozen=True, slots=True)
class RepoListing:
    """The files of a repository at one commit."""

    repo: str
    commit: str
    gating: Gating
    licence: str
    models: tuple[RemoteModel, ...]


@dataclass(frozen=True, slots=True)
class RetryPause:
    """Before the next try."""

    seconds: float
    ends: datetime
    gives_up: datetime
    """Should nothing come until then."""


@dataclass(frozen=True, slots=True)
class DownloadLocation:
    """The current address of a file, which expires."""

    url: str
    headers: dict[str, str] = field(repr=False)
    """None of them is a secret unless the address is the Hub's own."""
    size: int
