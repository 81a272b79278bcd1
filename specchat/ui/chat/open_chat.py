"""The conversation that is shown: what its reader asks for, and the answers that come."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from specchat.domain.answering import AnswerEnded, AnswerTask, PairInfo
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
from specchat.ui.chat.answers import Answers
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
            self._composer.flush()
            conversation = self._conversations.new(settings)
            self.list_changed.emit()
            self.open(conversation.id)

    def send(self, text: str, attachments: tuple[Attachment, ...]) -> None:
        if self.conversation is None:
            return
        with self._telling():
            editing, self._editing = self._editing, None
            if editing is None:
                question = self._messages.ask(self.conversation.id, text, attachments)
            else:
                question = self._messages.edit(editing, text, attachments)
            self._composer.clear()
            self.answer(question)

    def answer(self, question: StoredMessage) -> None:
        with self._telling():
            known = self._known()
            answer = self._messages.begin_answer(question.id, known)
            self._write(answer, known)

    def regenerate(self, message: int) -> None:
        with self._telling():
            known = self._known()
            self._write(self._messages.regenerate(message, known), known)

    def regenerate_last(self) -> None:
        answer = last_of(self.path, Role.ASSISTANT)
        if answer is not None and not self.is_answering:
            self.regenerate(answer.id)

    def continue_answer(self, message: int) -> None:
        with self._telling():
            answer = self._messages.answer(message)
            kept = self._messages.continue_answer(message)
            self._write(kept, self._known(), answer.marks if answer else ())

    def stop(self) -> None:
        if self.conversation is not None:
            self._answers.stop(self.conversation.id)

    def edit(self, message: int) -> None:
        question = next((shown for shown in self.path if shown.id == message), None)
        if question is not None and not self.is_answering:
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

    def refresh(self) -> None:
        """What is known of the conversation was changed elsewhere."""
        if self.conversation is not None:
            self.conversation = self._conversations.get(self.conversation.id)
            self.opened.emit(self.conversation)

    @property
    def is_answering(self) -> bool:
        return self.conversation is not None and self._answers.of_conversation(self.conversation.id) is not None

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

    def _write(self, answer: StoredMessage, known: Answer, marks: tuple[Mark, ...] = ()) -> None:
        conversation = self._conversations.get(answer.conversation)
        asked = self._messages.up_to(answer.id)[:-1]
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
        if self.pair is None or self.conversation is None:
            raise UserError("No model is loaded.", "Choose a pair first.")
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
        self._composer.set_answering(self.is_answering)
        self.path_changed.emit()

    def _leave(self) -> None:
        self._composer.flush()
        self._editing = None
        if self.conversation is not None and self._composer.attachments and not self._composer.editing:
            self._unsent[self.conversation.id] = self._composer.attachments

    def _grow(self, message: int, text: str, marks: tuple[Mark, ...]) -> None:
        if self._shows(message):
            self._transcript.extend(message, text, marks)

    def _end(self, message: int, end: AnswerEnded) -> None:
        self.list_changed.emit()
        if self._shows(message):
            self._refresh_last(message)

    def _fail(self, message: int, error: UserError | None) -> None:
        with self._telling():
            kept = self._messages.up_to(message)
            answer, question = kept[-1], kept[-2]
            self._messages.leave(message)
            if not answer.text:
                self._messages.delete(message)
            if self.conversation is not None and self.conversation.id == answer.conversation:
                self._show(self._messages.shown(answer.conversation))
        self.list_changed.emit()
        if error is not None:
            self.failed.emit(error, lambda: self.answer(question))

    def _refresh_last(self, message: int) -> None:
        with self._telling():
            *before, last = self._messages.up_to(message)
            self.path = [*before, last]
            self._shown[-1] = self._entries.entry(last)
            self._transcript.finish(self._shown[-1])
            self._composer.set_answering(self.is_answering)
            self.path_changed.emit()

    def _shows(self, message: int) -> bool:
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
            versions = self._messages.versions(message)
            at = versions.index(message) + step
            if 0 <= at < len(versions) and not self.is_answering:
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
