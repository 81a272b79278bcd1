"""What can be run on this machine: pairs that are known to go together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.drafts.values import Offers, PairOffer, PairSide, TargetOffer
from specchat.services.models.pair_values import Fit
from specchat.ui.manager.filtered_list import FilteredList
from specchat.ui.manager.note import Note
from specchat.ui.manager.pairs_card import AloneCard, PairCard
from specchat.ui.manager.pairs_dialog import PairDialog
from specchat.ui.manager.pairs_words import PairWords
from specchat.ui.manager.question import whether_to_take_off
from specchat.ui.picker.rows import told_apart
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.fields import CheckBox, heading
from specchat.ui.widgets.theme import GRID, Theme


class PairsPane(QWidget):
    pairWanted = Signal(object)
    """A PairOffer, as for the next two."""
    pairGivenUp = Signal(object)
    """While the Hub is asked for its files."""
    pairRemoved = Signal(object)
    targetWanted = Signal(str)
    """A path."""
    pairEntered = Signal(str, str)
    """The references of target and draft; then `close_dialog` or `show_entry_problem`."""
    refreshWanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = PairWords(self)
        self._offers: Offers | None = None
        self._places: Mapping[Path, str] = {}
        """What tells models of the same name apart."""
        self._complete = False
        self._shown = FilteredList(theme, self)
        self._only_fitting = CheckBox(self.tr("Only what fits"), theme, self)
        self._all = TextButton(self.tr("Show all"), self)
        self._add = TextButton(self.tr("Add a pair…"), self)
        self._dialog: PairDialog | None = None
        self._arrange()
        self._shown.filtered.connect(self._show)
        self._shown.retryWanted.connect(self.refreshWanted)
        self._only_fitting.toggled.connect(self._show)
        self._all.clicked.connect(partial(self._only_fitting.setChecked, False))
        self._add.clicked.connect(self._ask_for_a_pair)

    def show_loading(self) -> None:
        """What is shown already stays meanwhile."""
        if self._offers is None:
            self._shown.show_nothing(self.tr("Looking for what runs on this machine…"), "")

    def show_offers(self, offers: Offers, *, complete: bool = True) -> None:
        """`complete`: what is on this computer has been looked through as well."""
        self._offers, self._complete = offers, complete
        self._places = told_apart((side.name, Path(side.reference)) for side in _sides(offers))
        self._shown.forget_notes({_key(offer) for offer in offers.pairs})
        self._show()

    def show_asking(self, offer: PairOffer) -> None:
        self._shown.show_note(_key(offer), Note(self.tr("Asking the Hub for its files…"), running=True))

    def show_asked(self, offer: PairOffer) -> None:
        self._shown.show_note(_key(offer), None)

    def show_problem(self, error: UserError, *, can_retry: bool = False) -> None:
        if self._offers is None:
            self._shown.show_nothing("", "")
        self._shown.show_problem(error, can_retry=can_retry)

    def show_entry_problem(self, error: UserError) -> None:
        if self._dialog is not None:
            self._dialog.show_problem(error)

    def close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.accept()

    def focus_search(self) -> None:
        self._shown.filter.seek()

    def clear_problem(self) -> None:
        self._shown.problem.dismiss()

    def rest(self) -> None:
        self._shown.rest()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._shown.set_theme(theme)
        self._only_fitting.set_theme(theme)
        self._show()

    def _show(self) -> None:
        if self._offers is None:
            return
        pairs = [each for each in self._offers.pairs if self._shown.shows(each.target.name, each.draft.name)]
        alone = [each for each in self._offers.alone if self._shown.shows(each.target.name)]
        fitting = [each for each in pairs if each.fit is not Fit.DOES_NOT_FIT]
        wanted = fitting if self._only_fitting.isChecked() else pairs
        if self._only_fitting.isChecked():
            alone = [each for each in alone if each.fit is not Fit.DOES_NOT_FIT]
        if wanted or alone:
            widgets = chain(map(self._card, wanted), self._alone(alone))
            self._shown.show_cards(widgets, self._summary(len(wanted), len(pairs) - len(fitting)))
        elif pairs:
            words = self.tr("All that are known need more memory than this machine has.")
            self._shown.show_nothing(self.tr("No pair fits this machine"), words, self._all)
        elif self._shown.filter.query:
            self._shown.show_nothing(self.tr("No pair here has such a name"), "")
        else:
            words = self.tr("Add one of your own: a target, and a smaller draft of its family.")
            self._shown.show_nothing(self.tr("No pair is known here"), words)

    def _summary(self, shown: int, too_large: int) -> str:
        known = len(self._offers.pairs) if self._offers else 0
        words = self.tr("1 pair") if known == 1 else self.tr("{all} pairs")
        if shown < known:
            words = self.tr("{shown} of {all} pairs")
        if too_large and shown < known and self._only_fitting.isChecked():
            words = self.tr("{shown} of {all} pairs, {too_large} too large for this machine")
        words = words.format(shown=shown, all=known, too_large=too_large)
        return words if self._complete else self.tr("{pairs} · still looking…").format(pairs=words)

    def _alone(self, offers: Sequence[TargetOffer]) -> Iterator[QWidget]:
        if offers:
            words = heading(self.tr("On this computer, without a draft so far"), self)
            words.setContentsMargins(GRID * 3 // 2 + 1, 2 * GRID, 0, 0)
            yield words
        for offer in offers:
            card = AloneCard(replace(offer, target=self._apart(offer.target)), self._words, self)
            card.wanted.connect(partial(self.targetWanted.emit, offer.target.reference))
            yield card

    def _card(self, offer: PairOffer) -> QWidget:
        shown = replace(offer, target=self._apart(offer.target), draft=self._apart(offer.draft))
        card = PairCard(shown, self._words, self._theme, self)
        card.wanted.connect(partial(self.pairWanted.emit, offer))
        card.noteStopped.connect(partial(self.pairGivenUp.emit, offer))
        card.removeWanted.connect(partial(self._ask_to_remove, offer))
        return card

    def _apart(self, side: PairSide) -> PairSide:
        place = self._places.get(Path(side.reference))
        return replace(side, name=f"{side.name} · {place}") if place else side

    def _ask_to_remove(self, offer: PairOffer) -> None:
        both = [self._apart(side).name for side in (offer.target, offer.draft)]
        names = self.tr("{target} with {draft}").format(target=both[0], draft=both[1])
        question = whether_to_take_off(names, self.tr("No file is deleted."), self)
        question.agreed.connect(partial(self.pairRemoved.emit, offer))
        question.open()

    def _ask_for_a_pair(self) -> None:
        self._dialog = PairDialog(self)
        self._dialog.pairEntered.connect(self.pairEntered)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _arrange(self) -> None:
        self.setObjectName("pairsPane")
        self.setAccessibleName(self.tr("Pairs for this machine"))
        self._shown.list.setObjectName("pairList")
        self._shown.list.setAccessibleName(self.tr("Pairs for this machine"))
        self._shown.filter.setObjectName("pairFilter")
        self._shown.filter.setAccessibleName(self.tr("Filter the pairs"))
        self._only_fitting.setObjectName("onlyFittingBox")
        self._only_fitting.setAccessibleName(self._only_fitting.text())
        self._only_fitting.setChecked(True)
        self._shown.beside_filter.addWidget(self._only_fitting)
        self.setTabOrder(self._shown.filter, self._only_fitting)
        self._all.setObjectName("showAllPairsButton")
        self._all.hide()
        self._add.setObjectName("addPairButton")
        buttons = QHBoxLayout()
        buttons.addWidget(self._add)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._shown, 1)
        layout.addLayout(buttons)


def _sides(offers: Offers) -> Iterator[PairSide]:
    for pair in offers.pairs:
        yield from (pair.target, pair.draft)
    yield from (offer.target for offer in offers.alone)


def _key(offer: PairOffer) -> tuple[str, str]:
    return offer.target.reference, offer.draft.reference
