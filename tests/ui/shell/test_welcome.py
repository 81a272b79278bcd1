from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.window.welcome_page import WelcomePage


def test_ways_to_models_stand_one_below_the_other_where_there_is_little_room(qtbot: QtBot) -> None:
    welcome = WelcomePage()
    qtbot.addWidget(welcome)
    welcome.show_state("Hello", "A tiny target.", ["What?"], can_add=True)
    find, add = (welcome.findChild(QPushButton, name) for name in ("welcomeFindButton", "welcomeAddButton"))
    (view,) = welcome.findChildren(ContentScrollArea)
    assert find is not None
    assert add is not None
    narrow = max(find.sizeHint().width(), add.sizeHint().width()) + 50
    welcome.show()
    for width, below in ((900, False), (narrow, True), (900, False)):
        welcome.resize(width, 600)
        qtbot.waitUntil(partial(stands_below, add, find, below=below))
        assert view.horizontalScrollBar().maximum() == 0


def stands_below(one: QWidget, other: QWidget, *, below: bool) -> bool:
    return (one.y() > other.y()) is below
