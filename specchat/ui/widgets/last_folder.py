"""Opens file dialogs in the folder last used for the same purpose, until the program ends."""

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from specchat.ui.widgets.documents_folder import documents_folder


class FolderPurpose(Enum):
    MODELS = auto()
    ATTACHMENTS = auto()
    PROMPTS = auto()
    REPORTS = auto()
    PICTURES = auto()


_last: dict[FolderPurpose, Path] = {}
"""Not of a widget: several ask for the same, and some go with their window."""


def last_folder(purpose: FolderPurpose) -> Path:
    last = _last.get(purpose)
    return last if last is not None and last.is_dir() else documents_folder()


def open_in_last_folder(dialog: QFileDialog, purpose: FolderPurpose) -> None:
    dialog.setDirectory(str(last_folder(purpose)))
    dialog.filesSelected.connect(lambda names: _remember(purpose, Path(names[-1])))


def chosen_folder(names: Sequence[str]) -> Path:
    """If a path was typed, Qt's own dialog also returns the folder that it showed, and emits no `fileSelected`."""
    return Path(names[-1])


def _remember(purpose: FolderPurpose, chosen: Path) -> None:
    _last[purpose] = chosen if chosen.is_dir() else chosen.parent
