"""Adds the fonts that ship with the packaged program on a system without any."""

from pathlib import Path

from PySide6.QtGui import QFontDatabase, QFontMetrics, QGuiApplication


def add_spare_fonts(folder: Path | None) -> None:
    """Once there is an application."""
    if folder is None or has_usable_font():
        return
    for file in sorted(folder.glob("fonts/*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def has_usable_font() -> bool:
    """Without fonts Qt draws a box for each letter."""
    return QFontMetrics(QGuiApplication.font()).inFont("a")
