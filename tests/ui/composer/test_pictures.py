"""Pictures in the composer: pasted, dropped, attached, and what cannot be."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from support.pictures import bmp, jpeg_header, picture, png, png_of
from ui.composer.driver import Driver

from specchat.domain.conversations import Attachment
from specchat.domain.picture_header import MAX_PICTURE_BYTES, MOST_PICTURES, PictureRefusal, read_picture_header
from specchat.domain.pictures import Picture
from specchat.ui.pictures.decoding import decode_picture, encode_picture, prepare_picture
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.pictures.viewer import PictureViewer
from specchat.ui.threads.task_queue import TaskQueue

NOTES = Attachment("notes.txt", "Some notes")


@pytest.fixture
def seeing(driver: Driver) -> Driver:
    driver.composer.attaching.set_vision(True)
    return driver


@pytest.fixture
def red(tmp_path: Path) -> Path:
    path = tmp_path / "red.png"
    path.write_bytes(png())
    return path


def image(width: int = 4, height: int = 3) -> QImage:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(Qt.GlobalColor.darkGreen)
    return made


def encoded(kind: str, width: int = 4, height: int = 3) -> bytes:
    buffer = QBuffer()
    image(width, height).save(buffer, kind)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def turned_jpeg() -> bytes:
    """A photo that is 3 pixels wide and 4 high once it stands upright."""
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    plain = encoded("JPEG")
    return plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:]


def pasted(data: QMimeData) -> None:
    QApplication.clipboard().setMimeData(data)


@pytest.fixture(autouse=True)
def empty_clipboard(qapp: QApplication) -> Iterator[None]:
    """Qt would ask for it once more when Python is gone."""
    yield
    QApplication.clipboard().clear()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
def test_what_llama_cpp_reads_stays_as_it_is(qapp: QApplication, kind: str) -> None:
    content = encoded(kind)
    assert prepare_picture(content, "a") == Picture(content, "a")


@pytest.mark.parametrize("kind", ["ICO", "TIFF", "WEBP"])
def test_other_formats_become_png(qapp: QApplication, kind: str) -> None:
    """TIFF's decoder once outlived what it read from, and crashed the window."""
    found = prepare_picture(encoded(kind, 16, 16), f"small.{kind.lower()}")
    assert isinstance(found, Picture)
    assert (found.name, decode_picture(found.content).size()) == (f"small.{kind.lower()}", QSize(16, 16))
    header = read_picture_header(found.content)
    assert header is not None
    assert header.format == "image/png"


def test_a_photo_that_lies_on_its_side_is_turned(qapp: QApplication) -> None:
    found = prepare_picture(turned_jpeg(), "photo.jpeg")
    assert isinstance(found, Picture)
    header = read_picture_header(found.content)
    assert header is not None
    assert (found.name, header.format, header.width, header.height) == ("photo.jpeg", "image/jpeg", 3, 4)


@pytest.mark.qt_log_ignore(".*(libpng|JPEG|jpeg).*")
@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", PictureRefusal.UNKNOWN),
        (b"words", PictureRefusal.UNKNOWN),
        (png()[:40], PictureRefusal.UNKNOWN),
        (png_of(5, 5, b"no pixels"), PictureRefusal.UNKNOWN),
        (jpeg_header(5, 5), PictureRefusal.UNKNOWN),
        (png_of(30_000, 30_000, b""), PictureRefusal.TOO_MANY_PIXELS),
        (bmp(4, 3) + bytes(MAX_PICTURE_BYTES), PictureRefusal.TOO_LARGE),
        (b"8BPS" + bytes(50), PictureRefusal.UNKNOWN),
    ],
)
def test_what_is_damaged_or_too_large_is_refused(qapp: QApplication, content: bytes, refusal: PictureRefusal) -> None:
    assert prepare_picture(content, "a.png") is refusal


def test_no_image_is_no_picture(qapp: QApplication) -> None:
    assert encode_picture(QImage(), "a.png") is PictureRefusal.UNKNOWN


def test_a_large_picture_is_decoded_small(qapp: QApplication) -> None:
    assert decode_picture(encoded("PNG", 400, 200), QSize(50, 50)).size() == QSize(50, 25)
    assert decode_picture(encoded("PNG", 400, 2), QSize(50, 50)).size() == QSize(50, 1)


def test_files_are_attached_with_pictures_first(seeing: Driver, red: Path, tmp_path: Path) -> None:
    seeing.composer.set_attachments([NOTES])
    other = tmp_path / "other.bmp"
    other.write_bytes(bmp(5, 5))
    seeing.composer.attaching.load_files([red, other, red])
    assert seeing.composer.attachments == (picture(), Picture(bmp(5, 5), "other.bmp"), NOTES)
    with seeing.qtbot.waitSignal(seeing.composer.sent) as sent:
        seeing.click(seeing.send)
    assert sent.args == ["", seeing.composer.attachments]


def test_a_picture_on_the_clipboard_is_pasted(seeing: Driver) -> None:
    data = QMimeData()
    data.setImageData(image())
    pasted(data)
    assert seeing.editor.canPaste()
    seeing.editor.paste()
    (found,) = seeing.composer.attachments
    assert isinstance(found, Picture)
    assert (found.name, decode_picture(found.content).size()) == ("Pasted picture.png", QSize(4, 3))


def test_text_with_a_picture_of_it_is_pasted_as_text(seeing: Driver) -> None:
    data = QMimeData()
    data.setImageData(image())
    data.setText("a cell")
    pasted(data)
    seeing.editor.paste()
    assert (seeing.composer.text, seeing.composer.attachments) == ("a cell", ())


def drop(widget: QWidget, data: QMimeData) -> None:
    copy, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, button, keys)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), copy, data, button, keys))


def test_files_and_images_are_dropped(seeing: Driver, red: Path) -> None:
    file, loose = QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(red))])
    loose.setImageData(image())
    drop(seeing.composer, file)
    drop(seeing.editor.viewport(), loose)
    assert [each.name for each in seeing.composer.attachments] == ["red.png", "Pasted picture.png"]


def test_a_model_that_cannot_see_gets_none(driver: Driver, red: Path) -> None:
    refused = QSignalSpy(driver.composer.attaching.pictures_refused)
    driver.composer.attaching.load_files([red])
    driver.composer.attaching.load_image(image())
    assert (refused.count(), driver.composer.attachments) == (2, ())
    button = driver.child(QToolButton, "attachButton")
    assert button.accessibleName() == "Attach files"
    driver.composer.attaching.set_vision(True)
    assert button.accessibleName() == "Attach pictures or files"


@pytest.mark.qt_log_ignore(".*libpng.*")
def test_a_refusal_says_why(seeing: Driver, tmp_path: Path) -> None:
    rejected = QSignalSpy(seeing.composer.attaching.rejected)
    for name, content in {"damaged.png": png()[:40], "vast.png": png_of(30_000, 30_000, b"")}.items():
        (tmp_path / name).write_bytes(content)
        seeing.composer.attaching.load_files([tmp_path / name])
    assert [rejected.at(n) for n in range(2)] == [
        ["damaged.png", "The picture is damaged, or its format is not supported."],
        ["vast.png", "The picture has more than 40 million pixels."],
    ]


def test_a_message_has_room_for_so_many(seeing: Driver, red: Path) -> None:
    seeing.composer.set_attachments([picture(f"{n}.png") for n in range(MOST_PICTURES)])
    with seeing.qtbot.waitSignal(seeing.composer.attaching.rejected) as rejected:
        seeing.composer.attaching.load_files([red])
    assert rejected.args == ["red.png", f"A message can have at most {MOST_PICTURES} pictures."]


@pytest.fixture
def tasks(tmp_path: Path, qapp: QApplication) -> Iterator[TaskQueue]:
    queue = TaskQueue(tmp_path)
    yield queue
    queue.close()


def test_pictures_are_read_in_the_background(seeing: Driver, tasks: TaskQueue, red: Path) -> None:
    seeing.composer.read_pictures_with(tasks)
    with seeing.qtbot.waitSignal(seeing.composer.attachments_changed) as changed:
        seeing.composer.attaching.load_files([red])
        assert seeing.composer.attachments == ()
    assert changed.args == [(picture(),)]


def test_enter_waits_for_a_picture(seeing: Driver, tasks: TaskQueue, red: Path) -> None:
    sent = QSignalSpy(seeing.composer.sent)
    seeing.composer.read_pictures_with(tasks)
    seeing.type("What is this?")
    seeing.composer.attaching.load_files([red])
    seeing.press(Qt.Key.Key_Return)
    assert (sent.count(), seeing.send.isEnabled()) == (0, False)
    seeing.qtbot.waitUntil(seeing.send.isEnabled)
    seeing.press(Qt.Key.Key_Return)
    assert sent.at(0) == ["What is this?", (picture(),)]


def test_what_comes_too_late_belongs_to_no_other_chat(seeing: Driver, tasks: TaskQueue, red: Path) -> None:
    seeing.composer.read_pictures_with(tasks)
    seeing.composer.attaching.load_files([red])
    seeing.composer.attaching.abandon()
    assert not seeing.composer.attaching.is_reading
    done: list[object] = []
    tasks.run(lambda: None, done.append, lambda _: None)
    seeing.qtbot.waitUntil(lambda: bool(done))
    assert seeing.composer.attachments == ()


def test_chips_have_thumbnails_and_go_by_keyboard(seeing: Driver) -> None:
    seeing.composer.set_attachments([picture(), NOTES])
    first, second = seeing.children("removeAttachment")
    assert (first.accessibleName(), second.accessibleName()) == ("Remove red.png", "Remove notes.txt")
    chip = first.parentWidget()
    assert chip is not None
    seen = chip.grab().toImage()
    colours = {seen.pixelColor(x, seen.height() // 2).rgb() for x in range(seen.width())}
    assert 0xFFC81E1E in colours
    first.setFocus()
    seeing.press(Qt.Key.Key_Delete)
    assert seeing.composer.attachments == (NOTES,)


@pytest.mark.qt_log_ignore(".*libpng.*")
def test_thumbnails_come_when_they_are_ready(qtbot: QtBot, tasks: TaskQueue) -> None:
    thumbnails = Thumbnails()
    thumbnails.tasks = tasks
    damaged = Picture(png()[:40], "damaged.png")
    with qtbot.waitSignals([thumbnails.loaded] * 2):
        assert thumbnails.image(picture()) is None
        assert thumbnails.image(damaged) is None
    found, none = thumbnails.image(picture()), thumbnails.image(damaged)
    assert found is not None
    assert found.size() == QSize(4, 3)
    assert none is not None
    assert none.isNull()


def test_a_click_opens_a_picture_and_asks_for_a_document(seeing: Driver) -> None:
    seeing.composer.set_attachments([picture(), picture("dark.png", red=20), NOTES])
    _, dark, notes = seeing.composer._chips._chips
    seeing.click(dark)
    viewer = seeing.child(PictureViewer, "pictureViewer")
    assert viewer.windowTitle() == "dark.png (2 of 2)"
    viewer.accept()
    with seeing.qtbot.waitSignal(seeing.composer.document_requested) as asked:
        QTest.mouseClick(notes, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert asked.args == [NOTES]
