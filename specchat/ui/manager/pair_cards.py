"""Cards for a known pair and for a target that has no draft yet."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from specchat.services.drafts.draft_candidates import PairOffer, TargetOffer
from specchat.ui.manager.cards import Badge
from specchat.ui.manager.pair_offer_text import PairOfferText
from specchat.ui.manager.wide_card import WideCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.words.measured_speed import speed_badge
from specchat.ui.words.message_translation import translate_text


class PairCard(WideCard):
    use_requested = Signal()
    remove_requested = Signal()

    def __init__(self, offer: PairOffer, words: PairOfferText, parent: QWidget | None = None) -> None:
        key = (offer.target.reference, offer.draft.reference)
        super().__init__(key, offer.target.name, "", words.details(offer), parent)
        self.offer = offer
        draft, facts = words.draft(offer), words.facts(offer)
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
        names = {"target": self.offer.target.name, "draft": self.offer.draft.name}
        use = TextButton(self.tr("Use this pair"), self)
        use.setObjectName("usePairButton")
        use.setAccessibleName(self.tr("Use {target} with {draft}").format(**names))
        use.clicked.connect(self.use_requested)
        self.add_button(use)
        if self.offer.own:
            remove = IconButton("trash", self.tr("Take this pair off the list"), self)
            remove.setObjectName("removePairButton")
            remove.clicked.connect(self.remove_requested)
            self.add_button(remove)


class TargetCard(WideCard):
    use_requested = Signal()

    def __init__(self, offer: TargetOffer, words: PairOfferText, parent: QWidget | None = None) -> None:
        target = offer.target
        details = f"{words.memory_needs(offer)}\n{target.reference}"
        super().__init__(target.reference, target.name, words.target_facts(offer), details, parent)
        _add_badge(self, *words.fit_label(offer), words.memory_needs(offer))
        use = TextButton(self.tr("Use as target"), self)
        use.setObjectName("useAsTargetButton")
        use.setAccessibleName(self.tr("Use {name} as target").format(name=target.name))
        use.clicked.connect(self.use_requested)
        self.add_button(use)


def _add_badge(card: WideCard, words: str, tone: str, tooltip: str) -> None:
    badge = Badge(words, tone, card)
    badge.setToolTip(tooltip)
    card.add_badge(badge)
