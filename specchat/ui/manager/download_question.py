"""Before a download goes: what becomes of the part that has arrived."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.services.hub.download_jobs import ShownJob
from specchat.ui.manager.download_words import all_names
from specchat.ui.picker.rows import size


class CancelQuestion(QMessageBox):
    agreed = Signal(bool)
    """True: what has arrived is kept."""

    def __init__(self, shown: ShownJob, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("cancelQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Cancel the download of {names}?").format(names=all_names(shown.job)))
        words = self.tr("{size} have arrived. If you keep them, only the rest is fetched the next time.")
        self.setInformativeText(words.format(size=size(shown.done)))
        self._keep = self.addButton(self.tr("Keep what has arrived"), QMessageBox.ButtonRole.AcceptRole)
        self._delete = self.addButton(self.tr("Delete it"), QMessageBox.ButtonRole.DestructiveRole)
        back = self.addButton(self.tr("Do not cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(back)
        self.setEscapeButton(back)
        self.buttonClicked.connect(self._clicked)

    def _clicked(self, button: object) -> None:
        if button in (self._keep, self._delete):
            self.agreed.emit(button is self._keep)
