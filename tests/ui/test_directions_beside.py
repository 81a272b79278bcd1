"""Text from right to left beside other text, as in a title and the day after it."""

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Conversation
from specchat.ui.chat.trash_dialog import TrashDialog
from specchat.ui.sidebar.row_painting import (
    ROW_HEIGHT,
    SIDEBAR_WIDTH,
    ConversationRowState,
    paint_conversation,
    pill_rect,
)
from specchat.ui.widgets.controls import ElidedLabel
from specchat.ui.widgets.text_direction import isolate_direction
from specchat.ui.widgets.theme import GRID, LIGHT

ARABIC = "مرحبا بالعالم، هذا نص طويل جدا"
_DOTS = 8
"""Less than their width."""
DELETED = datetime(2026, 11, 22, 12).timestamp()


def place_of(part: str, text: str) -> float:
    """Where it begins, in a line of a list."""
    layout = QTextLayout(text)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    found: tuple[float, int] = line.cursorToX(text.index(part))  # type: ignore[assignment]
    return found[0]


def test_the_day_stays_behind_the_title(qtbot: QtBot) -> None:
    dialog = TrashDialog()
    qtbot.addWidget(dialog)
    titles = (ARABIC, f"A mix: {ARABIC}")
    dialog.show_trash([Conversation(n, title, 0.0, 0.0, trashed=DELETED, leaf=1) for n, title in enumerate(titles)])
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    for row in range(2):
        text = listed.item(row).text()
        assert place_of("11", text) > place_of(ARABIC[2:6], text) > place_of(ARABIC[-5:], text)


def test_what_has_one_direction_is_left_as_it_is() -> None:
    assert isolate_direction("What is a draft?") == "What is a draft?"


def begins_with_dots(image: QImage, left: int, right: int) -> bool:
    """What is painted between: nothing that reaches the upper half of the line."""
    paper = image.pixel(left, 0)
    inked = [y for x in range(left, right) for y in range(image.height()) if image.pixel(x, y) != paper]
    return bool(inked) and min(inked) > image.height() // 2


def test_the_dots_stand_where_a_title_is_cut_off(qtbot: QtBot) -> None:
    """To the left of what is read from the right."""
    image = QImage(SIDEBAR_WIDTH, ROW_HEIGHT, QImage.Format.Format_RGB32)
    image.fill(LIGHT.surface)
    painter = QPainter(image)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    line = image.rect()
    paint_conversation(painter, line, Conversation(1, ARABIC * 3, 0.0, 0.0), ConversationRowState(), LIGHT)
    painter.end()
    begin = pill_rect(line).left() + GRID
    assert begins_with_dots(image, begin, begin + _DOTS)


def test_so_do_those_of_a_label(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText(ARABIC * 3)
    label.resize(150, ROW_HEIGHT)
    assert begins_with_dots(label.grab().toImage(), 0, _DOTS)
