import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.window_geometry import available_area, fit_on_screen, rect_on_screen
from specchat.ui.window.window_state import WindowState


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "window.json"


def window_at(qtbot: QtBot, place: QRect) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(place)
    return window


def test_a_window_comes_back_as_it_was(qtbot: QtBot, file: Path) -> None:
    place = QRect(40, 50, 640, 480)
    window = window_at(qtbot, place)
    window.show()
    state = WindowState(file)
    state.capture(window)
    state.put("overlay", {"right": True, "dx": 8})
    state.save()

    again = window_at(qtbot, QRect(0, 0, 300, 300))
    restored = WindowState(file)
    restored.apply(again)
    again.show()
    assert again.geometry() == place
    assert restored.get("overlay") == {"right": True, "dx": 8}
    assert not again.isMaximized()
    assert [path.name for path in file.parent.iterdir()] == ["window.json"]


def test_a_maximised_window_remembers_its_usual_place(qtbot: QtBot, file: Path) -> None:
    place = QRect(40, 50, 640, 480)
    window = window_at(qtbot, place)
    window.show()
    window.showMaximized()
    state = WindowState(file)
    state.capture(window)
    again = window_at(qtbot, QRect(0, 0, 300, 300))
    state.apply(again)
    again.show()
    assert again.isMaximized()
    again.showNormal()
    assert again.geometry() == place


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[1, 2]",
        b'{"place": [1, 2, 3]}',
        b'{"place": ["a", 2, 3, 4], "maximized": "yes"}',
        b'{"place": [1e400, 2, 3, 4]}',
        b'{"place": [99999999999999999999, 2, 3, 4]}',
    ],
)
def test_what_is_damaged_is_ignored(qtbot: QtBot, file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    place = QRect(40, 50, 640, 480)
    window = window_at(qtbot, place)
    state = WindowState(file)
    state.apply(window)
    assert window.geometry() == place
    state.capture(window)
    state.save()
    assert json.loads(file.read_text())["place"] == [40, 50, 640, 480]


def test_a_folder_that_cannot_be_written_is_no_hindrance(
    qtbot: QtBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "config").touch()
    state = WindowState(tmp_path / "config" / "window.json")
    state.put("overlay", None)
    state.save()
    assert "Couldn't save the window state" in caplog.text


@pytest.mark.parametrize(
    "place",
    [QRect(5000, 100, 640, 480), QRect(-620, 100, 640, 480), QRect(100, -40, 640, 480), QRect(100, 5000, 9000, 9000)],
    ids=["right", "left", "above", "below and too large"],
)
def test_a_window_off_the_screen_is_moved_back(qtbot: QtBot, place: QRect) -> None:
    room = available_area(QGuiApplication.primaryScreen())
    moved = rect_on_screen(place)
    assert room.contains(moved)
    assert moved.size() == place.size().boundedTo(room.size())


def test_a_window_partly_off_the_screen_is_moved_no_more_than_it_must(qtbot: QtBot) -> None:
    assert rect_on_screen(QRect(-300, 100, 640, 480)) == QRect(0, 100, 640, 480)


def test_a_window_of_a_larger_screen_shrinks(qtbot: QtBot, file: Path) -> None:
    state = WindowState(file)
    state.put("place", [200, 100, 2400, 1500])
    window = window_at(qtbot, QRect(0, 0, 300, 300))
    state.apply(window)
    assert window.geometry() == available_area(QGuiApplication.primaryScreen())


def test_a_window_stays_as_near_to_the_edges_as_its_frame_lets_it(qtbot: QtBot, file: Path) -> None:
    """What the system puts above a window may be lower than is usual."""
    screen = QGuiApplication.primaryScreen().availableGeometry()
    place = screen.adjusted(1, 20, -1, -5)
    state = WindowState(file)
    state.put("place", [place.x(), place.y(), place.width(), place.height()])
    state.put("frame", [1, 20, 1, 5])
    window = window_at(qtbot, QRect(0, 0, 300, 300))
    state.apply(window)
    assert window.geometry() == place


def test_a_window_shown_again_is_where_it_was(qtbot: QtBot) -> None:
    place = QRect(40, 50, 640, 480)
    window = window_at(qtbot, place)
    fit_on_screen(window, place.size())
    for _ in range(3):
        window.show()
        window.hide()
    assert window.geometry() == place


@pytest.mark.parametrize("usual", [None, QSize(5000, 200)])
def test_a_window_opens_no_larger_than_its_screen(qtbot: QtBot, usual: QSize | None) -> None:
    window, contents = QWidget(), QWidget()
    qtbot.addWidget(window)
    QVBoxLayout(contents).addItem(QSpacerItem(3000, 4000, *[QSizePolicy.Policy.Fixed] * 2))
    QVBoxLayout(window).addWidget(ContentScrollArea(contents, QMargins()))
    fit_on_screen(window, usual)
    window.show()
    room = available_area(QGuiApplication.primaryScreen()).size()
    assert window.size() == (usual or room).boundedTo(room)
    area = window.findChild(QScrollArea)
    assert area is not None
    assert area.verticalScrollBar().maximum() > 0 < area.horizontalScrollBar().maximum()
