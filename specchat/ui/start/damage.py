"""Chats that cannot be read are looked for in the background, named, and salvaged when the user wants it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from specchat.domain.conversations import DamagedChat
from specchat.domain.errors import DamagedChatsError, UserError
from specchat.services.chat.damaged_chats import DamagedChats, Salvage
from specchat.ui.desk import Desk
from specchat.ui.threads.tasks import Tasks
from specchat.ui.words.damage import named, salvage_action, salvage_hint


class Damage(QObject):
    def __init__(self, desk: Desk, chats: DamagedChats, salvaged: Salvage | None = None) -> None:
        super().__init__(desk)
        self._desk, self._chats, self._salvaged = desk, chats, salvaged
        self._tasks = Tasks(desk.services.logs, self)
        self.is_salvage_wanted = False
        """The window was closed for it."""
        desk.notices.salvage = self._ask

    def begin(self) -> None:
        """After the first paint."""
        if self._salvaged is not None:
            self._tell_what_was_salvaged(self._salvaged)
        self._tasks.run(self._look, self._show, self._desk.notices.tell_unasked)

    def close(self) -> None:
        self._tasks.close()

    def _look(self) -> Sequence[DamagedChat] | None:
        try:
            self._chats.require_whole()
        except DamagedChatsError:
            with self._chats.readable() as kept:
                return kept.damaged
        return None

    def _show(self, damaged: Sequence[DamagedChat] | None) -> None:
        if damaged is None:
            return
        self._desk.search.is_damaged = True
        self._desk.window.sidebar.set_damaged({each.id for each in damaged})
        message = self.tr("The file that keeps the chats is damaged.")
        if damaged:
            message = self.tr("The file that keeps the chats is damaged. Not everything can be read of: {chats}.")
        error = UserError(message, salvage_hint(), chats=named(damaged))
        self._desk.notices.tell_unasked(error, self._ask, salvage_action())

    def _tell_what_was_salvaged(self, salvaged: Salvage) -> None:
        if not salvaged.damaged:
            words = self.tr("All {n} chats were salvaged.")
            self._desk.notices.notice(words.format(n=len(salvaged.chats)))
            return
        message = self.tr("{n} chats were salvaged. Not everything could be read of: {chats}.")
        hint = self.tr("The damaged file is kept as {name}.")
        name = "" if salvaged.aside is None else salvaged.aside.name
        error = UserError(message, hint, n=len(salvaged.chats), chats=named(salvaged.damaged), name=name)
        self._desk.notices.tell_unasked(error)

    def _ask(self) -> None:
        box = QMessageBox(self._desk.window)
        box.setObjectName("salvageQuestion")
        box.setWindowTitle("specchat")
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Salvage the chats that can be read?"))
        box.setInformativeText(
            self.tr("The window closes and opens again with them. The damaged file is kept in its folder.")
        )
        salvage = box.addButton(self.tr("Salvage"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(salvage)
        box.accepted.connect(self._salvage)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _salvage(self) -> None:
        self.is_salvage_wanted = self._desk.window.close()


def salvaged(chats: DamagedChats, tell: Callable[[UserError], object]) -> Salvage | None:
    """None: it could not be done, and nothing has changed."""
    try:
        return chats.replace()
    except UserError as error:
        tell(error)
        return None
