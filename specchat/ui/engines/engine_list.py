"""Keeps the saved engines and what they answer; the model manager and the pair picker show it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Connection, EngineReport
from specchat.domain.engine_address import EngineAddress, parse_engine_address
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ServedModel
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.connections.connections import Connections

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class EngineEntry:
    connection: Connection
    report: EngineReport | None = None
    """What it answered last."""
    error: UserError | None = None
    """Why it did not answer."""
    is_asked: bool = False

    @property
    def models(self) -> tuple[ServedModel, ...]:
        report = self.report
        return tuple(ServedModel(report.url, model.id) for model in report.models) if report is not None else ()


class EngineList(QObject):
    changed = Signal()
    failed = Signal(UserError)
    added = Signal(Connection)
    key_not_kept = Signal()
    """There is no keyring: the key is gone when the program ends."""
    searched = Signal(list)
    """EngineReports of those that answer on this computer and are not saved."""

    def __init__(self, connections: "Callable[[], Connections]", logs: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connections = connections
        self._tasks = TaskQueue(logs, self, parallel=_AT_ONCE)
        self._cancels: dict[Connection, CancelToken] = {}
        self._search = CancelToken()
        self.entries: tuple[EngineEntry, ...] = ()

    def refresh(self) -> None:
        """Reads which are saved, and asks each of them."""
        self._tasks.run(self._read_saved, self._ask_all, self.failed.emit)

    def list_saved(self) -> None:
        """Without asking them."""
        self._tasks.run(self._read_saved, self._set_saved, self.failed.emit)

    def ask(self, connection: Connection) -> None:
        self.stop(connection)
        cancel = self._cancels[connection] = CancelToken()
        self._update(connection, lambda entry: replace(entry, is_asked=True))
        self._tasks.run(
            lambda: self._connections().test(parse_engine_address(connection.url), cancel),
            partial(self._set_report, connection),
            partial(self._set_error, connection),
            cancel,
        )

    def stop(self, connection: Connection) -> None:
        if cancel := self._cancels.pop(connection, None):
            cancel.cancel()
            self._update(connection, lambda entry: replace(entry, is_asked=False))

    def add(self, name: str, url: str, key: str, failed: Callable[[UserError], None]) -> None:
        def save() -> tuple[Connection, bool]:
            return self._connections().save(name, url, key or None)

        self._tasks.run(save, self._show_added, failed)

    def set_key(self, address: EngineAddress, key: str, done: Callable[[], None]) -> None:
        def show(kept: bool) -> None:
            if not kept:
                self.key_not_kept.emit()
            done()

        self._tasks.run(lambda: self._connections().keys.put(address, key), show, self.failed.emit)

    def remove(self, connection: Connection) -> None:
        def delete() -> None:
            connections = self._connections()
            connections.registry.remove(connection.name)
            connections.delete_unused_key(connection)

        self.stop(connection)
        self.entries = tuple(entry for entry in self.entries if entry.connection != connection)
        self.changed.emit()
        self._tasks.run(delete, lambda _: None, self.failed.emit)

    def search(self) -> None:
        """On this computer, at the usual ports: only when the user asks for it."""
        self._search.cancel()
        cancel = self._search = CancelToken()
        self._tasks.run(lambda: self._connections().find_here(cancel), self._show_found, self.failed.emit, cancel)

    def find(self, target: object) -> EngineEntry | None:
        """The engine that serves this model."""
        url = target.url if isinstance(target, ServedModel) else None
        return next((entry for entry in self.entries if entry.connection.url == url), None)

    def name_of(self, target: ServedModel) -> str:
        """What the user calls its engine, or the address where it isn't saved."""
        entry = self.find(target)
        return entry.connection.name if entry is not None else target.url.partition("://")[2]

    def close(self) -> None:
        for cancel in (*self._cancels.values(), self._search):
            cancel.cancel()
        self._tasks.close()

    def _read_saved(self) -> list[Connection]:
        return self._connections().registry.connections()

    def _set_saved(self, saved: list[Connection]) -> None:
        before = {entry.connection: entry for entry in self.entries}
        self.entries = tuple(before.get(each, EngineEntry(each)) for each in saved)
        self.changed.emit()

    def _ask_all(self, saved: list[Connection]) -> None:
        self._set_saved(saved)
        for connection in saved:
            self.ask(connection)

    def _set_report(self, connection: Connection, report: EngineReport) -> None:
        self._cancels.pop(connection, None)
        self._update(connection, lambda entry: EngineEntry(connection, report))

    def _set_error(self, connection: Connection, error: UserError) -> None:
        self._cancels.pop(connection, None)
        self._update(connection, lambda entry: EngineEntry(connection, error=error))

    def _update(self, connection: Connection, change: Callable[[EngineEntry], EngineEntry]) -> None:
        self.entries = tuple(change(entry) if entry.connection == connection else entry for entry in self.entries)
        self.changed.emit()

    def _show_added(self, saved: tuple[Connection, bool]) -> None:
        connection, is_kept = saved
        others = (entry for entry in self.entries if entry.connection.name.casefold() != connection.name.casefold())
        self.entries = (*others, EngineEntry(connection))
        self.added.emit(connection)
        if not is_kept:
            self.key_not_kept.emit()
        self.ask(connection)

    def _show_found(self, reports: list[EngineReport]) -> None:
        saved = {_place(entry.connection.url) for entry in self.entries}
        self.searched.emit([report for report in reports if _place(report.url) not in saved])


def _place(url: str) -> tuple[object, ...]:
    """The same for all names of this computer."""
    address = parse_engine_address(url)
    return (address.is_local or address.host, address.scheme, address.port, address.path)
