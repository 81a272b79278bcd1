"""From a search on the Hub to a chat with what was found there, by the names of widgets."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMessageBox, QTabBar, QTextEdit, QWidget
from support.desks import Person
from support.hub import Fault, LocalHub
from support.windows import opened

from specchat.sources.hub_cache import HubCache
from specchat.store.paths import Paths
from specchat.ui.models.cards import Card, CardList
from specchat.ui.models.manager_view import ManagerView
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

pytestmark = pytest.mark.usefixtures("engine_here")

REPO = "alice/small-pair-GGUF"
TARGET, DRAFT = "small-target-Q8_0.gguf", "small-draft-Q8_0.gguf"
HERE, HUGGING_FACE, DOWNLOADS = 0, 1, 3
PATIENCE_MS = 60_000

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def hub(computer: None, tiny_pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    target, draft = tiny_pair
    with LocalHub() as local:
        local.add(REPO, {TARGET: target, DRAFT: draft}, gguf={"total": 1_000_000})
        local.add("bob/another-GGUF", {"another-Q8_0.gguf": target})
        for name, value in local.environment().items():
            monkeypatch.setenv(name, value)
        yield local


class Shopper:
    """Someone at the model manager."""

    def __init__(self, person: Person) -> None:
        self._person = person
        action = person.window.findChild(QAction, "models")
        assert action is not None
        action.trigger()
        self.window = person.find(ManagerView, "modelManager")
        person.window.resize(1400, 800)  # with both parts beside one another, whatever the screen

    def turn_to(self, page: int) -> None:
        self.find(QTabBar, "managerTabs").setCurrentIndex(page)

    def find(self, kind: type[W], name: str) -> W:
        found = [each for each in self.window.findChildren(kind, name) if each.isVisible()]
        assert found, name
        return found[0]

    def card(self, in_list: str, words: str) -> Card:
        def there() -> list[Card]:
            cards = self.find(CardList, in_list).cards
            return [each for each in cards if words in f"{each.key} {each.accessibleName()}"]

        self._person.qtbot.waitUntil(lambda: bool(there()), timeout=PATIENCE_MS)
        return there()[0]

    def click(self, name: str, within: QWidget | None = None) -> None:
        button = within.findChild(QAbstractButton, name) if within else self.find(QAbstractButton, name)
        assert button is not None, name
        self._person.qtbot.waitUntil(button.isEnabled, timeout=PATIENCE_MS)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def wait_for(self, name: str, words: str) -> None:
        def said() -> bool:
            found = [each for each in self.window.findChildren(QWidget, name) if each.isVisible()]
            return any(words in _words(each) for each in found)

        self._person.qtbot.waitUntil(said, timeout=PATIENCE_MS)


def _words(widget: QWidget) -> str:
    match widget:
        case QAbstractButton() | QLabel():
            return widget.text()
        case MemoryBar():
            return widget.words()
        case QTextEdit():
            return widget.toPlainText()
    return widget.accessibleDescription()


@pytest.fixture
def shopper(hub: LocalHub, person: Person) -> Shopper:
    return Shopper(person)


def test_the_keyboard_starts_at_the_filter(person: Person) -> None:
    person.controller.models.open()
    focused = person.controller.models.manager().view.focusWidget()
    assert isinstance(focused, QLineEdit)


def test_a_pair_is_found_checked_downloaded_and_talked_to(hub: LocalHub, shopper: Shopper, person: Person) -> None:
    shopper.turn_to(HUGGING_FACE)
    box = shopper.find(QLineEdit, "hubSearchBox")
    QTest.keyClicks(box, "small pair")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.mouseClick(shopper.card("hubResults", "small-pair"), Qt.MouseButton.LeftButton)

    shopper.click("useAsTargetButton", shopper.card("hubFiles", TARGET))
    shopper.click("useAsDraftButton", shopper.card("hubFiles", DRAFT))
    shopper.wait_for("compatBadge", "Same vocabulary")
    shopper.wait_for("fitBar", "Fits")
    shopper.wait_for("trayButton", "Download")

    hub.fault(f"*/{TARGET}", Fault(reset=True), after_bytes=1000, origin="cdn")
    shopper.click("trayButton")
    shopper.wait_for("trayButton", "Chat with this pair")
    shopper.click("trayButton")
    person.qtbot.waitUntil(lambda: not shopper.window.isVisible(), timeout=PATIENCE_MS)
    person.qtbot.waitUntil(lambda: person.controller.pair.choice is not None, timeout=PATIENCE_MS)

    loaded = person.controller.pair.choice
    assert loaded is not None
    assert loaded.draft is not None
    assert (loaded.target.name, loaded.draft.name) == (TARGET, DRAFT)
    assert loaded.draft_max is None, "three were wanted for another pair"
    person.keep_short()
    assert person.ask("Tell me more.").text


def test_a_download_that_fails_says_why_and_can_be_tried_again(hub: LocalHub, shopper: Shopper, person: Person) -> None:
    choose_both(shopper)
    shopper.wait_for("compatBadge", "Same vocabulary")
    hub.fault(f"*/resolve/*/{DRAFT}", Fault(status=403, error_code="GatedRepo"), times=None)
    shopper.click("trayButton")
    shopper.turn_to(DOWNLOADS)
    shopper.wait_for("downloadProblem", "access token")
    hub.clear_faults()
    shopper.click("tryDownloadAgain")
    shopper.wait_for("trayButton", "Chat with this pair")


def test_what_the_end_of_the_program_interrupts_goes_on_by_itself(
    hub: LocalHub, shopper: Shopper, person: Person, places: Paths, qapp: QApplication
) -> None:
    choose_both(shopper)
    shopper.wait_for("compatBadge", "Same vocabulary")
    hub.fault(f"*/{TARGET}", Fault(stalled=3600), times=None, after_bytes=1000, origin="cdn")
    shopper.click("trayButton")
    tabs = shopper.find(QTabBar, "managerTabs")
    person.qtbot.waitUntil(lambda: tabs.tabText(DOWNLOADS) == "Downloads (1)", timeout=PATIENCE_MS)
    person.window.close()
    hub.clear_faults()

    with opened(build_services(places), ThemeManager(qapp)) as controller:
        arrived = HubCache()
        person.qtbot.waitUntil(lambda: len(arrived.models()) == 2, timeout=PATIENCE_MS)
        person.qtbot.waitUntil(lambda: "downloaded" in controller.window.notice.accessibleName(), timeout=PATIENCE_MS)


def choose_both(shopper: Shopper) -> None:
    shopper.turn_to(HUGGING_FACE)
    QTest.mouseClick(shopper.card("hubResults", "small-pair"), Qt.MouseButton.LeftButton)
    shopper.click("useAsTargetButton", shopper.card("hubFiles", TARGET))
    shopper.click("useAsDraftButton", shopper.card("hubFiles", DRAFT))
    shopper.wait_for("trayButton", "Download")


def test_a_download_whose_file_is_deleted_is_done_no_longer(shopper: Shopper, person: Person) -> None:
    shopper.turn_to(HUGGING_FACE)
    QTest.mouseClick(shopper.card("hubResults", "small-pair"), Qt.MouseButton.LeftButton)
    shopper.click("downloadButton", shopper.card("hubFiles", DRAFT))
    shopper.turn_to(DOWNLOADS)
    shopper.wait_for("chatWithDownload", "Chat")
    shopper.turn_to(HERE)
    card = shopper.card("hereList", DRAFT)
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_Delete)
    question = shopper.find(QMessageBox, "removeQuestion")
    next(button for button in question.buttons() if button.text().startswith("Delete the file")).click()
    shopper.turn_to(DOWNLOADS)
    shopper.wait_for("downloadAnew", "Download again")


def test_the_keys_that_quit_do_so_from_here_as_well(shopper: Shopper, person: Person) -> None:
    shopper.window.activateWindow()
    with person.qtbot.waitSignal(person.window.closing, timeout=PATIENCE_MS):
        QTest.keyClick(shopper.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
