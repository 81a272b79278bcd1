"""Pictures in the transcript, and the dialog that shows them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot
from support.pictures import picture, png
from ui.transcript.conftest import Open

from specchat.domain.conversations import Attachment
from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.ui.documents.document_links import document_link
from specchat.ui.pictures.viewer import PictureViewer, suggested_name
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.transcript import Entry, TranscriptView
from specchat.ui.transcript.message_row import TOP_MARGIN
from specchat.ui.transcript.picture_layout import THUMBNAIL_HEIGHT, arrange_pictures
from specchat.ui.widgets.theme import DARK, LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

WIDE, TALL = picture("wide.png", 300, 100), picture("tall.png", 90, 900, red=20)
RED, DARK_RED = 0xFFC81E1E, 0xFF141E1E


def asked(*pictures: Picture, text: str = "What is this?") -> Entry:
    return Entry(1, Role.USER, text, attachments=(Attachment("a.txt", "apple"),), pictures=pictures)


def place(view: TranscriptView, number: int) -> QPoint:
    """The middle of a thumbnail, in the viewport."""
    row = view.row_of(1)
    assert row is not None
    area = view.row_area(row)
    assert area is not None
    return (QPointF(area.topLeft()) + row.pictures[number].area.center() + QPointF(0, TOP_MARGIN)).toPoint()


def colour_at(view: QWidget, at: QPoint) -> int:
    return view.grab().toImage().pixelColor(at).rgb()


def opened_viewer(view: TranscriptView) -> PictureViewer:
    viewer = view.window().findChild(PictureViewer)
    assert isinstance(viewer, PictureViewer)
    return viewer


@pytest.mark.parametrize("width", [200, 400, 800])
def test_thumbnails_keep_their_shape_and_share_the_row(width: int) -> None:
    placed = arrange_pictures([WIDE, TALL, WIDE, Picture(b"damaged")], width)
    assert all(each.area.left() >= 0 and each.area.right() <= width for each in placed)
    assert all(each.area.height() <= THUMBNAIL_HEIGHT for each in placed)
    assert not any(a.area.intersects(b.area) for a in placed for b in placed if a is not b)
    assert placed[0].area.width() == pytest.approx(3 * placed[0].area.height(), abs=3)
    assert placed[-1].area.right() == width


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_they_are_painted_above_the_text(show: Open, theme: object) -> None:
    set_current_theme(theme)  # type: ignore[arg-type]
    view = show(asked(WIDE, TALL))
    assert [colour_at(view.viewport(), place(view, n)) for n in range(2)] == [RED, DARK_RED]
    row = view.row_of(1)
    assert row is not None
    assert row.pictures[-1].area.bottom() < row.chips_top < row.body_top


def test_a_click_opens_and_escape_closes(show: Open, qtbot: QtBot) -> None:
    view = show(asked(WIDE, TALL))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 1))
    viewer = opened_viewer(view)
    assert viewer.windowTitle() == "tall.png (2 of 2)"
    qtbot.waitExposed(viewer)
    with qtbot.waitSignal(viewer.destroyed):
        QTest.keyClick(viewer, Qt.Key.Key_Escape)


def test_the_chip_of_a_document_below_them_is_clicked(show: Open, qtbot: QtBot) -> None:
    view = show(asked(WIDE))
    row = view.row_of(1)
    assert row is not None
    area = view.row_area(row)
    assert area is not None
    chip = (QPointF(area.topLeft()) + row.chips[0].area.center() + QPointF(0, row.chips_top)).toPoint()
    with qtbot.waitSignal(view.link_requested) as asked_for:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=chip)
    assert asked_for.args == [document_link("a.txt")]


def test_the_mouse_is_told_what_it_is_over(show: Open) -> None:
    view = show(asked(WIDE))
    QTest.mouseMove(view.viewport(), place(view, 0))
    assert view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor


def test_the_keyboard_reaches_them(show: Open) -> None:
    view = show(asked(WIDE, TALL))
    view.focus_entry(1)
    row = view.row_of(1)
    assert row is not None
    assert view.describe_row(row) == "You: Pictures: wide.png, tall.png. What is this?"
    QTest.keyClick(view, Qt.Key.Key_Return)
    viewer = opened_viewer(view)
    assert viewer.windowTitle() == "wide.png (1 of 2)"
    viewer.close()


def menu_texts(view: TranscriptView, at: QPoint | None, see: Callable[[QMenu], None]) -> list[str]:
    view.open_menu(at)
    menu = view.findChild(QMenu, "messageMenu")
    assert menu is not None
    see(menu)
    texts = [action.text() for action in menu.actions()]
    menu.close()
    return texts


def test_the_menu_copies_the_picture_under_the_mouse(show: Open) -> None:
    view = show(asked(WIDE, TALL))

    def copy(menu: QMenu) -> None:
        next(action for action in menu.actions() if action.text() == "Copy picture").trigger()

    assert menu_texts(view, place(view, 1), copy)[:2] == ["Open picture", "Copy picture"]
    assert QApplication.clipboard().image().height() == 900
    QApplication.clipboard().clear()
    view.focus_entry(1)
    assert "Open picture" in menu_texts(view, None, lambda _: None)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    made.resize(800, 600)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def viewer(qtbot: QtBot, parent: QWidget) -> PictureViewer:
    made = PictureViewer((WIDE, TALL), 0, parent)
    made.open()
    qtbot.waitExposed(made)
    return made


def button(viewer: PictureViewer, name: str) -> QAbstractButton:
    found = viewer.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_the_viewer_goes_from_one_to_the_next(viewer: PictureViewer) -> None:
    view = viewer.findChild(QWidget, "pictureView")
    assert view is not None
    assert (view.accessibleName(), view.accessibleDescription()) == ("wide.png", "300 × 100 pixels")
    assert colour_at(view, view.rect().center()) == RED
    for key, name in ((Qt.Key.Key_Right, "tall.png"), (Qt.Key.Key_Right, "tall.png"), (Qt.Key.Key_Left, "wide.png")):
        QTest.keyClick(viewer, key)
        assert view.accessibleName() == name


def test_the_viewer_copies_and_saves(viewer: PictureViewer, tmp_path: Path) -> None:
    button(viewer, "copyPicture").click()
    assert QApplication.clipboard().image().size().toTuple() == (300, 100)
    assert button(viewer, "copyPicture").text() == "Copied"
    QApplication.clipboard().clear()
    button(viewer, "savePicture").click()
    dialog = viewer.findChild(QFileDialog, "savePictureDialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "saved.png"))
    assert (tmp_path / "saved.png").read_bytes() == WIDE.content
    dialog.fileSelected.emit(str(tmp_path / "missing" / "saved.png"))
    problem = viewer.findChild(QLabel, "pictureProblem")
    assert problem is not None
    assert problem.text().startswith("Can't write")
    dialog.close()


def test_a_copy_is_made_although_the_viewer_is_closed(qtbot: QtBot, parent: QWidget, tmp_path: Path) -> None:
    QApplication.clipboard().clear()
    tasks = TaskQueue(tmp_path)
    viewer = PictureViewer((WIDE,), 0, parent, tasks)
    viewer.open()
    button(viewer, "copyPicture").click()
    with qtbot.waitSignal(viewer.destroyed):
        viewer.close()
    qtbot.waitUntil(lambda: not QApplication.clipboard().image().isNull())
    tasks.close()


@pytest.mark.qt_log_ignore(".*libpng.*")
def test_a_damaged_picture_is_said_to_be(show: Open, qtbot: QtBot) -> None:
    view = show(asked(Picture(png(40, 40)[:40], "damaged.png")))
    assert isinstance(view.grab().toImage(), QImage)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 0))
    viewer = opened_viewer(view)
    assert viewer._view._words == "This picture is damaged."
    viewer.close()


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("a.png", "a.png"),
        ("", "Picture.png"),
        ("../../etc/passwd", "passwd.png"),
        ("C:\\temp\\b.exe", "b.png"),
        ("..", "Picture.png"),
        ("photo.jpeg", "photo.png"),
    ],
)
def test_the_suggested_name_is_harmless(name: str, suggested: str) -> None:
    assert suggested_name(picture(name), "Picture") == suggested


def test_only_what_is_seen_is_decoded(show: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = [picture(f"{n}.png", 300, 100, red=n) for n in range(64)]
    view = show(asked(*pictures))
    view.scroll_by(-100_000)
    decoded: list[Picture] = []
    monkeypatch.setattr(view.thumbnails, "image", decoded.append)
    view.grab()
    assert decoded[0] == pictures[0]
    assert len(decoded) < len(pictures)
