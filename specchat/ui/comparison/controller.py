"""Asks two pairs the same question and shows their answers side by side."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, Compared, PromptRead
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attached, Attachment, ConversationSettings, MessageState, StoredMessage
from specchat.domain.errors import NO_MODEL, NotReadyError, UserError
from specchat.domain.loading import LoadUpdate
from specchat.domain.types import PairChoice, Role
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.prompt_messages import build_prompt_messages, documents_of_path
from specchat.services.engines.answer_comparison import CompleteAnswer, speed_ratio
from specchat.services.engines.compared_answers import ComparedAnswer
from specchat.services.engines.compared_sides import Side
from specchat.services.generation.stats_tracker import StatsTracker
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.comparison.column import AnswerColumn
from specchat.ui.comparison.page import ComparisonPage
from specchat.ui.comparison.side_controller import SideController
from specchat.ui.comparison.verdict import end_text, figures_text, ratio_text, verdict_text
from specchat.ui.documents.document_text import sources_text
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.pair.pair_text import loading_text
from specchat.ui.session import Session
from specchat.ui.threads.inference import AnswerFailed, Inference, InferenceEvent
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.throttle import Throttle
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.number_format import format_percent

if TYPE_CHECKING:
    from specchat.services.chat.meaning_search import MeaningSearch

_SEEDS = 1 << 31
_FIGURES_MS = 250
_QUESTION = 1


@dataclass(slots=True)
class _Running:
    """One side's answer."""

    column: AnswerColumn
    choice: PairChoice
    streamed: StreamedAnswer
    settings: ConversationSettings
    search: "MeaningSearch | None"
    """With which its documents are searched."""
    stats: StatsTracker = field(default_factory=StatsTracker)
    end: AnswerEnded | AnswerFailed | None = None

    @property
    def complete(self) -> CompleteAnswer | None:
        if not isinstance(self.end, AnswerEnded):
            return None
        return CompleteAnswer(self.streamed.text, self.end.answer, self.settings.sampling.temperature)


@dataclass(frozen=True, slots=True)
class ComparisonServices:
    library: ModelLibrary
    pair_settings: PairSettings
    conversations: ConversationService
    make_search: "Callable[[], MeaningSearch | None]"
    """Of documents by meaning, where a model for it is chosen."""


class ComparisonController(QObject):
    suspension_requested = Signal()
    """Another pair than the loaded one answers: it needs the memory."""
    progress_changed = Signal(int, int)
    """Answers, of how many."""
    finished = Signal()
    chat_kept = Signal(int)

    def __init__(
        self,
        services: ComparisonServices,
        session: Session,
        inference: Inference,
        tasks: TaskQueue,
        pair: PairController,
        engines: EngineList,
        notifications: NotificationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._session, self._inference = services, session, inference
        self._pair, self._notifications = pair, notifications
        self.page = ComparisonPage()
        self.sides = SideController(
            services.library, services.pair_settings, session, tasks, pair, engines, notifications, self.page
        )
        self._question: StoredMessage | None = None
        self._chat_settings = ConversationSettings()
        """Of the chat that was open when it was asked."""
        self._running: tuple[_Running, ...] = ()
        self._cancel = CancelToken()
        self._numbers = count(-1, -1)
        """Of answers that are not stored."""
        self._figures = Throttle[_Running](_FIGURES_MS, self._show_live, self)
        self._connect()

    @property
    def is_running(self) -> bool:
        return any(side.end is None for side in self._running)

    def ask(self, text: str, attached: tuple[Attached, ...] = ()) -> None:
        sides = self.page.sides
        if len(sides) < 2:
            error = NotReadyError(NO_MODEL, self.tr("Choose a pair for each side first."))
            self._notifications.show_error(error)
            return
        files = tuple(each for each in attached if isinstance(each, Attachment))
        question = StoredMessage(_QUESTION, 0, None, Role.USER, text, 0.0, attachments=files)
        prefill = self.page.composer.prefill
        self.page.set_running(True)

        def begin(choices: list[PairChoice]) -> None:
            self._begin(question, prefill, sides, choices)

        def fail(error: UserError) -> None:
            self.page.set_running(False)
            self._notifications.show_error(error)

        self.sides.settle(sides, begin, fail)

    def stop(self) -> None:
        self._cancel.cancel()

    def close(self) -> None:
        self.stop()
        self._figures.stop()

    def _connect(self) -> None:
        page, composer = self.page, self.page.composer
        self._inference.events_arrived.connect(self._follow)
        composer.sent.connect(self.ask)
        composer.stop_requested.connect(self.stop)
        composer.edit_last_requested.connect(self._recall_question)
        composer.attaching.rejected.connect(self._notifications.show_attachment_error)
        composer.attaching.pictures_refused.connect(self._refuse_pictures)
        composer.attaching.recordings_refused.connect(self._refuse_recordings)
        composer.set_ready(True, self.tr("Ask both"))
        for number, column in enumerate(page.columns):
            column.keep_requested.connect(self._keeper(number))

    def _begin(
        self, question: StoredMessage, prefill: str, sides: Sequence[Side], choices: Sequence[PairChoice]
    ) -> None:
        loaded = self._pair.resolved_choice
        makes_room = any(choice != loaded for choice in choices)
        if makes_room and self._pair.is_suspended:
            self.page.set_running(False)
            busy = self.tr("A measurement is running.")
            self._notifications.show_error(NotReadyError(busy, self.tr("Try again when it has finished.")))
            return
        self._question, self._chat_settings = question, self._settings_of_chat()
        settings = self._settings()
        self._running = tuple(
            self._prepare(column, choice, side.compared, prefill, settings)
            for column, choice, side in zip(self.page.columns, choices, sides, strict=True)
        )
        self.page.composer.clear()
        self.page.show_verdict("")
        for running in self._running:
            running.column.begin(question.text, running.streamed)
            running.column.show_figures(self.tr("Waiting…"))
        if makes_room:
            self.suspension_requested.emit()
        answers = [ComparedAnswer(running.choice, running.streamed) for running in self._running]
        self._cancel = self._inference.compare(answers, makes_room=makes_room)

    def _settings(self) -> ConversationSettings:
        """Those of the open chat, and one seed for both."""
        settings = self._chat_settings
        sampling = replace(settings.sampling, seed=secrets.randbelow(_SEEDS))
        return replace(settings, sampling=replace(sampling, temperature=0.0) if self.page.is_greedy else sampling)

    def _settings_of_chat(self) -> ConversationSettings:
        conversation = self._session.conversation
        return conversation.settings if conversation is not None else ConversationSettings()

    def _prepare(
        self, column: AnswerColumn, choice: PairChoice, compared: Compared, prefill: str, settings: ConversationSettings
    ) -> _Running:
        assert self._question is not None
        path, search = [self._question], self._services.make_search()
        task = AnswerTask(
            message=next(self._numbers),
            messages=build_prompt_messages(path, settings),
            sampling=settings.sampling,
            max_tokens=settings.max_tokens,
            prefill=prefill,
            documents=documents_of_path(path, settings, by_meaning=search),
            compared=compared,
            reasoning=settings.reasoning,
        )
        return _Running(column, choice, StreamedAnswer(task), settings, search)

    def _follow(self, events: Sequence[InferenceEvent]) -> None:
        for event in events:
            match event:
                case LoadUpdate():
                    self._show_loading(event)
                case StreamedAnswer() | PromptRead() | AnswerEnded() | AnswerFailed():
                    running = next((one for one in self._running if one.streamed.message == event.message), None)
                    if running is not None:
                        self._update(running, event)

    def _update(self, running: _Running, event: StreamedAnswer | PromptRead | AnswerEnded | AnswerFailed) -> None:
        match event:
            case StreamedAnswer():
                self._grow(running)
                self._figures.submit(running)
            case PromptRead():
                share = format_percent(event.done / event.total if event.total else 1.0)
                running.column.show_figures(self.tr("Processing the prompt: {percent}").format(percent=share))
            case AnswerEnded() | AnswerFailed():
                self._end(running, event)

    def _show_loading(self, event: LoadUpdate) -> None:
        """Of the one that is next."""
        running = next((one for one in self._running if one.end is None and one.choice == event.choice), None)
        if running is not None:
            draft = event.choice.draft
            names = [self._pair.display_name(ref.name) if ref else "" for ref in (event.choice.target, draft)]
            running.column.show_figures(f"{loading_text(event.stage, *names)}… {format_percent(event.done)}")

    def _grow(self, running: _Running) -> None:
        steps = running.streamed.steps
        while steps:
            running.stats.add_step(steps.popleft())
        running.column.grow()

    def _show_live(self, running: _Running) -> None:
        running.column.show_figures(figures_text(running.stats.snapshot()))

    def _end(self, running: _Running, end: AnswerEnded | AnswerFailed) -> None:
        running.end = end
        self._figures.stop()
        self._grow(running)
        if running.search is not None and running.search.problem is not None:
            self._notifications.show_search_problem(running.search.problem)
        if isinstance(end, AnswerEnded):
            running.column.show_figures(end_text(end.answer, running.stats.finish(end.answer.stats)))
            running.column.finish(end.state, sources_text(end.answer.sources) if end.answer.sources else "")
        else:
            running.column.show_figures(self.tr("Failed") if end.error is not None else self.tr("Stopped"))
            running.column.finish(MessageState.STOPPED)
            if end.error is not None:
                self._notifications.show_error(end.error)
        n_done = sum(one.end is not None for one in self._running)
        self.progress_changed.emit(n_done, len(self._running))
        if not self.is_running:
            self._conclude()

    def _conclude(self) -> None:
        self.page.set_running(False)
        complete = [running.complete for running in self._running]
        left, right = complete
        if left is not None and right is not None:
            for running, one, other in zip(self._running, (left, right), (right, left), strict=True):
                running.column.show_badge(ratio_text(speed_ratio(one, other)))
            verdict = verdict_text(left, right)
            self.page.show_verdict(verdict)
            announce(self.page, verdict)
        self.finished.emit()

    def _refuse_pictures(self) -> None:
        """Whatever the models see."""
        self._notifications.show_notice(self.tr("A question side by side can't have pictures."))

    def _refuse_recordings(self) -> None:
        self._notifications.show_notice(self.tr("A question side by side can't have recordings."))

    def _recall_question(self) -> None:
        if self._question is not None:
            self.page.composer.set_text(self._question.text)

    def _keeper(self, number: int) -> Callable[[], None]:
        return lambda: self._keep(self._running[number])

    def _keep(self, running: _Running) -> None:
        """As a chat that goes on like any other."""
        assert self._question is not None
        answer = running.end.answer if isinstance(running.end, AnswerEnded) else None
        state = running.end.state if isinstance(running.end, AnswerEnded) else MessageState.STOPPED
        try:
            chat = self._services.conversations.keep_answer(
                self._question, running.streamed.text, state, answer, self._chat_settings
            )
        except UserError as error:
            self._notifications.show_error(error)
            return
        self.chat_kept.emit(chat.id)
