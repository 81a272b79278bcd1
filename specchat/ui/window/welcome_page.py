"""The page that an empty conversation shows, with suggested questions."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.theme import GRID, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.wrapping_row import WrappingRow

_WIDTH = 56 * GRID
_PADDING = 2 * GRID


class WelcomePage(QWidget):
    question_chosen = Signal(str)
    add_model_requested = Signal()
    find_models_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self._column = QWidget(self)
        self._title = QLabel(self)
        self._title.setWordWrap(True)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setProperty("muted", True)
        self._suggestions = [TextButton("", self) for _ in range(3)]
        self._ways = WrappingRow(self._column)
        self._find = TextButton(self.tr("Find models…"), self, primary=True)
        self._find.setObjectName("welcomeFindButton")
        self._find.clicked.connect(self.find_models_requested)
        self._add = TextButton(self.tr("Add a GGUF file…"), self)
        self._add.setObjectName("welcomeAddButton")
        for button in self._suggestions:
            button.clicked.connect(self._ask)
        self._add.clicked.connect(self.add_model_requested)
        self._arrange()
        follow_theme(self._apply_theme)

    def show_state(self, title: str, text: str, suggestions: Sequence[str], *, can_add: bool) -> None:
        self._title.setText(title)
        self._text.setText(text)
        for index, button in enumerate(self._suggestions):
            button.setText(suggestions[index] if index < len(suggestions) else "")
            button.setVisible(index < len(suggestions))
        self._add.setVisible(can_add)
        self._find.setVisible(can_add)
        self._ways.update_layout()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._column.setMaximumWidth(scaled_px(_WIDTH))
        self._title.setStyleSheet(f"font-size: {scaled_px(TITLE_PX)}px; font-weight: 600; color: {theme.text.name()}")

    def _ask(self) -> None:
        button = self.sender()
        assert isinstance(button, TextButton)
        self.question_chosen.emit(button.text())

    def _arrange(self) -> None:
        inner = QVBoxLayout(self._column)
        inner.setContentsMargins(_PADDING, 0, _PADDING, 0)
        inner.setSpacing(GRID)
        inner.addWidget(self._title)
        inner.addWidget(self._text)
        inner.addSpacing(GRID)
        for button in self._suggestions:
            inner.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        for button in (self._find, self._add):
            self._ways.add_widget(button)
        self._ways.add_stretch()
        inner.addWidget(self._ways)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._column, 1000)
        middle.addStretch(1)
        page = QWidget(self)
        whole = QVBoxLayout(page)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addStretch(2)
        whole.addLayout(middle)
        whole.addStretch(3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(ContentScrollArea(page, QMargins(), self))
