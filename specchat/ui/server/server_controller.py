"""Starts and stops the local API server as the settings require."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.completions import Completions, MakeServer, ServerSettings
from specchat.domain.errors import SettingError, UserError
from specchat.services.settings.server_key import KeyStorage, ServerKey
from specchat.ui.server.server_state import ServerPhase, ServerState
from specchat.ui.server.server_thread import ServerThread
from specchat.ui.session import Session
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:  # made when it is first opened
    from specchat.ui.server.server_page import ServerPage


class ServerController(QObject):
    state_changed = Signal(ServerState)
    _key_known = Signal(KeyStorage)
    _key_refused = Signal(UserError, KeyStorage)

    def __init__(
        self,
        session: Session,
        settings: SettingsModel,
        key: ServerKey,
        make_server: MakeServer,
        completions: Completions,
        key_tasks: TaskQueue,
        notifications: NotificationController,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._key_service, self._tasks = key, key_tasks
        self._make_server, self._completions, self._logs = make_server, completions, logs
        self._session, self._settings, self._notifications = session, settings, notifications
        self._key: str | None = None
        """None: it is not known yet."""
        self._is_asking_for_key = self._has_begun = self._is_closed = False
        self._has_told_of_key = False
        self._thread: ServerThread | None = None
        self._url = ""
        self._refused: ServerSettings | None = None
        self._error: UserError | None = None
        self._is_watched: Callable[[], bool] = lambda: False
        self._problem: UserError | None = None
        """The one that is shown, until the server is well again."""
        settings.changed.connect(self._follow)
        session.pair_loaded.connect(self._start)

    def attach(self, page: "ServerPage") -> None:
        self._is_watched = page.isVisible
        self.state_changed.connect(page.show_state)
        self._key_known.connect(page.key.show_location)
        self._key_refused.connect(page.key.show_problem)
        page.show_state(self.state)
        page.retry_requested.connect(self._retry)
        page.key_state_requested.connect(self._page_opened)
        page.key.key_entered.connect(self._keep_key)
        page.key.remove_key_requested.connect(self._forget_key)

    @property
    def state(self) -> ServerState:
        wanted = self._wanted()
        if self._error is not None:
            return ServerState(ServerPhase.FAILED, error=self._error, can_retry=self._refused is not None)
        if self._thread is None:
            return ServerState(ServerPhase.WAITING if self._settings.value.serving else ServerPhase.OFF)
        if self._thread.settings != wanted:
            return ServerState(ServerPhase.STOPPING)
        return ServerState(ServerPhase.SERVING if self._url else ServerPhase.STARTING, self._url)

    def stop(self) -> None:
        """For good."""
        self._is_closed = True
        self._follow()

    def wait(self) -> None:
        """Until the server has ended."""
        if self._thread is not None:
            self._thread.stop_and_wait()

    def _start(self) -> None:
        """Once a pair was loaded there is something to serve."""
        self._has_begun = True
        self._follow()

    def _follow(self) -> None:
        """What is wanted: a server that is to be another one ends first."""
        wanted = self._wanted()
        if wanted is None or wanted != self._refused:
            self._refused = self._error = None
        if self._thread is not None and self._thread.settings != wanted:
            self._thread.stop()
        elif self._thread is None and wanted is not None and wanted != self._refused:
            self._start_thread(wanted)
        if self._has_begun and self._needs_key:
            self._require_key()
        self._emit_state()

    def _retry(self) -> None:
        self._refused = None
        self._follow()

    def _emit_state(self) -> None:
        state = self.state
        if state.error is None:
            self._notifications.dismiss_error(self._problem)
        self.state_changed.emit(state)

    def _page_opened(self) -> None:
        """It says what is wrong itself."""
        self._notifications.dismiss_error(self._problem)
        self._look_for_key()

    def _show_problem(self, error: UserError) -> None:
        self._problem = error
        self._notifications.queue_error(
            error, lambda: self._session.settings_requested.emit("server"), self.tr("Settings…")
        )

    def _wanted(self) -> ServerSettings | None:
        if not self._settings.value.serving or not self._has_begun or self._is_closed:
            return None
        if not self._needs_key:
            return ServerSettings(port=self._settings.value.server_port, in_window=True)
        port = self._settings.value.server_port
        return ServerSettings(port=port, api_key=self._key, in_window=True) if self._key else None

    def _require_key(self) -> None:
        """Without it nobody is served, rather than everybody."""
        if self._key is None:
            self._look_for_key()
        elif not self._key:
            self._error = error = SettingError(
                self.tr("The API server is off: its key is missing."),
                self.tr("Enter the key again, or click Remove key to run without one."),
            )
            if not (self._has_told_of_key or self._is_watched()):
                self._has_told_of_key = True
                self._show_problem(error)

    @property
    def _needs_key(self) -> bool:
        return self._settings.value.serving and self._settings.value.server_key

    def _start_thread(self, settings: ServerSettings) -> None:
        self._thread = thread = ServerThread(self._make_server, settings, self._completions, self._logs, self)
        thread.server_started.connect(self._listening)
        thread.failed.connect(self._refuse)
        thread.finished.connect(self._ended)
        thread.start()

    def _listening(self, url: str) -> None:
        self._url = url
        self._emit_state()

    def _refuse(self, error: UserError) -> None:
        assert self._thread is not None
        self._refused, self._error = self._thread.settings, error
        if not (self._is_closed or self._is_watched()):
            self._show_problem(error)

    def _ended(self) -> None:
        assert self._thread is not None
        self._thread.deleteLater()
        self._thread, self._url = None, ""
        self._follow()

    def _look_for_key(self) -> None:
        if not self._is_asking_for_key:
            self._is_asking_for_key = True
            self._do_with_key(lambda: None)

    def _keep_key(self, key: str) -> None:
        self._do_with_key(lambda: self._key_service.set(key), needed=True)

    def _forget_key(self) -> None:
        self._do_with_key(self._key_service.delete, needed=False)

    def _do_with_key(self, work: Callable[[], None], needed: bool | None = None) -> None:
        """`needed`: whether other programs must send it from then on."""

        def both() -> tuple[str, KeyStorage]:
            work()
            return self._key_service(), self._key_service.storage

        def know(known: tuple[str, KeyStorage]) -> None:
            self._key, home = known
            self._is_asking_for_key = False
            self._key_known.emit(home)
            if needed is not None:
                self._settings.change(replace(self._settings.value, server_key=needed))
            self._follow()

        self._tasks.run(both, know, self._explain)

    def _explain(self, error: UserError) -> None:
        """The keyring's answer is known by now, so this asks it no more."""
        self._is_asking_for_key = False
        self._tasks.run(lambda: self._key_service.storage, partial(self._key_refused.emit, error), self._show_problem)
