"""A row that is too wide continues in further rows."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.wrapping_row import WrappingRow

WIDTH = 100


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    return parent


@pytest.fixture
def row(parent: QWidget) -> WrappingRow:
    row = WrappingRow(parent)
    for name in "abcd":
        button = QPushButton(name, row)
        button.setFixedWidth(WIDTH)
        row.add_widget(button)
    row.add_stretch()
    row.show()
    return row


def lines(row: WrappingRow, width: int) -> list[str]:
    row.resize(width, row.sizeHint().height())
    row.update_layout()
    row.adjustSize()
    row.resize(width, row.sizeHint().height())
    QApplication.processEvents()
    found = dict[int, str]()
    for button in row.findChildren(QPushButton):
        if not button.isHidden():
            found[button.y()] = found.get(button.y(), "") + button.text()
    return [found[y] for y in sorted(found)]


def test_as_many_side_by_side_as_there_is_room_for(row: WrappingRow) -> None:
    for width, expected in ((500, ["abcd"]), (350, ["abc", "d"]), (220, ["ab", "cd"]), (90, ["a", "b", "c", "d"])):
        assert lines(row, width) == expected


def test_hidden_parts_take_no_room(row: WrappingRow) -> None:
    row.findChildren(QPushButton)[1].hide()
    assert lines(row, 330) == ["acd"]


def test_parts_come_and_go(row: WrappingRow) -> None:
    second = row.findChildren(QPushButton)[1]
    row.remove_widget(second)
    second.hide()
    assert lines(row, 500) == ["acd"]
    second.show()
    row.insert_widget(1, second)
    assert lines(row, 220) == ["ab", "cd"]
