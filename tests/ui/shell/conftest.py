from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from specchat.ui.start.application import ThemeManager


@pytest.fixture
def look(qapp: QApplication) -> Iterator[ThemeManager]:
    font, palette = qapp.font(), qapp.palette()
    look = ThemeManager(qapp)
    yield look
    qapp.styleHints().setColorScheme(Qt.ColorScheme.Unknown)
    look.setParent(None)
    look.deleteLater()
    qapp.setFont(font)
    qapp.setPalette(palette)
    qapp.setStyleSheet("")
