"""Where file dialogs begin: in the folder that was last chosen from for the same purpose, until the program ends."""

from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from specchat.ui.widgets.documents import documents


class Purpose(Enum):
    MODELS = auto()
    ATTACHMENTS = auto()
    PROMPTS = auto()
    REPORTS = auto()


_last: dict[Purpose, Path] = {}
"""Not of a widget: several ask for the same, and some go with their window."""


def last_folder(purpose: Purpose) -> Path:
    last = _last.get(purpose)
    return last if last is not None and last.is_dir() else documents()


def begin_in_last_folder(dialog: QFileDialog, purpose: Purpose) -> None:
    dialog.setDirectory(str(last_folder(purpose)))
    dialog.filesSelected.connect(lambda names: _remember(purpose, Path(names[0])))


def _remember(purpose: Purpose, chosen: Path) -> None:
    _last[purpose] = chosen if chosen.is_dir() else chosen.parent
