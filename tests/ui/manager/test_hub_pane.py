from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.errors import HubAccessError, HubOfflineError, HubTroubleError
from specchat.domain.hub import FileKind, Gating, HubModel, Listing, RemoteFile, RemoteModel, Sorting
from specchat.gguf.summary import ModelSummary, TokenizerSummary
from specchat.services.hub_search import Found, FoundModel, OfferedFile, Repository, Wanted
from specchat.services.pair_values import Fit, ShelfModel
from specchat.ui.manager.cards import Badge, Card, CardList
from specchat.ui.manager.hub_message import HubMessage
from specchat.ui.manager.hub_pane import HubPane
from specchat.ui.theme import DARK, LIGHT

T = TypeVar("T", bound=QWidget)

GB = 10**9
SEA = HubModel("alice/Sea-7B-GGUF", Gating.AUTO, licence="llama3", downloads=12345, parameters=7_600_000_000)
LAKE = HubModel("bob/Lake-1B-GGUF", private=True, n_ctx_train=32768, updated=datetime(2026, 3, 1, tzinfo=UTC))
FOUND = Found(Wanted(), (FoundModel(SEA, 5 * GB, Fit.TIGHT), FoundModel(LAKE)), looked_at=2, free=6 * GB)
TROUBLE = HubTroubleError("{host} has trouble of its own.", "Try again in a few minutes.", host="the Hub")
NO_TOKEN = HubAccessError("You have given no token.", "Make one at {tokens}.", tokens="x")
OFFLINE = HubOfflineError("{host} cannot be reached.", "Check the connection.", host="the Hub")


def remote(path: str, kind: FileKind = FileKind.MODEL, quantization: str = "Q4_K_M", n_files: int = 1) -> RemoteModel:
    names = [path] if n_files == 1 else [f"{path}-0000{n}-of-0000{n_files}.gguf" for n in range(1, n_files + 1)]
    files = tuple(RemoteFile(SEA.repo, "abc", name, 2 * GB, None) for name in names)
    return RemoteModel(files, kind, quantization)


SMALL, LARGE = remote("sea-Q4_K_M.gguf"), remote("sea-BF16", quantization="BF16", n_files=3)
SIDECAR = remote("mmproj-sea.gguf", FileKind.MMPROJ, "F16")
REPOSITORY = Repository(
    Listing(SEA.repo, "abc", Gating.AUTO, "llama3", (SMALL, LARGE, SIDECAR)),
    (OfferedFile(SMALL, Fit.FITS, True), OfferedFile(LARGE, Fit.DOES_NOT_FIT, False)),
    (SIDECAR,),
    free=6 * GB,
    refused=NO_TOKEN,
)
SUMMARY = ModelSummary(
    architecture="llama",
    parameters=7_600_000_000,
    quantization="Q4_K_M",
    file_size=2 * GB,
    n_layer=28,
    n_ctx_train=131072,
    n_embd=64,
    n_head=8,
    n_head_kv=8,
    n_vocab=128256,
    tokenizer=TokenizerSummary("gpt2", "llama-bpe", "0123456789abcdef", 1, 2, True, False),
    chat_template=False,
    draft_kind=None,
    bytes_read=7_500_000,
    problems=(),
)


@pytest.fixture
def pane(qtbot: QtBot) -> HubPane:
    made = HubPane(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 560)
    made.show()
    return made


@pytest.fixture
def opened(pane: HubPane) -> HubPane:
    pane.show_found(FOUND)
    pane.show_looking(SEA.repo)
    pane.show_repository(REPOSITORY)
    return pane


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
    return [badge.text() for badge in card.findChildren(Badge)]


def shown_ways(message: HubMessage) -> list[str]:
    return [button.text() for button in message.findChildren(QAbstractButton) if not button.isHidden()]


def test_it_tells_once_that_it_is_shown(qtbot: QtBot) -> None:
    pane = HubPane(LIGHT)
    qtbot.addWidget(pane)
    with qtbot.waitSignal(pane.firstShown):
        pane.show()
    pane.hide()
    with qtbot.assertNotEmitted(pane.firstShown):
        pane.show()
    assert pane.wanted == Wanted(sorting=Sorting.TRENDING, only_fitting=True)


def test_a_search_begins_when_typing_pauses_or_with_enter(qtbot: QtBot, pane: HubPane) -> None:
    box = find(pane, QLineEdit, "hubSearchBox")
    with qtbot.waitSignal(pane.searchWanted) as searched:
        QTest.keyClicks(box, "sea")
    assert searched.args == [Wanted("sea", only_fitting=True)]
    with qtbot.waitSignals([pane.searchWanted]):
        QTest.keyClick(box, Qt.Key.Key_Return)


def test_filters(qtbot: QtBot, pane: HubPane) -> None:
    with qtbot.waitSignal(pane.searchWanted):
        find(pane, QComboBox, "hubSorting").setCurrentText("Most downloads")
    with qtbot.waitSignal(pane.searchWanted):
        find(pane, QComboBox, "hubSize").setCurrentIndex(2)
    with qtbot.waitSignal(pane.searchWanted) as searched:
        press(pane, "hubFitting")
    assert searched.args == [Wanted(sorting=Sorting.DOWNLOADS, most_parameters=4_400_000_000)]


def test_what_was_found(qtbot: QtBot, pane: HubPane) -> None:
    pane.show_found(FOUND)
    sea, lake = cards(pane)
    assert texts(sea)[:2] == ["Sea-7B-GGUF", "alice · 7.6\u00a0B parameters · licence llama3"]
    assert texts(lake)[:2] == ["Lake-1B-GGUF", "bob · up to 32,768 tokens"]
    assert ("12,345 downloads" in texts(sea), "updated Mar 2026" in texts(lake)) == (True, True)
    assert (badges(sea), badges(lake)) == (["Tight", "Licence must be accepted"], ["Private"])
    assert "Licence must be accepted" in sea.accessibleDescription()
    assert "First estimate" in sea.findChildren(Badge)[0].toolTip()
    assert find(pane, QLabel, "hubStatus").text() == "2 models"
    with qtbot.waitSignal(pane.repositoryWanted) as wanted:
        QTest.keyClick(sea, Qt.Key.Key_Return)
    assert wanted.args == [SEA.repo]


def test_what_was_left_out_is_counted(pane: HubPane) -> None:
    pane.show_found(Found(Wanted(only_fitting=True), FOUND.models, looked_at=30))
    assert find(pane, QLabel, "hubStatus").text() == "2 of 30 models; the others are too large or of unknown size"


def test_more_goes_on_where_the_list_ended(qtbot: QtBot, pane: HubPane) -> None:
    def model(number: int) -> FoundModel:
        return FoundModel(HubModel(f"alice/Sea-{number}"))

    models = tuple(model(number) for number in range(40))
    pane.show_found(Found(Wanted(), models[:20], looked_at=20, following="page 2"))
    more = find(pane, QAbstractButton, "hubMoreButton")
    bar = find(pane, CardList, "hubResults").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    place = bar.value()
    more.setFocus()
    with qtbot.waitSignal(pane.moreWanted):
        QTest.keyClick(more, Qt.Key.Key_Space)
    pane.show_reading_on()
    assert more.text() == "Reading on…"
    pane.show_found(Found(Wanted(), models, looked_at=40))
    qtbot.waitUntil(lambda: bar.maximum() > place)
    assert bar.value() >= place
    assert cards(pane)[20] is pane.focusWidget()
    pane.show_found(FOUND)
    assert bar.value() == 0


@pytest.mark.parametrize(
    ("wanted", "looked_at", "words"),
    [
        (Wanted("sea"), 0, "Hugging Face has no GGUF model called sea."),
        (Wanted("sea", only_fitting=True), 1, "One model was found, and it does not pass the filters."),
        (Wanted(only_fitting=True), 9, "does not fit into the 6.0 GB of memory that are free"),
        (Wanted(most_parameters=GB), 9, "What was found has more parameters"),
        (Wanted(most_parameters=GB, only_fitting=True), 9, "more parameters, does not fit into the 6.0 GB"),
    ],
)
def test_nothing_found(pane: HubPane, wanted: Wanted, looked_at: int, words: str) -> None:
    pane.show_found(Found(wanted, looked_at=looked_at, free=6 * GB))
    message = find(pane, HubMessage, "hubMessage")
    assert words in message.words()
    assert shown_ways(message) == (["Show larger ones too"] if looked_at else [])


def test_a_filter_that_hides_everything_is_relaxed(qtbot: QtBot, pane: HubPane) -> None:
    find(pane, QComboBox, "hubSize").setCurrentIndex(1)
    pane.show_found(Found(pane.wanted, looked_at=9, following="page 7"))
    message = find(pane, HubMessage, "hubMessage")
    assert shown_ways(message) == ["Show larger ones too", "Look further"]
    with qtbot.waitSignal(pane.moreWanted):
        press(message, "hubWay_further")
    with qtbot.waitSignal(pane.searchWanted) as searched:
        press(message, "hubWay_larger")
    assert searched.args == [Wanted()]


def test_an_error_says_what_to_do(qtbot: QtBot, pane: HubPane) -> None:
    pane.show_found(FOUND)
    find(pane, QLineEdit, "hubSearchBox").setText("other")
    pane.show_searching()
    pane.show_search_error(TROUBLE)
    message = find(pane, HubMessage, "hubMessage")
    assert message.words() == "the Hub has trouble of its own. Try again in a few minutes."
    assert (shown_ways(message), cards(pane)) == (["Try again"], [])
    with qtbot.waitSignal(pane.againWanted):
        press(message, "hubWay_again")
    pane.show_searching()
    assert message.isHidden()


def test_without_the_hub(qtbot: QtBot, pane: HubPane) -> None:
    here = ShelfModel(Path("/models/sea.gguf"), "Sea 7B", size=4 * GB)
    pane.show_found(Found(Wanted(), offline=OFFLINE, here=(here,)))
    message = find(pane, HubMessage, "hubMessage")
    assert message.words() == "the Hub cannot be reached. Check the connection."
    with qtbot.waitSignal(pane.hereWanted):
        press(message, "hubWay_here")
    (card,) = cards(pane)
    assert texts(card)[0] == "Sea 7B"
    with qtbot.assertNotEmitted(pane.repositoryWanted), qtbot.waitSignal(pane.targetWanted) as target:
        press(card, "useAsTargetButton")
    assert target.args == ["/models/sea.gguf"]


def test_the_files_of_a_repository(qtbot: QtBot, opened: HubPane) -> None:
    small, large, sidecar = cards(opened, "hubFiles")
    assert texts(small)[0] == "Q4_K_M · 2.0 GB"
    assert "Small, little loss; the usual choice." in texts(small)
    assert "sea-Q4_K_M.gguf" in texts(small)
    assert texts(large)[0] == "BF16 · 6.0 GB · 3 files"
    assert (badges(small), badges(large)) == (["Here", "Fits"], ["Too large"])
    assert texts(sidecar) == ["mmproj-sea.gguf", "2.0 GB · Lets a model look at pictures; specchat does not use it."]
    assert sidecar.findChildren(QAbstractButton) == []
    with qtbot.waitSignal(opened.targetWanted) as target:
        press(large, "useAsTargetButton")
    with qtbot.waitSignal(opened.draftWanted) as draft:
        press(small, "useAsDraftButton")
    assert target.args == ["alice/Sea-7B-GGUF:sea-BF16-00001-of-00003.gguf"]
    assert draft.args == ["alice/Sea-7B-GGUF:sea-Q4_K_M.gguf"]
    assert find(large, QAbstractButton, "useAsTargetButton").accessibleName() == (
        "Use sea-BF16-00001-of-00003.gguf as target"
    )


def test_licence_and_gating_are_seen_before_anything_is_chosen(qtbot: QtBot, opened: HubPane) -> None:
    gate = find(opened, HubMessage, "hubGate")
    assert gate.isVisible()
    assert gate.words().startswith("Its licence must be accepted first.")
    assert shown_ways(gate) == ["Open the licence's page", "Enter a token"]
    with qtbot.waitSignal(opened.pageWanted) as page:
        press(gate, "hubWay_page")
    assert page.args == [SEA.repo]
    with qtbot.waitSignal(opened.tokenWanted):
        press(gate, "hubWay_token")


def test_who_has_an_account_is_told_what_is_left_to_do(opened: HubPane) -> None:
    gate = find(opened, HubMessage, "hubGate")
    refused = HubAccessError("You have not accepted it yet.", "Open {page}.", page="x")
    opened.show_repository(replace(REPOSITORY, refused=refused))
    assert gate.words() == "You have not accepted it yet. Open x."
    assert shown_ways(gate) == ["Open the licence's page", "Try again"]
    opened.show_repository(replace(REPOSITORY, refused=None))
    assert gate.isHidden()


def test_a_file_is_downloaded_by_itself_unless_it_is_here(qtbot: QtBot, opened: HubPane) -> None:
    small, large, _ = cards(opened, "hubFiles")
    assert find(small, QAbstractButton, "downloadButton").isHidden()
    with qtbot.waitSignal(opened.downloadWanted) as wanted:
        press(large, "downloadButton")
    assert wanted.args == ["alice/Sea-7B-GGUF:sea-BF16-00001-of-00003.gguf"]


def test_a_look_into_the_header(qtbot: QtBot, opened: HubPane) -> None:
    small = cards(opened, "hubFiles")[0]
    for _ in range(2):  # it came to nothing the first time
        with qtbot.waitSignal(opened.headerWanted) as wanted:
            press(small, "lookInsideButton")
        assert wanted.args == [SMALL]
        opened.show_reading(SMALL)
        assert details(small) == "Reading its header…"
        opened.show_repository_error(TROUBLE)
        assert details(small) == ""
    opened.show_header(SMALL, SUMMARY)
    assert details(small).splitlines() == [
        "llama · 7.6 B parameters · 28 layers · up to 131,072 tokens",
        "Tokenizer gpt2/llama-bpe, 128,256 tokens, 01234567",
        "It has no chat template: it may not be made for conversations.",
        "7.5 MB were read to know this.",
    ]
    assert find(opened, HubMessage, "hubGate").isHidden()
    for expected in ("", SUMMARY.architecture):
        with qtbot.assertNotEmitted(opened.headerWanted):
            press(small, "lookInsideButton")
        assert details(small).startswith(expected)


def details(card: Card) -> str:
    shown = card.findChild(QWidget, "cardDetails")
    return str(shown.property("plainText")) if shown is not None and shown.isVisible() else ""


@pytest.mark.parametrize(
    ("error", "ways"),
    [
        (NO_TOKEN, ["Enter a token", "Try again"]),
        (HubAccessError("Not accepted.", "Open {page}.", page="x"), ["Open the licence's page", "Try again"]),
        (HubAccessError("Not answered yet.", "Wait."), ["Try again"]),
        (OFFLINE, ["Try again", "Models on this computer"]),
    ],
)
def test_why_a_header_cannot_be_read(opened: HubPane, error: HubAccessError, ways: list[str]) -> None:
    opened.show_reading(SMALL)
    opened.show_repository_error(error)
    message = find(opened, HubMessage, "hubRepositoryMessage")
    assert message.words() == f"{error.message} {error.hint}"
    assert shown_ways(message) == ways
    assert len(cards(opened, "hubFiles")) == 3


def test_the_way_back(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.repositoryLeft):
        press(opened, "hubBackButton")
    assert find(opened, CardList, "hubResults").isVisible()
    assert cards(opened)[0] is opened.focusWidget()


def test_stepping_back_leaves_the_repository_only(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.repositoryLeft):
        assert opened.step_back()
    with qtbot.assertNotEmitted(opened.repositoryLeft):
        assert not opened.step_back()


def test_the_search_is_reached_from_everywhere(opened: HubPane) -> None:
    box = find(opened, QLineEdit, "hubSearchBox")
    box.setText("sea")
    opened.focus_search()
    assert (box.isVisible(), box.hasFocus(), box.selectedText()) == (True, True, "sea")


def test_more_by_the_same_author(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.searchWanted) as searched:
        press(opened, "hubAuthorButton")
    assert searched.args == [Wanted("alice/", only_fitting=True)]
    assert find(opened, CardList, "hubResults").isVisible()


def test_themes_and_narrow_windows(opened: HubPane) -> None:
    opened.set_theme(DARK)
    opened.resize(379, 400)
    assert opened.width() == 379
    opened.set_theme(LIGHT)
