"""The settings page for tools: the servers of mcp.json."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.tools.server_card import ServerCard
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.tab_order import chain_tab_order
from specchat.ui.widgets.theme import GRID


class ToolsPage(QWidget):
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.add = TextButton(self.tr("Add server…"), self)
        self.open_file = TextButton(self.tr("Open mcp.json"), self)
        self.add.setObjectName("addToolServer")
        self.open_file.setObjectName("openToolFile")
        self._problem = QLabel(self)
        self._problem.setObjectName("toolFileProblem")
        self._problem.setProperty("danger", True)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._note = muted_label("", self)
        self._note.setWordWrap(True)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(GRID)
        self.setFocusProxy(self.add)
        purpose = muted_label(
            self.tr(
                "MCP servers give the model tools, such as reading files or searching the web. Servers run with your "
                "rights: enable only those that you trust. specchat asks before each call."
            ),
            self,
        )
        purpose.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.add)
        row.addWidget(self.open_file)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addWidget(purpose)
        layout.addLayout(row)
        layout.addWidget(self._problem)
        layout.addWidget(self._note)
        layout.addLayout(self._cards)
        layout.addStretch()
        self.show_servers([], "", "")

    @property
    def cards(self) -> list[ServerCard]:
        items = (self._cards.itemAt(at) for at in range(self._cards.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [card for card in widgets if isinstance(card, ServerCard)]

    def show_servers(self, cards: Sequence[ServerCard], problem: str, note: str) -> None:
        for card in self.cards:
            self._cards.removeWidget(card)
            card.hide()
            card.deleteLater()
        for card in cards:
            self._cards.addWidget(card)
            card.show()  # now: what is hidden cannot get the focus
        chain_tab_order(self.open_file, cards)
        for label, words in ((self._problem, problem), (self._note, note)):
            label.setText(words)
            label.setVisible(bool(words))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.shown.emit()
