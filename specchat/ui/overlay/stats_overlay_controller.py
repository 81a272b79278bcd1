"""Shows the stats of the open chat's current answer, or else of its last one, in the overlay."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from specchat.domain.answer_tasks import AnswerEnded
from specchat.domain.conversations import StoredMessage
from specchat.domain.speculation_status import OffReason, SpeculationOff, parse_speculation
from specchat.domain.types import GenerationStats, Role
from specchat.services.chat.message_service import MessageService
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.services.lazy import Lazy
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.chat.running_answers import RunningAnswer, RunningAnswers
from specchat.ui.overlay.readout import WhyEmpty
from specchat.ui.overlay.reply_stats import ReplyStats
from specchat.ui.server.api_activity import ApiActivity
from specchat.ui.session import Session
from specchat.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from specchat.ui.overlay.speculation_stats_page import SpeculationStatsPage

_TITLE_LENGTH = 48
_MOST_ENDED = 8
_LINGERS_MS = 10_000
"""The figures of another program's answer, once it has ended."""


class StatsOverlayController(QObject):
    def __init__(
        self,
        session: Session,
        messages: MessageService,
        answers: RunningAnswers,
        api_activity: ApiActivity,
        name_of: Callable[[str], str],
        window: MainWindow,
    ) -> None:
        """`name_of`: from a file's name to what people call the model."""
        super().__init__(window)
        self._messages, self._answers, self._api_activity = messages, answers, api_activity
        self._session = session
        self._overlay, self._name_of = window.overlay, name_of
        self._window = window
        self._details = Lazy(self._make_details)
        self._back = QTimer(self, singleShot=True, interval=_LINGERS_MS)
        self._back.timeout.connect(self.refresh)
        self._ended: dict[int, StatsSnapshot] = {}
        """Of the answers that ended last: their passes are not stored."""
        answers.updated.connect(self._grow)
        answers.ended.connect(self._end)
        answers.failed.connect(self._keep_of_failed)
        api_activity.updated.connect(self._show_api_activity)
        api_activity.ended.connect(self._show_api_activity)
        api_activity.ended.connect(lambda _: self._back.start())
        for changed in (session.path_changed, session.pair_changed):
            changed.connect(self.refresh)
        self._overlay.clicked.connect(self.show_details)

    def show_details(self) -> None:
        details = self._details()
        details.show_replies(self._replies())
        self._window.show_page(details)

    def refresh(self) -> None:
        running, figures = self._running, self._api_activity.stats
        if running is not None and running.streamed.text:
            self._name_loaded_pair()
            self._overlay.show_stats(running.stats.snapshot())
            return
        if figures is not None:
            self._show_api_activity(figures)
            return
        if running is not None:
            self._show_none(WhyEmpty.NO_ANSWER)
            return
        self._show_last(last_message(self._session.path, Role.ASSISTANT))

    def _show_last(self, last: StoredMessage | None) -> None:
        answer = self._messages.readable_answer(last.id) if last is not None else None
        if last is None:
            self._show_none(WhyEmpty.NO_ANSWER)
        elif answer is None or not (answer.stats.n_generated or last.id in self._ended):
            self._show_none(WhyEmpty.NO_STATS)
        elif self._is_outdated(answer.stats):
            self._show_none(WhyEmpty.WAS_OFF)
        else:
            self._name_pair(answer.draft)
            self._overlay.show_stats(self._ended.get(last.id) or StatsSnapshot.from_stats(answer.stats))

    def _show_none(self, why: WhyEmpty) -> None:
        self._name_loaded_pair()
        self._overlay.show_waiting(why)

    @property
    def _running(self) -> RunningAnswer | None:
        """The answer of the open chat."""
        conversation = self._session.conversation
        return self._answers.of_conversation(conversation.id) if conversation is not None else None

    def _make_details(self) -> "SpeculationStatsPage":
        from specchat.ui.overlay.speculation_stats_page import SpeculationStatsPage

        return SpeculationStatsPage(self._window)

    def _grow(self, message: int) -> None:
        running = self._answers.of_message(message)
        if running is not None and self._session.is_open(running.conversation):
            self._name_loaded_pair()
            self._overlay.show_stats(running.stats.snapshot())

    def _end(self, message: int, _: AnswerEnded, figures: StatsSnapshot) -> None:
        figures = self._with_beginning(message, figures)
        self._keep(message, figures)
        if self._session.is_last_message(message) and figures.n_generated:
            self._name_loaded_pair()
            self._overlay.show_stats(figures)
        elif self._session.is_last_message(message):
            self._show_none(WhyEmpty.NO_STATS)

    def _with_beginning(self, message: int, figures: StatsSnapshot) -> StatsSnapshot:
        """Of a continued answer, the stats of all of it, as in the line below it."""
        answer = self._messages.readable_answer(message)
        if answer is None or answer.stats.n_generated <= figures.n_generated:
            return figures
        whole = StatsSnapshot.from_stats(answer.stats)
        return replace(whole, steps=figures.steps, draft_off=figures.draft_off)

    def _keep_of_failed(self, running: RunningAnswer) -> None:
        """None are stored, as what writes them failed."""
        figures = running.stats.snapshot()
        if figures.n_generated:
            self._keep(running.streamed.message, replace(figures, final=True))
            self.refresh()

    def _keep(self, message: int, figures: StatsSnapshot) -> None:
        self._ended[message] = figures
        if len(self._ended) > _MOST_ENDED:
            del self._ended[next(iter(self._ended))]

    def _show_api_activity(self, figures: StatsSnapshot) -> None:
        """Unless the open chat is being answered as well."""
        running = self._running
        if running is not None and running.streamed.text:
            return
        self._name_loaded_pair(self.tr("Another program"))
        self._overlay.show_stats(figures)

    def _name_loaded_pair(self, asked_by: str = "") -> None:
        pair = self._session.pair
        off = parse_speculation(pair.drafting) if pair else None
        self._name_pair(pair.draft if pair else None, off, asked_by)

    def _name_pair(self, draft: str | None, off: OffReason | str | None = None, asked_by: str = "") -> None:
        """`draft`: its file."""
        self._overlay.set_pair(self._name_of(draft) if draft else None, why_off=off, asked_by=asked_by)

    def _is_outdated(self, stats: GenerationStats) -> bool:
        """Whether speculation was off in that answer, but is on now: its stats beside the loaded pair would mislead."""
        pair = self._session.pair
        return (
            pair is not None
            and parse_speculation(stats.speculation) is SpeculationOff.SWITCHED_OFF
            and parse_speculation(pair.drafting) is None
        )

    def _replies(self) -> list[ReplyStats]:
        replies, question = [], ""
        for message in self._session.path:
            if message.role is Role.USER:
                question = message.text
            answer = self._messages.readable_answer(message.id) if message.role is Role.ASSISTANT else None
            if answer is not None and answer.stats.n_generated:
                title = " ".join(question.split())[:_TITLE_LENGTH]
                draft = self._name_of(answer.draft) if answer.draft else None
                replies.append(ReplyStats(title, answer.stats, self._name_of(answer.target), draft))
        return replies
