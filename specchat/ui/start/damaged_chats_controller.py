"""Looks for damaged chats in the background and salvages them on request."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from specchat.domain.conversations import DamagedChat
from specchat.domain.errors import DamagedChatsError, UserError
from specchat.services.chat.chat_salvage import ChatSalvage, SalvageResult
from specchat.ui.app_controller import AppController
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.damage_texts import damaged_chat_names, salvage_action, salvage_hint


class DamagedChatsController(QObject):
    def __init__(self, controller: AppController, chats: ChatSalvage, salvaged: SalvageResult | None = None) -> None:
        super().__init__(controller)
        self._app, self._chats, self._salvaged = controller, chats, salvaged
        self._tasks = TaskQueue(controller.services.logs, self)
        self.is_salvage_requested = False
        """The window was closed for it."""
        controller.notifications.salvage_requested.connect(self._ask)

    def start(self) -> None:
        """After the first paint."""
        if self._salvaged is not None:
            self._tell_what_was_salvaged(self._salvaged)
        self._tasks.run(self._find_damage, self._show, self._app.notifications.queue_error)

    def close(self) -> None:
        self._tasks.close()

    def _find_damage(self) -> Sequence[DamagedChat] | None:
        try:
            self._chats.require_intact()
        except DamagedChatsError:
            with self._chats.open_readable() as kept:
                return kept.damaged
        return None

    def _show(self, damaged: Sequence[DamagedChat] | None) -> None:
        if damaged is None:
            return
        self._app.search.is_damaged = True
        self._app.window.sidebar.list.set_damaged({each.id for each in damaged})
        message = self.tr("The chat database is damaged.")
        if damaged:
            message = self.tr("The chat database is damaged. Parts of these chats can't be read: {chats}.")
        error = UserError(message, salvage_hint(), chats=damaged_chat_names(damaged))
        self._app.notifications.queue_error(error, self._ask, salvage_action())

    def _tell_what_was_salvaged(self, salvaged: SalvageResult) -> None:
        if not salvaged.damaged:
            words = self.tr("All {n} chats were recovered.")
            if len(salvaged.chats) == 1:
                words = self.tr("The chat was recovered.")
            self._app.notifications.show_notice(words.format(n=len(salvaged.chats)))
            return
        message = self.tr("{n} chats were recovered. These are incomplete: {chats}.")
        if len(salvaged.chats) == 1:
            message = self.tr("1 chat was recovered. It is incomplete: {chats}.")
        hint = self.tr("The damaged file was kept as {name}.")
        name = "" if salvaged.aside is None else salvaged.aside.name
        error = UserError(message, hint, n=len(salvaged.chats), chats=damaged_chat_names(salvaged.damaged), name=name)
        self._app.notifications.queue_error(error)

    def _ask(self) -> None:
        box = QMessageBox(self._app.window)
        box.setObjectName("salvageQuestion")
        box.setWindowTitle("specchat")
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Recover the readable chats?"))
        box.setInformativeText(
            self.tr("The window closes and reopens with the recovered chats. The damaged file stays in its folder.")
        )
        salvage = box.addButton(self.tr("Recover"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(salvage)
        box.accepted.connect(self._salvage)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _salvage(self) -> None:
        self.is_salvage_requested = self._app.window.close()


def try_salvage(chats: ChatSalvage, show_error: Callable[[UserError], object]) -> SalvageResult | None:
    """None: it could not be done, and nothing has changed."""
    try:
        return chats.replace()
    except UserError as error:
        show_error(error)
        return None
