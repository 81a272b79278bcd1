"""Connects the token page of the settings with the Hub and the keyring."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.hub.hub_token import HubToken, TokenState, TokenStorage
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # made when it is first opened
    from specchat.ui.settings.hub_page import HubPage


class HubTokenController(QObject):
    """Joins the settings with the Hub and with the keyring, which may ask the user before it answers."""

    changed = Signal()
    """What was refused may be tried again."""
    token_rejected = Signal(UserError)
    """The Hub does not know the token, and shows only what is open to everyone."""
    _state_read = Signal(TokenState)
    _refused = Signal(UserError, TokenState)
    _heard = Signal(object)

    def __init__(self, token: HubToken, tasks: TaskQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._token, self._tasks = token, tasks
        self._cancel = CancelToken()
        self._heard.connect(self.token_rejected, Qt.ConnectionType.QueuedConnection)
        token.add_rejection_listener(self._hear)

    def attach(self, page: "HubPage") -> None:
        self._state_read.connect(page.show_token)
        self._refused.connect(page.show_problem)
        page.token_state_requested.connect(self._ask)
        page.token_entered.connect(self._give)
        page.remove_token_requested.connect(self._forget)

    def close(self) -> None:
        """Nobody waits for the Hub any more."""
        self._cancel.cancel()

    def _ask(self) -> None:
        self._run(lambda: None, self._state_read.emit)

    def _give(self, token: str) -> None:
        def give() -> None:
            with suppress(Cancelled):
                self._token.set(token, self._cancel)

        self._run(give, self._show_changed)

    def _forget(self) -> None:
        self._run(self._token.delete, self._show_changed)

    def _run(self, work: Callable[[], None], done: Callable[[TokenState], None]) -> None:
        def both() -> TokenState:
            work()
            return self._token.state

        self._tasks.run(both, done, self._explain)

    def _show_changed(self, state: TokenState) -> None:
        self._state_read.emit(state)
        self.changed.emit()

    def _explain(self, error: UserError) -> None:
        """The keyring's answer is known by now, so this asks it no more."""
        self._tasks.run(lambda: self._token.state, partial(self._refused.emit, error), self._not_at_all)

    def _not_at_all(self, error: UserError) -> None:
        self._refused.emit(error, TokenState(TokenStorage.NOWHERE))

    def _hear(self, error: UserError) -> None:
        if not self._cancel.cancelled:
            self._heard.emit(error)
