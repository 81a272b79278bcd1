"""Asks and answers at the pace of a model, and says what it does, until it is killed."""

import os
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event

from specchat.domain.conversations import Answer, ConversationSettings, Mark, MessageState, StoredMessage
from specchat.domain.types import Role
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.journal import SqliteJournal

KNOWN = Answer(target="target.gguf")
_PAUSES = (0.0, 0.001, 0.005, 0.02, 0.1, 0.4)
"""Seconds that a pass takes; the longest is longer than text may wait."""


def text_of(pieces: int) -> str:
    return "".join(map(_piece, range(pieces)))


def marks_of(pieces: int) -> tuple[Mark, ...]:
    return tuple(Mark(len(text_of(number + 1)), "target") for number in range(pieces))


def _piece(number: int) -> str:
    return f"{number} "


def main(path: Path, seed: int) -> None:
    random = Random(seed)
    with closing(open_chat_store(path)) as store:
        messages = MessageService(store)
        conversation = (store.conversations() or [store.add_conversation(ConversationSettings(), now=1.0)])[0].id
        _say("ready")
        answer = _stopped(messages.shown_path(conversation))
        while True:
            if answer is None:
                answer = messages.begin_answer(messages.add_question(conversation, "Go on.").id, KNOWN)
            else:
                messages.continue_answer(answer.id)
            _write(store, path, answer, random)
            answer = None


def _stopped(path: list[StoredMessage]) -> StoredMessage | None:
    return path[-1] if path and path[-1].role is Role.ASSISTANT and path[-1].state is MessageState.STOPPED else None


def _write(store: SqliteChatStore, path: Path, answer: StoredMessage, random: Random) -> None:
    count = len(answer.text.split())
    length = len(answer.text)
    _say("begun", answer.id, count)
    with closing(SqliteJournal(path, answer.id)) as journal:
        for _ in range(random.randint(1, 40)):
            Event().wait(random.choice(_PAUSES))
            for _ in range(random.randint(1, 8)):
                piece = _piece(count)
                count, length = count + 1, length + len(piece)
                now = time.monotonic()
                journal.add(piece, (Mark(length, "target"),))
                _say("added", now, count)
        journal.finish(MessageState.DONE, KNOWN)
    _say("finished", answer.id, count)


def _say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
