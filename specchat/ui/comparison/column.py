"""One side of a comparison: the models, the answer and its stats."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.engines.compared_sides import Side
from specchat.ui.transcript.entries import Entry, EntryDetails
from specchat.ui.transcript.message_actions import copy_to_clipboard
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, scaled_px, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_QUESTION = 1


class AnswerColumn(QWidget):
    keep_requested = Signal()
    """Keep the answer as a chat."""
    side_changed = Signal()

    def __init__(self, name: str, title: str, parent: QWidget) -> None:
        """`name`: for the names of its widgets. `title`: what a screen reader calls it."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._answer: StreamedAnswer | None = None
        self._details = EntryDetails()
        self._asked: Side | None = None
        self._asked_label = ""
        self._choice = ChoiceBox(self)
        describe_field(self._choice, f"{name}Choice", self.tr("{side}: pair").format(side=title))
        self._choice.currentIndexChanged.connect(self._change_side)
        self._writer = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._writer.setObjectName(f"{name}Writer")
        self._writer.hide()
        self._figures, self._badge = ElidedLabel(self), QLabel(self)
        for label, ending in ((self._figures, "Figures"), (self._badge, "Badge")):
            label.setObjectName(f"{name}{ending}")
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._badge.hide()
        self._copy = self._button("copy", f"{name}Copy", self.tr("Copy answer"), self._copy_answer)
        self._keep = self._button("branch", f"{name}Keep", self.tr("Keep as chat"), self.keep_requested.emit)
        self.transcript = TranscriptView(lambda _: self._details, self)
        self.transcript.setObjectName(f"{name}Transcript")
        self.transcript.setAccessibleName(title)
        self.transcript.set_colouring(True)
        self._arrange()
        self.set_complete(False)
        follow_theme(self._apply_theme)

    @property
    def side(self) -> Side | None:
        chosen = self._choice.currentData()
        return chosen if isinstance(chosen, Side) else None

    def show_sides(self, sides: Sequence[tuple[str, Side]], chosen: Side | None) -> None:
        self._choice.set_items(sides, chosen)
        self._show_writer()

    def set_choosable(self, choosable: bool) -> None:
        self._choice.setEnabled(choosable)

    def begin(self, question: str, answer: StreamedAnswer) -> None:
        self._answer, self._details = answer, EntryDetails()
        self._asked, self._asked_label = self.side, self._choice.currentText()
        self._show_writer()
        self._badge.hide()
        self.set_complete(False)
        self.transcript.show_entries([Entry(_QUESTION, Role.USER, question, is_kept=False), self._entry()])

    def grow(self) -> None:
        assert self._answer is not None
        self.transcript.update_text(self._answer.message, self._answer.text, self._answer.marks)

    def finish(self, state: MessageState, footer: str = "") -> None:
        assert self._answer is not None
        self._details = EntryDetails(marks=tuple(self._answer.marks), footer=footer)
        self.set_complete(bool(self._answer.text))
        if self._answer.text:
            self.transcript.finish(self._entry(state))
        else:
            self.transcript.truncate_after(_QUESTION)

    def set_complete(self, complete: bool) -> None:
        """Whether there is an answer to copy or keep."""
        for button in (self._copy, self._keep):
            button.setEnabled(complete)

    def show_figures(self, text: str) -> None:
        self._figures.setText(text)

    def show_badge(self, text: str) -> None:
        self._badge.setText(text)
        self._badge.setVisible(bool(text))

    def _entry(self, state: MessageState = MessageState.STREAMING) -> Entry:
        assert self._answer is not None
        return Entry(self._answer.message, Role.ASSISTANT, self._answer.text, state, is_kept=False)

    def _change_side(self) -> None:
        self._show_writer()
        self.side_changed.emit()

    def _show_writer(self) -> None:
        """The one that answered, where another is chosen for the next question."""
        is_other = self._asked not in (None, self.side) and self._choice.currentText() != self._asked_label
        self._writer.setText(self.tr("Answered by {pair}").format(pair=self._asked_label))
        self._writer.setVisible(is_other)

    def _copy_answer(self) -> None:
        if self._answer is not None:
            copy_to_clipboard(strip_reasoning(self._answer.text))

    def _button(self, icon: str, object_name: str, words: str, on_click: Callable[[], object]) -> IconButton:
        button = IconButton(icon, words, self)
        button.setObjectName(object_name)
        button.clicked.connect(lambda: on_click())
        return button

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self._choice, 1)
        top.addSpacing(GRID)
        top.addWidget(self._copy)
        top.addWidget(self._keep)
        figures = QHBoxLayout()
        figures.setSpacing(GRID)
        figures.addWidget(self._badge)
        figures.addWidget(self._figures, 1)
        head = QVBoxLayout()
        head.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        head.setSpacing(GRID // 2)
        head.addLayout(top)
        head.addWidget(self._writer)
        head.addLayout(figures)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(head)
        layout.addWidget(self.transcript, 1)

    def _apply_theme(self) -> None:
        theme = current_theme()
        for label in (self._writer, self._figures, self._badge):
            label.setFont(tabular_figures(body_font(SMALL_PX)))
        for label in (self._writer, self._figures):
            label.setStyleSheet(f"color: {theme.text_muted.name()}; font-size: {scaled_px(SMALL_PX)}px;")
        self._badge.setStyleSheet(
            f"background: {theme.accent.name()}; color: {theme.on_accent.name()}; font-weight: 600;"
            f" font-size: {scaled_px(SMALL_PX)}px; border-radius: {GRID}px; padding: 2px {GRID}px;"
        )
        self._figures.setMinimumHeight(self._badge.sizeHint().height())  # beside a column with a badge
