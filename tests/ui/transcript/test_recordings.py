"""Recordings in the transcript: a chip each, with name and length."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from support.recordings import recording
from ui.transcript.conftest import Open

from specchat.domain.conversations import Attachment
from specchat.domain.types import Role
from specchat.ui.transcript import Entry, TranscriptView

ENTRY = Entry(
    1,
    Role.USER,
    "What is said?",
    attachments=(Attachment("a.txt", "apple"),),
    recordings=(recording(1.0), recording(75.0, 1, "talk.wav")),
)


def chip(view: TranscriptView, number: int) -> QPoint:
    row = view.row_of(1)
    assert row is not None
    area = view.row_area(row)
    assert area is not None
    return (QPointF(area.topLeft()) + row.chips[number].area.center() + QPointF(0, row.chips_top)).toPoint()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[QUrl]:
    urls = list[QUrl]()
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    return urls


def test_names_and_lengths(show: Open) -> None:
    row = show(ENTRY).row_of(1)
    assert row is not None
    assert [each.name for each in row.chips] == ["a.txt", "tones.wav · 0:01", "talk.wav · 1:15"]
    assert [each.icon for each in row.chips] == ["file", "recording", "recording"]


def test_a_click_and_a_key_play_them(show: Open, opened: list[QUrl]) -> None:
    view = show(ENTRY)
    QTest.mouseMove(view.viewport(), chip(view, 2))
    assert view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=chip(view, 2))
    view.focus_entry(1)
    QTest.keyClick(view, Qt.Key.Key_Return)
    contents = [Path(url.toLocalFile()).read_bytes() for url in opened]
    assert contents == [each.content for each in reversed(ENTRY.recordings)]
    row = view.row_of(1)
    assert row is not None
    assert view.describe_row(row) == "You: Recordings: tones.wav · 0:01, talk.wav · 1:15. What is said?"
    view.open_menu()
    menu = view.message_actions._menu
    assert menu is not None
    assert [act.text() for act in menu.actions() if act.text().startswith("Play")] == [
        "Play tones.wav · 0:01",
        "Play talk.wav · 1:15",
    ]
    menu.close()
