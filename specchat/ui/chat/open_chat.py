"""The conversation that is shown: what its reader asks for, and the answers that come."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from specchat.domain.answering import AnswerTask, PairInfo
from specchat.domain.conversations import (
    RANDOM_SEED,
    Answer,
    Attachment,
    Conversation,
    ConversationSettings,
    Mark,
    StoredMessage,
)
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.services.chat_messages import prompt_messages
from specchat.services.conversations import Conversations
from specchat.services.messages import DeletedMessage, Messages
from specchat.ui.chat.answers import Answers, RunningAnswer
from specchat.ui.chat.entries import Entries, last_of
from specchat.ui.composer.composer import Composer
from specchat.ui.transcript.values import Entry
from specchat.ui.transcript.view import TranscriptView

_SEEDS = 1 << 31


class OpenChat(QObject):
    opened = Signal(Conversation)
    """Or it has another title or settings now."""
    list_changed = Signal()
    path_changed = Signal()
    """Other messages are shown, or the last one is complete."""
    failed = Signal(UserError, object)
    """What went wrong, and how to try again where that may help."""
    deleted = Signal(object)
    """How to undo it."""

    def __init__(
        self,
        conversations: Conversations,
        messages: Messages,
        answers: Answers,
        entries: Entries,
        transcript: TranscriptView,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._conversations = conversations
        self._messages = messages
        self._answers = answers
        self._entries = entries
        self._transcript = transcript
        self._composer = composer
        self._editing: int | None = None
        self._leaf_before: dict[int, int] = {}
        """For each answer that is asked for: what was shown, should it never begin."""
        self._unsent: dict[int, tuple[Attachment, ...]] = {}
        self.conversation: Conversation | None = None
        self.path: list[StoredMessage] = []
        self._shown: list[Entry] = []
        self.pair: PairInfo | None = None
        self.probabilities = False
        """Wanted with each token."""
        self._connect()

    def open(self, conversation: int, message: int | None = None) -> None:
        """`message`: scroll there, on another path if need be."""
        with self._telling():
            wanted = self._conversations.get(conversation)
            if wanted.trashed is not None:
                raise UserError("This chat is in the trash.", "Restore it from there first.")
            self._leave()
            path = self._messages.shown(conversation)
            if message is not None and all(shown.id != message for shown in path):
                path = self._messages.show(message)
            self.conversation = self._conversations.get(conversation)
            self._composer.set_text(self.conversation.draft)
            self._composer.set_attachments(self._unsent.pop(conversation, ()))
            self._show(path)
            self.opened.emit(self.conversation)
            if message is not None:
                self._transcript.scroll_to(message)

    def new(self, settings: ConversationSettings) -> None:
        with self._telling():
            self._leave()
            conversation = self._conversations.new(settings)
            self.list_changed.emit()
            self.open(conversation.id)

    def send(self, text: str, attachments: tuple[Attachment, ...]) -> None:
        """What the composer holds."""
        with self._telling():
            conversation = self._may_answer()
            if self._editing is None:
                question = self._messages.ask(conversation, text, attachments)
            else:
                question = self._messages.edit(self._editing, text, attachments)
            self._editing = None
            self._composer.clear()
            self.answer(question)

    def suggest(self, question: str) -> None:
        """Not what the composer holds: that stays."""
        with self._telling():
            conversation = self._may_answer()
            asked = self._messages.ask(conversation, question)
            self._conversations.save_draft(conversation, self._composer.text)
            self.answer(asked)

    def answer(self, question: StoredMessage) -> None:
        with self._telling():
            self._may_answer()
            known = self._known()
            self._write(self._messages.begin_answer(question.id, known), known)

    def regenerate(self, message: int) -> None:
        with self._telling():
            self._may_answer()
            known = self._known()
            self._write(self._messages.regenerate(message, known), known)

    def regenerate_last(self) -> None:
        if self.path and self.path[-1].role is Role.USER:
            self.answer(self.path[-1])
        elif self.path:
            self.regenerate(self.path[-1].id)

    def continue_answer(self, message: int) -> None:
        with self._telling():
            self._may_answer()
            if self.path[-1].id != message:
                raise UserError("Only the last answer can be continued.", "Branch from this one first.")
            known = self._known()
            answer = self._messages.answer(message)
            self._write(self._messages.continue_answer(message), known, answer.marks if answer else ())

    def stop(self) -> None:
        if self.conversation is not None:
            self._answers.stop(self.conversation.id)

    def edit(self, message: int) -> None:
        question = next((shown for shown in self.path if shown.id == message), None)
        with self._telling():
            self._may_change()
            if question is not None:
                self._editing = message
                self._composer.begin_edit(question.text, question.attachments)

    def edit_last(self) -> None:
        question = last_of(self.path, Role.USER)
        if question is not None:
            self.edit(question.id)

    def change_settings(self, settings: ConversationSettings) -> None:
        if self.conversation is not None:
            with self._telling():
                self.conversation = self._conversations.change_settings(self.conversation.id, settings)
                self.opened.emit(self.conversation)

    def refresh(self) -> None:
        """What is known of the conversation was changed elsewhere."""
        if self.conversation is not None:
            self.conversation = self._conversations.get(self.conversation.id)
            self.opened.emit(self.conversation)

    @property
    def is_answering(self) -> bool:
        return self.conversation is not None and self._answers.of_conversation(self.conversation.id) is not None

    def _may_change(self) -> int:
        """The conversation, if nothing is being written in it."""
        if self.conversation is None:
            raise UserError("No chat is open.", "Choose one, or begin a new one.")
        if self.is_answering:
            raise UserError("An answer is being written here.", "Wait for it, or stop it first.")
        return self.conversation.id

    def _may_answer(self) -> int:
        if self.pair is None:
            raise UserError("No model is loaded.", "Choose a pair first, or wait until it is loaded.")
        return self._may_change()

    def _connect(self) -> None:
        transcript, composer, answers = self._transcript, self._composer, self._answers
        transcript.editRequested.connect(self.edit)
        transcript.regenerateRequested.connect(self.regenerate)
        transcript.continueRequested.connect(self.continue_answer)
        transcript.branchRequested.connect(self._branch)
        transcript.deleteRequested.connect(self._delete)
        transcript.versionRequested.connect(self._show_version)
        composer.sent.connect(self.send)
        composer.stopRequested.connect(self.stop)
        composer.draftChanged.connect(self._save_draft)
        composer.editLastRequested.connect(self.edit_last)
        composer.editCancelled.connect(self._forget_edit)
        answers.grew.connect(self._grow)
        answers.ended.connect(self._end)
        answers.failed.connect(self._fail)
        answers.changed.connect(self._update_composer)

    def _write(self, answer: StoredMessage, known: Answer, marks: tuple[Mark, ...] = ()) -> None:
        conversation = self._conversations.get(answer.conversation)
        asked = self._messages.up_to(answer.id)[:-1]
        if self.path:
            self._leaf_before[answer.id] = self.path[-1].id
        task = AnswerTask(
            message=answer.id,
            messages=prompt_messages(asked, conversation.settings),
            sampling=replace(conversation.settings.sampling, seed=known.seed),
            max_tokens=conversation.settings.max_tokens,
            begun=answer.text,
            marks=marks,
            probabilities=self.probabilities,
        )
        self._answers.start(conversation.id, task)
        self.conversation = conversation
        self._show([*asked, answer])
        self.list_changed.emit()
        self.opened.emit(conversation)

    def _known(self) -> Answer:
        assert self.pair is not None
        assert self.conversation is not None
        seed = self.conversation.settings.sampling.seed
        if seed == RANDOM_SEED:
            seed = secrets.randbelow(_SEEDS)
        return Answer(self.pair.target, self.pair.draft, seed=seed)

    def _show(self, path: list[StoredMessage]) -> None:
        self.path = path
        before, self._shown = self._shown, [self._entries.entry(message) for message in path]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, self._shown, strict=False)))
        if same == 0:
            self._transcript.show_thread(self._shown)
        else:
            self._transcript.truncate_after(self._shown[same - 1].id)
            for entry in self._shown[same:]:
                self._transcript.append(entry)
        self._catch_up()
        self._update_composer()
        self.path_changed.emit()

    def _catch_up(self) -> None:
        """The transcript learns whose the words are that were written before it was looking."""
        running = self._answers.of_message(self.path[-1].id) if self.path else None
        if running is not None and running.marks:
            self._transcript.extend(running.task.message, "", running.marks)

    def _update_composer(self) -> None:
        self._composer.set_answering(self.is_answering)

    def _leave(self) -> None:
        self._composer.cancel_edit()
        self._composer.flush()
        self._editing = None
        if self.conversation is not None and self._composer.attachments:
            self._unsent[self.conversation.id] = self._composer.attachments

    def _grow(self, message: int, text: str, marks: tuple[Mark, ...]) -> None:
        if self.shows(message):
            self._transcript.extend(message, text, marks)

    def _end(self, message: int) -> None:
        self._leaf_before.pop(message, None)
        self.list_changed.emit()
        if self.shows(message):
            with self._telling():
                *before, last = self._messages.up_to(message)
                self.path = [*before, last]
                self._shown[-1] = self._entries.entry(last)
                self._transcript.finish(self._shown[-1])
                self.path_changed.emit()

    def _fail(self, running: RunningAnswer, error: UserError | None) -> None:
        message = running.task.message
        before = self._leaf_before.pop(message, None)
        again: Callable[[], None] | None = None
        with self._telling():
            self._messages.leave(message)
            *_, question, answer = self._messages.up_to(message)
            if answer.text:
                again = self._in(running.conversation, lambda: self.continue_answer(message))
            else:
                self._messages.delete(message)
                if before is not None:
                    self._messages.show(before)
                again = self._in(running.conversation, lambda: self.answer(question))
            if self.conversation is not None and self.conversation.id == running.conversation:
                self._show(self._messages.shown(running.conversation))
        self.list_changed.emit()
        if error is not None:
            self.failed.emit(error, again)

    def _in(self, conversation: int, do: Callable[[], None]) -> Callable[[], None]:
        def open_and_do() -> None:
            if self.conversation is None or self.conversation.id != conversation:
                self.open(conversation)
            do()

        return open_and_do

    def shows(self, message: int) -> bool:
        return bool(self.path) and self.path[-1].id == message

    def _branch(self, message: int) -> None:
        with self._telling():
            branch = self._conversations.branch(message)
            self.list_changed.emit()
            self.open(branch.id)

    def _delete(self, message: int) -> None:
        if self.conversation is None:
            return
        with self._telling():
            self._answers.stop(self.conversation.id)
            deleted = self._messages.delete(message)
            self._show(self._messages.shown(self.conversation.id))
            conversation = self.conversation.id
            self.deleted.emit(lambda: self._undo(conversation, deleted))

    def _undo(self, conversation: int, deleted: DeletedMessage) -> None:
        with self._telling():
            self._messages.undo(deleted)
            self.open(conversation)

    def _show_version(self, message: int, step: int) -> None:
        with self._telling():
            self._may_change()
            versions = self._messages.versions(message)
            at = versions.index(message) + step
            if 0 <= at < len(versions):
                self._show(self._messages.show(versions[at]))
                self._transcript.scroll_to(versions[at])

    def _save_draft(self, text: str) -> None:
        if self.conversation is not None:
            with self._telling():
                self._conversations.save_draft(self.conversation.id, text)

    def _forget_edit(self) -> None:
        self._editing = None

    @contextmanager
    def _telling(self, again: Callable[[], None] | None = None) -> Iterator[None]:
        try:
            yield
        except UserError as error:
            self.failed.emit(error, again)
