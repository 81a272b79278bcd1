"""Cards for a known pair and for a target that has no draft yet."""

from functools import partial

from PySide6.QtWidgets import QWidget

from specchat.services.drafts.draft_candidates import PairOffer, TargetOffer
from specchat.ui.models.cards import Badge
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.pair_offer_text import PairOfferText
from specchat.ui.models.removal_questions import remove_question
from specchat.ui.models.wide_card import WideCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.words.measured_speed import speed_badge
from specchat.ui.words.message_translation import translate_text


class PairCard(WideCard):
    def __init__(
        self, offer: PairOffer, shown: PairOffer, words: PairOfferText, requests: ManagerRequests, pane: QWidget
    ) -> None:
        """`shown`: the offer with names that tell models apart."""
        key = (offer.target.reference, offer.draft.reference)
        super().__init__(key, shown.target.name, "", words.details(shown), pane)
        self.offer, self._shown, self._requests, self._pane = offer, shown, requests, pane
        draft, facts = words.draft(shown), words.facts(shown)
        self.setAccessibleDescription(f"{draft}, {facts}")
        self._add_line(draft)
        self.facts.addWidget(muted_label(facts, self))
        if offer.note:
            self.facts.addWidget(muted_label(translate_text(offer.note), self))
        _add_badge(self, *words.fit_label(offer), words.memory_needs(offer))
        _add_badge(self, *speed_badge(offer.expected), words.speed_explanation(offer.expected))
        self._add_buttons()

    def _add_line(self, words: str) -> None:
        line = ElidedLabel(self)
        line.setProperty("small", True)
        line.setText(words)
        self.facts.addWidget(line)

    def _add_buttons(self) -> None:
        names = {"target": self._shown.target.name, "draft": self._shown.draft.name}
        use = TextButton(self.tr("Use this pair"), self)
        use.setObjectName("usePairButton")
        use.setAccessibleName(self.tr("Use {target} with {draft}").format(**names))
        use.clicked.connect(lambda: self._requests.pair_requested.emit(self.offer))
        self.add_button(use)
        if self.offer.own:
            remove = IconButton("trash", self.tr("Remove pair from list"), self)
            remove.setObjectName("removePairButton")
            remove.clicked.connect(self._ask_to_remove)
            self.add_button(remove)

    def _stop_running(self) -> None:
        self._requests.lookup_cancelled.emit(self.offer)

    def _ask_to_remove(self) -> None:
        """The question belongs to the pane: the list may replace this card meanwhile."""
        names = self.tr("{target} with {draft}").format(target=self._shown.target.name, draft=self._shown.draft.name)
        question = remove_question(names, self.tr("No files are deleted."), self._pane)
        question.confirmed.connect(partial(self._requests.pair_removal_requested.emit, self.offer))
        question.open()


class TargetCard(WideCard):
    def __init__(
        self, offer: TargetOffer, words: PairOfferText, requests: ManagerRequests, parent: QWidget | None = None
    ) -> None:
        target = offer.target
        details = f"{words.memory_needs(offer)}\n{target.reference}"
        super().__init__(target.reference, target.name, words.target_facts(offer), details, parent)
        _add_badge(self, *words.fit_label(offer), words.memory_needs(offer))
        use = TextButton(self.tr("Use as target"), self)
        use.setObjectName("useAsTargetButton")
        use.setAccessibleName(self.tr("Use {name} as target").format(name=target.name))
        use.clicked.connect(lambda: requests.target_requested.emit(target.reference))
        self.add_button(use)


def _add_badge(card: WideCard, words: str, tone: str, tooltip: str) -> None:
    badge = Badge(words, tone, card)
    badge.setToolTip(tooltip)
    card.add_badge(badge)
