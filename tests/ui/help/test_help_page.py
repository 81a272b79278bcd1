"""The help's page: the list, the search, and a window with little room."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QTabBar, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from specchat.services.program import help_topics
from specchat.services.program.help_topics import HelpTopic, read_topics
from specchat.ui.help import help_text
from specchat.ui.help.page import HelpPage

TEXTS = {
    "getting-started.md": "# Getting started\n\nAsk, then watch the tide.\n",
    "window.md": "# The window\n\nA tide, another tide.\n\n## The overlay\n\nIt shows a **guess**.\n",
    "models.md": "# Models\n\nFetch one.\n",
}


@pytest.fixture
def topics(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> list[HelpTopic]:
    root = tmp_path_factory.mktemp("resources")
    (root / "docs").mkdir()
    for name, text in TEXTS.items():
        (root / "docs" / name).write_text(text)
    for module in (help_text, help_topics):
        monkeypatch.setattr(module, "resources", lambda: root)
        monkeypatch.setattr(module, "TOPICS", tuple(TEXTS))
    return read_topics()


@pytest.fixture
def page(qtbot: QtBot, topics: list[HelpTopic]) -> HelpPage:
    made = HelpPage(topics)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    made.show_topic("getting-started.md")
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def pages(page: HelpPage) -> QListWidget:
    found = page.findChild(QListWidget, "helpList")
    assert found is not None
    return found


def text(page: HelpPage) -> QTextBrowser:
    found = page.findChild(QTextBrowser, "helpText")
    assert found is not None
    return found


def field(page: HelpPage) -> QLineEdit:
    found = page.findChild(QLineEdit, "helpFilter")
    assert found is not None
    return found


def listed(page: HelpPage) -> list[str]:
    items = [pages(page).item(row) for row in range(pages(page).count())]
    return [item.text() for item in items if not item.isHidden()]


def search(page: HelpPage, words: str) -> None:
    field(page).clear()
    QTest.keyClicks(field(page), words)


def marked(page: HelpPage) -> list[str]:
    return [mark.cursor.selectedText() for mark in text(page).extraSelections()]


def test_the_list_leads_to_the_pages(page: HelpPage) -> None:
    assert listed(page) == ["Getting started", "The window", "Models"]
    pages(page).setFocus()
    QTest.keyClick(pages(page), Qt.Key.Key_Down)
    assert text(page).toPlainText().startswith("The window")
    assert text(page).accessibleName() == "The window"


def test_the_list_follows_what_is_shown(page: HelpPage) -> None:
    page.show_topic("window.md#the-overlay")
    current = pages(page).currentItem()
    assert current is not None
    assert current.text() == "The window"


def test_the_page_that_opens_has_the_keyboard(page: HelpPage) -> None:
    assert page.focusWidget() is text(page)


def test_searching_all_pages(qtbot: QtBot, page: HelpPage) -> None:
    search(page, "TIDE")
    qtbot.waitUntil(lambda: listed(page) == ["Getting started", "The window"])
    assert marked(page) == ["tide"]
    search(page, "guess overlay")
    qtbot.waitUntil(lambda: listed(page) == ["The window"])
    assert text(page).toPlainText().startswith("The window")
    assert marked(page) == ["overlay", "guess"]
    search(page, "nothing like it")
    nothing = page.findChild(QLabel, "helpNothing")
    assert nothing is not None
    qtbot.waitUntil(nothing.isVisible)
    assert listed(page) == []
    field(page).setFocus()
    QTest.keyClick(field(page), Qt.Key.Key_Escape)
    assert (len(listed(page)), marked(page), nothing.isVisible()) == (3, [], False)


def test_enter_goes_from_one_place_to_the_next_and_round_again(qtbot: QtBot, page: HelpPage) -> None:
    def place() -> tuple[str, int]:
        shown = text(page).toPlainText()
        return shown.partition("\n")[0], text(page).textCursor().position() - shown.index("tide")

    search(page, "tide")
    qtbot.waitUntil(lambda: marked(page) == ["tide"])
    seen = [place()]
    for _ in range(3):
        QTest.keyClick(field(page), Qt.Key.Key_Return)
        seen.append(place())
    first, second = "A tide, another tide.".index("tide"), "A tide, another tide.".rindex("tide")
    length = len("tide")
    assert seen == [
        ("Getting started", length),
        ("The window", length),
        ("The window", length + second - first),
        ("Getting started", length),
    ]


def test_in_a_narrow_window_one_part_is_shown_at_a_time(qtbot: QtBot, page: HelpPage) -> None:
    page.resize(640, 360)
    tabs = page.findChild(QTabBar, "partTabs")
    assert tabs is not None
    qtbot.waitUntil(tabs.isVisible)
    page.show_topic("models.md")
    assert (text(page).isVisible(), pages(page).isVisible()) == (True, False)
    page.focus_search()
    assert (text(page).isVisible(), field(page).hasFocus()) == (False, True)
    item = pages(page).item(1)
    pages(page).setCurrentItem(item)
    assert not text(page).isVisible()
    QTest.mouseClick(pages(page).viewport(), Qt.MouseButton.LeftButton, pos=pages(page).visualItemRect(item).center())
    assert text(page).isVisible()
    assert text(page).toPlainText().startswith("The window")
    assert text(page).horizontalScrollBar().maximum() == 0


def test_all_parts_have_names(page: HelpPage) -> None:
    parts: list[QWidget] = [page, pages(page), text(page), field(page)]
    assert page.objectName() == "helpPage"
    assert all(part.accessibleName() for part in parts)
