"""Opens recordings with the system's player."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QToolTip, QWidget

from specchat.domain.recording_header import RecordingFormat, RecordingHeader
from specchat.domain.recordings import Recording
from specchat.ui.desktop_services import open_file

_ENDINGS = {RecordingFormat.WAV: ".wav", RecordingFormat.MP3: ".mp3", RecordingFormat.FLAC: ".flac"}
_SHOWN = 12
"""Digits of a digest."""


def play_recording(recording: Recording, parent: QWidget) -> None:
    """From a copy, which is deleted when the program ends."""
    if not (isinstance(recording.found, RecordingHeader) and _open(recording, recording.found.format)):
        words = QCoreApplication.translate("Recordings", "Couldn't open the recording with another program.")
        QToolTip.showText(QCursor.pos(), words, parent)


def _open(recording: Recording, kind: RecordingFormat) -> bool:
    """Its ending is that of its content, whatever its name says."""
    try:
        file = _folder() / f"recording-{recording.digest[:_SHOWN]}{_ENDINGS[kind]}"
        file.write_bytes(recording.content)
    except OSError:
        return False
    return open_file(file)


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="specchat-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
