"""A pane with a card list, a filter box, an error message and an empty state."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.ui.models.cards import Card, CardList
from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.wide_card import CardNote, WideCard
from specchat.ui.sidebar.search_box import FilterBox
from specchat.ui.widgets.controls import ElidedLabel
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import follow_theme


class FilteredPane(ManagerPane):
    def __init__(self, requests: ManagerRequests, retry: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.requests = requests
        self._retry = retry
        self.filter = FilterBox(self)
        self.problem = ErrorCard(self)
        self.list = CardList(self)
        self.beside_filter = QHBoxLayout()
        self.summary = ElidedLabel(self)
        self._pages = QStackedWidget(self)
        self._nothing = _Nothing(self)
        self._notes: dict[object, CardNote] = {}
        self._rests = False
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._nothing)
        self.rows = QVBoxLayout(self)
        """Others go below these."""
        self._arrange_list()
        self.filter.search_changed.connect(lambda _: self.fill())
        self.filter.list_focus_requested.connect(self._to_the_list)
        self.problem.action_chosen.connect(self._dismiss_and_retry)
        follow_theme(self.fill, call_now=False)

    def fill(self) -> None:
        """Shows the cards that pass the filter, or why there are none."""
        raise NotImplementedError

    def focus_search(self) -> None:
        self.filter.focus_and_select()

    def matches_filter(self, *texts: str) -> bool:
        """Whether all words of the filter are in one text or another."""
        whole = " ".join(texts).casefold()
        return all(word in whole for word in self.filter.query.casefold().split())

    def show_note(self, key: object, note: CardNote | None) -> None:
        """On the card with this key, whenever there is one; None: no longer."""
        self._notes.pop(key, None)
        if note is not None:
            self._notes[key] = note
        for card in self.list.cards:
            if isinstance(card, WideCard) and card.key == key:
                card.show_note(note)

    def retain_notes(self, keys: Collection[object]) -> None:
        """Of all but these."""
        self._notes = {key: note for key, note in self._notes.items() if key in keys}

    def focus_card(self, key: object) -> None:
        """Once it is shown."""
        card = self.list.find_card(key)
        if card is not None:
            QTimer.singleShot(0, card, partial(self._go_to, card))

    def show_cards(self, widgets: Iterable[QWidget], summary: str) -> None:
        """They are made when somebody looks at them."""
        self.list.show_cards(() if self._rests else self._with_notes(widgets))
        self.summary.setText(summary)
        self._pages.setCurrentWidget(self.list)

    def show_empty_state(self, title: str, line: str, offer: QWidget | None = None) -> None:
        """`offer`: a button for what the line says."""
        self.list.show_cards(())
        self.summary.clear()
        self._nothing.say(title, line, offer)
        self._pages.setCurrentWidget(self._nothing)

    def show_problem(self, error: UserError, *, can_retry: bool = False) -> None:
        self.problem.show_error(error, self.tr("Try again") if can_retry else "")

    def unload_cards(self) -> None:
        """Hidden, it has no cards until it is seen again."""
        if not self.isVisible():
            self._rests = True
            self.list.delete_cards()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._rests:
            self._rests = False
            self.fill()

    def _with_notes(self, widgets: Iterable[QWidget]) -> Iterator[QWidget]:
        for widget in widgets:
            if isinstance(widget, WideCard) and widget.key in self._notes:
                widget.show_note(self._notes[widget.key])
            yield widget

    def _arrange_list(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter by name"))
        self.beside_filter.setSpacing(2 * GRID)
        self.beside_filter.addWidget(self.filter, 1)
        self.summary.setProperty("muted", True)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(GRID)
        self.rows.addLayout(self.beside_filter)
        self.rows.addWidget(self.problem)
        self.rows.addWidget(self.summary)
        self.rows.addWidget(self._pages, 1)

    def _go_to(self, card: Card) -> None:
        QApplication.sendEvent(self.list, QEvent(QEvent.Type.LayoutRequest))  # now rather than soon
        card.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.ensureWidgetVisible(card)

    def _to_the_list(self) -> None:
        if self.list.cards:
            self.list.cards[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _dismiss_and_retry(self) -> None:
        self.problem.dismiss()
        self._retry()


class _Nothing(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._line = muted_label("", self)
        self._offer: QWidget | None = None
        self._column = QVBoxLayout()
        self._column.setSpacing(GRID)
        for label in (self._title, self._line):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            self._column.addWidget(label)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addLayout(self._column)
        layout.addStretch(3)

    def say(self, title: str, line: str, offer: QWidget | None) -> None:
        self._title.setText(title)
        self._line.setText(line)
        self._line.setVisible(bool(line))
        if self._offer is not None and self._offer is not offer:
            self._offer.hide()
        self._offer = offer
        if offer is not None:
            self._column.addWidget(offer, 0, Qt.AlignmentFlag.AlignHCenter)
            offer.show()
