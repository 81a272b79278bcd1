from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot
from ui.models.hub_pane.panes import (
    FOUND,
    GB,
    MEMORY,
    OFFLINE,
    SEA,
    TROUBLE,
    badges,
    cards,
    find,
    press,
    shown_ways,
    texts,
)

from specchat.domain.hub import HubModel, HubQuery, HubSortOrder
from specchat.services.hub.hub_search import FoundModel, HubSearchResults
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.models.cards import Badge, CardList
from specchat.ui.models.hub_message import HubMessage
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection


def test_it_tells_once_that_it_is_shown(qtbot: QtBot) -> None:
    pane = HubPane(ManagerRequests())
    qtbot.addWidget(pane)
    with qtbot.waitSignal(pane.first_shown):
        pane.show()
    pane.hide()
    with qtbot.assertNotEmitted(pane.first_shown):
        pane.show()
    assert pane.results.bar.query == HubQuery(sorting=HubSortOrder.TRENDING, only_fitting=True)


def test_a_search_begins_when_typing_pauses_or_with_enter(qtbot: QtBot, pane: HubPane) -> None:
    box = find(pane, QLineEdit, "hubSearchBox")
    with qtbot.waitSignal(pane.requests.search_requested) as searched:
        QTest.keyClicks(box, "sea")
    assert searched.args == [HubQuery("sea", only_fitting=True)]
    with qtbot.waitSignals([pane.requests.search_requested]):
        QTest.keyClick(box, Qt.Key.Key_Return)


def test_filters(qtbot: QtBot, pane: HubPane) -> None:
    with qtbot.waitSignal(pane.requests.search_requested):
        find(pane, QComboBox, "hubSorting").setCurrentText("Most downloads")
    with qtbot.waitSignal(pane.requests.search_requested):
        find(pane, QComboBox, "hubSize").setCurrentIndex(2)
    with qtbot.waitSignal(pane.requests.search_requested) as searched:
        press(pane, "hubFitting")
    assert searched.args == [HubQuery(sorting=HubSortOrder.DOWNLOADS, most_parameters=4_400_000_000)]


def test_what_was_found(qtbot: QtBot, pane: HubPane) -> None:
    pane.results.show_results(FOUND)
    sea, lake = cards(pane)
    assert texts(sea)[:2] == ["Sea-7B-GGUF", "alice · 7.6\u00a0B parameters · license: llama3"]
    assert texts(lake)[:2] == ["Lake-1B-GGUF", "bob · context up to 32,768 tokens"]
    assert ("12,345 downloads" in texts(sea), "updated Mar 2026" in texts(lake)) == (True, True)
    assert (badges(sea), badges(lake)) == (["Tight", "License agreement required"], ["Private"])
    assert "License agreement required" in sea.accessibleDescription()
    assert "Rough estimate" in sea.findChildren(Badge)[0].toolTip()
    assert find(pane, QLabel, "hubStatus").text() == "2 models"
    with qtbot.waitSignal(pane.requests.repository_requested) as wanted:
        QTest.keyClick(sea, Qt.Key.Key_Return)
    assert wanted.args == [SEA.repo]


def test_what_was_left_out_is_counted(pane: HubPane) -> None:
    pane.results.show_results(HubSearchResults(HubQuery(only_fitting=True), FOUND.models, looked_at=30))
    assert find(pane, QLabel, "hubStatus").text() == "2 of 30 models. The rest are too large or of unknown size."


def test_more_goes_on_where_the_list_ended(qtbot: QtBot, pane: HubPane) -> None:
    def model(number: int) -> FoundModel:
        return FoundModel(HubModel(f"alice/Sea-{number}"))

    models = tuple(model(number) for number in range(40))
    pane.results.show_results(HubSearchResults(HubQuery(), models[:20], looked_at=20, following="page 2"))
    more = find(pane, QAbstractButton, "hubMoreButton")
    bar = find(pane, CardList, "hubResults").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    place = bar.value()
    more.setFocus()
    with qtbot.waitSignal(pane.requests.more_results_requested):
        QTest.keyClick(more, Qt.Key.Key_Space)
    pane.results.show_loading_more()
    assert more.text() == "Loading more…"
    pane.results.show_results(HubSearchResults(HubQuery(), models, looked_at=40))
    qtbot.waitUntil(lambda: bar.maximum() > place)
    assert bar.value() >= place
    assert cards(pane)[20] is pane.focusWidget()
    pane.results.show_results(FOUND)
    assert bar.value() == 0


@pytest.mark.parametrize(
    ("wanted", "looked_at", "words"),
    [
        (HubQuery("sea"), 0, "No GGUF models on Hugging Face match sea."),
        (HubQuery("sea", only_fitting=True), 1, "The filters hide the one model that was found."),
        (HubQuery(only_fitting=True), 9, "Too large for the free memory (6.0 GB of RAM)"),
        (HubQuery(most_parameters=GB), 9, "Too many parameters, or the number"),
        (
            HubQuery(most_parameters=GB, only_fitting=True),
            9,
            "too large for the free memory (6.0 GB of RAM)",
        ),
    ],
)
def test_nothing_found(pane: HubPane, wanted: HubQuery, looked_at: int, words: str) -> None:
    pane.results.show_results(HubSearchResults(wanted, looked_at=looked_at, devices=MEMORY))
    message = find(pane, HubMessage, "hubMessage")
    assert words in message.words()
    assert shown_ways(message) == (["Show without filters"] if looked_at else [])


def test_a_filter_that_hides_everything_is_relaxed(qtbot: QtBot, pane: HubPane) -> None:
    find(pane, QComboBox, "hubSize").setCurrentIndex(1)
    pane.results.show_results(HubSearchResults(pane.results.bar.query, looked_at=9, following="page 7"))
    message = find(pane, HubMessage, "hubMessage")
    assert shown_ways(message) == ["Show without filters", "Keep searching"]
    with qtbot.waitSignal(pane.requests.more_results_requested):
        press(message, "hubWay_further")
    with qtbot.waitSignal(pane.requests.search_requested) as searched:
        press(message, "hubWay_larger")
    assert searched.args == [HubQuery()]


def test_the_focus_goes_from_a_message_to_the_search_box(pane: HubPane) -> None:
    pane.results.show_results(HubSearchResults(HubQuery(only_fitting=True), looked_at=9))
    find(pane, QAbstractButton, "hubWay_larger").setFocus()
    pane.results.show_searching()
    assert pane.focusWidget() is find(pane, QLineEdit, "hubSearchBox")


def test_an_error_says_what_to_do(qtbot: QtBot, pane: HubPane) -> None:
    pane.results.show_results(FOUND)
    find(pane, QLineEdit, "hubSearchBox").setText("other")
    pane.results.show_searching()
    pane.results.show_error(TROUBLE)
    message = find(pane, HubMessage, "hubMessage")
    assert message.words() == "the Hub has server problem. Try again in a few minutes."
    assert (shown_ways(message), cards(pane)) == (["Try again"], [])
    with qtbot.waitSignal(pane.requests.hub_retry_requested):
        press(message, "hubWay_again")
    pane.results.show_searching()
    assert message.isHidden()


def test_models_of_the_same_name_on_this_computer_are_told_apart(pane: HubPane) -> None:
    here = tuple(LocalModel(Path(f"/models/{name}.gguf"), "Sea 7B", size=4 * GB) for name in ("sea", "sea-2"))
    pane.results.show_results(HubSearchResults(HubQuery(), offline=OFFLINE, here=here))
    assert [texts(card)[1].split(" · ")[0] for card in cards(pane)] == ["sea.gguf", "sea-2.gguf"]


def test_without_the_hub(qtbot: QtBot, pane: HubPane) -> None:
    here = LocalModel(Path("/models/sea.gguf"), "Sea 7B", size=4 * GB)
    pane.results.show_results(HubSearchResults(HubQuery(), offline=OFFLINE, here=(here,)))
    message = find(pane, HubMessage, "hubMessage")
    assert message.words() == "Can't reach the Hub. Check the connection."
    with qtbot.waitSignal(pane.requests.pane_requested) as page:
        press(message, "hubWay_here")
    assert page.args == [ManagerSection.LOCAL]
    (card,) = cards(pane)
    assert texts(card)[0] == "Sea 7B"
    with (
        qtbot.assertNotEmitted(pane.requests.repository_requested),
        qtbot.waitSignal(pane.requests.target_requested) as target,
    ):
        press(card, "useAsTargetButton")
    assert target.args == ["/models/sea.gguf"]
