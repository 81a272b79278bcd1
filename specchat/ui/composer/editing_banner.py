"""The line above the text that says that a message is being edited."""

from enum import Enum, auto

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_ICON = QSize(2 * GRID, 2 * GRID)


class EditMode(Enum):
    QUESTION = auto()
    """Another version of a question, which is sent again."""
    ANSWER = auto()
    """Another version of an answer, which the model may go on with."""
    BEGINNING = auto()
    """The first words of a new answer."""


class EditingBanner(QWidget):
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("editingLine")
        self._pencil = QLabel(self)
        self._words = ElidedLabel(self)
        self._words.setProperty("muted", True)
        self._cancel = IconButton("close", self.tr("Cancel editing (Esc)"), self)
        self._cancel.setObjectName("cancelEditing")
        self._cancel.setIconSize(_ICON)
        self._cancel.setFixedSize(3 * GRID, 3 * GRID)
        self._cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pencil)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._cancel)
        self.hide()
        follow_theme(self._apply_theme)

    def show_mode(self, mode: EditMode) -> None:
        self._words.setText(
            {
                EditMode.QUESTION: self.tr(
                    "Editing your message. Send it to get a new answer. The old version is kept."
                ),
                EditMode.ANSWER: self.tr("Editing the answer. The old version is kept."),
                EditMode.BEGINNING: self.tr("The new answer starts with these words."),
            }[mode]
        )
        self.show()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._pencil.setPixmap(icon("edit", theme.text_muted, theme.line).pixmap(_ICON, self.devicePixelRatio()))
