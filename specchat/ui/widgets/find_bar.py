"""The find bar for the current conversation."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from specchat.ui.transcript import MatchCount
from specchat.ui.widgets.accessibility import announce, set_description
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.words.number_format import format_number

_MANY = 88_888


class FindBar(QFrame):
    text_changed = Signal(str)
    next_requested = Signal()
    previous_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setProperty("card", True)
        self._field = QLineEdit(self)
        self._field.setObjectName("findField")
        self._field.setPlaceholderText(self.tr("Find in this chat"))
        self._field.setAccessibleName(self.tr("Find in this chat"))
        self._searching, self._no_matches = self.tr("Searching…"), self.tr("No matches")
        self._position = _SteadyLabel((self._searching, self._no_matches, self._place(_MANY, _MANY)), self)
        self._position.setObjectName("findPosition")
        self._asked = False
        """Who asked is told; what an answer adds while it is written is only shown."""
        self._previous = IconButton("chevron-up", self.tr("Previous match"), self)
        self._next = IconButton("chevron-down", self.tr("Next match"), self)
        self._close = IconButton("close", self.tr("Close"), self)
        self._field.textChanged.connect(self._search)
        self._field.returnPressed.connect(self._step)
        self._previous.clicked.connect(self._go_back)
        self._next.clicked.connect(self._go_on)
        self._close.clicked.connect(self.close_bar)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._field, 1)
        for widget in (self._position, self._previous, self._next, self._close):
            layout.addWidget(widget)
        self.hide()

    def open_bar(self) -> None:
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self._search()

    def show_text(self, words: str) -> None:
        """Being searched for already; the keyboard stays where it is."""
        blocked = self._field.blockSignals(True)
        self._field.setText(words)
        self._field.blockSignals(blocked)
        self.show()

    def close_bar(self) -> None:
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def show_match_count(self, tally: MatchCount) -> None:
        words = self._words(tally)
        if words != self._position.text():
            self._position.setText(words)
        in_file = tally.complete and tally.in_file
        heard = self.tr("{place}, in an attached file").format(place=words) if in_file else words
        if heard != self._field.accessibleDescription():
            set_description(self._field, heard)
        if self._asked and tally.complete and words:
            self._asked = False
            announce(self._field, heard)

    def _words(self, tally: MatchCount) -> str:
        if not self._field.text().strip():
            return ""
        if not tally.complete:
            return self._searching
        return self._place(tally.position, tally.total) if tally.total else self._no_matches

    def _place(self, position: int, total: int) -> str:
        return self.tr("{n} of {total}").format(n=format_number(position), total=format_number(total))

    def _search(self) -> None:
        self._asked = True
        self.text_changed.emit(self._field.text())

    def _step(self) -> None:
        backwards = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        if backwards:
            self._go_back()
        else:
            self._go_on()

    def _go_back(self) -> None:
        self._asked = True
        self.previous_requested.emit()

    def _go_on(self) -> None:
        self._asked = True
        self.next_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)


class _SteadyLabel(QLabel):
    """As wide as the widest of what it will say, so that nothing beside it moves."""

    def __init__(self, samples: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._samples = samples
        self.setProperty("muted", True)
        self.setFont(tabular_figures(body_font(SMALL_PX)))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        usual = super().sizeHint()
        widest = max(map(self.fontMetrics().horizontalAdvance, self._samples))
        return QSize(max(usual.width(), widest + GRID), usual.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
