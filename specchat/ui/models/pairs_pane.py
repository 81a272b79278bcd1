"""The pane that lists known pairs that can run on this machine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.drafts.draft_candidates import PairMember, PairOffer, PairOffers, TargetOffer
from specchat.services.models.pair_fit import Fit
from specchat.ui.models.add_pair_dialog import AddPairDialog
from specchat.ui.models.filtered_pane import FilteredPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.pair_cards import PairCard, TargetCard
from specchat.ui.models.pair_offer_text import PairOfferText
from specchat.ui.models.wide_card import CardNote
from specchat.ui.pair.choice_rows import disambiguations
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import CheckBox, heading_label
from specchat.ui.widgets.theme import GRID


class PairsPane(FilteredPane):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(requests, requests.pairs_refresh_requested.emit, parent)
        self._words = PairOfferText(self)
        self._offers: PairOffers | None = None
        self._places: Mapping[Path, str] = {}
        """What tells models of the same name apart."""
        self._complete = False
        self._only_fitting = CheckBox(self.tr("Only pairs that fit"), self)
        self._all = TextButton(self.tr("Show all"), self)
        self._add = TextButton(self.tr("Add a pair…"), self)
        self._dialog: AddPairDialog | None = None
        self._arrange()
        self._only_fitting.toggled.connect(self.fill)
        self._all.clicked.connect(partial(self._only_fitting.setChecked, False))
        self._add.clicked.connect(self._ask_for_a_pair)

    def show_loading(self) -> None:
        """What is shown already stays meanwhile."""
        if self._offers is None:
            self.show_empty_state(self.tr("Looking for pairs that fit this computer…"), "")

    def show_offers(self, offers: PairOffers, *, complete: bool = True) -> None:
        """`complete`: what is on this computer has been looked through as well."""
        self._offers, self._complete = offers, complete
        self._places = disambiguations((side.name, Path(side.reference)) for side in _sides(offers))
        self.retain_notes({_key(offer) for offer in offers.pairs})
        self.fill()

    def show_lookup(self, offer: PairOffer) -> None:
        self.show_note(_key(offer), CardNote(self.tr("Looking up files on Hugging Face…"), running=True))

    def hide_lookup(self, offer: PairOffer) -> None:
        self.show_note(_key(offer), None)

    def show_problem(self, error: UserError, *, can_retry: bool = False) -> None:
        if self._offers is None:
            self.show_empty_state("", "")
        super().show_problem(error, can_retry=can_retry)

    def show_entry_problem(self, error: UserError) -> None:
        if self._dialog is not None:
            self._dialog.show_problem(error)

    def close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.accept()

    def fill(self) -> None:
        if self._offers is None:
            return
        pairs = [each for each in self._offers.pairs if self.matches_filter(each.target.name, each.draft.name)]
        alone = [each for each in self._offers.alone if self.matches_filter(each.target.name)]
        fitting = [each for each in pairs if each.fit is not Fit.DOES_NOT_FIT]
        wanted = fitting if self._only_fitting.isChecked() else pairs
        if self._only_fitting.isChecked():
            alone = [each for each in alone if each.fit is not Fit.DOES_NOT_FIT]
        if wanted or alone:
            widgets = chain(map(self._card, wanted), self._alone(alone))
            self.show_cards(widgets, self._summary(len(wanted), len(pairs) - len(fitting)))
        elif pairs:
            words = self.tr("All known pairs need more memory than this computer has.")
            self.show_empty_state(self.tr("No pairs fit this computer"), words, self._all)
        elif self.filter.query:
            self.show_empty_state(self.tr("No matching pairs"), "")
        else:
            words = self.tr("Add your own: a target and a smaller draft of the same family.")
            self.show_empty_state(self.tr("No known pairs"), words)

    def _summary(self, shown: int, too_large: int) -> str:
        known = len(self._offers.pairs) if self._offers else 0
        words = self.tr("1 pair") if known == 1 else self.tr("{all} pairs")
        if shown < known:
            words = self.tr("{shown} of {all} pairs")
        if too_large and shown < known and self._only_fitting.isChecked():
            one = self.tr("{shown} of {all} pairs · 1 is too large for this computer")
            several = self.tr("{shown} of {all} pairs · {too_large} are too large for this computer")
            words = one if too_large == 1 else several
        words = words.format(shown=shown, all=known, too_large=too_large)
        return words if self._complete else self.tr("{pairs} · still searching…").format(pairs=words)

    def _alone(self, offers: Sequence[TargetOffer]) -> Iterator[QWidget]:
        with_mtp, without = self.tr("On this computer, with MTP layers"), self.tr("On this computer, without a draft")
        for heading, wanted in ((with_mtp, True), (without, False)):
            shown = [offer for offer in offers if offer.has_mtp is wanted]
            if shown:
                words = heading_label(heading, self)
                words.setContentsMargins(GRID * 3 // 2 + 1, 2 * GRID, 0, 0)
                yield words
            for offer in shown:
                yield TargetCard(replace(offer, target=self._apart(offer.target)), self._words, self.requests, self)

    def _card(self, offer: PairOffer) -> QWidget:
        shown = replace(offer, target=self._apart(offer.target), draft=self._apart(offer.draft))
        return PairCard(offer, shown, self._words, self.requests, self)

    def _apart(self, side: PairMember) -> PairMember:
        place = self._places.get(Path(side.reference))
        return replace(side, name=f"{side.name} · {place}") if place else side

    def _ask_for_a_pair(self) -> None:
        self._dialog = AddPairDialog(self.requests, self)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _arrange(self) -> None:
        self.setObjectName("pairsPane")
        self.setAccessibleName(self.tr("Pairs for this computer"))
        self.list.setObjectName("pairList")
        self.list.setAccessibleName(self.tr("Pairs for this computer"))
        self.filter.setObjectName("pairFilter")
        self.filter.setAccessibleName(self.tr("Filter pairs"))
        self._only_fitting.setObjectName("onlyFittingBox")
        self._only_fitting.setAccessibleName(self._only_fitting.text())
        self._only_fitting.setChecked(True)
        self.beside_filter.addWidget(self._only_fitting)
        self.setTabOrder(self.filter, self._only_fitting)
        self._all.setObjectName("showAllPairsButton")
        self._all.hide()
        self._add.setObjectName("addPairButton")
        buttons = QHBoxLayout()
        buttons.addWidget(self._add)
        buttons.addStretch(1)
        self.rows.addLayout(buttons)


def _sides(offers: PairOffers) -> Iterator[PairMember]:
    for pair in offers.pairs:
        yield from (pair.target, pair.draft)
    yield from (offer.target for offer in offers.alone)


def _key(offer: PairOffer) -> tuple[str, str]:
    return offer.target.reference, offer.draft.reference
