"""Asks before another pair ends a running benchmark."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from specchat.ui.widgets.theme import GRID

translate = QCoreApplication.translate


def confirm_end_benchmark(parent: QWidget) -> bool:
    box = QMessageBox(QApplication.activeWindow() or parent)
    box.setObjectName("benchEndQuestion")
    box.setText(translate("BenchmarkLauncher", "A benchmark is running. End it?"))
    box.setInformativeText(
        translate("BenchmarkLauncher", "You can load another pair only after it ends. The results so far are kept.")
    )
    yes = box.addButton(
        translate("BenchmarkLauncher", "End benchmark and load"), QMessageBox.ButtonRole.DestructiveRole
    )
    no = box.addButton(translate("BenchmarkLauncher", "Keep measuring"), QMessageBox.ButtonRole.RejectRole)
    for button in box.buttons():
        button.setMinimumHeight(4 * GRID)
    box.setDefaultButton(no)
    box.exec()
    return box.clickedButton() is yes
