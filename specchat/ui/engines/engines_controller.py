"""Connects the manager's pane of other engines and machines with the lists of them."""

from PySide6.QtCore import QObject, Signal

from specchat.domain.connections import Connection
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.engines.engines_pane import EnginesPane
from specchat.ui.machines.machine_list import MachineList


class EnginesController(QObject):
    key_requested = Signal(Connection)
    models_requested = Signal(object)
    """The Connection whose models to choose from."""

    def __init__(self, pane: EnginesPane, engines: EngineList, machines: MachineList, parent: QObject) -> None:
        super().__init__(parent)
        self._pane, self._engines, self._machines = pane, engines, machines
        requests = pane.requests
        engines.changed.connect(self._show)
        engines.failed.connect(pane.show_problem)
        engines.searched.connect(pane.show_found)
        engines.added.connect(lambda connection: pane.show_added(connection.url))
        requests.engines_refresh_requested.connect(self.refresh)
        requests.engine_test_requested.connect(engines.ask)
        requests.stop_engine_test_requested.connect(engines.stop)
        requests.engine_key_requested.connect(self.key_requested)
        requests.engine_models_requested.connect(self.models_requested)
        requests.engine_removal_requested.connect(engines.remove)
        requests.engine_search_requested.connect(engines.search)
        requests.engine_entered.connect(self._add)
        machines.changed.connect(self._show_machines)
        requests.machine_entered.connect(machines.add)
        requests.machine_test_requested.connect(machines.ask)
        requests.machine_removal_requested.connect(machines.remove)

    def refresh(self) -> None:
        self._engines.refresh()
        self._machines.refresh()
        self._show()
        self._show_machines()

    def _add(self, name: str, url: str, key: str) -> None:
        self._engines.add(name, url, key, self._pane.show_entry_problem)

    def _show(self) -> None:
        self._pane.show_engines(self._engines.entries)

    def _show_machines(self) -> None:
        self._pane.show_machines(self._machines.entries)
