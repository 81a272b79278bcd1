"""What could be run on this machine: a pair, or a target that has no draft yet."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from specchat.services.drafts.values import PairOffer, TargetOffer
from specchat.ui.manager.cards import Badge
from specchat.ui.manager.pairs_words import PairWords
from specchat.ui.manager.speed_badge import speed_badge
from specchat.ui.manager.wide_card import WideCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.fields import muted
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.said import in_words


class PairCard(WideCard):
    wanted = Signal()
    removeWanted = Signal()

    def __init__(self, offer: PairOffer, words: PairWords, theme: Theme, parent: QWidget | None = None) -> None:
        key = (offer.target.reference, offer.draft.reference)
        super().__init__(key, offer.target.name, "", words.details(offer), parent)
        self.offer = offer
        draft, facts = words.draft(offer), words.facts(offer)
        self.setAccessibleDescription(f"{draft}, {facts}")
        self._add_line(draft)
        self.facts.addWidget(muted(facts, self))
        if offer.note:
            self.facts.addWidget(muted(in_words(offer.note), self))
        _add_badge(self, *words.fit(offer), words.needs(offer))
        _add_badge(self, *speed_badge(offer.expected), words.why(offer.expected))
        self._add_buttons(theme)

    def _add_line(self, words: str) -> None:
        line = ElidedLabel(self)
        line.setProperty("small", True)
        line.setText(words)
        self.facts.addWidget(line)

    def _add_buttons(self, theme: Theme) -> None:
        names = {"target": self.offer.target.name, "draft": self.offer.draft.name}
        use = TextButton(self.tr("Use this pair"), self)
        use.setObjectName("usePairButton")
        use.setAccessibleName(self.tr("Use {target} with {draft}").format(**names))
        use.clicked.connect(self.wanted)
        self.add_button(use)
        if self.offer.own:
            remove = IconButton("trash", self.tr("Take this pair off the list"), theme, self)
            remove.setObjectName("removePairButton")
            remove.clicked.connect(self.removeWanted)
            self.add_button(remove)


class AloneCard(WideCard):
    wanted = Signal()

    def __init__(self, offer: TargetOffer, words: PairWords, parent: QWidget | None = None) -> None:
        target = offer.target
        details = f"{words.needs(offer)}\n{target.reference}"
        super().__init__(target.reference, target.name, words.alone(offer), details, parent)
        _add_badge(self, *words.fit(offer), words.needs(offer))
        use = TextButton(self.tr("Use as target"), self)
        use.setObjectName("useAsTargetButton")
        use.setAccessibleName(self.tr("Use {name} as target").format(name=target.name))
        use.clicked.connect(self.wanted)
        self.add_button(use)


def _add_badge(card: WideCard, words: str, tone: str, tooltip: str) -> None:
    badge = Badge(words, tone, card)
    badge.setToolTip(tooltip)
    card.add_badge(badge)
