"""Starts every generation: new questions, regenerated answers and continued answers."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import AnswerTask, PairInfo
from specchat.domain.conversations import RANDOM_SEED, Answer, Attachment, Mark, StoredMessage
from specchat.domain.errors import NO_MODEL, ContextFullError, NotReadyError, UserError
from specchat.domain.types import Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.prompt_messages import build_prompt_messages
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.chat.running_answers import RunningAnswer, RunningAnswers
from specchat.ui.composer.composer import Composer
from specchat.ui.transcript.transcript_view import TranscriptView

_SEEDS = 1 << 31


@dataclass(frozen=True, slots=True)
class _Edit:
    message: int
    above: list[StoredMessage]


class GenerationController(QObject):
    generation_started = Signal()
    answer_repeated = Signal(str)
    """An answer equals the one before, in words: why."""

    def __init__(
        self,
        chat: ChatController,
        conversations: ConversationService,
        messages: MessageService,
        answers: RunningAnswers,
        transcript: TranscriptView,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._chat, self._conversations, self._messages = chat, conversations, messages
        self._answers, self._composer = answers, composer
        self._edit: _Edit | None = None
        """Of the last message that was edited: it counts while the composer says so."""
        self._takes_back = False
        self._leaf_before: dict[int, int] = {}
        """For each answer that is asked for: what was shown, should it never begin."""
        self.require_room: Callable[[], None] = lambda: None
        """For what the composer holds."""
        self.begin_chat: Callable[[], None] = lambda: None
        """Where none is open, as after a start on a full disk."""
        self.pair: PairInfo | None = None
        self.probabilities = False
        """Wanted with each token."""
        transcript.edit_requested.connect(self.edit_message)
        transcript.regenerate_requested.connect(self.regenerate)
        transcript.continue_requested.connect(self.continue_answer)
        composer.sent.connect(self.send)
        composer.stop_requested.connect(self.stop)
        composer.edit_last_requested.connect(self.edit_last_message)
        answers.ended.connect(self._end)
        answers.failed.connect(self._fail)

    def send(self, text: str, attachments: tuple[Attachment, ...]) -> None:
        """What the composer holds."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            self.require_room()
            if self._editing is None:
                question = self._messages.add_question(conversation, text, attachments)
            else:
                question = self._messages.edit_question(self._editing.message, text, attachments)
            self._composer.clear()
            self.answer_question(question)

    def send_suggestion(self, question: str) -> None:
        """Not what the composer holds: that stays."""
        with self._chat.reporting_errors():
            conversation = self._require_ready()
            asked = self._messages.add_question(conversation, question)
            self._conversations.save_unsent_text(conversation, self._composer.text)
            self._conversations.save_unsent_files(conversation, self._composer.attachments)
            self.answer_question(asked)

    def answer_question(self, question: StoredMessage) -> None:
        with self._chat.reporting_errors():
            self._require_ready()
            known = self._known()
            self._write(self._messages.begin_answer(question.id, known), known)

    def regenerate(self, message: int) -> None:
        question = last_message(self._chat.path, Role.USER)
        if question is not None and question.id == message:
            self.answer_question(question)
            return
        with self._chat.reporting_errors():
            self._require_ready()
            known = self._known()
            self._write(self._messages.regenerate(message, known), known)

    def regenerate_last(self) -> None:
        path = self._chat.path
        if path:
            self.regenerate(path[-1].id)

    def continue_answer(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._require_ready()
            if not self._chat.is_last_message(message):
                raise UserError(
                    self.tr("Only the last answer can be continued."), self.tr("Branch from this one first.")
                )
            known = self._known()
            answer = self._messages.answer(message)
            self._write(self._messages.continue_answer(message), known, answer.marks if answer else ())

    def stop(self) -> None:
        """A question that nothing was written for yet is taken back."""
        if self._chat.conversation is not None:
            self._takes_back = True
            self._answers.stop(self._chat.conversation.id)
            self._takes_back = False

    def edit_message(self, message: int) -> None:
        above = list(takewhile(lambda shown: shown.id != message, self._chat.path))
        with self._chat.reporting_errors():
            self._chat.require_idle()
            if len(above) < len(self._chat.path):
                question = self._chat.path[len(above)]
                self._edit = _Edit(message, above)
                self._composer.begin_edit(question.text, question.attachments)

    def edit_last_message(self) -> None:
        question = last_message(self._chat.path, Role.USER)
        if question is not None:
            self.edit_message(question.id)

    @property
    def messages_above(self) -> list[StoredMessage]:
        """What the composer's message comes after: the same object until that changes."""
        return self._chat.path if self._editing is None else self._editing.above

    @property
    def _editing(self) -> _Edit | None:
        return self._edit if self._composer.is_editing else None

    def _require_ready(self) -> int:
        if self.pair is None:
            raise NotReadyError(NO_MODEL, self.tr("Choose a pair first, or wait until it is loaded."))
        if self._chat.conversation is None:
            self.begin_chat()
        return self._chat.require_idle()

    def _known(self) -> Answer:
        assert self.pair is not None
        assert self._chat.conversation is not None
        seed = self._chat.conversation.settings.sampling.seed
        if seed == RANDOM_SEED:
            seed = secrets.randbelow(_SEEDS)
        return Answer(self.pair.target, self.pair.draft, seed=seed)

    def _write(self, answer: StoredMessage, known: Answer, marks: tuple[Mark, ...] = ()) -> None:
        settings = self._conversations.get(answer.conversation).settings
        asked = self._messages.path_to(answer.id)[:-1]
        if self._chat.path:
            self._leaf_before[answer.id] = self._chat.path[-1].id
        task = AnswerTask(
            message=answer.id,
            messages=build_prompt_messages(asked, settings),
            sampling=replace(settings.sampling, seed=known.seed),
            max_tokens=settings.max_tokens,
            begun=answer.text,
            marks=marks,
            probabilities=self.probabilities,
        )
        self._answers.start(answer.conversation, task)
        self._chat.show_path([*asked, answer])
        self._chat.list_changed.emit()
        self._chat.refresh()
        self.generation_started.emit()

    def _fail(self, running: RunningAnswer, error: UserError | None) -> None:
        message = running.streamed.message
        before = self._leaf_before.pop(message, None)
        again: Callable[[], None] | None = None
        words = ""
        with self._chat.reporting_errors():
            self._messages.mark_stopped(message)
            *_, question, answer = self._messages.path_to(message)
            if answer.text:
                again = self._there(running.conversation, lambda: self.continue_answer(message))
                words = self.tr("Continue")
            elif (self._takes_back or isinstance(error, ContextFullError)) and self._can_take_back(answer):
                self._take_back(question, before)
            else:
                self._messages.discard_message(message)
                if before is not None:
                    self._messages.select_version(before)
                again = self._there(running.conversation, lambda: self.answer_question(question))
            if self._chat.is_open(running.conversation):
                self._chat.reload_path()
        self._chat.list_changed.emit()
        if error is not None:
            self._chat.failed.emit(error, again, words)

    def _can_take_back(self, answer: StoredMessage) -> bool:
        """A question that was never answered, to where nothing else is being written."""
        composer = self._composer
        is_free = not (composer.text or composer.attachments or composer.is_editing)
        return is_free and answer.versions == 1 and self._chat.is_open(answer.conversation)

    def _take_back(self, question: StoredMessage, before: int | None) -> None:
        """To be shortened; a new version of an older one becomes its edit again."""
        self._messages.discard_message(question.id)
        if before is not None and before != question.id:
            self._messages.select_version(before)
        self._chat.reload_path()
        edited = next((shown for shown in self._chat.path if shown.parent == question.parent), None)
        if edited is not None:
            self.edit_message(edited.id)
            self._composer.begin_edit(question.text, question.attachments)
        else:
            self._composer.set_text(question.text)
            self._composer.set_attachments(question.attachments)
            self._conversations.save_unsent_text(question.conversation, question.text)

    def _there(self, conversation: int, do: Callable[[], None]) -> Callable[[], None]:
        def open_and_do() -> None:
            if not self._chat.is_open(conversation):
                self._chat.open(conversation)
            do()

        return open_and_do

    def _end(self, message: int) -> None:
        self._leaf_before.pop(message, None)
        with self._chat.reporting_errors():
            if self._chat.is_last_message(message) and (why := self._why_the_same(message)):
                self.answer_repeated.emit(why)

    def _why_the_same(self, message: int) -> str:
        """Empty where the answer is the first, or another than before."""
        *_, before, last = [0, *self._messages.versions(message)]
        if last != message or not before or self._text(before) != self._text(message):
            return ""
        if differ := self._how_guesses_differed(before, message):
            return differ
        sampling = self._conversations.get(self._messages.path_to(message)[-1].conversation).settings.sampling
        if sampling.temperature <= 0:
            return self.tr("The same answer again, as the temperature is 0.")
        return self.tr("The same answer again, as the seed is fixed.") if sampling.seed != RANDOM_SEED else ""

    def _how_guesses_differed(self, before: int, message: int) -> str:
        """Of the same answer twice: that they change nothing is seen then."""
        answers = [self._messages.answer(each) for each in (before, message)]
        known = [each for each in answers if each is not None and each.stats.n_generated]
        if len(known) < 2 or known[0].target != known[1].target:
            return ""
        guessed = [bool(each.stats.n_drafted) for each in known]
        if guessed[0] != guessed[1]:
            return self.tr("The same answer, with guesses and without.")
        return self.tr("The same answer, with another draft.") if known[0].draft != known[1].draft else ""

    def _text(self, message: int) -> str:
        return self._messages.path_to(message)[-1].text
