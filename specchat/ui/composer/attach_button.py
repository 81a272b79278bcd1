"""The button that attaches files, with a menu if folders can be attached, too."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.widgets.controls import IconButton


class AttachButton(IconButton):
    def __init__(self, loader: AttachmentLoader, parent: QWidget) -> None:
        super().__init__("attach", loader.title, parent)
        self.setObjectName("attachButton")
        self._loader = loader
        loader.title_changed.connect(self.set_label)
        self.clicked.connect(self._choose)

    def _choose(self) -> None:
        loader = self._loader
        if not loader.reads_documents:
            loader.choose_files()
            return
        menu = QMenu(self)
        menu.setObjectName("attachMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self._files_label(), loader.choose_files)
        menu.addAction(self.tr("Folder with code…"), loader.choose_folder)
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _files_label(self) -> str:
        sees_pictures = self._loader.sees_pictures
        if self._loader.hears_recordings:
            both = self.tr("Pictures, recordings or files…")
            return both if sees_pictures else self.tr("Recordings or files…")
        return self.tr("Pictures or files…") if sees_pictures else self.tr("Files…")
