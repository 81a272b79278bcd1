"""Starts every generation: new questions, regenerated answers and continued answers."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.answer_tasks import AnswerTask
from specchat.domain.connections import Capability
from specchat.domain.conversations import RANDOM_SEED, Answer, Attached, Mark, StoredMessage
from specchat.domain.errors import NO_MODEL, ContextFullError, IncapableError, NotReadyError, UserError
from specchat.domain.pictures import Picture
from specchat.domain.tools import CallState, OfferedTool
from specchat.domain.types import Role, Tool
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.project_service import ProjectService
from specchat.services.chat.prompt_messages import build_prompt_messages, documents_of_path
from specchat.services.tools.tool_service import ToolService, describe_tools
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.edit_controller import Edit, EditController
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.chat.running_answers import RunningAnswer, RunningAnswers
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_controller import ContextController
from specchat.ui.composer.editing_banner import EditMode
from specchat.ui.session import Session
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.transcript.action_widgets import ActionKind
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:
    from specchat.services.chat.meaning_search import MeaningSearch

_SEEDS = 1 << 31
MakeMeaningSearch = Callable[[Path], "MeaningSearch"]
"""With an embedding model."""


class GenerationController(QObject):
    def __init__(
        self,
        session: Session,
        settings: SettingsModel,
        chat: ChatController,
        edits: EditController,
        context: ContextController,
        conversations: ConversationService,
        messages: MessageService,
        answers: RunningAnswers,
        transcript: TranscriptView,
        composer: Composer,
        notifications: NotificationController,
        projects: ProjectService,
        make_meaning_search: MakeMeaningSearch,
        tools: ToolService,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._settings, self._notifications = session, settings, notifications
        self._chat, self._edits, self._context = chat, edits, context
        self._conversations, self._messages = conversations, messages
        self._answers, self._composer, self._transcript = answers, composer, transcript
        self._projects = projects
        self._make_meaning_search = make_meaning_search
        self._tools = tools
        self._offers: dict[int, tuple[OfferedTool, ...]] = {}
        """The tools of each answer that is being written."""
        self._takes_back = False
        self._searches: dict[int, MeaningSearch] = {}
        """Of answers that are written."""
        self._leaf_before: dict[int, int] = {}
        """For each answer that is asked for: what was shown, should it never begin."""
        self._repeat_notice = ""
        """Why the last answer is the same as the one before, as it was shown."""
        transcript.regenerate_requested.connect(self.regenerate)
        transcript.continue_requested.connect(self.continue_answer)
        composer.sent.connect(self.send)
        composer.stop_requested.connect(self.stop)
        session.pair_changed.connect(self._show_unavailable)
        answers.ended.connect(self._end)
        answers.failed.connect(self._fail)
        chat.chat_left.connect(self._dismiss_notices)

    def send(self, text: str, attached: tuple[Attached, ...]) -> None:
        """Sends the composer's text and files."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            self._require_vision([each for each in attached if isinstance(each, Picture)])
            self._context.require_room()
            edit, prefill = self._edits.current, self._composer.prefill
            if edit is not None and edit.mode is not EditMode.QUESTION:
                self._answer_from(edit, text)
                return
            if prefill:
                self._require_continue()
            if edit is None:
                question = self._messages.add_question(conversation, text, attached)
            else:
                question = self._messages.edit_question(edit.message, text, attached)
            self._composer.clear()
            self.answer_question(question, prefill)

    def _answer_from(self, edit: Edit, text: str) -> None:
        """Text that the user wrote for the answer."""
        self._require_continue()
        if edit.mode is EditMode.BEGINNING:
            self._composer.clear()
            self.regenerate(edit.message, text)
            return
        self._require_vision(self._asked_pictures(edit.message))
        known = self._new_answer(self._require_ready())
        answer = self._messages.begin_edited_answer(edit.message, edit.reasoning + text, known)
        self._composer.clear()
        self._write(answer, known, self._marks(answer.id))

    def send_suggestion(self, question: str) -> None:
        """Sends a question of the welcome page; the composer keeps what it holds."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            asked = self._messages.add_question(conversation, question)
            self._conversations.save_unsent_text(conversation, self._composer.text)
            self._conversations.save_unsent_files(conversation, self._composer.attachments)
            self.answer_question(asked)

    def answer_question(self, question: StoredMessage, prefill: str = "") -> None:
        with self._chat.reporting_errors():
            self._require_ready()
            self._require_vision(question.pictures)
            known = self._new_answer(question.conversation)
            self._write(self._messages.begin_answer(question.id, known), known, prefill=prefill)

    def answer_calls(self, last: StoredMessage) -> None:
        """Goes on after the results of tools, also in a chat that is not open."""
        with self._chat.reporting_errors():
            known = self._new_answer(last.conversation)
            self._write(self._messages.begin_answer(last.id, known), known)

    def take_offer(self, message: int) -> tuple[OfferedTool, ...]:
        """The tools that the model could call in this answer, which has ended."""
        return self._offers.pop(message, ())

    def regenerate(self, message: int, prefill: str = "") -> None:
        question = next((each for each in self._session.path if each.id == message), None)
        if question is not None and question.role is not Role.ASSISTANT:
            if question.called is None or question.called.state is not CallState.WAITING:
                self.answer_question(question, prefill)
            return
        with self._chat.reporting_errors():
            self._require_ready()
            self._require_vision(self._asked_pictures(message))
            known = self._new_answer(self._require_ready())
            self._write(self._messages.regenerate(message, known), known, prefill=prefill)

    def regenerate_last(self) -> None:
        path = self._session.path
        if path:
            self.regenerate(path[-1].id)

    def continue_answer(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._require_ready()
            self._require_continue()
            if not self._session.is_last_message(message):
                raise UserError(
                    self.tr("Only the last answer can be continued."), self.tr("Branch from this answer first.")
                )
            self._require_vision(self._asked_pictures(message))
            known = self._new_answer(self._require_ready())
            self._write(self._messages.continue_answer(message), known, self._marks(message))

    def _require_continue(self) -> None:
        if reason := self._why_no_continue():
            raise UserError(reason, self.tr("To continue it, choose a model from another engine."))

    def _marks(self, message: int) -> tuple[Mark, ...]:
        answer = self._messages.answer(message)
        return answer.marks if answer is not None else ()

    def _why_no_continue(self) -> str:
        """Empty where it can be done."""
        pair = self._session.pair
        reason = pair.lacks.get(Capability.CONTINUE) if pair is not None else None
        return translate_text(reason) if reason is not None else ""

    def _show_unavailable(self) -> None:
        reason = self._why_no_continue()
        self._composer.set_no_prefill(reason)
        kinds = (ActionKind.CONTINUE, ActionKind.PREFILL) if reason else ()
        self._transcript.set_unavailable(dict.fromkeys(kinds, reason))

    def stop(self) -> None:
        """A question that nothing was written for yet is taken back."""
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

    def _asked_pictures(self, answer: int) -> tuple[Picture, ...]:
        question = last_message(self._messages.path_to(answer), Role.USER)
        return question.pictures if question is not None else ()

    def _require_vision(self, pictures: Sequence[Picture]) -> None:
        pair = self._session.pair
        if pictures and pair is not None and not pair.sees_pictures:
            raise IncapableError(
                self.tr("This model can't see pictures."),
                self.tr("Choose a model with a vision encoder (mmproj), or remove the pictures."),
            )

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
        settings = conversation.settings
        asked = [self._settled(each) for each in self._messages.path_to(answer.id)[:-1]]
        is_open = self._session.is_open(answer.conversation)
        if self._session.path and is_open:
            self._leaf_before[answer.id] = self._session.path[-1].id
        sees_pictures = self._session.sees_pictures  # else those of earlier messages are left out
        embedding_model = self._settings.value.embedding_model
        by_meaning = self._make_meaning_search(Path(embedding_model)) if embedding_model else None
        if by_meaning is not None:
            self._searches[answer.id] = by_meaning
        project = self._session.project_context if is_open else self._projects.context(conversation.project)
        documents = documents_of_path(
            asked, settings, with_pictures=sees_pictures, by_meaning=by_meaning, project=project
        )
        is_too_long = documents is not None and documents.is_certainly_too_long(self._session.n_ctx)
        messages = (
            () if is_too_long else build_prompt_messages(asked, settings, with_pictures=sees_pictures, project=project)
        )
        task = AnswerTask(
            message=answer.id,
            messages=messages,
            sampling=replace(settings.sampling, seed=known.seed),
            max_tokens=settings.max_tokens,
            begun=answer.text,
            marks=marks,
            prefill=prefill,
            probabilities=self._wants_probabilities,
            documents=documents,
            tools=self._offer(answer.id),
        )
        self._answers.start(answer.conversation, task)
        self._chat.list_changed.emit()
        if not is_open:
            return
        self._chat.show_path([*asked, answer])
        self._chat.refresh()
        self._dismiss_notices()
        if not sees_pictures and any(message.pictures for message in asked):
            self._notifications.show_notice(self.tr("This model can't see the pictures in this chat."))

    def _offer(self, answer: int) -> tuple[Tool, ...]:
        """None to a model that could not call any."""
        if self._session.pair is None or not self._session.pair.calls_tools:
            return ()
        self._offers[answer] = offered = self._tools.offered()
        return describe_tools(offered)

    def _settled(self, message: StoredMessage) -> StoredMessage:
        """A call that waits when something else is answered is never carried out."""
        if message.called is not None and message.called.state is CallState.WAITING:
            return self._messages.save_result(message.id, CallState.CANCELLED, "")
        return message

    @property
    def _wants_probabilities(self) -> bool:
        """They cost time, with the few tokens that the demo knows next to none."""
        return self._settings.value.colour_tokens or self._session.has_demo

    def _dismiss_notices(self) -> None:
        """What was said of the last question, or of its answer, is no longer to the point."""
        self._notifications.dismiss_error_type(ContextFullError)
        self._notifications.dismiss_attachment_error()
        self._notifications.dismiss_notice(self._repeat_notice)

    def _fail(self, running: RunningAnswer, error: UserError | None) -> None:
        message, prefill = running.streamed.message, running.streamed.task.prefill
        before = self._leaf_before.pop(message, None)
        self._searches.pop(message, None)
        self._offers.pop(message, None)
        again: Callable[[], None] | None = None
        words = ""
        with self._chat.reporting_errors():
            self._messages.mark_stopped(message)
            *_, question, answer = self._messages.path_to(message)
            if answer.text and self._why_no_continue():
                again = self._in_conversation(running.conversation, lambda: self.regenerate(message))
                words = self.tr("Regenerate")
            elif answer.text:
                again = self._in_conversation(running.conversation, lambda: self.continue_answer(message))
                words = self.tr("Continue")
            elif (
                question.role is Role.USER
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
                again = self._in_conversation(running.conversation, lambda: self.answer_question(question, prefill))
            if self._session.is_open(running.conversation):
                self._chat.reload_path()
        self._chat.list_changed.emit()
        if error is not None:
            self._notifications.show_error(error, again, words)

    def _can_take_back(self, answer: StoredMessage) -> bool:
        """A question that was never answered, to where nothing else is being written."""
        composer = self._composer
        is_free = not (composer.text or composer.attachments or composer.is_editing)
        return is_free and answer.versions == 1 and self._session.is_open(answer.conversation)

    def _take_back(self, question: StoredMessage, before: int | None) -> None:
        """To be shortened; a new version of an older one becomes its edit again."""
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
        self._report_search(self._searches.pop(message, None))
        with self._chat.reporting_errors():
            if self._session.is_last_message(message) and (why := self._why_the_same(message)):
                self._repeat_notice = why
                self._notifications.show_action_notice(why, self.tr("Settings…"), self._open_settings)

    def _report_search(self, search: "MeaningSearch | None") -> None:
        if search is not None and search.problem is not None:
            words = self.tr("Documents were searched by words only: {reason}")
            words = words.format(reason=translate_text(search.problem.message))
            open_page = partial(self._session.settings_requested.emit, "application")
            self._notifications.show_action_notice(words, self.tr("Settings…"), open_page)

    def _open_settings(self) -> None:
        self._session.settings_requested.emit("")

    def _why_the_same(self, message: int) -> str:
        """Empty where the answer is the first, or another than before."""
        *_, before, last = [0, *self._messages.versions(message)]
        if last != message or not before or self._text(before) != self._text(message):
            return ""
        if differ := self._how_guesses_differed(before, message):
            return differ
        sampling = self._conversations.get(self._messages.path_to(message)[-1].conversation).settings.sampling
        if sampling.temperature <= 0:
            return self.tr("The answer is the same because the temperature is 0.")
        return self.tr("The answer is the same because the seed is fixed.") if sampling.seed != RANDOM_SEED else ""

    def _how_guesses_differed(self, before: int, message: int) -> str:
        """Of the same answer twice: that they change nothing is seen then."""
        answers = [self._messages.answer(each) for each in (before, message)]
        known = [each for each in answers if each is not None and each.stats.n_generated]
        if len(known) < 2 or known[0].target != known[1].target:
            return ""
        guessed = [bool(each.stats.n_drafted) for each in known]
        if guessed[0] != guessed[1]:
            return self.tr("The answer is the same with and without speculation.")
        return self.tr("The answer is the same with another draft.") if known[0].draft != known[1].draft else ""

    def _text(self, message: int) -> str:
        return self._messages.path_to(message)[-1].text
