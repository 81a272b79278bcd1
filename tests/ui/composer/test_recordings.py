"""Recordings attached to a message."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from support.pictures import picture
from support.recordings import flac, mp3, recording, tones, wav
from ui.composer.driver import Driver

from specchat.domain.conversations import Attachment
from specchat.domain.recording_header import MAX_RECORDING_BYTES, MOST_RECORDINGS
from specchat.domain.recordings import Recording
from specchat.ui.composer.attachment_chips import AttachmentChip

NOTES = Attachment("notes.txt", "Some notes")


@pytest.fixture
def hearing(driver: Driver) -> Driver:
    driver.composer.attaching.set_hearing(True)
    return driver


@pytest.fixture
def memo(tmp_path: Path) -> Path:
    path = tmp_path / "memo.wav"
    path.write_bytes(wav(tones(1.2)))
    return path


def test_files_are_attached_between_pictures_and_documents(hearing: Driver, memo: Path, tmp_path: Path) -> None:
    hearing.composer.set_attachments([picture(), NOTES])
    (tmp_path / "b.mp3").write_bytes(mp3(1150))
    (tmp_path / "c.flac").write_bytes(flac(tones(0.2)))
    hearing.composer.attaching.load_files([memo, tmp_path / "b.mp3", tmp_path / "c.flac", memo])
    names = [each.name for each in hearing.composer.attachments]
    assert names == ["red.png", "memo.wav", "b.mp3", "c.flac", "notes.txt"]
    hearing.composer.set_attachment_tokens(1, 750)
    words = [label.text() for label in hearing.composer.findChildren(QLabel)]
    assert {"0:01 · about 750 tokens", "0:30"} <= set(words)
    with hearing.qtbot.waitSignal(hearing.composer.sent) as sent:
        hearing.click(hearing.send)
    assert sent.args == ["", hearing.composer.attachments]


def test_a_file_is_pasted(hearing: Driver, memo: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(memo))])
    QApplication.clipboard().setMimeData(data)
    hearing.editor.paste()
    assert hearing.composer.attachments == (recording(1.2, name="memo.wav"),)


def test_a_model_that_cannot_hear_gets_none(driver: Driver, memo: Path) -> None:
    """Where nobody asks for recordings, they are files that are no text."""
    refused = QSignalSpy(driver.composer.attaching.recordings_refused)
    rejected = QSignalSpy(driver.composer.attaching.rejected)
    driver.composer.attaching.load_files([memo])
    assert rejected.at(0) == ["memo.wav", "This is an audio file. It can't be read as text."]
    driver.composer.attaching.set_hearing(False)
    driver.composer.attaching.load_files([memo])
    assert (refused.count(), driver.composer.attachments) == (1, ())
    button = driver.child(QToolButton, "attachButton")
    assert button.accessibleName() == "Attach files"
    driver.composer.attaching.set_hearing(True)
    assert button.accessibleName() == "Attach recordings or files"
    driver.composer.attaching.set_vision(True)
    assert button.accessibleName() == "Attach pictures, recordings or files"


def test_a_refusal_says_why(hearing: Driver, tmp_path: Path) -> None:
    rejected = QSignalSpy(hearing.composer.attaching.rejected)
    contents = {
        "half.wav": wav(tones(0.2))[:30],
        "memo.ogg": b"OggS\0" + bytes(100),
        "endless.flac": flac(tones(0.2), claimed=1 << 35),
        "click.wav": wav(tones(0.01)),
        "vast.mp3": mp3(1) + bytes(MAX_RECORDING_BYTES),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    hearing.composer.attaching.load_files([tmp_path / name for name in contents])
    damaged = "The recording is damaged, or it is neither WAV, MP3 nor FLAC."
    assert [rejected.at(n)[1] for n in range(5)] == [
        damaged,
        damaged,
        "The recording is longer than 30 minutes.",
        "The recording has no sound in it.",
        "The recording is larger than 50 MB.",
    ]


def test_no_more_than_a_message_may_have(hearing: Driver) -> None:
    rejected = QSignalSpy(hearing.composer.attaching.rejected)
    for n in range(MOST_RECORDINGS + 1):
        hearing.composer.attaching.attached.emit(Recording(mp3(8 + n), f"{n}.mp3"))
    assert len(hearing.composer.attachments) == MOST_RECORDINGS
    assert rejected.at(0) == ["16.mp3", "A message can have at most 16 recordings."]


def test_a_click_plays_it(hearing: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[QUrl]()
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    hearing.composer.set_attachments([recording(name="../odd name.exe")])
    QTest.mouseClick(hearing.child(AttachmentChip, "attachmentChip"), Qt.MouseButton.LeftButton)
    (url,) = opened
    file = Path(url.toLocalFile())
    assert (file.suffix, file.read_bytes()) == (".wav", recording().content)
