"""The page of the pair editor that lists draft candidates for the target, compatible ones first."""

from collections.abc import Sequence
from typing import TypeGuard

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation
from specchat.services.models.pair_fit import DraftVerdict, Fit
from specchat.ui.models.cards import Badge, Card, CardList
from specchat.ui.pair.pair_problem_card import PairProblemCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.measured_speed import speed_badge
from specchat.ui.words.message_translation import translate_text, translate_value
from specchat.ui.words.number_format import format_size

translate = QCoreApplication.translate

_THIN = 3


class DraftsPage(QWidget):
    closed = Signal()
    draft_chosen = Signal(str)
    """A draft's reference."""
    retry_requested = Signal()
    no_draft_requested = Signal()
    early_exit_requested = Signal()
    stop_requested = Signal()
    """Of what was begun by that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = IconButton("chevron-left", self.tr("Back to the pair"), self)
        self._title = QLabel(self.tr("Drafts for"), self)
        self._target = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._busy = _Busy(self)
        self._note = muted_label("", self)
        self._again = TextButton(self.tr("Try again"), self)
        self.problem = PairProblemCard("draftsProblem", self)
        self._list = CardList(self)
        self._without = TextButton(self.tr("Use without a draft"), self)
        self._early_exit = TextButton("", self)
        self._early_exit.setToolTip(self.tr("Test whether the target's own first layers make a good draft"))
        self._ways = WrappingRow(self)
        self._stop = TextButton(self.tr("Stop"), self)
        self._has_early_exit = False
        self._arrange()
        self._early_exit.clicked.connect(self.early_exit_requested)
        self._stop.clicked.connect(self.stop_requested)
        self._without.clicked.connect(self.no_draft_requested)
        self._back.clicked.connect(self.closed)
        self._again.clicked.connect(self.retry_requested)

    def begin(self, target: str) -> None:
        self._target.setText(target)
        self._list.show_cards(())
        self.problem.hide()
        self._has_early_exit = False
        self._early_exit.setText(self.tr("Try early exit…"))
        self._say(self.tr("Searching this computer and Hugging Face…"), busy=True)

    def offer_early_exit(self) -> None:
        """The target's first layers can be its draft."""
        self._has_early_exit = True
        self._early_exit.setVisible(self._busy.isHidden())
        self._ways.update_layout()

    def show_early_exit(self, words: str, *, running: bool) -> None:
        self.problem.hide()
        self._early_exit.setText(self.tr("Try early exit again…"))
        self._say(words, busy=running)
        self._stop.setVisible(running)

    def show_candidates(self, candidates: Sequence[DraftCandidate]) -> None:
        """All that were found until now."""
        self._list.show_cards([self._card(each) for each in _sorted(candidates)])

    def end(self, problem: str = "") -> None:
        """`problem`: why not everything could be looked at."""
        self._say(problem or self._searched())
        self._again.setVisible(bool(problem))

    def fail(self, error: UserError) -> None:
        self._say("")
        self.problem.show_error(error)

    def note(self) -> str:
        return self._note.text()

    def _say(self, words: str, *, busy: bool = False) -> None:
        self._note.setText(words)
        self._note.setVisible(bool(words))
        self._busy.setVisible(busy)
        self._early_exit.setVisible(self._has_early_exit and not busy)
        self._ways.update_layout()
        self._stop.hide()
        self._again.hide()

    def _searched(self) -> str:
        places = {card.key.where for card in self._list.cards if _may_draft(card.key)}
        if ModelLocation.HUB in places:
            return self.tr("Searched this computer and Hugging Face.")
        if places:
            return self.tr("No other drafts found on Hugging Face.")
        return self.tr(
            "No drafts found on this computer or on Hugging Face. Without a draft, specchat guesses from earlier text."
        )

    def _activate(self, candidate: object) -> None:
        if _may_draft(candidate):
            self.draft_chosen.emit(candidate.reference)

    def _card(self, candidate: DraftCandidate) -> Card:
        name = translate_value(candidate.name)
        facts, reason, badges = _facts(candidate), translate_text(candidate.reason), _badges(candidate)
        card = Card(candidate, name, parent=self)
        card.activated.connect(self._activate)
        card.setToolTip(tooltip_text(candidate.reference))
        card.setAccessibleDescription(", ".join([*(badge.text() for badge in badges), facts, reason]))
        line = QHBoxLayout()
        line.setSpacing(GRID)
        for badge in badges:
            line.addWidget(badge)
        line.addStretch(1)
        card.below.addLayout(line)
        card.below.addWidget(muted_label(facts, card))
        card.below.addWidget(muted_label(reason, card))
        if _may_draft(candidate):
            use = TextButton(self.tr("Use"), card)
            use.setObjectName("useDraftButton")
            use.setAccessibleName(self.tr("Use {draft}").format(draft=name))
            use.clicked.connect(lambda: self.draft_chosen.emit(candidate.reference))
            card.right.addWidget(use, 0, Qt.AlignmentFlag.AlignTop)
        return card

    def _arrange(self) -> None:
        self.setObjectName("draftsPage")
        self._back.setObjectName("draftsBack")
        self._again.setObjectName("draftsAgain")
        self._note.setObjectName("draftsNote")
        self._target.setObjectName("draftsTarget")
        self._target.setProperty("muted", True)
        self._without.setObjectName("draftsWithout")
        self._early_exit.setObjectName("draftsEarlyExit")
        self._stop.setObjectName("draftsStop")
        self._list.setObjectName("draftCandidates")
        self._list.setAccessibleName(self.tr("Drafts"))
        top = QHBoxLayout()
        top.setSpacing(GRID // 2)
        top.addWidget(self._back)
        titles = QVBoxLayout()
        titles.setSpacing(0)
        titles.addWidget(self._title)
        titles.addWidget(self._target)
        top.addLayout(titles, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID // 2, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self._busy)
        messages = QVBoxLayout()
        messages.setContentsMargins(3 * GRID // 2, 0, 3 * GRID // 2, 0)
        messages.addWidget(self._note)
        messages.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        messages.addWidget(self._stop, 0, Qt.AlignmentFlag.AlignLeft)
        messages.addWidget(self.problem)
        layout.addLayout(messages)
        layout.addWidget(self._list, 1)
        for button in (self._without, self._early_exit):
            self._ways.add_widget(button)
        self._ways.add_stretch()
        bottom = QHBoxLayout()
        bottom.setContentsMargins(3 * GRID // 2, GRID // 2, 3 * GRID // 2, GRID // 2)
        bottom.addWidget(self._ways)
        layout.addLayout(bottom)


class _Busy(QProgressBar):
    """Something is going on, nobody knows for how long."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(0, 0)
        self.setTextVisible(False)
        self.setFixedHeight(_THIN)
        self.setAccessibleName(self.tr("Looking for drafts"))
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(
            f"QProgressBar {{ border: none; background: {theme.line.name()}; }}"
            f"QProgressBar::chunk {{ background: {theme.accent.name()}; }}"
        )


def _may_draft(candidate: object) -> TypeGuard[DraftCandidate]:
    return isinstance(candidate, DraftCandidate) and candidate.verdict.may_draft


def _sorted(candidates: Sequence[DraftCandidate]) -> list[DraftCandidate]:
    """As they were ranked, except that those here go first and those that may not guess last."""
    return sorted(candidates, key=lambda each: (not _may_draft(each), each.where is not ModelLocation.HERE))


def _facts(candidate: DraftCandidate) -> str:
    here, there = translate("DraftsPage", "on this computer"), translate("DraftsPage", "not downloaded")
    facts = (
        candidate.quantization,
        format_size(candidate.size),
        here if candidate.where is ModelLocation.HERE else there,
    )
    return " · ".join(filter(None, facts))


def _badges(candidate: DraftCandidate) -> list[Badge]:
    if not _may_draft(candidate):
        return [Badge(_why_not(candidate.verdict), "danger")]
    badges = []
    if candidate.expected is not None:
        badges.append(Badge(*speed_badge(candidate.expected)))
    if candidate.fit is Fit.DOES_NOT_FIT:
        badges.append(Badge(translate("DraftsPage", "doesn't fit"), "danger"))
    elif candidate.fit is Fit.TIGHT:
        badges.append(Badge(translate("DraftsPage", "tight"), "warning"))
    return badges


def _why_not(verdict: DraftVerdict) -> str:
    return {
        DraftVerdict.TOO_LARGE: translate("DraftsPage", "too large"),
        DraftVerdict.INCOMPATIBLE: translate("DraftsPage", "incompatible"),
    }.get(verdict, translate("DraftsPage", "not usable"))
