"""The pair picker's notes about a model on another engine, shown instead of load settings."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from specchat.domain.connections import EngineReport
from specchat.ui.engines.engine_text import lacks_texts
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text


class EngineNotes(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("engineNotes")
        self._settings, self._lacks, self._warning = QLabel(self), muted_label("", self), QLabel(self)
        self._settings.setWordWrap(True)
        self._settings.setText(
            self.tr(
                "The engine loads this model with its own settings and decides how to guess. Draft, context, memory, "
                "and device settings are not available here."
            )
        )
        self._settings.setProperty("small", True)
        self._warning.setWordWrap(True)
        self._warning.setTextFormat(Qt.TextFormat.PlainText)
        self._warning.setProperty("warning", True)
        self._warning.setObjectName("engineWarning")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        layout.setSpacing(GRID)
        for label in (self._settings, self._lacks, self._warning):
            layout.addWidget(label)

    def show_report(self, report: EngineReport | None) -> None:
        """None: the engine is not connected."""
        lacks = lacks_texts(report.lacks) if report is not None else []
        warnings = "\n".join(map(translate_text, report.warnings)) if report is not None else ""
        self._lacks.setText("\n".join(f"• {line}" for line in lacks))
        self._lacks.setVisible(bool(lacks))
        self._warning.setText(warnings)
        self._warning.setVisible(bool(warnings))
        words = (self._settings.text(), *lacks, warnings)
        self.setAccessibleDescription(" ".join(filter(None, words)))
