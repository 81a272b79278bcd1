"""Asks for the key of an engine that wants one, and uses it."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from specchat.domain.connections import Connection
from specchat.domain.engine_address import EngineAddress, parse_engine_address
from specchat.domain.errors import EngineKeyError, UserError
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.engines.key_dialog import KeyDialog
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.message_translation import translate_text


class KeyController(QObject):
    def __init__(
        self,
        engines: EngineList,
        reload: Callable[[], None],
        notifications: NotificationController,
        window: QWidget,
    ) -> None:
        """`reload`: the pair that was to be loaded last, now with the key."""
        super().__init__(window)
        self._engines, self._reload = engines, reload
        self._notifications, self._window = notifications, window
        self._dialog: KeyDialog | None = None
        self._error: EngineKeyError | None = None
        notifications.error_reported.connect(self._ask_when_refused)
        engines.key_not_kept.connect(self._report_not_kept)

    def ask_for(self, connection: Connection) -> None:
        self._open(parse_engine_address(connection.url), "", lambda: self._engines.ask(connection))

    def ask_again(self) -> None:
        """For the key that was refused last."""
        if self._error is not None:
            self._ask_when_refused(self._error)

    def _ask_when_refused(self, error: UserError) -> None:
        if not isinstance(error, EngineKeyError):
            return
        self._error = error
        address = parse_engine_address(error.message.values["where"])
        self._open(address, translate_text(error.message), self._use)

    def _use(self) -> None:
        self._notifications.dismiss_error(self._error)
        self._reload()

    def _open(self, address: EngineAddress, why: str, then: Callable[[], None]) -> None:
        if self._dialog is not None:
            self._dialog.reject()
        dialog = self._dialog = KeyDialog(address, why, self._window)
        dialog.key_entered.connect(lambda key: self._engines.set_key(address, key, then))
        dialog.finished.connect(lambda _: self._forget(dialog))
        dialog.open()

    def _forget(self, dialog: KeyDialog) -> None:
        dialog.deleteLater()
        if self._dialog is dialog:
            self._dialog = None

    def _report_not_kept(self) -> None:
        self._notifications.show_notice(
            self.tr("This computer has no keyring: specchat forgets the key when you quit.")
        )
