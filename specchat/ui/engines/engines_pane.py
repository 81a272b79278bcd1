"""The pane that lists other engines, which serve models here or elsewhere, and machines that lend their devices."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from specchat.domain.connections import EngineReport
from specchat.domain.errors import UserError
from specchat.ui.engines.add_engine_dialog import AddEngineDialog
from specchat.ui.engines.engine_card import EngineCard, FoundEngineCard
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.machines.add_machine_dialog import AddMachineDialog
from specchat.ui.machines.machine_card import MachineCard
from specchat.ui.machines.machine_list import MachineEntry
from specchat.ui.models.cards import card_heading
from specchat.ui.models.filtered_pane import FilteredPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label, set_primary
from specchat.ui.widgets.wrapping_row import WrappingRow


class EnginesPane(FilteredPane):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(requests, requests.engines_refresh_requested.emit, parent)
        self._entries: Sequence[EngineEntry] = ()
        self._found: Sequence[EngineReport] = ()
        self._machines: Sequence[MachineEntry] = ()
        self._add = TextButton(self.tr("Add an engine…"), self)
        self._find = TextButton(self.tr("Find on this computer"), self)
        self._add_machine = TextButton(self.tr("Add a machine…"), self)
        self._outcome = muted_label("", self)
        self._dialog: AddEngineDialog | None = None
        self._arrange()
        self._add.clicked.connect(self.open_dialog)
        self._find.clicked.connect(self._search)
        self._add_machine.clicked.connect(self.open_machine_dialog)

    def show_engines(self, entries: Sequence[EngineEntry]) -> None:
        self._entries = entries
        self.fill()

    def show_machines(self, entries: Sequence[MachineEntry]) -> None:
        self._machines = entries
        self.fill()

    def show_found(self, reports: Sequence[EngineReport]) -> None:
        self._found = reports
        self._find.setEnabled(True)
        self._show_outcome("" if reports else self.tr("No other engines found on their usual ports."))
        self.fill()

    def open_dialog(self) -> None:
        self._dialog = AddEngineDialog(self.requests, [entry.connection.name for entry in self._entries], self)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

    def open_machine_dialog(self) -> None:
        dialog = AddMachineDialog(self.requests, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show_entry_problem(self, error: UserError) -> None:
        if self._dialog is not None:
            self._dialog.show_problem(error)
        else:
            self.show_problem(error)

    def show_added(self, url: str) -> None:
        if self._dialog is not None:
            self._dialog.accept()
        self._found = [report for report in self._found if report.url != url]
        self.fill()

    def fill(self) -> None:
        shown = [each for each in self._entries if self.matches_filter(each.connection.name, each.connection.url)]
        machines = [each for each in self._machines if self.matches_filter(each.address)]
        is_empty = not (self._entries or self._found or self._machines)
        set_primary(self._add, primary=is_empty)
        if shown or self._found or machines:
            self.show_cards(self._cards(shown, machines), "")
        elif self.filter.query:
            self.show_empty_state(self.tr("No matching engines"), "")
        else:
            words = self.tr(
                "Chat with models served by llama-server, vLLM, SGLang, LM Studio, Ollama, another specchat, or any "
                "OpenAI-compatible server, on this computer or elsewhere."
            )
            self.show_empty_state(self.tr("No engines yet"), words)

    def _cards(self, shown: Sequence[EngineEntry], machines: Sequence[MachineEntry]) -> Iterator[QWidget]:
        for entry in shown:
            yield EngineCard(entry, self.requests, self)
        if self._found:
            yield card_heading(self.tr("Found on this computer"), self)
        for report in self._found:
            yield FoundEngineCard(report, self._free_name(report.engine), self.requests, self)
        if machines:
            yield card_heading(self.tr("Other machines"), self)
        for machine in machines:
            yield MachineCard(machine, self.requests, self)

    def _free_name(self, engine: str) -> str:
        taken = {entry.connection.name.casefold() for entry in self._entries}
        names = (engine, *(f"{engine} {n}" for n in range(2, len(taken) + 3)))
        return next(name for name in names if name.casefold() not in taken)

    def _search(self) -> None:
        self._find.setEnabled(False)
        self._show_outcome(self.tr("Looking for engines…"))
        self.requests.engine_search_requested.emit()

    def _show_outcome(self, words: str) -> None:
        self._outcome.setText(words)
        self._outcome.setVisible(bool(words))

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _arrange(self) -> None:
        self.setObjectName("enginesPane")
        self.setAccessibleName(self.tr("Other engines"))
        self.list.setObjectName("engineList")
        self.list.setAccessibleName(self.tr("Other engines"))
        self.filter.setObjectName("engineFilter")
        self.filter.setAccessibleName(self.tr("Filter engines"))
        self.summary.hide()
        self._add.setObjectName("addEngineButton")
        self._find.setObjectName("findEnginesButton")
        self._add_machine.setObjectName("addMachineButton")
        lends = self.tr("Computers that run ggml-rpc-server lend their memory and GPUs to models on this computer.")
        self._add_machine.setToolTip(lends)
        self._find.setToolTip(self.tr("Checks the ports that engines usually use on this computer."))
        self._outcome.setObjectName("findEnginesOutcome")
        buttons = WrappingRow(self)
        for button in (self._add, self._find, self._add_machine):
            buttons.add_widget(button)
        buttons.add_stretch()
        self.rows.addWidget(buttons)
        self.rows.addWidget(self._outcome)
        self._show_outcome("")
