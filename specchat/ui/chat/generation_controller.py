"""Starts every generation: new questions, regenerated answers and continued answers."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.conversations import RANDOM_SEED, Answer, Attached, Mark, StoredMessage
from specchat.domain.errors import NO_MODEL, ContextFullError, NotReadyError, UserError
from specchat.domain.media import Media
from specchat.domain.tools import CallState
from specchat.domain.types import Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.ui.chat.answer_task_builder import AnswerTaskBuilder
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.edit_controller import Edit, EditController
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.chat.model_abilities import ModelAbilities
from specchat.ui.chat.repeated_answers import RepeatedAnswers
from specchat.ui.chat.running_answers import RunningAnswer, RunningAnswers
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_controller import ContextController
from specchat.ui.composer.editing_banner import EditMode
from specchat.ui.session import Session
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    pass

_SEEDS = 1 << 31


class GenerationController(QObject):
    def __init__(
        self,
        session: Session,
        chat: ChatController,
        edits: EditController,
        context: ContextController,
        conversations: ConversationService,
        messages: MessageService,
        answers: RunningAnswers,
        transcript: TranscriptView,
        composer: Composer,
        notifications: NotificationController,
        tasks: AnswerTaskBuilder,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._notifications = session, notifications
        self._chat, self._edits, self._context = chat, edits, context
        self._conversations, self._messages = conversations, messages
        self._answers, self._composer, self._tasks = answers, composer, tasks
        self._abilities = ModelAbilities(session, transcript, composer, self)
        self._repeats = RepeatedAnswers(conversations, messages, self)
        self._takes_back = False
        self._leaf_before: dict[int, int] = {}
        """For each requested answer, the message shown before, in case it never begins."""
        self._repeat_notice = ""
        """The notice that says why the last answer equals the one before."""
        self._failures: dict[int, UserError] = {}
        """Why the last answer of a conversation failed, as it was shown."""
        transcript.regenerate_requested.connect(self.regenerate)
        transcript.continue_requested.connect(self.continue_answer)
        composer.sent.connect(self.send)
        composer.stop_requested.connect(self.stop)
        composer.attaching.recordings_refused.connect(notifications.show_no_hearing)
        answers.ended.connect(self._end)
        answers.failed.connect(self._fail)
        chat.chat_left.connect(self._dismiss_notices)

    def send(self, text: str, attached: tuple[Attached, ...]) -> None:
        """Sends the composer's text and files."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            self._abilities.require_senses([each for each in attached if isinstance(each, Media)])
            self._context.require_room()
            edit, prefill = self._edits.current, self._composer.prefill
            if edit is not None and edit.mode is not EditMode.QUESTION:
                self._answer_from(edit, text)
                return
            if prefill:
                self._abilities.require_continue()
            if edit is None:
                question = self._messages.add_question(conversation, text, attached)
            else:
                question = self._messages.edit_question(edit.message, text, attached)
            self._composer.clear()
            with self._restoring(partial(self._composer.open_prefill, prefill) if prefill else None):
                self._begin_answer(question, prefill)

    def _answer_from(self, edit: Edit, text: str) -> None:
        """Starts an answer from the user's text."""
        self._abilities.require_continue()
        if edit.mode is EditMode.BEGINNING:
            self._composer.clear()
            with self._restoring(partial(self._composer.begin_edit, text, mode=EditMode.BEGINNING)):
                self._regenerate(edit.message, text)
            return
        self._abilities.require_senses(self._asked_media(edit.message))
        known = self._new_answer(self._require_ready())
        answer = self._messages.begin_edited_answer(edit.message, edit.reasoning + text, known)
        self._composer.clear()
        self._write(answer, known, self._marks(answer.id))

    def send_suggestion(self, question: str) -> None:
        """Sends a question of the welcome page, and keeps the composer's contents."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            asked = self._messages.add_question(conversation, question)
            self._conversations.save_unsent_text(conversation, self._composer.text)
            self._conversations.save_unsent_files(conversation, self._composer.attachments)
            self.answer_question(asked)

    def answer_question(self, question: StoredMessage, prefill: str = "") -> None:
        with self._chat.reporting_errors():
            self._begin_answer(question, prefill)

    def _begin_answer(self, question: StoredMessage, prefill: str) -> None:
        self._require_ready()
        self._abilities.require_senses(question.media)
        known = self._new_answer(question.conversation)
        self._write(self._messages.begin_answer(question.id, known), known, prefill=prefill)

    @contextmanager
    def _restoring(self, restore: Callable[[], object] | None) -> Iterator[None]:
        """Puts what was typed back if its answer can't begin."""
        try:
            yield
        except UserError:
            if restore is not None:
                restore()
            raise

    def answer_calls(self, last: StoredMessage) -> None:
        """Continues after the results of tools, even in a chat that is not open."""
        with self._chat.reporting_errors():
            known = self._new_answer(last.conversation)
            self._write(self._messages.begin_answer(last.id, known), known)

    def give_up(self, conversation: int, error: UserError, mend: Callable[[], object], words: str) -> None:
        """Tells in the chat, even in one that is not open, why the model doesn't go on after results of tools.
        `mend`, `words`: what a button does and says.
        """
        self._failures[conversation] = error
        self._notifications.show_failure(conversation, error, mend, words)

    def regenerate(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._regenerate(message)

    def _regenerate(self, message: int, prefill: str = "") -> None:
        question = next((each for each in self._session.path if each.id == message), None)
        if question is not None and question.role is not Role.ASSISTANT:
            if question.called is None or question.called.state is not CallState.WAITING:
                self._begin_answer(question, prefill)
            return
        self._require_ready()
        self._abilities.require_senses(self._asked_media(message))
        known = self._new_answer(self._require_ready())
        self._write(self._messages.regenerate(message, known), known, prefill=prefill)

    def regenerate_last(self) -> None:
        path = self._session.path
        if path:
            self.regenerate(path[-1].id)

    def continue_answer(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._require_ready()
            self._abilities.require_continue()
            if not self._session.is_last_message(message):
                raise UserError(
                    self.tr("Only the last answer can be continued."), self.tr("Branch from this answer first.")
                )
            self._abilities.require_senses(self._asked_media(message))
            known = self._new_answer(self._require_ready())
            self._write(self._messages.continue_answer(message), known, self._marks(message))

    def _marks(self, message: int) -> tuple[Mark, ...]:
        answer = self._messages.answer(message)
        return answer.marks if answer is not None else ()

    def stop(self) -> None:
        """Stops the answer. A question whose answer hasn't begun returns to the composer."""
        if self._session.conversation is not None:
            self._takes_back = True
            self._answers.stop(self._session.conversation.id)
            self._takes_back = False

    def _require_ready(self) -> int:
        if self._session.pair is None:
            raise NotReadyError(NO_MODEL, self.tr("Choose a pair first, or wait until it has loaded."))
        if self._session.conversation is None:
            self._chat.start_chat()
        return self._chat.require_idle()

    def _asked_media(self, answer: int) -> tuple[Media, ...]:
        question = last_message(self._messages.path_to(answer), Role.USER)
        return question.media if question is not None else ()

    def _new_answer(self, conversation: int) -> Answer:
        pair = self._session.pair
        if pair is None:
            raise NotReadyError(NO_MODEL, self.tr("Choose a pair first, or wait until it has loaded."))
        seed = self._conversations.get(conversation).settings.sampling.seed
        if seed == RANDOM_SEED:
            seed = secrets.randbelow(_SEEDS)
        return Answer(pair.target, pair.draft, seed=seed)

    def _write(self, answer: StoredMessage, known: Answer, marks: tuple[Mark, ...] = (), *, prefill: str = "") -> None:
        conversation = self._conversations.get(answer.conversation)
        asked = [self._settled(each) for each in self._messages.path_to(answer.id)[:-1]]
        is_open = self._session.is_open(answer.conversation)
        if self._session.path and is_open:
            self._leaf_before[answer.id] = self._session.path[-1].id
        task = self._tasks.build(conversation, asked, answer, known.seed, marks, prefill)
        self._answers.start(answer.conversation, task)
        self._chat.list_changed.emit()
        self._notifications.dismiss_error(self._failures.pop(answer.conversation, None))
        if not is_open:
            return
        self._chat.show_path([*asked, answer])
        self._chat.refresh()
        self._dismiss_notices()
        if not self._session.sees_pictures and any(message.pictures for message in asked):
            self._notifications.show_notice(self.tr("This model can't see the pictures in this chat."))
        elif not self._session.hears_recordings and any(message.recordings for message in asked):
            self._notifications.show_notice(self.tr("This model can't hear the recordings in this chat."))

    def _settled(self, message: StoredMessage) -> StoredMessage:
        """Cancels a call that still waits for consent."""
        if message.called is not None and message.called.state is CallState.WAITING:
            return self._messages.save_result(message.id, CallState.CANCELLED, "")
        return message

    def _dismiss_notices(self) -> None:
        """Dismisses messages about the last question and its answer."""
        self._notifications.dismiss_error_type(ContextFullError)
        self._notifications.dismiss_attachment_error()
        self._notifications.dismiss_notice(self._repeat_notice)

    def _fail(self, running: RunningAnswer, error: UserError | None) -> None:
        message, prefill = running.streamed.message, running.streamed.task.prefill
        before = self._leaf_before.pop(message, None)
        self._tasks.take_search(message)
        self._tasks.take_offer(message)
        again: Callable[[], None] | None = None
        words = ""
        with self._chat.reporting_errors():
            self._messages.mark_stopped(message)
            *above, answer = self._messages.path_to(message)
            question = above[-1] if above else None  # an imported chat may begin with an answer
            if answer.text and self._abilities.why_no_continue():
                again = self._in_conversation(running.conversation, lambda: self.regenerate(message))
                words = self.tr("Regenerate")
            elif answer.text:
                again = self._in_conversation(running.conversation, lambda: self.continue_answer(message))
                words = self.tr("Continue")
            elif (
                question is not None
                and question.role is Role.USER
                and (self._takes_back or isinstance(error, ContextFullError))
                and self._can_take_back(answer)
            ):
                self._take_back(question, before)
                if prefill:
                    self._composer.open_prefill(prefill)
            else:
                self._messages.discard_message(message)
                if before is not None:
                    self._messages.select_version(before)
                if question is not None:
                    answer_again = partial(self.answer_question, question, prefill)
                    again = self._in_conversation(running.conversation, answer_again)
            if self._session.is_open(running.conversation):
                self._chat.reload_path()
        self._chat.list_changed.emit()
        if error is not None:
            self._failures[running.conversation] = error
            self._notifications.show_failure(running.conversation, error, again, words)

    def _can_take_back(self, answer: StoredMessage) -> bool:
        """Whether the question has no answer and the composer is free."""
        composer = self._composer
        is_free = not (composer.text or composer.attachments or composer.is_editing)
        return is_free and answer.versions == 1 and self._session.is_open(answer.conversation)

    def _take_back(self, question: StoredMessage, before: int | None) -> None:
        """Moves the question back to the composer; a new version becomes an edit again."""
        self._messages.discard_message(question.id)
        if before is not None and before != question.id:
            self._messages.select_version(before)
        self._chat.reload_path()
        edited = next((shown for shown in self._session.path if shown.parent == question.parent), None)
        if edited is not None:
            self._edits.edit_message(edited.id)
            self._composer.begin_edit(question.text, question.attached)
        else:
            self._composer.set_text(question.text)
            self._composer.set_attachments(question.attached)
            self._conversations.save_unsent_text(question.conversation, question.text)

    def _in_conversation(self, conversation: int, do: Callable[[], None]) -> Callable[[], None]:
        def open_and_do() -> None:
            if not self._session.is_open(conversation):
                self._chat.open(conversation)
            do()

        return open_and_do

    def _end(self, message: int) -> None:
        self._leaf_before.pop(message, None)
        search = self._tasks.take_search(message)
        if search is not None and search.problem is not None:
            self._notifications.show_search_problem(search.problem)
        with self._chat.reporting_errors():
            if self._session.is_last_message(message) and (why := self._repeats.why_the_same(message)):
                self._repeat_notice = why
                self._notifications.show_action_notice(why, self.tr("Settings…"), self._open_settings)

    def _open_settings(self) -> None:
        self._session.settings_requested.emit("")
