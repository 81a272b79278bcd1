from datetime import UTC, datetime
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from specchat.domain.errors import HubAccessError, HubOfflineError, HubTemporaryError
from specchat.domain.hub import Gating, HubFileKind, HubModel, HubQuery, RemoteFile, RemoteModel, RepoListing
from specchat.domain.types import Device
from specchat.services.hub.hub_search import (
    FoundModel,
    HubSearchResults,
    RepositoryDetails,
    RepositoryFile,
)
from specchat.services.models.pair_fit import Fit
from specchat.ui.models.cards import Badge, Card, CardList
from specchat.ui.models.hub_message import HubMessage
from specchat.ui.models.hub_pane import HubPane

T = TypeVar("T", bound=QWidget)


GB = 10**9
SEA = HubModel("alice/Sea-7B-GGUF", Gating.AUTO, licence="llama3", downloads=12345, parameters=7_600_000_000)
LAKE = HubModel("bob/Lake-1B-GGUF", private=True, n_ctx_train=32768, updated=datetime(2026, 3, 1, tzinfo=UTC))
MEMORY = (Device("CPU", "", "cpu", 8 * GB, 6 * GB),)
MODELS = FoundModel(SEA, 5 * GB, Fit.TIGHT), FoundModel(LAKE)
FOUND = HubSearchResults(HubQuery(), MODELS, looked_at=2, devices=MEMORY)
TROUBLE = HubTemporaryError("{host} has server problem.", "Try again in a few minutes.", host="the Hub")
NO_TOKEN = HubAccessError("You have given no token.", "Make one at {tokens}.", tokens="x")
OFFLINE = HubOfflineError("Can't reach {host}.", "Check the connection.", host="the Hub")


def remote(
    path: str, kind: HubFileKind = HubFileKind.MODEL, quantization: str = "Q4_K_M", n_files: int = 1
) -> RemoteModel:
    names = [path] if n_files == 1 else [f"{path}-0000{n}-of-0000{n_files}.gguf" for n in range(1, n_files + 1)]
    files = tuple(RemoteFile(SEA.repo, "abc", name, 2 * GB, None) for name in names)
    return RemoteModel(files, kind, quantization)


SMALL, LARGE = remote("sea-Q4_K_M.gguf"), remote("sea-BF16", quantization="BF16", n_files=3)
SIDECAR = remote("mmproj-sea.gguf", HubFileKind.MMPROJ, "F16")
HEAD = remote("eagle3-sea-Q8_0.gguf", HubFileKind.EAGLE3, "Q8_0")
REPOSITORY = RepositoryDetails(
    RepoListing(SEA.repo, "abc", Gating.AUTO, "llama3", (SMALL, LARGE, SIDECAR)),
    (RepositoryFile(SMALL, Fit.FITS, True), RepositoryFile(LARGE, Fit.DOES_NOT_FIT, False)),
    (SIDECAR,),
    devices=MEMORY,
    refused=NO_TOKEN,
)


def find(pane: QWidget, kind: type[T], name: str) -> T:
    found = pane.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def press(pane: QWidget, name: str) -> None:
    QTest.mouseClick(find(pane, QAbstractButton, name), Qt.MouseButton.LeftButton)


def cards(pane: HubPane, name: str = "hubResults") -> list[Card]:
    return find(pane, CardList, name).cards


def texts(card: QWidget) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel)]


def badges(card: QWidget) -> list[str]:
    return [badge.text() for badge in card.findChildren(Badge) if badge.isVisibleTo(card)]


def shown_ways(message: HubMessage) -> list[str]:
    return [button.text() for button in message.findChildren(QAbstractButton) if not button.isHidden()]
