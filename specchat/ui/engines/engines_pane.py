"""The pane that lists other engines, which serve models on this computer or elsewhere."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.domain.connections import EngineReport
from specchat.domain.errors import UserError
from specchat.ui.engines.add_engine_dialog import AddEngineDialog
from specchat.ui.engines.engine_card import EngineCard, FoundEngineCard
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.models.cards import card_heading
from specchat.ui.models.filtered_pane import FilteredPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID


class EnginesPane(FilteredPane):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(requests, requests.engines_refresh_requested.emit, parent)
        self._entries: Sequence[EngineEntry] = ()
        self._found: Sequence[EngineReport] = ()
        self._add = TextButton(self.tr("Add an engine…"), self)
        self._find = TextButton(self.tr("Find on this computer"), self)
        self._outcome = muted_label("", self)
        self._dialog: AddEngineDialog | None = None
        self._arrange()
        self._add.clicked.connect(self.open_dialog)
        self._find.clicked.connect(self._search)

    def show_engines(self, entries: Sequence[EngineEntry]) -> None:
        self._entries = entries
        self.fill()

    def show_found(self, reports: Sequence[EngineReport]) -> None:
        self._found = reports
        self._find.setEnabled(True)
        self._outcome.setText("" if reports else self.tr("No other engines found on their usual ports."))
        self.fill()

    def open_dialog(self) -> None:
        self._dialog = AddEngineDialog(self.requests, [entry.connection.name for entry in self._entries], self)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

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
        if shown or self._found:
            self.show_cards(self._cards(shown), "")
        elif self.filter.query:
            self.show_empty_state(self.tr("No matching engines"), "")
        else:
            words = self.tr(
                "Chat with models that llama-server, vLLM, SGLang, LM Studio, Ollama, another specchat, or any "
                "OpenAI-compatible server serves, on this computer or elsewhere."
            )
            self.show_empty_state(self.tr("No engines yet"), words)

    def _cards(self, shown: Sequence[EngineEntry]) -> Iterator[QWidget]:
        for entry in shown:
            yield EngineCard(entry, self.requests, self)
        if self._found:
            yield card_heading(self.tr("Found on this computer"), self)
        for report in self._found:
            yield FoundEngineCard(report, self._free_name(report.engine), self.requests, self)

    def _free_name(self, engine: str) -> str:
        taken = {entry.connection.name.casefold() for entry in self._entries}
        names = (engine, *(f"{engine} {n}" for n in range(2, len(taken) + 3)))
        return next(name for name in names if name.casefold() not in taken)

    def _search(self) -> None:
        self._find.setEnabled(False)
        self._outcome.setText(self.tr("Looking for engines…"))
        self.requests.engine_search_requested.emit()

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
        self._find.setToolTip(self.tr("Checks the ports that engines usually use on this computer."))
        self._outcome.setObjectName("findEnginesOutcome")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._add)
        buttons.addWidget(self._find)
        buttons.addWidget(self._outcome, 1)
        self.rows.addLayout(buttons)
