from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLabel
from ui.sidebar.driver import NOW, TITLES, Driver, conversations

from specchat.domain.conversations import SearchHit
from specchat.services.chat.conversation_service import MOST_HITS

HITS = (
    SearchHit(2, "Rust", None, "Rust", ((0, 4),)),
    SearchHit(1, "Sky", 7, "the colour of rust", ((14, 18),)),
)


def search(driver: Driver, words: str = "rust") -> None:
    driver.search.setFocus()
    with driver.qtbot.waitSignal(driver.sidebar.search_changed) as searched:
        QTest.keyClicks(driver.search, words)
    assert searched.args == [words]


def test_typing_searches_once_and_the_hits_replace_the_list(driver: Driver) -> None:
    searched = QSignalSpy(driver.sidebar.search_changed)
    search(driver)
    assert searched.count() == 1
    assert driver.lines == ["Today", *TITLES]
    driver.sidebar.show_hits(HITS)
    assert driver.lines == ["Rust", "Sky"]
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky: the colour of rust"


def test_hits_open_a_message_or_the_conversation_whose_title_matches(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits(HITS)
    for title, expected in (("Sky", [1, 7]), ("Rust", [2, -1])):
        with driver.qtbot.waitSignal(driver.sidebar.list.hit_open_requested) as opened:
            driver.click(title)
        assert opened.args == expected


def test_down_and_enter_reach_a_hit_by_keyboard(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits(HITS)
    with driver.qtbot.waitSignal(driver.sidebar.list.hit_open_requested) as first:
        driver.press(Qt.Key.Key_Return)
    driver.press(Qt.Key.Key_Down)
    driver.press(Qt.Key.Key_Down)
    with driver.qtbot.waitSignal(driver.sidebar.list.hit_open_requested) as second:
        driver.press(Qt.Key.Key_Return)
    assert (first.args, second.args) == ([2, -1], [1, 7])


def test_enter_waits_for_the_hits(driver: Driver) -> None:
    opened = QSignalSpy(driver.sidebar.list.open_requested)
    search(driver)
    driver.press(Qt.Key.Key_Return)
    assert opened.count() == 0


def test_nothing_found_is_said(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits([])
    words = driver.child(QLabel, "nothingToShow")
    assert (words.isVisible(), words.text()) == (True, "Nothing found")
    assert not driver.child(QLabel, "searchCount").isVisible()


def test_what_is_found_is_counted(driver: Driver) -> None:
    count = driver.child(QLabel, "searchCount")
    search(driver)
    for hits, words in (
        (HITS[:1], "1 result"),
        ([replace(HITS[0], message=number) for number in range(3)], "3 results in 1 chat"),
        (HITS, f"{len(HITS)} results in {len({hit.conversation for hit in HITS})} chats"),
        ([replace(HITS[0], message=number) for number in range(MOST_HITS)], f"First {MOST_HITS} results, in 1 chat"),
    ):
        driver.sidebar.show_hits(hits)
        assert (count.isVisible(), count.text()) == (True, words)
    driver.search.clear()
    assert not count.isVisible()


def test_escape_clears_and_gives_the_keyboard_back(driver: Driver) -> None:
    driver.sidebar.list.select(3)
    driver.elsewhere.setFocus()
    search(driver)
    driver.sidebar.show_hits(HITS)
    with driver.qtbot.waitSignal(driver.sidebar.search_changed) as searched:
        driver.press(Qt.Key.Key_Escape)
    assert searched.args == [""]
    assert driver.search.text() == ""
    assert driver.elsewhere.hasFocus()
    assert driver.lines == ["Today", *TITLES]
    assert driver.selected == ["Poem"]


def test_escape_in_the_hits_ends_the_search_too(driver: Driver) -> None:
    driver.elsewhere.setFocus()
    search(driver)
    driver.sidebar.show_hits(HITS)
    driver.press(Qt.Key.Key_Down)
    driver.press(Qt.Key.Key_Escape)
    assert driver.lines == ["Today", *TITLES]
    assert driver.elsewhere.hasFocus()


def test_the_clear_button_ends_the_search(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits(HITS)
    clear = next(action for action in driver.search.actions() if action.text())
    clear.trigger()
    assert driver.lines == ["Today", *TITLES]
    assert not clear.isVisible()


def test_hits_that_come_after_the_search_are_not_shown(driver: Driver) -> None:
    search(driver)
    driver.press(Qt.Key.Key_Escape)
    driver.sidebar.show_hits(HITS)
    assert driver.lines == ["Today", *TITLES]


def test_news_do_not_disturb_the_hits(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits(HITS)
    driver.sidebar.show_conversations(conversations(["Fresh"]), NOW)
    assert driver.lines == ["Rust", "Sky"]
    driver.press(Qt.Key.Key_Escape)
    assert driver.lines == ["Today", "Fresh"]


def test_hits_are_heard_without_markup(driver: Driver) -> None:
    search(driver)
    driver.sidebar.show_hits([SearchHit(1, "Sky", 7, "## The `colour` of **rust**", ((21, 25),))])
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky: The colour of rust"


def test_hits_look_the_same_with_and_without_markup(driver: Driver) -> None:
    search(driver)
    looks = []
    for source in ("😀 rust", "*😀* **rust**", "rust 😀"):
        at = source.index("rust")
        driver.sidebar.show_hits([SearchHit(1, "Sky", 7, source, ((at, at + 4),))])
        looks.append(driver.list.grab().toImage())
    assert looks[0] == looks[1] != looks[2]
