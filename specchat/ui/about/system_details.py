"""Collects system details for bug reports, without names of the user, the computer or files."""

import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QCoreApplication, QSysInfo, qVersion
from PySide6.QtGui import QGuiApplication

from specchat import __version__
from specchat.ui.window.shortcuts import QT_TRANSLATE_NOOP

_BINDING = "llama-cpp-python"


@dataclass(frozen=True, slots=True)
class SystemDetail:
    name: str
    value: str

    @property
    def translated(self) -> tuple[str, str]:
        return QCoreApplication.translate("Details", self.name), QCoreApplication.translate("Details", self.value)


def collect_details() -> Sequence[SystemDetail]:
    return list(_details())


def format_report(details: Sequence[SystemDetail]) -> str:
    """In English, whatever language the window speaks."""
    return "\n".join([f"specchat {__version__}", *(f"{detail.name}: {detail.value}" for detail in details)])


def _details() -> Iterator[SystemDetail]:
    packaged = QT_TRANSLATE_NOOP("Details", "packaged app")
    from_package = QT_TRANSLATE_NOOP("Details", "Python package")
    yield SystemDetail(
        QT_TRANSLATE_NOOP("Details", "Installation"), packaged if hasattr(sys, "frozen") else from_package
    )
    system = f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}"
    yield SystemDetail(QT_TRANSLATE_NOOP("Details", "System"), system)
    yield SystemDetail("llama.cpp", _binding())
    yield SystemDetail("Qt", f"{qVersion()} ({QGuiApplication.platformName()})")
    yield SystemDetail("Python", platform.python_version())


def _binding() -> str:
    try:
        return f"{_BINDING} {version(_BINDING)}"
    except PackageNotFoundError:
        return QT_TRANSLATE_NOOP("Details", "unknown version")
