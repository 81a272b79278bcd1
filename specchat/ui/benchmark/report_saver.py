"""Saves a report as a picture or exports it to a file chosen by the user."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.domain.benchmark import BenchReport
from specchat.domain.errors import UserError
from specchat.ui.benchmark.report_picture import save_picture
from specchat.ui.widgets.last_folder import FolderPurpose, open_in_last_folder

_NAME = "specchat-benchmark"


class ReportSaver(QObject):
    saved = Signal(str)
    failed = Signal(UserError)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def save_as_picture(self, report: BenchReport) -> None:
        self._ask(self.tr("Save as image"), f"{_NAME}.png", self.tr("Image (*.png)"), report, save_picture)

    def export_stats(self, report: BenchReport) -> None:
        from specchat.services.bench.report_export import write_report

        kinds = ";;".join((self.tr("All results (*.json)"), self.tr("One row per answer (*.csv)")))
        self._ask(self.tr("Export"), f"{_NAME}.json", kinds, report, write_report)

    def _ask(
        self, title: str, name: str, kinds: str, report: BenchReport, write: Callable[[BenchReport, Path], None]
    ) -> None:
        dialog = QFileDialog(self._window, title, filter=kinds)
        dialog.setObjectName("benchSaveDialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        open_in_last_folder(dialog, FolderPurpose.REPORTS)
        dialog.selectFile(name)
        dialog.setDefaultSuffix(Path(name).suffix[1:])
        dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind.rpartition(".")[2].rstrip(")")))
        dialog.fileSelected.connect(lambda path: self._write(report, Path(path), write))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _write(self, report: BenchReport, path: Path, write: Callable[[BenchReport, Path], None]) -> None:
        try:
            write(report, path)
        except UserError as error:
            self.failed.emit(error)
        else:
            self.saved.emit(path.name)
