"""What Linux wants to know: the entry for menus, icons, the type of GGUF files, a description, completion in shells."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer
from shell import SetupError

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
METAINFO = "io.github.specchat.specchat.metainfo.xml"
_LINUX = Path(__file__).resolve().parent / "linux"
_SMALLEST_COMPRESSION = 100
# Drawn for whole pixels; 24 has a margin around 22, as other programs' icons have.
_DRAWINGS = {16: ("specchat-16.svg", 16), 22: ("specchat-22.svg", 22), 24: ("specchat-22.svg", 22)}


def desktop_files(destination: Path, version: str, timestamp: int) -> None:
    """What belongs into a `share` folder, the same bytes for the same arguments."""
    _place("specchat.desktop", destination / "applications")
    _place("specchat-mime.xml", destination / "mime" / "packages", "specchat.xml")
    _place("specchat.bash", destination / "bash-completion" / "completions", "specchat")
    _place("specchat.zsh", destination / "zsh" / "site-functions", "_specchat")
    _place("specchat.fish", destination / "fish" / "vendor_completions.d")
    _write_description(destination / "metainfo", version, timestamp)
    for size in ICON_SIZES:
        _write_icon(_folder(destination, f"{size}x{size}") / "specchat.png", size)
    shutil.copyfile(ICONS / "specchat.svg", _folder(destination, "scalable") / "specchat.svg")


def drawn_icon(size: int) -> QImage:
    name, drawn_at = _DRAWINGS.get(size, ("specchat.svg", size))
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    margin = (size - drawn_at) / 2
    QSvgRenderer(str(ICONS / name)).render(painter, QRectF(margin, margin, drawn_at, drawn_at))
    painter.end()
    return image


def _place(name: str, folder: Path, as_name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_LINUX / name, folder / (as_name or name))


def _write_description(folder: Path, version: str, timestamp: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    day = datetime.fromtimestamp(timestamp, UTC).date()
    template = (_LINUX / METAINFO).read_text(encoding="utf-8")
    text = template.replace("@VERSION@", version).replace("@DATE@", day.isoformat())
    (folder / METAINFO).write_text(text, encoding="utf-8")


def _folder(destination: Path, size: str) -> Path:
    folder = destination / "icons" / "hicolor" / size / "apps"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _write_icon(file: Path, size: int) -> None:
    writer = QImageWriter(str(file), b"png")
    writer.setCompression(_SMALLEST_COMPRESSION)
    if not writer.write(drawn_icon(size)):
        raise SetupError(f"{file} could not be written: {writer.errorString()}")
