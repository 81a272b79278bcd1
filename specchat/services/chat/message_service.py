"""Manages the messages of a conversation: a tree of which one path is shown."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from specchat.domain.conversations import (
    Answer,
    Attached,
    Attachment,
    Conversation,
    Deletion,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import DamagedChatsError
from specchat.domain.pictures import Picture
from specchat.domain.ports import ChatStore
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import FinishReason, Role
from specchat.services.chat.edited_answers import edited_marks
from specchat.services.chat.titles import MAX_TITLE_LENGTH, automatic_title, one_line


@dataclass(frozen=True, slots=True)
class DeletedMessage:
    """The data to restore a deleted message."""

    message: int
    leaf: int | None


class MessageService:
    def __init__(self, store: ChatStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def shown_path(self, conversation: int, *, with_pictures: bool = True) -> list[StoredMessage]:
        leaf = self._store.conversation(conversation).leaf
        return [] if leaf is None else self._store.path(leaf, with_pictures=with_pictures)

    def path_to(self, message: int) -> list[StoredMessage]:
        return self._store.path(message)

    def answer(self, message: int) -> Answer | None:
        """Returns the answer's details; None if the message is not an answer."""
        return self._store.answer(message)

    def readable_answer(self, message: int) -> Answer | None:
        """Like `answer`, but also None if that part of the database is damaged."""
        try:
            return self.answer(message)
        except DamagedChatsError:
            return None

    def add_question(self, conversation: int, text: str, attached: Sequence[Attached] = ()) -> StoredMessage:
        """Adds a question below the shown path, and clears the unsent message."""
        leaf = self._store.conversation(conversation).leaf
        question = self._add(conversation, leaf, Role.USER, text, attached)
        self._store.save_conversation(replace(self._add_title(question), unsent_text=""))
        self._store.save_unsent_files(conversation, ())
        return question

    def edit_question(self, question: int, text: str, attached: Sequence[Attached] = ()) -> StoredMessage:
        """Adds another version of the question."""
        old = self._store.message(question)
        new = self._add(old.conversation, old.parent, Role.USER, text, attached)
        self._store.save_conversation(self._add_title(new))
        return new

    def begin_answer(self, question: int, known: Answer) -> StoredMessage:
        """`known`: the details known beforehand, which remain after a crash."""
        asked = self._store.message(question)
        return self._add(asked.conversation, question, Role.ASSISTANT, known=known)

    def regenerate(self, answer: int, known: Answer) -> StoredMessage:
        """Adds another version of the answer, for the model to write."""
        old = self._store.message(answer)
        return self._add(old.conversation, old.parent, Role.ASSISTANT, known=known)

    def edit_answer(self, answer: int, text: str) -> StoredMessage:
        """Adds another version of the answer, edited by the user."""
        old = self._store.message(answer)
        known = self._store.answer(answer) or Answer(target="")
        marks = edited_marks(known.marks, old.text, text)
        return self._add_version(old, text, replace(known, marks=marks), old.state)

    def begin_edited_answer(self, answer: int, text: str, known: Answer) -> StoredMessage:
        """Adds an edited version for the model to continue. `known`: as in `begin_answer`."""
        old = self._store.message(answer)
        before = self._store.answer(answer)
        marks = edited_marks(before.marks if before is not None else (), old.text, text)
        known = replace(known, finish=FinishReason.CANCELLED, marks=marks)
        return self._add_version(old, text, known, MessageState.STREAMING)

    def _add_version(self, old: StoredMessage, text: str, answer: Answer, state: MessageState) -> StoredMessage:
        new = StoredMessage(0, old.conversation, old.parent, old.role, text, self._clock(), state)
        return self._store.add_message(new, answer)

    def continue_answer(self, answer: int) -> StoredMessage:
        """Appends journalled text to the answer."""
        self._store.set_state(answer, MessageState.STREAMING)
        return self._store.message(answer)

    def add_calls(self, answer: int, calls: Sequence[CalledTool]) -> list[StoredMessage]:
        """Below an answer, one below the other."""
        added: list[StoredMessage] = []
        for called in calls:
            parent = added[-1].id if added else answer
            added.append(self._add(self._store.message(answer).conversation, parent, Role.TOOL, called=called))
        return added

    def save_result(self, message: int, state: CallState, result: str) -> StoredMessage:
        """Of a call that waits; nothing is done where its message was deleted meanwhile."""
        called = self._store.message(message).called
        if called is not None and called.state is CallState.WAITING:
            self._store.save_result(message, replace(called, state=state), result)
        return self._store.message(message)

    def mark_stopped(self, answer: int) -> None:
        """Nobody writes it any more, and it can be continued. For an answer that never came to its journal."""
        self._store.set_state(answer, MessageState.STOPPED)

    def versions(self, message: int) -> list[int]:
        """The message and its siblings, oldest first."""
        return self._store.versions(message)

    def select_version(self, message: int) -> list[StoredMessage]:
        """Shows the newest path through the message, and returns it."""
        leaf = self._store.newest_leaf(message)
        path = self._store.path(leaf)
        self._store.save_conversation(replace(self._store.conversation(path[0].conversation), leaf=leaf))
        return path

    def delete(self, message: int) -> DeletedMessage:
        """Moves a message and all replies below it to the trash."""
        leaf = self._store.conversation(self._store.message(message).conversation).leaf
        self._store.trash_message(message, self._clock())
        return DeletedMessage(message, leaf)

    def discard_message(self, message: int) -> None:
        """Removes a message and its replies without a trace, because the user didn't delete it."""
        self._store.retract_message(message, self._clock())

    def undo_delete(self, deleted: DeletedMessage) -> None:
        self._store.restore_message(deleted.message, deleted.leaf)

    def list_trash(self) -> list[Deletion]:
        """Lists deleted items, the latest first."""
        return self._store.deletions()

    def restore(self, deletion: Deletion) -> list[StoredMessage]:
        """Restores a message, and shows the newest path through it."""
        self._store.restore_message(deletion.message, self._store.conversation(deletion.conversation).leaf)
        return self.select_version(deletion.message)

    def delete_permanently(self, deletion: Deletion) -> None:
        self._store.purge_message(deletion.message)

    def _add(
        self,
        conversation: int,
        parent: int | None,
        role: Role,
        text: str = "",
        attached: Sequence[Attached] = (),
        known: Answer | None = None,
        called: CalledTool | None = None,
    ) -> StoredMessage:
        new = StoredMessage(
            id=0,
            conversation=conversation,
            parent=parent,
            role=role,
            text=text,
            created=self._clock(),
            state=MessageState.DONE if known is None else MessageState.STREAMING,
            attachments=tuple(each for each in attached if isinstance(each, Attachment)),
            pictures=tuple(each for each in attached if isinstance(each, Picture)),
            called=called,
        )
        return self._store.add_message(new, known and replace(known, finish=FinishReason.CANCELLED, marks=()))

    def _add_title(self, question: StoredMessage) -> Conversation:
        conversation = self._store.conversation(question.conversation)
        if conversation.titled_by_user or question.parent is not None:
            return conversation
        names = filter(None, (one_line(each.name) for each in question.attached))
        title = automatic_title(question.text) or ", ".join(names)[:MAX_TITLE_LENGTH]
        return replace(conversation, title=title)
