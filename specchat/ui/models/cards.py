"""A scrollable list of card widgets that are created lazily while scrolling."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from specchat.ui.widgets.controls import ElidedLabel
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.tab_order import chain_tab_order
from specchat.ui.widgets.theme import GRID

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_AT_ONCE = 40
"""More than a screen holds: each widget costs a change of the theme or of the size some of its time."""


class Badge(QLabel):
    """A word or two in a frame. `tone`: "plain", "good", "warning" or "danger"."""

    def __init__(self, words: str, tone: str = "plain", parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("badge", tone)


class Card(QFrame):
    """A title, badges beside it, a line below, and room for buttons and more on the right or underneath."""

    activated = Signal(object)
    """Its key: by click, Enter or Space."""

    def __init__(self, key: object, title: str, line: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.setProperty("row", True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(line)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title, self.line = ElidedLabel(self), muted_label(line, self)
        self.title.setText(title)
        self.line.setWordWrap(True)
        self.line.setVisible(bool(line))
        self._top, self.right = QHBoxLayout(), QHBoxLayout()
        self._top.setSpacing(GRID)
        self._top.addWidget(self.title, 1)
        self.below = QVBoxLayout()
        self.below.setSpacing(GRID // 2)
        self.below.addLayout(self._top)
        self.below.addWidget(self.line)
        self.right.setSpacing(GRID)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID * 3 // 2, GRID, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(self.below, 1)
        layout.addLayout(self.right)

    def add_badge(self, badge: Badge) -> None:
        self._top.addWidget(badge)
        self.setAccessibleDescription(", ".join(filter(None, (self.accessibleDescription(), badge.text()))))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.activated.emit(self.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit(self.key)
        else:
            super().keyPressEvent(event)


def card_heading(words: str, parent: QWidget) -> QLabel:
    """Level with the titles of the cards."""
    label = heading_label(words, parent)
    label.setContentsMargins(GRID * 3 // 2, GRID, 0, 0)
    return label


class CardList(QScrollArea):
    """`show_cards` replaces all; cards and headings may be mixed. Arrow keys go from card to card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: list[QWidget] = []
        self._further: Iterator[QWidget] = iter(())
        self._last_stop: QWidget = self
        self._inside = QWidget(self)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, GRID, 0)
        self._column.setSpacing(GRID // 2)
        self._column.addStretch(1)
        self._inside.setAutoFillBackground(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # its cards are where Tab stops
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(self._inside)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().valueChanged.connect(self._show_further)
        self.verticalScrollBar().rangeChanged.connect(self._show_further)

    @property
    def cards(self) -> list[Card]:
        """Those that are made so far."""
        return [each for each in self._shown if isinstance(each, Card)]

    def find_card(self, key: object) -> Card | None:
        """It is made where it lies further down."""
        while True:
            found = next((card for card in self.cards if card.key == key), None)
            if found is not None or not self._add(_AT_ONCE):
                return found

    def show_cards(self, widgets: Iterable[QWidget]) -> None:
        """As many as before, and a few at least. The focus stays with the card of the same key, or in its place."""
        at, focused = next((place for place in enumerate(self.cards) if _has_focus(place[1])), (0, None))
        for gone in self._shown:
            gone.hide()
            gone.deleteLater()
        before, self._shown = len(self._shown), []
        self._further, self._last_stop = iter(widgets), self
        self._add(max(before, _AT_ONCE))
        if focused is not None and self.cards:
            same = next((card for card in self.cards if card.key == focused.key), None)
            (same or self.cards[min(at, len(self.cards) - 1)]).setFocus()

    def delete_cards(self) -> None:
        """Now, rather than when there is time."""
        gone = self._shown
        self.show_cards(())
        for widget in gone:
            QCoreApplication.sendPostedEvents(widget, QEvent.Type.DeferredDelete.value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and isinstance(watched, Card):
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self._focus_beside(watched, step)
                return True
        return super().eventFilter(watched, event)

    def _add(self, most: int) -> Sequence[QWidget]:
        """Laid out once for all: else each that is shown would move all others."""
        added = list(islice(self._further, most))
        width = self._inside.width() - GRID
        self._column.setEnabled(False)
        for number, widget in enumerate(added, start=len(self._shown)):
            self._column.insertWidget(number, widget)
            widget.resize(width, widget.height())
            widget.show()
            if isinstance(widget, Card):
                widget.installEventFilter(self)
        self._column.setEnabled(True)
        self._shown += added
        self._last_stop = chain_tab_order(self._last_stop, added)
        return added

    def _show_further(self) -> None:
        bar = self.verticalScrollBar()
        if bar.maximum() and bar.value() + 2 * bar.pageStep() > bar.maximum():
            self._add(_AT_ONCE)

    def _focus_beside(self, card: Card, step: int) -> None:
        cards = self.cards
        number = cards.index(card) + step
        if 0 <= number < len(cards):
            cards[number].setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(cards[number])


def _has_focus(card: Card) -> bool:
    focus = card.window().focusWidget()
    return focus is not None and (focus is card or card.isAncestorOf(focus))
