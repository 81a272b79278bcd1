"""The panel that shows whether target and draft are compatible, and why."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.heads import HeadObstacle
from specchat.domain.types import VocabularyVerdict
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.ui.models.cards import Badge
from specchat.ui.models.pair_offer_text import PairOfferText
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.measured_speed import speed_badge
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

if TYPE_CHECKING:  # what reads headers needs numpy
    from specchat.gguf.compatibility import Compatibility
    from specchat.gguf.reasons import Reason

translate = QCoreApplication.translate

_TONES = {
    VocabularyVerdict.IDENTICAL: "good",
    VocabularyVerdict.COMPATIBLE: "good",
    VocabularyVerdict.TRANSLATABLE: "warning",
    VocabularyVerdict.INCOMPATIBLE: "danger",
}
_MOST_SENTENCES = 2
"""The others are among the details."""
_FIRST_DIFFERENCE = "token-text"
_ABOUT_WORDS = ("tokenizer-kind", _FIRST_DIFFERENCE, "vocabulary-size")
_ABOUT_HEADS = frozenset(HeadObstacle)
_ABOUT_EDGES = ("add-bos", "add-eos", "bos-token", "eos-token")


class CompatibilityPanel(QWidget):
    drafts_requested = Signal()
    no_draft_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = PairOfferText(self)
        self._badge = Badge("", parent=self)
        self._speed = Badge("", parent=self)
        self._badges, self._ways_out = WrappingRow(self), WrappingRow(self)
        self._reason = _plain(self)
        self._note = muted_label("", self)
        self._more = TextButton("", self)
        self._details = SelectableText("compatDetails", self)
        self._find = TextButton(self.tr("Find a draft"), self)
        self._without = TextButton(self.tr("Use without a draft"), self)
        self._arrange()
        self._find.clicked.connect(self.drafts_requested)
        self._without.clicked.connect(self.no_draft_requested)
        self._more.clicked.connect(lambda: self._show_details(shown=self._details.isHidden()))
        follow_theme(self._apply_theme)
        self.show_checking()

    def _apply_theme(self) -> None:
        theme = current_theme()
        colours = f"background: transparent; border: none; color: {theme.text_muted.name()};"
        self._details.setStyleSheet(f"QTextEdit {{ {colours} font-size: {scaled_px(SMALL_PX)}px; }}")

    def show_checking(self) -> None:
        self._show(self.tr("Checking"), "plain", self.tr("Comparing vocabularies…"))
        self._more.hide()
        self._show_details(shown=False)
        self._note.hide()
        self._ways_out.hide()
        self._show_speed(None)

    def show_verdict(self, found: "Compatibility", note: str = "", expected: SpeedupEstimate | None = None) -> None:
        """`note`: what else there is to say about the pair."""
        verdict = found.verdict
        summary = _summary(found)
        details = _details(found, summary)
        self._show(_verdict_words(verdict), _TONES[verdict], summary)
        self._show_speed(expected)
        self._ways_out.setVisible(not found.is_possible)
        self._ways_out.update_layout()
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._details.setPlainText("\n".join(details))
        self._details.setVisible(bool(details) and not self._details.isHidden())
        self._more.setVisible(bool(details))

    def words(self) -> str:
        badges = [badge.text() for badge in (self._badge, self._speed) if not badge.isHidden()]
        return f"{', '.join(badges)}. {self._reason.text()}"

    def _show(self, verdict: str, tone: str, reason: str) -> None:
        self._badge.setText(verdict)
        _tint(self._badge, tone)
        self._reason.setText(reason)
        self._badge.setAccessibleName(self.tr("Compatibility: {verdict}").format(verdict=verdict))
        self._badge.setAccessibleDescription(reason)

    def _show_speed(self, expected: SpeedupEstimate | None) -> None:
        if expected is not None:
            words, tone = speed_badge(expected, in_full=True)
            self._speed.setText(words)
            _tint(self._speed, tone)
            why = self._words.speed_explanation(expected)
            self._speed.setToolTip(tooltip_text(why))
            self._speed.setAccessibleDescription(why)
        self._speed.setVisible(expected is not None)
        self._badges.update_layout()

    def _show_details(self, *, shown: bool) -> None:
        self._details.setVisible(shown)
        self._more.setText(self.tr("Hide details") if shown else self.tr("Details"))

    def _arrange(self) -> None:
        self._badge.setObjectName("compatBadge")
        self._reason.setObjectName("compatReason")
        self._more.setObjectName("compatMore")
        self._details.setAccessibleName(self.tr("Details"))
        self._speed.setObjectName("expectedBadge")
        self._find.setObjectName("verdictFindDraft")
        self._without.setObjectName("verdictWithoutDraft")
        for badge in (self._badge, self._speed):
            self._badges.add_widget(badge)
        for way_out in (self._find, self._without):
            self._ways_out.add_widget(way_out)
        for row in (self._badges, self._ways_out):
            row.add_stretch()
        self._ways_out.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(self._badges, 1)
        top.addWidget(self._more, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(top)
        for part in (self._reason, self._note, self._ways_out, self._details):
            layout.addWidget(part)


def _tint(badge: Badge, tone: str) -> None:
    badge.setProperty("badge", tone)
    badge.style().unpolish(badge)
    badge.style().polish(badge)


def _summary(found: "Compatibility") -> str:
    """In plain words; what exactly differs is among the details."""
    if found.is_possible:
        return " ".join(translate_text(reason.message) for reason in found.reasons[:_MOST_SENTENCES])
    reason = found.reasons[0]
    if reason.code in _ABOUT_WORDS:
        return translate("Verdict", "The models' vocabularies differ. Choose a draft from the target's family.")
    if reason.code in _ABOUT_EDGES:
        return translate(
            "Verdict", "The models mark the start or end of text differently. Choose a draft from the target's family."
        )
    return translate_text(reason.message)


def _plain(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setProperty("small", True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _verdict_words(verdict: VocabularyVerdict) -> str:
    return {
        VocabularyVerdict.IDENTICAL: translate("Verdict", "Same vocabulary"),
        VocabularyVerdict.COMPATIBLE: translate("Verdict", "Compatible"),
        VocabularyVerdict.TRANSLATABLE: translate("Verdict", "Different vocabulary"),
        VocabularyVerdict.INCOMPATIBLE: translate("Verdict", "Incompatible"),
    }[verdict]


def _details(found: "Compatibility", summary: str) -> list[str]:
    """What the summary doesn't say, and matters: of the same vocabulary nothing."""
    if found.verdict is VocabularyVerdict.IDENTICAL:
        return []
    unsaid = (each for each in found.reasons if each.detail or translate_text(each.message) not in summary)
    others = [_told(reason) for reason in unsaid]
    if any(reason.code in _ABOUT_HEADS for reason in found.reasons):
        return others  # a smaller vocabulary is usual among heads
    sizes = translate("Verdict", "Vocabulary: {target} tokens in the target, {draft} in the draft.")
    lines = [sizes.format(target=format_number(found.vocab_target), draft=format_number(found.vocab_draft))]
    if found.verdict is VocabularyVerdict.TRANSLATABLE:
        return lines  # what keeps their tokens apart no longer matters
    is_said = any(reason.code == _FIRST_DIFFERENCE for reason in found.reasons)
    if (first := found.first_difference) is not None and not is_said:
        words = translate("Verdict", "First difference: token {id} is {target} in the target, {draft} in the draft.")
        lines.append(words.format(id=first.id, target=_shown(first.target), draft=_shown(first.draft)))
    return [*lines, *others]


def _told(reason: "Reason") -> str:
    return f"• {translate_text(reason.message)} {translate_text(reason.detail)}".strip()


def _shown(token: str) -> str:
    """With marks around it: blanks, line ends and quotes of its own stay to be seen."""
    return repr(token)
