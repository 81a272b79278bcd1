"""Counts the tokens in the context and shows its usage in the composer."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from specchat.domain.answer_tasks import ContextCount, CountTask
from specchat.domain.conversations import Attached, Attachment, ConversationSettings, StoredMessage
from specchat.domain.errors import ContextFullError
from specchat.domain.media import Media
from specchat.domain.projects import ProjectContext
from specchat.domain.recordings import estimate_media_tokens
from specchat.domain.types import UNKNOWN, Tool, are_tokens
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.chat.prompt_fitting import message_too_long_error
from specchat.services.chat.prompt_messages import (
    NO_PROJECT,
    build_prompt_messages,
    documents_of_path,
    format_attachment,
)
from specchat.ui.chat.edit_controller import EditController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_usage import ContextPart, ContextUsage, system_part
from specchat.ui.session import Session
from specchat.ui.threads.inference import ContextCounted, ContextCountFailed, Inference, InferenceEvent
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.number_format import format_number

_CHARACTERS_PER_TOKEN = 4
_ON_THE_SCREEN_MS = 30
"""Windows are painted with the next picture of the screen, which may be a while."""


class ContextController(QObject):
    def __init__(
        self,
        session: Session,
        inference: Inference,
        answers: RunningAnswers,
        edits: EditController,
        composer: Composer,
        notifications: NotificationController,
        tools: ToolList,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._inference, self._answers = session, inference, answers
        self._edits, self._composer, self._notifications = edits, composer, notifications
        self._tools = tools
        self._task: CountTask | None = None
        self._count: ContextCount | None = None
        self._count_of: CountTask | None = None
        self._conversation: int | None = None
        self._without_question: tuple[list[StoredMessage], tuple[object, ...], CountTask] | None = None
        """What it is for, and the task."""
        self._has_media = False
        self._was_too_long = False
        self._reported: set[int] = set()
        """In which conversations messages were left out."""
        self._soon = QTimer(composer, singleShot=True, interval=_ON_THE_SCREEN_MS)
        self._soon.timeout.connect(self._count_now)
        composer.token_count_requested.connect(self.count_tokens)
        composer.attachments_changed.connect(self.count_tokens)
        for changed in (composer.text_changed, composer.attachments_changed):
            changed.connect(notifications.dismiss_context_error)
        for changed in (
            *(session.path_changed, session.conversation_changed, session.project_changed),
            *(session.pair_changed, tools.changed),
        ):
            changed.connect(self.count_tokens)
        answers.prompt_read.connect(self._report_left_out)
        answers.updated.connect(self._grow)
        inference.events_arrived.connect(self._show_counts)

    def count_tokens(self, _: object = None) -> None:
        """Once the messages are on the screen: a long conversation takes a while."""
        conversation = self._session.conversation
        if self._session.pair is None or conversation is None:
            self._forget()
            return
        if conversation.id != self._conversation:
            self._forget()
            self._conversation = conversation.id
        self._task = None
        self._soon.start()

    def require_room(self) -> None:
        """For the message, as far as it is counted: for one that is sent sooner the models will tell."""
        task, count = self._task, self._count
        is_up_to_date = task is not None and task is self._count_of and task.question == self._composer.text
        if is_up_to_date and count is not None and (needed := self._too_long(count)) is not None:
            raise message_too_long_error(needed, count.free)

    def _count_now(self) -> None:
        conversation = self._session.conversation
        if conversation is None or (self._count is not None and self._is_answering(conversation.id)):
            return
        question, whole = self._composer.text, self._task_without_question(conversation.settings)
        condensed = whole.condensed and replace(whole.condensed, question=question)
        self._task = replace(whole, question=question, condensed=condensed)
        self._inference.count_context(self._task)

    def _is_answering(self, conversation: int) -> bool:
        """Counting would slow that down, and its end is counted anyway."""
        running = self._answers.of_conversation(conversation)
        return running is not None and running.end is None

    def _task_without_question(self, settings: ConversationSettings) -> CountTask:
        """The same while nothing of it has changed: documents are long."""
        path, n_ctx, attached = self._edits.messages_above, self._session.n_ctx, self._composer.attachments
        project = self._session.project_context
        offered = self._tools.offered(self._session.pair)
        known, others = self._without_question, (settings, n_ctx, attached, project, offered)
        if known is None or known[0] is not path or known[1] != others:
            task = _count_task(path, settings, attached, n_ctx, project, tuple(each.as_tool for each in offered))
            known = self._without_question = path, others, task
        return known[2]

    def _forget(self) -> None:
        self._task = self._count = self._conversation = None
        self._composer.set_context_usage(None)
        self._tools.set_n_left_out(0)

    def _show_counts(self, events: list[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, ContextCounted) and event.task is self._task:
                self._count, self._count_of = self._with_media(event.count, event.task), event.task
                self._show(self._count)
            elif isinstance(event, ContextCountFailed) and event.task is self._task:
                self._count = None
                self._composer.set_context_usage(None)

    def _with_media(self, count: ContextCount, task: CountTask) -> ContextCount:
        """What those above take is known only to the model: estimates."""
        senses, above = self._session.senses, list[Media]()
        for message in self._edits.messages_above:
            above += [*(message.pictures if senses.sees else ()), *(message.recordings if senses.hears else ())]
        self._has_media = bool(above or task.pictures)
        return replace(count, conversation=count.conversation + sum(map(estimate_media_tokens, above)))

    def _too_long(self, count: ContextCount) -> int | None:
        """The message's tokens, if there is no room for it: an estimate is no reason."""
        certain = count.message_total - (sum(self._count_of.pictures) if self._count_of is not None else 0)
        return certain if certain > count.free else None

    def _grow(self, message: int) -> None:
        """The chat is counted again at the end of the answer. Until then, its tokens are added to its prompt's."""
        running = self._answers.of_message(message)
        is_above = self._session.is_last_message(message) and self._edits.messages_above is self._session.path
        if running is not None and running.n_prompt and self._count is not None and is_above:
            so_far = running.n_prompt - self._count.system + _written(running.streamed)
            self._show(
                replace(self._count, conversation=so_far, attachments=(), question=0, n_left_out=running.n_left_out)
            )

    def _report_left_out(self, message: int) -> None:
        """Once in each conversation: the replies and the meter say it too."""
        running = self._answers.of_message(message)
        if running is None or not running.n_left_out or running.conversation in self._reported:
            return
        if self._session.is_open(running.conversation):
            self._reported.add(running.conversation)
            words = self.tr("The {n} oldest messages no longer fit in the context.")
            if running.n_left_out == 1:
                words = self.tr("The oldest message no longer fits in the context.")
            self._notifications.show_context_notice(words.format(n=format_number(running.n_left_out)))

    def _show(self, count: ContextCount) -> None:
        has_tools = self._count_of is not None and bool(self._count_of.tools)
        parts = (
            (system_part(project=self._session.project_context != NO_PROJECT, tools=has_tools), count.system),
            (ContextPart.CONVERSATION, count.conversation),
            (ContextPart.ATTACHMENTS, sum(count.attachments)),
            (ContextPart.MESSAGE, count.question),
        )
        is_too_long = self._too_long(count) is not None
        limit = count.free if is_too_long else None
        self._composer.set_context_usage(
            ContextUsage(
                *(parts, count.n_ctx, count.n_left_out, limit, self._session.can_grow, count.is_estimate),
                has_media=self._has_media,
                n_tools_left_out=count.n_tools_left_out,
            )
        )
        self._tools.set_n_left_out(count.n_tools_left_out)
        attached = self._composer.attachments
        for index, (each, tokens) in enumerate(zip(attached, count.attachments, strict=False)):
            is_searched = isinstance(each, Attachment) and each.name in count.searched
            self._composer.set_attachment_tokens(index, tokens, searched=is_searched, is_estimate=count.is_estimate)
        was_too_long, self._was_too_long = self._was_too_long, is_too_long
        if was_too_long and not is_too_long:
            self._notifications.dismiss_error_type(ContextFullError)


def _written(answer: StreamedAnswer) -> int:
    """Tokens so far. Another engine's pieces may be several each."""
    n_pieces = len(answer.marks) - len(answer.task.marks)
    n_characters = len(answer.text) - len(answer.task.begun)
    is_told = not n_pieces or answer.marks[-1].origin != UNKNOWN or are_tokens(n_characters, n_pieces)
    return n_pieces if is_told else n_characters // _CHARACTERS_PER_TOKEN


def _count_task(
    path: Sequence[StoredMessage],
    settings: ConversationSettings,
    attached: Sequence[Attached],
    n_ctx: int,
    project: ProjectContext,
    tools: tuple[Tool, ...],
) -> CountTask:
    """Without a question."""
    files = [each for each in attached if isinstance(each, Attachment)]
    media = tuple(estimate_media_tokens(each) for each in attached if isinstance(each, Media))
    documents = documents_of_path(path, settings, files, project=project)
    condensed = documents.condensed_count(settings.max_tokens, n_ctx) if documents is not None else None
    if documents is not None and condensed is not None:
        condensed = replace(condensed, pictures=media, tools=tools)
        if documents.is_certainly_too_long(n_ctx):
            return condensed
    return CountTask(
        messages=build_prompt_messages(path, settings, project=project),
        attachments=tuple(map(format_attachment, files)),
        max_tokens=settings.max_tokens,
        condensed=condensed,
        pictures=media,
        tools=tools,
    )
