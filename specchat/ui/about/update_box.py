"""Lets the user check for a newer version and shows the result."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat import __version__
from specchat.domain.errors import UserError
from specchat.services.program.update_checker import Update
from specchat.ui.about.reading_pane import ReadingPane
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.theme import GRID

_NOTES_HEIGHT = 12 * GRID


class UpdateBox(QWidget):
    check_requested = Signal()
    stop_requested = Signal()
    page_requested = Signal(str)

    def __init__(self, host: str, parent: QWidget | None = None) -> None:
        """`host`: who is asked; empty: nobody."""
        super().__init__(parent)
        self._host = host
        self._update: Update | None = None
        self._is_asking = False
        self._status = QLabel(self)
        self._ask = TextButton("", self)
        self._notes = ReadingPane(self)
        self._open_page = TextButton(self.tr("Open the download page…"), self, primary=True)
        self._problem = ErrorCard(self)
        self._name_parts()
        self._arrange()
        self._ask.clicked.connect(self._clicked)
        self._open_page.clicked.connect(self._want_page)
        self._problem.dismissed.connect(self.show_idle)
        self.show_idle()

    def show_idle(self) -> None:
        if not self._host:
            self._say(self.tr("Update checks are off in this copy. Update it the way you installed it."))
            return
        words = self.tr(
            "specchat checks for updates only when you click. The check asks {host} for the latest version and sends "
            "nothing else."
        )
        self._say(words.format(host=self._host))

    def show_checking(self) -> None:
        self._say(self.tr("Checking {host}…").format(host=self._host), is_asking=True)

    def show_update(self, update: Update | None) -> None:
        """None: there is no newer version."""
        if update is None:
            words = self.tr("specchat {version} is up to date.").format(version=__version__)
        else:
            words = self.tr("specchat {version} is available.").format(version=update.version)
        self._say(words, is_found=True, update=update)
        announce(self._ask, words)

    def show_error(self, error: UserError) -> None:
        self._say(self.tr("Couldn't check for updates."))
        self._problem.show_error(error)

    def _say(
        self, words: str, *, is_asking: bool = False, is_found: bool = False, update: Update | None = None
    ) -> None:
        self._is_asking, self._update = is_asking, update
        self._status.setText(words)
        self._status.setProperty("muted", not is_found)
        self._status.style().unpolish(self._status)
        self._status.style().polish(self._status)
        self._ask.setText(self.tr("Stop") if is_asking else self.tr("Check for updates"))
        self._notes.setPlainText(update.notes if update else "")
        self._notes.setVisible(bool(update and update.notes))
        self._open_page.setVisible(update is not None)
        self._problem.hide()

    def _clicked(self) -> None:
        if self._is_asking:
            self.stop_requested.emit()
        else:
            self.check_requested.emit()

    def _want_page(self) -> None:
        if self._update is not None:
            self.page_requested.emit(self._update.page)

    def _name_parts(self) -> None:
        self._status.setObjectName("updateStatus")
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setWordWrap(True)
        self._ask.setObjectName("checkForUpdates")
        self._ask.setVisible(bool(self._host))
        self._notes.setObjectName("updateNotes")
        self._notes.setAccessibleName(self.tr("What's new"))
        self._notes.setFixedHeight(_NOTES_HEIGHT)
        self._open_page.setObjectName("openDownloadPage")

    def _arrange(self) -> None:
        asking = QHBoxLayout()
        asking.setSpacing(GRID)
        asking.addWidget(self._status, 1)
        asking.addWidget(self._open_page)
        asking.addWidget(self._ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(asking)
        layout.addWidget(self._notes)
        layout.addWidget(self._problem)
