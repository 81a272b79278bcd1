from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from specchat.ui.transcript import Entry, EntryDetails, TranscriptView

Open = Callable[..., TranscriptView]


def no_details(entry_id: int) -> EntryDetails:
    return EntryDetails()


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """The application, without which there is no font to set formulas in."""
    return qapp


@pytest.fixture
def show(qtbot: QtBot) -> Open:
    """A transcript on the screen."""

    def opened(
        *entries: Entry, details: Callable[[int], EntryDetails] = no_details, size: tuple[int, int] = (800, 600)
    ) -> TranscriptView:
        view = TranscriptView(details)
        qtbot.addWidget(view)
        view.resize(*size)
        view.show_entries(entries)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return opened
