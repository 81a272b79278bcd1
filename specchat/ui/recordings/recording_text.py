"""The words about recordings: what they are called, and how long they are."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.recordings import Recording
from specchat.ui.words.number_format import SEPARATOR

translate = QCoreApplication.translate

RECORDING_ICON = "recording"


def recording_name(recording: Recording) -> str:
    return recording.name or translate("Recordings", "Recording")


def recording_length(recording: Recording) -> str:
    """Such as 0:07, in minutes and seconds."""
    minutes, seconds = divmod(max(1, round(recording.seconds)), 60)
    return f"{minutes}:{seconds:02}"


def recording_label(recording: Recording) -> str:
    return SEPARATOR.join((recording_name(recording), recording_length(recording)))
