import codecs
import gzip
import sqlite3
import sys
from contextlib import closing
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import QBuffer, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QWidget
from ui.composer.driver import Driver

from specchat.domain.conversations import Attachment
from specchat.domain.pictures import Picture
from specchat.services.chat.binary_file_kinds import BinaryFileKind
from specchat.services.chat.text_files import MAX_TEXT_BYTES, FileRefusal, read_text_file


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("Some notes", encoding="utf-8")
    return path


NOTES = Attachment("notes.txt", "Some notes")


@pytest.mark.parametrize(
    "content",
    [
        "Grüße\n".encode(),
        codecs.BOM_UTF8 + "Grüße\n".encode(),
        codecs.BOM_UTF16_LE + "Grüße\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "Grüße\n".encode("utf-16-be"),
        "Grüße\r\n".encode(),
    ],
)
def test_text_is_read_in_each_of_its_encodings(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    assert read_text_file(path) == Attachment("text.txt", "Grüße\n")


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"text with a \x00 in it", FileRefusal.NOT_TEXT),
        ("Grüße".encode("latin-1"), FileRefusal.NOT_TEXT),
        (codecs.BOM_UTF16_LE + b"odd", FileRefusal.NOT_TEXT),
        (b"x" * (MAX_TEXT_BYTES + 1), FileRefusal.TOO_LARGE),
        (b" \n", FileRefusal.EMPTY),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, refusal: FileRefusal) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    assert read_text_file(path) is refusal


def archive(first: str, content: str = "") -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as file:
        file.writestr(first, content)
    return packed.getvalue()


def database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as kept:
        kept.execute("CREATE TABLE t (a)")
        return kept.serialize()


def picture() -> bytes:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    buffer = QBuffer()
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


BINARIES = {
    "a PDF": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n",
    "an office document": archive("[Content_Types].xml", "<Types/>"),
    "an e-book": archive("mimetype", "application/epub+zip"),
    "an archive": archive("notes.txt", "Some notes"),
    "a compressed file": gzip.compress(b"Some notes"),
    "an image": picture(),
    "a program": Path(sys.executable).resolve().read_bytes()[:5000],
    "a database": database(),
    "a model": b"GGUF\x03\x00\x00\x00" + bytes(40),
}


@pytest.mark.parametrize("kind", BINARIES)
def test_what_is_no_text_is_called_by_its_name(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file.txt"
    for more in (b"", b" " * MAX_TEXT_BYTES):
        path.write_bytes(BINARIES[kind] + more)
        found = read_text_file(path)
        assert isinstance(found, BinaryFileKind)
        assert found.name == kind
        assert found.hint
        assert "only text" not in str(found.hint).casefold()  # pictures and documents can be attached, too


@pytest.mark.parametrize("text", ["BMW", "MZ", "GGUF is a format", "PK", "ID3 tags", "about %PDF-1.4", "\x1b[1mbold"])
def test_text_that_begins_like_something_else_is_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text, encoding="utf-8")
    assert read_text_file(path) == Attachment("file.txt", text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_character_across_the_end_of_what_is_looked_at(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file.txt"
    for shift in range(4):
        text = "x" * shift + "世😀" * 2000
        path.write_bytes(text.encode(encoding))
        assert read_text_file(path) == Attachment("file.txt", text)


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    assert read_text_file(tmp_path) is FileRefusal.FOLDER
    assert read_text_file(tmp_path / "missing.txt") is FileRefusal.MISSING


def test_the_largest_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * MAX_TEXT_BYTES)
    assert isinstance(read_text_file(path), Attachment)


def test_attachments_are_sent_even_without_words(driver: Driver, notes: Path) -> None:
    with driver.qtbot.waitSignal(driver.composer.attachments_changed) as changed:
        driver.composer.attaching.load_files([notes, notes])
    assert changed.args == [(NOTES,)]
    with driver.qtbot.waitSignal(driver.composer.sent) as sent:
        driver.click(driver.send)
    assert sent.args == ["", (NOTES,)]


def test_files_of_one_name_are_told_apart(driver: Driver, notes: Path) -> None:
    """By its name a document is searched and cited: the first one would never be read."""
    other = notes.parent / "other" / notes.name
    other.parent.mkdir()
    other.write_text("Other notes", encoding="utf-8")
    driver.composer.attaching.load_files([notes, other, notes])
    assert driver.composer.attachments == (NOTES, Attachment("notes (2).txt", "Other notes"))


def test_a_refusal_names_the_file_and_the_reason(driver: Driver, notes: Path) -> None:
    report = notes.with_name("report.pdf")
    report.write_bytes(BINARIES["a PDF"])
    with driver.qtbot.waitSignal(driver.composer.attaching.rejected) as refused:
        driver.composer.attaching.load_files([report, notes])
    assert refused.args == ["report.pdf", "This is a PDF. Save its text as a .txt file and attach that."]
    assert driver.composer.attachments == (NOTES,)


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    data.setText("\n".join(map(str, paths)))
    return data


def test_a_pasted_file_is_attached(driver: Driver, notes: Path) -> None:
    QApplication.clipboard().setMimeData(files(notes))
    driver.editor.paste()
    assert (driver.composer.attachments, driver.composer.text) == ((NOTES,), "")
    QApplication.clipboard().clear()  # Qt would ask for it once more when Python is gone


def drop(widget: QWidget, data: QMimeData) -> None:
    copy, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, button, keys)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), copy, data, button, keys))


def test_files_can_be_dropped_on_the_text_and_around_it(driver: Driver, notes: Path) -> None:
    other = notes.with_name("other.txt")
    other.write_text("Other", encoding="utf-8")
    drop(driver.composer, files(notes))
    drop(driver.editor.viewport(), files(other))
    assert driver.composer.attachments == (NOTES, Attachment("other.txt", "Other"))
    assert driver.composer.text == ""


def test_dropped_text_becomes_text(driver: Driver) -> None:
    data = QMimeData()
    data.setText("words")
    drop(driver.editor.viewport(), data)
    assert (driver.composer.attachments, driver.composer.text) == ((), "words")


def test_the_card_shows_that_it_takes_files(driver: Driver, notes: Path) -> None:
    before = driver.composer.grab().toImage()
    copy, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    data = files(notes)
    event = QDragEnterEvent(QPoint(5, 5), copy, data, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(driver.composer, event)
    assert driver.composer.grab().toImage() != before


def test_chips_go_by_click_or_by_keyboard_and_the_focus_moves_on(driver: Driver) -> None:
    driver.composer.set_attachments([Attachment(f"{n}.txt", str(n)) for n in range(3)])
    first = driver.children("removeAttachment")[0]
    assert first.accessibleName() == "Remove 0.txt"
    first.setFocus()
    driver.press(Qt.Key.Key_Delete)
    assert driver.window.focusWidget().accessibleName() == "Remove 1.txt"
    driver.press(Qt.Key.Key_Space)
    driver.click(driver.children("removeAttachment")[0])
    assert driver.composer.attachments == ()
    assert driver.editor.hasFocus()
    assert not driver.send.isEnabled()


def test_who_clicks_a_chip_away_goes_on_typing(driver: Driver) -> None:
    driver.composer.set_attachments([Attachment(f"{n}.txt", str(n)) for n in range(2)])
    driver.editor.setFocus()
    driver.click(driver.children("removeAttachment")[0])
    assert len(driver.composer.attachments) == 1
    assert driver.editor.hasFocus()


def test_token_counts_stay_when_another_file_comes(driver: Driver) -> None:
    driver.composer.set_attachments([NOTES])
    driver.composer.set_attachment_tokens(0, 12)
    driver.composer.set_attachment_tokens(5, 99)
    driver.composer.set_attachments([NOTES, Attachment("other.txt", "Other")])
    assert [chip.accessibleDescription() for chip in driver.children("removeAttachment")] == ["12 tokens", ""]


def test_estimates_are_called_so(driver: Driver) -> None:
    driver.composer.set_attachments([Picture(picture(), "tiny.png"), NOTES])
    for tokens, words in ((1, "1 token"), (2, "2 tokens")):
        driver.composer.set_attachment_tokens(0, tokens)
        for is_estimate in (False, True):
            driver.composer.set_attachment_tokens(1, tokens, is_estimate=is_estimate)
            told = [chip.accessibleDescription() for chip in driver.children("removeAttachment")]
            assert told == [f"about {words}", f"about {words}" if is_estimate else words]


def test_many_chips_leave_room_for_the_text(driver: Driver) -> None:
    before = driver.composer.height()
    changed = QSignalSpy(driver.composer.attachments_changed)
    driver.composer.set_attachments([Attachment(f"a rather long name of file {n}.txt", str(n)) for n in range(40)])
    driver.qtbot.waitUntil(lambda: driver.composer.height() > before)
    assert (changed.count(), driver.editor.isVisible()) == (1, True)
    assert driver.composer.height() < driver.window.height() // 2
