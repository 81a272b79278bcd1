"""Asks whether to keep the part already downloaded when a download is cancelled."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.services.hub.download_jobs import DownloadStatus
from specchat.ui.manager.download_text import joined_model_names
from specchat.ui.words.number_format import format_size


class CancelDownloadDialog(QMessageBox):
    cancel_confirmed = Signal(bool)
    """True: what has arrived is kept."""

    def __init__(self, shown: DownloadStatus, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("cancelQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Cancel the download of {names}?").format(names=joined_model_names(shown.job)))
        words = self.tr("{size} have arrived. If you keep them, only the rest is fetched the next time.")
        self.setInformativeText(words.format(size=format_size(shown.done)))
        self._keep = self.addButton(self.tr("Keep what has arrived"), QMessageBox.ButtonRole.AcceptRole)
        self._delete = self.addButton(self.tr("Delete it"), QMessageBox.ButtonRole.DestructiveRole)
        back = self.addButton(self.tr("Do not cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(back)
        self.setEscapeButton(back)
        self.buttonClicked.connect(self._clicked)

    def _clicked(self, button: object) -> None:
        if button in (self._keep, self._delete):
            self.cancel_confirmed.emit(button is self._keep)
