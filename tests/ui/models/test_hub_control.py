"""The pane and the real client, with the local Hub."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import huggingface_hub.constants
import pytest
from huggingface_hub import close_session
from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot
from support.hub import Fault, LocalHub

from specchat.domain.types import Device
from specchat.services.hub.hub import Hub
from specchat.services.hub.hub_search import HubSearch
from specchat.services.models.pair_fit import LocalModel
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hugging_face import HuggingFace
from specchat.ui.models.cards import Card, CardList
from specchat.ui.models.hub_controller import HubController
from specchat.ui.models.hub_message import HubMessage
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.threads.task_queue import TaskQueue

T = TypeVar("T", bound=QWidget)

GB = 10**9
SEA, LAKE, OCEAN = "alice/Sea-GGUF", "bob/Lake-GGUF", "carol/Ocean-GGUF"
MEMORY = (Device("CPU", "", "cpu", 16 * GB, 8 * GB),)
HERE = (LocalModel(Path("/models/pond.gguf"), "Pond"),)


class Tokens:
    """What the user has given so far."""

    def __init__(self) -> None:
        self.token: str | None = None

    def __call__(self) -> str | None:
        return self.token


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tiny_llama: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        for number, (repo, billions) in enumerate({SEA: 1.2, LAKE: 3, OCEAN: 70}.items()):
            gguf = {"total": int(billions * GB), "architecture": "llama"}
            hub.add(repo, {"model-Q8_0.gguf": tiny_llama}, gguf=gguf, trending=number)
        yield hub
    close_session()


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture
def pane(qtbot: QtBot) -> HubPane:
    made = HubPane(ManagerRequests())
    qtbot.addWidget(made)
    made.resize(640, 560)
    return made


@pytest.fixture
def files_here() -> set[str]:
    """References of what was downloaded."""
    return set()


@pytest.fixture
def control(
    local: LocalHub, tokens: Tokens, pane: HubPane, files_here: set[str], tmp_path: Path
) -> Iterator[HubController]:
    hub = Hub(HuggingFace(tokens, local.endpoint, patience=RetryPolicy(tries=1, silence=30)))
    tasks = TaskQueue(tmp_path)
    search = HubSearch(lambda: hub, lambda: HERE, lambda model: str(model.reference) in files_here, lambda: MEMORY)
    made = HubController(pane, tasks, search)
    yield made
    made.close()
    tasks.close()


@pytest.fixture
def wait(qtbot: QtBot) -> Callable[[Callable[[], bool]], None]:
    return lambda condition: qtbot.waitUntil(condition, timeout=5_000)


Wait = Callable[[Callable[[], bool]], None]


def find(pane: QWidget, kind: type[T], name: str) -> T:
    found = pane.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def press(pane: QWidget, name: str) -> None:
    QTest.mouseClick(find(pane, QAbstractButton, name), Qt.MouseButton.LeftButton)


def cards(pane: HubPane, name: str = "hubResults") -> list[Card]:
    return find(pane, CardList, name).cards


def repos(pane: HubPane) -> list[object]:
    return [card.key for card in cards(pane)]


def type_in(pane: HubPane, text: str) -> None:
    box = find(pane, QLineEdit, "hubSearchBox")
    box.setText(text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def message(pane: HubPane, name: str = "hubMessage") -> str:
    shown = find(pane, HubMessage, name)
    return shown.words() if shown.isVisible() else ""


def test_the_first_look_shows_what_fits_and_is_liked(control: HubController, pane: HubPane, wait: Wait) -> None:
    pane.show()
    assert find(pane, QLabel, "hubStatus").text() == "Searching…"
    wait(lambda: bool(cards(pane)))
    assert repos(pane) == [LAKE, SEA]


def test_from_a_search_to_a_choice(qtbot: QtBot, control: HubController, pane: HubPane, wait: Wait) -> None:
    pane.show()
    type_in(pane, "sea")
    wait(lambda: repos(pane) == [SEA])
    QTest.mouseClick(cards(pane)[0], Qt.MouseButton.LeftButton)
    wait(lambda: bool(cards(pane, "hubFiles")))
    (file,) = cards(pane, "hubFiles")
    with qtbot.waitSignal(pane.requests.target_requested) as target:
        press(file, "useAsTargetButton")
    assert target.args == [f"{SEA}:model-Q8_0.gguf"]


def test_a_newer_search_wins(local: LocalHub, control: HubController, pane: HubPane, wait: Wait) -> None:
    pane.show()
    wait(lambda: bool(cards(pane)))
    local.fault("/api/models", Fault(stalled=0.5))
    n_before = len(local.requests)
    type_in(pane, "sea")
    local.wait_until(lambda: len(local.requests) > n_before)
    type_in(pane, "lake")
    seen: list[list[object]] = []

    def lake_is_there() -> bool:
        seen.append(repos(pane))
        return repos(pane) == [LAKE]

    wait(lake_is_there)
    assert [SEA] not in seen


@pytest.mark.parametrize("address", ["{endpoint}/{repo}", f"https://huggingface.co/{SEA}/tree/main", f"{SEA}:x.gguf"])
def test_an_address_opens_its_repository(
    local: LocalHub, control: HubController, pane: HubPane, wait: Wait, address: str
) -> None:
    pane.show()
    type_in(pane, address.format(endpoint=local.endpoint, repo=SEA))
    wait(lambda: bool(cards(pane, "hubFiles")))
    assert find(pane, QLabel, "hubTitle").text() == "Sea-GGUF"
    press(pane, "hubBackButton")
    assert find(pane, QLineEdit, "hubSearchBox").isVisible()


def test_trouble_passes(local: LocalHub, control: HubController, pane: HubPane, wait: Wait) -> None:
    local.fault("/api/models", Fault(status=503))
    pane.show()
    wait(lambda: bool(message(pane)))
    assert message(pane) == "127.0.0.1 has a server problem (error 503). Try again in a few minutes."
    press(find(pane, HubMessage, "hubMessage"), "hubWay_again")
    wait(lambda: bool(cards(pane)))
    assert message(pane) == ""


def test_a_gated_header_has_three_explanations(
    local: LocalHub, tokens: Tokens, control: HubController, pane: HubPane, wait: Wait, tiny_llama: Path
) -> None:
    local.add(SEA, {"model-Q8_0.gguf": tiny_llama}, gating="manual")
    for token, accepted, denied in (("hf_new", [], []), ("hf_denied", [], [SEA]), ("hf_accepted", [SEA], [])):
        local.token(token, accepted=accepted, denied=denied)
    pane.show()
    control.open_repository(SEA)
    wait(lambda: bool(cards(pane, "hubFiles")))
    assert message(pane, "hubGate").startswith("Its authors review each access request.")
    press(cards(pane, "hubFiles")[0], "lookInsideButton")
    for words, token in (
        (f"{SEA} is not public, and no Hugging Face access token is set.", "hf_new"),
        (f"You haven't accepted the license for {SEA} yet.", "hf_denied"),
        (f"You don't have access to {SEA}", "hf_accepted"),
    ):
        wait(lambda words=words: message(pane, "hubRepositoryMessage").startswith(words))  # type: ignore[misc]
        tokens.token = token
        control.retry()
    wait(lambda: "llama · " in details(pane))
    assert message(pane, "hubRepositoryMessage") == ""


def test_who_may_have_the_files_is_not_told_to_ask_for_them(
    local: LocalHub, tokens: Tokens, control: HubController, pane: HubPane, wait: Wait, tiny_llama: Path
) -> None:
    local.add(SEA, {"model-Q8_0.gguf": tiny_llama}, gating="auto")
    local.token("hf_new")
    local.token("hf_accepted", accepted=[SEA])
    pane.show()
    control.open_repository(SEA)
    wait(lambda: message(pane, "hubGate").startswith("You need to accept the license first."))
    tokens.token = "hf_new"
    control.retry()
    wait(lambda: message(pane, "hubGate").startswith(f"You haven't accepted the license for {SEA} yet."))
    tokens.token = "hf_accepted"
    control.retry()
    wait(lambda: bool(cards(pane, "hubFiles")) and not message(pane, "hubGate"))


def details(pane: HubPane) -> str:
    shown = pane.findChild(QWidget, "cardDetails")
    return str(shown.property("plainText")) if shown is not None and shown.isVisible() else ""


def test_what_comes_and_goes_meanwhile(control: HubController, pane: HubPane, files_here: set[str], wait: Wait) -> None:
    pane.show()
    control.open_repository(SEA)
    wait(lambda: bool(cards(pane, "hubFiles")))
    (card,) = cards(pane, "hubFiles")
    download = find(card, QAbstractButton, "downloadButton")
    assert download.isVisible()
    assert "Downloaded" not in card.accessibleDescription()
    files_here.add(str(card.key))
    control.refresh_downloaded()
    wait(lambda: not download.isVisible())
    assert "Downloaded" in card.accessibleDescription()
    assert "Downloaded" in [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
    files_here.clear()
    control.refresh_downloaded()
    wait(download.isVisible)
    assert "Downloaded" not in card.accessibleDescription()


def test_a_repository_that_is_not_there(control: HubController, pane: HubPane, wait: Wait) -> None:
    pane.show()
    control.open_repository("alice/nothing")
    wait(lambda: bool(message(pane, "hubRepositoryMessage")))
    assert message(pane, "hubRepositoryMessage").startswith("The Hub has no public repository alice/nothing.")


def test_offline(control: HubController, pane: HubPane, wait: Wait, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    pane.show()
    wait(lambda: bool(cards(pane)))
    assert repos(pane) == ["/models/pond.gguf"]
    assert message(pane).startswith("HF_HUB_OFFLINE is set, so specchat doesn't access the Hub.")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    control.retry()
    wait(lambda: repos(pane) == [LAKE, SEA])


def test_what_arrives_after_the_end_is_not_shown(
    local: LocalHub, qtbot: QtBot, control: HubController, pane: HubPane, wait: Wait
) -> None:
    pane.show()
    control.close()
    control.open_repository(SEA)
    wait(lambda: bool(cards(pane, "hubFiles")))
    assert cards(pane) == []


class Browser(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.mark.parametrize("agreed", [True, False])
def test_a_page_is_opened_after_a_question(
    local: LocalHub, control: HubController, pane: HubPane, wait: Wait, agreed: bool
) -> None:
    browser = Browser()
    QDesktopServices.setUrlHandler("http", browser, "open")  # type: ignore[arg-type]
    pane.show()
    control.open_repository(SEA)
    wait(lambda: bool(cards(pane, "hubFiles")))
    asked: list[str] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.informativeText())
        button = next(each for each in box.buttons() if (each.text() == "Open") is agreed)
        button.click()

    QTimer.singleShot(0, answer)
    press(pane, "hubPageButton")
    QDesktopServices.unsetUrlHandler("http")
    page = f"{local.endpoint}/{SEA}"
    assert (asked, browser.opened) == ([page], [page] if agreed else [])
