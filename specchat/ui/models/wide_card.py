"""Cards with expandable details, a note, and buttons that move below the title when space is tight."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.ui.models.cards import Badge, Card
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.tab_order import chain_tab_order
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px, tabular_figures

_TITLE = 24 * GRID
"""The minimum width for the title beside badges and buttons."""
_DETAILS = "background: transparent; border: none; color: palette(placeholder-text); font-size: %dpx;"


@dataclass(frozen=True, slots=True)
class CardNote:
    words: str
    running: bool = False
    """It can be stopped."""
    bad: bool = False


class WideCard(Card):
    def __init__(self, key: object, title: str, line: str, details: str, parent: QWidget | None = None) -> None:
        super().__init__(key, title, line, parent)
        self.facts, self.more = QVBoxLayout(), QVBoxLayout()
        self._text = details
        self._details: SelectableText | None = None
        self._note: CardNoteLine | None = None
        self._buttons = QWidget(self)
        self._row = QHBoxLayout(self._buttons)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID)
        self._low = QHBoxLayout()
        self._badges: list[Badge] = []
        for layout in (self.facts, self._low, self.more):
            layout.setSpacing(GRID // 2)
            self.below.addLayout(layout)
        self._low.addStretch(1)
        self._top.addWidget(self._buttons)
        self._is_wide = True
        self.activated.connect(self._toggle_details)

    @property
    def shows_details(self) -> bool:
        return self._details is not None and not self._details.isHidden()

    def add_badge(self, badge: Badge) -> None:
        super().add_badge(badge)
        self._top.setAlignment(badge, Qt.AlignmentFlag.AlignVCenter)
        self._badges.append(badge)
        if self._is_wide:
            self._top.addWidget(self._buttons)

    def keep_room_for(self, badge: Badge) -> None:
        """The badge may come later: the buttons stand now where they stand with it."""
        badge.hide()
        self._badges.append(badge)

    def add_button(self, button: QWidget) -> None:
        self._row.addWidget(button)

    def show_note(self, note: CardNote | None) -> None:
        if self._note is None and note is not None:
            self._note = CardNoteLine(self._stop_running, self)
            self.more.insertWidget(0, self._note)
            chain_tab_order(self, [self])
        if self._note is not None:
            self._note.setVisible(note is not None)
            self._note.show_note(note or CardNote(""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = sum(each.sizeHint().width() + GRID for each in (self._buttons, *self._badges))
        title = max(scaled_px(_TITLE), self.title.fontMetrics().horizontalAdvance(self.title.text()))
        is_wide = title + beside <= self.contentsRect().width()
        if is_wide is not self._is_wide:
            self._is_wide = is_wide
            self._row.setContentsMargins(0, 0 if is_wide else GRID // 2, 0, 0)
            if is_wide:
                self._top.addWidget(self._buttons)
            else:
                self._low.insertWidget(0, self._buttons)

    def _stop_running(self) -> None:
        """A card whose notes tell of something running stops it here."""

    def _toggle_details(self) -> None:
        if self._details is None:
            self._details = SelectableText("cardDetails", self)
            self._details.setStyleSheet(_DETAILS % scaled_px(SMALL_PX))
            self._details.setPlainText(self._text)
            self.more.addWidget(self._details)
            self._details.show()
            self.more.setContentsMargins(0, GRID // 2, 0, 0)
        else:
            self._details.setVisible(self._details.isHidden())


class PairMemberCard(WideCard):
    """A model that can become a part of the pair."""

    def add_use_buttons(self, requests: ManagerRequests, reference: str, name: str, *, answers: bool = True) -> None:
        """`answers`: the model can be a target; a head cannot."""
        if answers:
            target = TextButton(self.tr("Use as target"), self)
            target.setObjectName("useAsTargetButton")
            target.setAccessibleName(self.tr("Use {name} as target").format(name=name))
            target.clicked.connect(lambda: requests.target_requested.emit(reference))
            self.add_button(target)
        draft = TextButton(self.tr("Use as draft"), self)
        draft.setObjectName("useAsDraftButton")
        draft.setAccessibleName(self.tr("Use {name} as draft").format(name=name))
        draft.clicked.connect(lambda: requests.draft_requested.emit(reference))
        self.add_button(draft)


class CardNoteLine(QWidget):
    """Shows a running operation or its result."""

    def __init__(self, stop: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._words = muted_label("", self)
        self._words.setObjectName("noteWords")
        self._words.setFont(tabular_figures(self._words.font()))
        self._stop = TextButton(self.tr("Stop"), self)
        self._stop.setObjectName("stopButton")
        self._stop.clicked.connect(lambda: stop())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._stop)

    def show_note(self, note: CardNote) -> None:
        self._words.setText(note.words)
        self._stop.setVisible(note.running)
        if self._words.property("danger") != note.bad:
            self._words.setProperty("danger", note.bad)
            self._words.setProperty("muted", not note.bad)
            self._words.style().unpolish(self._words)
            self._words.style().polish(self._words)
