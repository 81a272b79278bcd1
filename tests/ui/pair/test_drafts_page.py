"""Where drafts for a target are searched."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.pair.drafts_page import DraftsPage


def test_the_buttons_are_whole_where_there_is_little_room(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    page = DraftsPage(window)
    page.setFixedSize(260, 600)
    page.begin("target.gguf")
    window.show()
    qtbot.waitExposed(window)
    page.offer_early_exit()
    page.end()
    buttons = [page.findChild(QPushButton, name) for name in ("draftsWithout", "draftsEarlyExit")]
    qtbot.waitUntil(lambda: all(b is not None and b.width() >= b.sizeHint().width() for b in buttons), timeout=2000)
    assert all(button is not None and button.isVisible() for button in buttons)
