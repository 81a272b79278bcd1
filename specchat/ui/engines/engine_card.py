"""Cards for a saved engine and for one that answers on this computer."""

from functools import partial

from PySide6.QtWidgets import QWidget

from specchat.domain.connections import EngineReport
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.engines.engine_text import (
    error_text,
    lacks_texts,
    model_list_text,
    report_text,
    totals_text,
)
from specchat.ui.models.cards import Badge
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.removal_questions import remove_question
from specchat.ui.models.wide_card import CardNote, WideCard
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.words.message_translation import translate_text


class EngineCard(WideCard):
    def __init__(self, entry: EngineEntry, requests: ManagerRequests, pane: QWidget) -> None:
        connection = entry.connection
        super().__init__(connection.name, connection.name, connection.url, _details(entry), pane)
        self._connection, self._requests, self._pane = connection, requests, pane
        self.setObjectName("engineCard")
        if entry.is_asked:
            self.show_note(CardNote(self.tr("Connecting…"), running=True))
        elif entry.report is not None:
            self._show_report(entry.report)
        elif entry.error is not None:
            self.add_badge(Badge(self.tr("Not responding"), "danger", self))
            self.facts.addWidget(self._sentence(error_text(entry)))
        self._add_buttons(entry)

    def _show_report(self, report: EngineReport) -> None:
        self.add_badge(Badge(self.tr("Connected"), "good", self))
        self.facts.addWidget(self._sentence(report_text(report)))
        if totals := totals_text(report):
            self.facts.addWidget(self._sentence(totals))
        for warning in report.warnings:
            self.facts.addWidget(self._sentence(translate_text(warning), warns=True))

    def _sentence(self, words: str, *, warns: bool = False) -> QWidget:
        label = muted_label(words, self)
        label.setObjectName("engineWarning" if warns else "engineReport")
        label.setWordWrap(True)
        if warns:
            label.setProperty("muted", False)
            label.setProperty("warning", True)
        self.setAccessibleDescription(f"{self.accessibleDescription()}. {words}")
        return label

    def _add_buttons(self, entry: EngineEntry) -> None:
        connection, requests = self._connection, self._requests
        if entry.report is not None and entry.report.models:
            choose = TextButton(self.tr("Choose a model…"), self)
            choose.setObjectName("chooseEngineModelButton")
            choose.setAccessibleName(self.tr("Choose a model from {name}").format(name=connection.name))
            choose.clicked.connect(lambda: requests.engine_models_requested.emit(connection))
            self.add_button(choose)
        test = TextButton(self.tr("Test"), self)
        test.setObjectName("testEngineButton")
        test.setAccessibleName(self.tr("Test {name}").format(name=connection.name))
        test.setEnabled(not entry.is_asked)
        test.clicked.connect(lambda: requests.engine_test_requested.emit(connection))
        self.add_button(test)
        key = IconButton("key", self.tr("Set key…"), self)
        key.setObjectName("setEngineKeyButton")
        key.clicked.connect(lambda: requests.engine_key_requested.emit(connection))
        self.add_button(key)
        remove = IconButton("trash", self.tr("Remove engine from list"), self)
        remove.setObjectName("removeEngineButton")
        remove.clicked.connect(self._ask_to_remove)
        self.add_button(remove)

    def _stop_running(self) -> None:
        self._requests.stop_engine_test_requested.emit(self._connection)

    def _ask_to_remove(self) -> None:
        """The question belongs to the pane: the list may replace this card meanwhile."""
        explanation = self.tr("Its key is deleted from the keyring. The engine itself keeps running.")
        question = remove_question(self._connection.name, explanation, self._pane)
        question.confirmed.connect(partial(self._requests.engine_removal_requested.emit, self._connection))
        question.open()


class FoundEngineCard(WideCard):
    """Answers at a usual port of this computer."""

    def __init__(self, report: EngineReport, name: str, requests: ManagerRequests, parent: QWidget) -> None:
        super().__init__(report.url, report.engine, report.url, model_list_text(report), parent)
        self.setObjectName("foundEngineCard")
        self.facts.addWidget(muted_label(report_text(report), self))
        add = TextButton(self.tr("Add"), self)
        add.setObjectName("addFoundEngineButton")
        add.setAccessibleName(self.tr("Add {name}").format(name=report.engine))
        add.clicked.connect(lambda: requests.engine_entered.emit(name, report.url, ""))
        self.add_button(add)


def _details(entry: EngineEntry) -> str:
    if entry.report is None:
        return entry.connection.url
    return "\n".join(filter(None, (model_list_text(entry.report), *lacks_texts(entry.report.lacks))))
