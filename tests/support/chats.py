"""Conversations to test with."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.pictures import picture
from support.recordings import recording

from specchat.domain.conversations import (
    Answer,
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    Mark,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import UserError
from specchat.domain.ports import ChatStore
from specchat.domain.types import FinishReason, GenerationStats, Role, SamplingParams
from specchat.services.chat.conversation_files import ConversationFiles

SECONDS = 30.0
"""For another thread, on a busy machine."""

MARKS = (Mark(5, "target"), Mark(7, "draft", 0, 0.9312), Mark(8, "ngram", 1, 0.25), Mark(12, "target", None, 1e-05))
STATS = GenerationStats(
    n_prompt=20,
    n_prompt_reused=4,
    n_generated=4,
    n_drafted=3,
    n_accepted=2,
    n_checked=3,
    n_verify_steps=2,
    acceptance_rate=2 / 3,
    mean_accepted_length=2.0,
    accepted_per_position=(1.0, 0.5),
    drafted_per_source={"draft": 2, "ngram": 1},
    accepted_per_source={"draft": 1, "ngram": 1},
    ttft_s=0.5,
    tokens_per_s=40.0,
    target_time_s=0.1,
    draft_time_s=0.02,
    sample_time_s=0.01,
    saved_s=0.05,
    speculation="off: it does not pay",
)
ANSWER = Answer(
    target="target.gguf",
    draft="draft.gguf",
    finish=FinishReason.LENGTH,
    context_full=True,
    n_left_out=4,
    seed=7,
    exact="passed",
    thought_s=1.5,
    stats=STATS,
    marks=MARKS,
)
ANSWER_TEXT = "Hello, world"
SETTINGS = ConversationSettings(
    system_prompt="Be brief.", sampling=SamplingParams(temperature=0.0, seed=3), max_tokens=99, preset="Precise"
)


class Clock:
    """Each look at it finds it a second later."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 1
        return self.now


def add(
    store: ChatStore, conversation: Conversation, text: str, parent: int | None = None, role: Role = Role.USER
) -> StoredMessage:
    return store.add_message(StoredMessage(0, conversation.id, parent, role, text, created=1.0))


def add_answer(store: ChatStore, question: StoredMessage, text: str = ANSWER_TEXT) -> StoredMessage:
    message = StoredMessage(
        0, question.conversation, question.id, Role.ASSISTANT, text, created=2.0, state=MessageState.DONE
    )
    return store.add_message(message, ANSWER)


def varied_tree() -> ConversationTree:
    """Two versions of the question, two of an answer, what was attached and how the answers came about."""
    conversation = Conversation(
        id=1,
        title="Tides «and» moons",
        created=10.5,
        updated=99.25,
        titled_by_user=True,
        pinned=True,
        leaf=5,
        unsent_text="and then",
        settings=SETTINGS,
        has_unsent_files=True,
    )
    attachments = (Attachment("notes.txt", "low\n```\nhigh"), Attachment("größe.md", ""))
    question = StoredMessage(
        *(1, 1, None, Role.USER, "Why?\n\n<!-- specchat:user -->", 11.0),
        attachments=attachments,
        pictures=(picture(), picture("größe.png", 9)),
        recordings=(recording(0.2),),
    )
    messages = (
        question,
        replace(question, id=2, text="Why two a day?", created=12.0, attachments=(), pictures=(), recordings=()),
        StoredMessage(3, 1, 2, Role.ASSISTANT, ANSWER_TEXT, 13.0),
        StoredMessage(4, 1, 2, Role.ASSISTANT, ANSWER_TEXT, 14.0, MessageState.STOPPED),
        StoredMessage(5, 1, 3, Role.USER, "Thanks\0 🙂", 15.0),
    )
    answers = {3: ANSWER, 4: replace(ANSWER, draft=None, marks=())}
    return ConversationTree(
        *(conversation, messages, answers),
        (picture("next.png"), recording(0.2, 1, "next.wav"), Attachment("next.txt", "ebb\n"), *attachments),
    )


def without_ids(tree: ConversationTree) -> ConversationTree:
    """Numbered from 1, so that copies can be compared."""
    ids: dict[int | None, int | None] = {None: None}
    ids |= {message.id: number for number, message in enumerate(tree.messages, start=1)}
    return ConversationTree(
        replace(tree.conversation, id=1, leaf=ids[tree.conversation.leaf]),
        tuple(
            replace(m, id=ids[m.id] or 0, conversation=1, parent=ids[m.parent], version=1, versions=1)
            for m in tree.messages
        ),
        {ids[message] or 0: answer for message, answer in tree.answers.items()},
        tree.unsent_files,
    )


def import_copies(store: ChatStore, path: Path) -> list[int]:
    """Imports a file as if none of its chats existed."""
    existing = [each.id for each in store.conversations()]
    store.set_trashed(existing, 1.0)
    try:
        return ConversationFiles(store).read(path)
    finally:
        store.set_trashed(existing, None)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline


def conversation_in(exported: dict[str, Any]) -> dict[str, Any]:
    (plain,) = exported["conversations"]
    assert isinstance(plain, dict)
    return plain


def texts_of(chats: ChatStore, conversation: int) -> list[str]:
    return [message.text for message in chats.tree(conversation).messages]


def import_refusal(exports: ConversationFiles, path: Path) -> UserError:
    with pytest.raises(UserError) as error:
        exports.read(path)
    assert error.value.hint
    return error.value
