"""The overlay: figures of the answer being written in the conversation that is shown or for another program, else of
the conversation's last one."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from specchat.domain.answering import AnswerEnded
from specchat.domain.guessing import Off, WhyOff, why_off
from specchat.domain.types import GenerationStats, Role
from specchat.services.chat.messages import Messages
from specchat.services.generation.live_figures import Figures
from specchat.services.models.demo_pair import demo_files
from specchat.services.once import Once
from specchat.ui.chat.answers import Answers
from specchat.ui.chat.asking import Asking
from specchat.ui.chat.entries import last_of
from specchat.ui.chat.open_chat import OpenChat
from specchat.ui.chat.other_programs import OtherPrograms
from specchat.ui.overlay.acceptance_overlay import AcceptanceOverlay
from specchat.ui.overlay.replies import ReplyFigures
from specchat.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from specchat.ui.overlay.details import SpeculationDetails

_TITLE_LENGTH = 48
_LINGERS_MS = 10_000
"""The figures of another program's answer, once it has ended."""


class Live(QObject):
    def __init__(
        self,
        messages: Messages,
        answers: Answers,
        others: OtherPrograms,
        chat: OpenChat,
        asking: Asking,
        overlay: AcceptanceOverlay,
        name_of: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        """`name_of`: from a file's name to what people call the model."""
        super().__init__(parent)
        self._messages, self._answers, self._others = messages, answers, others
        self._chat, self._asking = chat, asking
        self._overlay, self._name_of = overlay, name_of
        self._parent = parent
        self._details = Once(self._make_details)
        self._back = QTimer(self, singleShot=True, interval=_LINGERS_MS)
        self._back.timeout.connect(self.refresh)
        self._ended: dict[int, Figures] = {}
        """Of the answer that ended last: its passes are not kept."""
        answers.grew.connect(self._grow)
        answers.ended.connect(self._end)
        others.grew.connect(self._show_others)
        others.ended.connect(self._show_others)
        others.ended.connect(lambda _: self._back.start())
        chat.path_changed.connect(self.refresh)
        overlay.detailsRequested.connect(self.show_details)

    def show_details(self) -> None:
        details = self._details()
        details.show_replies(self._replies())
        details.show()
        details.raise_()
        details.activateWindow()

    def refresh(self) -> None:
        figures = self._others.figures
        if figures is not None:
            self._show_others(figures)
            return
        conversation = self._chat.conversation
        running = self._answers.of_conversation(conversation.id) if conversation else None
        if running is not None:
            self._name_loaded_pair()
            if running.growing.text:
                self._overlay.show_figures(running.figures.snapshot())
            else:
                self._overlay.show_waiting()
            return
        last = last_of(self._chat.path, Role.ASSISTANT)
        answer = self._messages.readable_answer(last.id) if last else None
        if last is not None and answer is not None and answer.stats.n_generated and not self._is_over(answer.stats):
            self._name_pair(answer.target, answer.draft)
            self._overlay.show_figures(self._ended.get(last.id) or Figures.from_stats(answer.stats))
        else:
            self._name_loaded_pair()
            self._overlay.show_waiting()

    def set_theme(self, theme: Theme) -> None:
        if details := self._details.made:
            details.set_theme(theme)

    def _make_details(self) -> "SpeculationDetails":
        from specchat.ui.overlay.details import SpeculationDetails

        return SpeculationDetails(self._overlay.theme, self._parent)

    def _grow(self, message: int) -> None:
        running = self._answers.of_message(message)
        if running is not None and self._is_shown(running.conversation):
            self._name_loaded_pair()
            self._overlay.show_figures(running.figures.snapshot())

    def _end(self, message: int, _: AnswerEnded, figures: Figures) -> None:
        self._ended = {message: figures}
        if self._chat.path and self._chat.path[-1].id == message:
            self._name_loaded_pair()
            self._overlay.show_figures(figures)

    def _show_others(self, figures: Figures) -> None:
        self._name_loaded_pair(self.tr("Another program"))
        self._overlay.show_figures(figures)

    def _name_loaded_pair(self, asked_by: str = "") -> None:
        pair = self._asking.pair
        off = why_off(pair.drafting) if pair else None
        self._name_pair(pair.target if pair else "", pair.draft if pair else None, off, asked_by)

    def _name_pair(self, target: str, draft: str | None, off: WhyOff | str | None = None, asked_by: str = "") -> None:
        """By their files."""
        is_demo = target == demo_files()[0].name
        name = self._name_of(draft) if draft else None
        self._overlay.set_pair(name, tiny_target=is_demo, why_off=off, asked_by=asked_by)

    def _is_over(self, stats: GenerationStats) -> bool:
        """No guesses were wanted then: told beside a pair that guesses, it would seem to be so still."""
        pair = self._asking.pair
        return pair is not None and why_off(stats.speculation) is Off.SWITCHED_OFF and why_off(pair.drafting) is None

    def _is_shown(self, conversation: int) -> bool:
        return self._chat.conversation is not None and self._chat.conversation.id == conversation

    def _replies(self) -> list[ReplyFigures]:
        replies = []
        for question, reply in pairwise(self._chat.path):
            answer = self._messages.readable_answer(reply.id) if reply.role is Role.ASSISTANT else None
            if answer is not None and answer.stats.n_generated:
                title = " ".join(question.text.split())[:_TITLE_LENGTH]
                draft = self._name_of(answer.draft) if answer.draft else None
                replies.append(ReplyFigures(title, answer.stats, self._name_of(answer.target), draft))
        return replies
