"""What the window's process holds at a moment."""

import gc
from dataclasses import dataclass
from pathlib import Path

import psutil
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from support.probes import MIB, rss_mib

from specchat.store.paths import Paths


@dataclass(frozen=True)
class Vitals:
    memory_mib: float
    python_objects: int
    qt_objects: int
    widgets: int
    handles: int
    threads: int
    processes: int
    """Below this one."""
    memory_below_mib: float
    """Of these."""
    database_mib: float
    wal_mib: float
    other_files_mib: float
    """Of the home, without the models."""


def vitals(places: Paths) -> Vitals:
    process = psutil.Process()
    widgets = QApplication.allWidgets()
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
    qt_objects = sum(map(_count_below, windows))
    n_widgets = len(widgets)
    del widgets, windows
    gc.collect()
    chats, children = places.chats, process.children(recursive=True)
    return Vitals(
        memory_mib=rss_mib(),
        python_objects=len(gc.get_objects()) + gc.get_freeze_count(),
        qt_objects=qt_objects,
        widgets=n_widgets,
        handles=process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
        threads=process.num_threads(),
        processes=len(children),
        memory_below_mib=sum(child.memory_info().rss for child in children) / MIB,
        database_mib=_size(chats),
        wal_mib=_size(chats.with_name(chats.name + "-wal")),
        other_files_mib=_others(places),
    )


def _count_below(parent: QObject) -> int:
    """Without findChildren(), whose findings PySide keeps as long as the window: also those that are deleted."""
    return sum(1 + _count_below(child) for child in parent.children())


def _size(path: Path) -> float:
    return path.stat().st_size / MIB if path.is_file() else 0.0


def _others(places: Paths) -> float:
    folders = (places.config, places.cache, places.logs)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [path for path in places.data.glob("*") if path.is_file() and not path.name.startswith("chats.db")]
    return sum(map(_size, files))
