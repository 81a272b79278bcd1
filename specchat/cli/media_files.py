"""Reads the pictures and recordings that `specchat chat` shows to a model."""

from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.domain.picture_errors import require_readable
from specchat.domain.picture_header import MAX_PICTURE_BYTES
from specchat.domain.pictures import Picture
from specchat.domain.recording_errors import require_hearable
from specchat.domain.recording_header import MAX_RECORDING_BYTES
from specchat.domain.recordings import Recording


def read_picture(path: Path) -> Picture:
    picture = Picture(_read(path, MAX_PICTURE_BYTES), path.name)
    require_readable(picture)
    return picture


def read_recording(path: Path) -> Recording:
    recording = Recording(_read(path, MAX_RECORDING_BYTES), path.name)
    require_hearable(recording)
    return recording


def _read(path: Path, most: int) -> bytes:
    """One byte more where the file is too large."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise SettingError(f"Can't read {path}: {error.strerror}.", "Check the path.") from error
