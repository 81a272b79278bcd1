from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from specchat.ui.files_to_open import FilesToOpen

A, B = Path("/models/a.gguf"), Path("/models/größer b.gguf")


class Window:
    def __init__(self) -> None:
        self.opened: list[Sequence[Path]] = []


@pytest.fixture
def told_by_macos(qapp: QApplication) -> Iterator[FilesToOpen]:
    files = FilesToOpen(None)
    qapp.installEventFilter(files)
    yield files
    qapp.removeEventFilter(files)


def test_files_wait_for_the_window() -> None:
    window, files = Window(), FilesToOpen(A)
    files.come(B)
    files.come(None)
    files.give_to(window.opened.append)
    files.come(A)
    files.come(None)
    assert window.opened == [[A, B], [A], []]


def test_macos_tells_the_application(qapp: QApplication, told_by_macos: FilesToOpen) -> None:
    window = Window()
    told_by_macos.give_to(window.opened.append)
    for url in (QUrl.fromLocalFile(str(B)), QUrl("https://example.org/a.gguf")):
        QApplication.sendEvent(qapp, QFileOpenEvent(url))
    assert window.opened == [[], [B]]
