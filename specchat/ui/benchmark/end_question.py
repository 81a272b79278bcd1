"""Asks before another pair ends what the loaded one made room for."""

from enum import Enum, auto

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from specchat.ui.widgets.theme import GRID

translate = QCoreApplication.translate


class Measurement(Enum):
    BENCHMARK = auto()
    EARLY_EXIT = auto()
    COMPARISON = auto()


def confirm_end_measurement(measurement: Measurement, parent: QWidget) -> bool:
    box = QMessageBox(QApplication.activeWindow() or parent)
    box.setObjectName("benchEndQuestion")
    if measurement is Measurement.BENCHMARK:
        text = translate("BenchmarkLauncher", "A benchmark is running. Stop it?")
        more = translate(
            "BenchmarkLauncher",
            "You can't load another pair during a benchmark. If you stop it, the results so far are kept.",
        )
        ends = translate("BenchmarkLauncher", "Stop benchmark and load")
    elif measurement is Measurement.COMPARISON:
        text = translate("BenchmarkLauncher", "Two pairs are being compared. Stop it?")
        more = translate("BenchmarkLauncher", "You can't load another pair during the comparison.")
        ends = translate("BenchmarkLauncher", "Stop and load")
    else:
        text = translate("BenchmarkLauncher", "An early exit test is running. Stop it?")
        more = translate("BenchmarkLauncher", "You can't load another pair during the test.")
        ends = translate("BenchmarkLauncher", "Stop and load")
    box.setText(text)
    box.setInformativeText(more)
    yes = box.addButton(ends, QMessageBox.ButtonRole.DestructiveRole)
    no = box.addButton(translate("BenchmarkLauncher", "Keep measuring"), QMessageBox.ButtonRole.RejectRole)
    for button in box.buttons():
        button.setMinimumHeight(4 * GRID)
    box.setDefaultButton(no)
    box.exec()
    return box.clickedButton() is yes
