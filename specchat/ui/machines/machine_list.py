"""Keeps the saved machines, which are a setting, and what each of them answered last."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.rpc import RpcServer, parse_rpc_address
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # it takes its time to import
    from specchat.backends.rpc_servers import KnownRpcServers

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class MachineEntry:
    address: str
    server: RpcServer | None = None
    """What it answered last."""
    error: UserError | None = None
    """Why it did not answer."""
    is_asked: bool = False


class MachineList(QObject):
    changed = Signal()

    def __init__(
        self,
        settings: SettingsModel,
        servers: "Callable[[], KnownRpcServers]",
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings, self._servers = settings, servers
        self._tasks = TaskQueue(logs, self, parallel=_AT_ONCE)
        self._closing = CancelToken()
        self.entries = tuple(map(MachineEntry, settings.value.machines))
        settings.changed.connect(self._follow)

    def refresh(self) -> None:
        for entry in self.entries:
            self.ask(entry.address)

    def add(self, text: str) -> None:
        """A `SettingError`: that is no address."""
        address = parse_rpc_address(text)
        if address not in self._settings.value.machines:
            self._save((*self._settings.value.machines, address))
        self.ask(address)

    def ask(self, address: str) -> None:
        self._set(MachineEntry(address, is_asked=True))
        self._tasks.run(
            lambda: self._check(address),
            lambda server: self._set(MachineEntry(address, server)),
            partial(self._set_error, address),
            self._closing,
        )

    def remove(self, address: str) -> None:
        self._save(tuple(each for each in self._settings.value.machines if each != address))

    def close(self) -> None:
        self._closing.cancel()
        self._tasks.close()

    def _check(self, address: str) -> RpcServer:
        return self._servers().check(parse_rpc_address(address), self._closing)  # settings may be edited by hand

    def _save(self, machines: tuple[str, ...]) -> None:
        self._settings.change(replace(self._settings.value, machines=machines))

    def _follow(self, settings: ApplicationSettings) -> None:
        known = {entry.address: entry for entry in self.entries}
        entries = tuple(known.get(address, MachineEntry(address)) for address in settings.machines)
        if entries != self.entries:
            self.entries = entries
            self.changed.emit()

    def _set(self, answered: MachineEntry) -> None:
        """Unless it was removed meanwhile."""
        self.entries = tuple(answered if entry.address == answered.address else entry for entry in self.entries)
        self.changed.emit()

    def _set_error(self, address: str, error: UserError) -> None:
        self._set(MachineEntry(address, error=error))
