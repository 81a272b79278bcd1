"""Whether the two models go together, and why."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.amounts import number
from specchat.ui.controls import TextButton
from specchat.ui.fields import muted
from specchat.ui.manager.cards import Badge
from specchat.ui.said import in_words
from specchat.ui.selectable_text import SelectableText
from specchat.ui.theme import GRID, SMALL_PX, Theme, scaled

if TYPE_CHECKING:  # what reads headers needs numpy
    from specchat.gguf.compatibility import Compatibility

translate = QCoreApplication.translate

_TONES = {"identical": "good", "compatible": "good", "translatable": "warning", "incompatible": "danger"}
_MOST_SENTENCES = 2
"""The others are among the details."""


class VerdictView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = Badge("", parent=self)
        self._reason = _plain(self)
        self._note = muted("", self)
        self._more = TextButton("", self)
        self._details = SelectableText("compatDetails", self)
        self._arrange()
        self._more.clicked.connect(lambda: self._show_details(shown=self._details.isHidden()))
        self.set_theme(theme)
        self.show_wait()

    def set_theme(self, theme: Theme) -> None:
        colours = f"background: transparent; border: none; color: {theme.text_muted.name()};"
        self._details.setStyleSheet(f"QTextEdit {{ {colours} font-size: {scaled(SMALL_PX)}px; }}")

    def show_wait(self) -> None:
        self._show(self.tr("Checking"), "plain", self.tr("Comparing how the two read text…"))
        self._more.hide()
        self._show_details(shown=False)
        self._note.hide()

    def show_verdict(self, found: "Compatibility", note: str = "") -> None:
        """`note`: what else there is to say about the pair."""
        verdict = str(found.verdict)
        sentences = [in_words(reason.message) for reason in found.reasons]
        few = sentences[: 1 if verdict == "incompatible" else _MOST_SENTENCES]
        self._show(_verdict_words(verdict), _TONES[verdict], " ".join(few))
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._details.setPlainText("\n".join(_details(found)))
        self._more.show()

    def words(self) -> str:
        return f"{self._badge.text()}. {self._reason.text()}"

    def _show(self, verdict: str, tone: str, reason: str) -> None:
        self._badge.setText(verdict)
        self._badge.setProperty("badge", tone)
        self._badge.style().unpolish(self._badge)
        self._badge.style().polish(self._badge)
        self._reason.setText(reason)
        self._badge.setAccessibleName(self.tr("Do they go together? {verdict}").format(verdict=verdict))
        self._badge.setAccessibleDescription(reason)

    def _show_details(self, *, shown: bool) -> None:
        self._details.setVisible(shown)
        self._more.setText(self.tr("Hide details") if shown else self.tr("Details"))

    def _arrange(self) -> None:
        self._badge.setObjectName("compatBadge")
        self._reason.setObjectName("compatReason")
        self._more.setObjectName("compatMore")
        self._details.setAccessibleName(self.tr("Details"))
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addStretch(1)
        top.addWidget(self._more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(top)
        for part in (self._reason, self._note, self._details):
            layout.addWidget(part)


def _plain(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setProperty("small", True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _verdict_words(verdict: str) -> str:
    return {
        "identical": translate("Verdict", "Identical"),
        "compatible": translate("Verdict", "Compatible"),
        "translatable": translate("Verdict", "Translatable"),
        "incompatible": translate("Verdict", "Incompatible"),
    }[verdict]


def _details(found: "Compatibility") -> list[str]:
    sizes = translate("Verdict", "Vocabulary: {target} tokens in the target, {draft} in the draft.")
    lines = [sizes.format(target=number(found.vocab_target), draft=number(found.vocab_draft))]
    if (first := found.first_difference) is not None:
        words = translate("Verdict", "First difference: token {id} is {target} in the target, {draft} in the draft.")
        lines.append(words.format(id=first.id, target=_shown(first.target), draft=_shown(first.draft)))
    reasons = ((in_words(reason.message), in_words(reason.detail)) for reason in found.reasons)
    return [*lines, *("• " + " ".join(filter(None, sentences)) for sentences in reasons)]


def _shown(token: str) -> str:
    """With marks around it: blanks, line ends and quotes of its own stay to be seen."""
    return repr(token)
