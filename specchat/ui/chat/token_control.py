from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from specchat.domain.errors import UserError
from specchat.services.hub_token import HubToken, TokenHome
from specchat.ui.settings_dialog import SettingsDialog
from specchat.ui.tasks import Tasks


class TokenControl(QObject):
    """Joins the settings with the keyring, which may ask the user before it answers."""

    changed = Signal()
    """What was refused may be tried again."""

    def __init__(self, dialog: SettingsDialog, token: HubToken, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog, self._token, self._tasks = dialog, token, tasks
        dialog.tokenAsked.connect(self._ask)
        dialog.tokenGiven.connect(self._give)
        dialog.tokenForgotten.connect(self._forget)

    def _ask(self) -> None:
        self._run(lambda: None, self._dialog.show_token)

    def _give(self, token: str) -> None:
        self._run(lambda: self._token.set(token), self._show_changed)

    def _forget(self) -> None:
        self._run(self._token.forget, self._show_changed)

    def _run(self, work: Callable[[], object], done: Callable[[TokenHome], None]) -> None:
        def both() -> TokenHome:
            work()
            return self._token.home

        self._tasks.run(both, done, self._explain)

    def _show_changed(self, home: TokenHome) -> None:
        self._dialog.show_token(home)
        self.changed.emit()

    def _explain(self, error: UserError) -> None:
        """The keyring's answer is known by now, so this asks it no more."""
        self._tasks.run(lambda: self._token.home, partial(self._dialog.show_token_problem, error), self._not_at_all)

    def _not_at_all(self, error: UserError) -> None:
        self._dialog.show_token_problem(error, TokenHome.NOWHERE)
