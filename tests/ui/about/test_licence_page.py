"""The licences of what is shipped: listed, searched, and read one at a time."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QTabBar, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot
from support.parts import PARTS, write_parts

from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import UpdateChecker
from specchat.ui.about.controller import AboutController
from specchat.ui.about.dialog import AboutDialog

Open = Callable[[], AboutDialog]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "licences", *PARTS)


@pytest.fixture
def page(qtbot: QtBot, folder: Path, tmp_path: Path) -> Iterator[Open]:
    window = QWidget()
    qtbot.addWidget(window)
    about = AboutController(UpdateChecker(""), Licences(folder), tmp_path, window)

    def open_page() -> AboutDialog:
        about.dialog.open_first_page()
        tabs = about.dialog.findChild(QTabBar, "aboutTabs")
        assert tabs is not None
        tabs.setCurrentIndex(1)
        return about.dialog

    yield open_page
    about.close()


def text(dialog: AboutDialog) -> str:
    found = dialog.findChild(QPlainTextEdit, "licenceText")
    assert found is not None
    assert found.isReadOnly()
    return found.toPlainText()


def parts(dialog: AboutDialog) -> QTreeWidget:
    found = dialog.findChild(QTreeWidget, "licenceList")
    assert found is not None
    return found


def shown(dialog: AboutDialog) -> list[str]:
    tree = parts(dialog)
    items = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    return [item.text(0) for item in items if item is not None and not item.isHidden()]


def label(dialog: AboutDialog, name: str) -> QLabel:
    found = dialog.findChild(QLabel, name)
    assert found is not None
    return found


def search(dialog: AboutDialog, words: str) -> None:
    field = dialog.findChild(QLineEdit, "licenceFilter")
    assert field is not None
    field.clear()
    QTest.keyClicks(field, words)


def test_all_parts_are_listed_and_the_first_is_shown(qtbot: QtBot, page: Open) -> None:
    dialog = page()
    qtbot.waitUntil(lambda: text(dialog).startswith("MIT License"))
    assert len(shown(dialog)) == len(PARTS)
    assert shown(dialog)[0] == "specchat"
    assert label(dialog, "licenceTally").text() == f"{len(PARTS)} components"
    pane = dialog.findChild(QPlainTextEdit, "licenceText")
    assert pane is not None
    letters = QFontMetrics(pane.font())
    assert letters.horizontalAdvance("i") == letters.horizontalAdvance("W")


def test_a_text_is_read_when_it_is_chosen(qtbot: QtBot, page: Open, folder: Path) -> None:
    dialog = page()
    qtbot.waitUntil(lambda: text(dialog).startswith("MIT License"))
    (folder / "python.txt").write_text("Written after the list was read.\n" * 20_000)
    tree = parts(dialog)
    (python,) = tree.findItems("Python", Qt.MatchFlag.MatchExactly)
    tree.setCurrentItem(python)
    qtbot.waitUntil(lambda: text(dialog).startswith("Written after"))
    assert label(dialog, "licenceTitle").text() == "Python 3.11.14"
    pane = dialog.findChild(QPlainTextEdit, "licenceText")
    assert pane is not None
    assert pane.accessibleName() == "License for Python"


def test_searching(qtbot: QtBot, page: Open) -> None:
    dialog = page()
    qtbot.waitUntil(lambda: bool(text(dialog)))
    search(dialog, "bsd")
    qtbot.waitUntil(lambda: shown(dialog) == ["Jinja2", "NumPy"])
    qtbot.waitUntil(lambda: text(dialog) == "The text of jinja.txt")
    search(dialog, "lgpl qt")
    qtbot.waitUntil(lambda: shown(dialog) == ["Qt"])
    assert label(dialog, "licenceTally").text() == "1 component"
    search(dialog, "nothing like it")
    qtbot.waitUntil(lambda: shown(dialog) == [])
    assert label(dialog, "licenceTally").text() == "Nothing found"
    assert text(dialog) == ""


def test_keys_lead_from_the_search_to_the_list_and_back_to_all(qtbot: QtBot, page: Open) -> None:
    dialog = page()
    qtbot.waitUntil(lambda: bool(text(dialog)))
    field = dialog.findChild(QLineEdit, "licenceFilter")
    assert field is not None
    field.setFocus()
    QTest.keyClicks(field, "mit")
    qtbot.waitUntil(lambda: len(shown(dialog)) == 3)
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert dialog.focusWidget() is parts(dialog)
    QTest.keyClick(parts(dialog), Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: text(dialog) == "The text of binding.txt")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert len(shown(dialog)) == len(PARTS)


def test_outside_the_packaged_app(qtbot: QtBot, page: Open, folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    dialog = page()
    nothing = label(dialog, "noLicences")
    qtbot.waitUntil(nothing.isVisible)
    assert nothing.text().startswith("In the packaged app, this page lists the licenses")
    assert not parts(dialog).isVisible()


def test_a_damaged_list(qtbot: QtBot, page: Open, folder: Path) -> None:
    (folder / "licences.json").write_text("{")
    dialog = page()
    nothing = label(dialog, "noLicences")
    qtbot.waitUntil(nothing.isVisible)
    assert nothing.text() == "Couldn't read the list of licenses. Reinstall specchat."


def test_a_list_that_is_mended(qtbot: QtBot, page: Open, folder: Path) -> None:
    written = (folder / "licences.json").read_text()
    (folder / "licences.json").write_text("{")
    dialog = page()
    qtbot.waitUntil(label(dialog, "noLicences").isVisible)
    (folder / "licences.json").write_text(written)
    dialog.close()
    dialog = page()
    qtbot.waitUntil(lambda: len(shown(dialog)) == len(PARTS))
    assert parts(dialog).isVisible()


def test_a_missing_text(qtbot: QtBot, page: Open, folder: Path) -> None:
    (folder / "specchat-LICENSE.txt").unlink()
    dialog = page()
    words = "Couldn't read the license of specchat.\nReinstall specchat."
    qtbot.waitUntil(lambda: text(dialog) == words)
