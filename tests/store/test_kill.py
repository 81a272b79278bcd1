"""kill -9 at any moment: what was finished is there, and of what was being written all but the last moment.

SPECCHAT_KILLS=100 kills more often.
"""

import os
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from support import streaming_child
from support.streaming_child import marks_of, text_of

from specchat.domain.conversations import MessageState, StoredMessage
from specchat.domain.types import Role
from specchat.store.chat_store import SqliteChatStore, open_chat_store

KILLS = int(os.environ.get("SPECCHAT_KILLS", "12"))
MOST_LOST_S = 0.25
LONGEST_LIFE_S = 0.8


@dataclass
class Kept:
    """What must be there after a kill: of how many messages at least how many pieces."""

    finished: dict[int, int] = field(default_factory=dict)
    current: int | None = None
    at_least: int = 0
    at_most: int = 0

    def hear(self, line: str, killed: float) -> None:
        match line.split():
            case ["begun", message, count]:
                self.current, self.at_least, self.at_most = int(message), int(count), int(count)
            case ["added", moment, count]:
                self.at_most = int(count)
                if float(moment) < killed - MOST_LOST_S:
                    self.at_least = int(count)
            case ["finished", message, count]:
                self.finished[int(message)] = int(count)
                self.current = None


def run_and_kill(path: Path, seed: int, life_s: float) -> tuple[list[str], float]:
    """What it said, and when it was killed."""
    command = [sys.executable, streaming_child.__file__, str(path), str(seed)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, bufsize=0) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.communicate(timeout=life_s)
        killed = time.monotonic()
        child.kill()
        said, complaints = child.communicate()
    assert complaints == b""
    return said.decode().splitlines(), killed


def check(store: SqliteChatStore, kept: Kept) -> None:
    (conversation,) = store.conversations()
    path = [] if conversation.leaf is None else store.path(conversation.leaf)
    answers = {message.id: message for message in path if message.role is Role.ASSISTANT}
    assert kept.finished.keys() <= answers.keys()
    for number, message in answers.items():
        pieces = len(message.text.split())
        assert message.text == text_of(pieces)
        if number in kept.finished:
            assert (message.state, pieces) == (MessageState.DONE, kept.finished[number])
            check_marks(store, message)
    if kept.current is not None:
        last = answers[kept.current]
        pieces = len(last.text.split())
        assert last.state in (MessageState.STOPPED, MessageState.DONE)
        assert kept.at_least <= pieces <= kept.at_most + 1
        check_marks(store, last)


def check_marks(store: SqliteChatStore, message: StoredMessage) -> None:
    answer = store.answer(message.id)
    assert answer is not None
    assert answer.marks == marks_of(len(message.text.split()))


@pytest.mark.timeout(60 + 10 * KILLS)
def test_killed_at_any_moment(chats_path: Path) -> None:
    random = Random(KILLS)
    finished: dict[int, int] = {}
    cut_off = 0
    for seed in range(KILLS):
        lines, killed = run_and_kill(chats_path, seed, random.uniform(0, LONGEST_LIFE_S))
        kept = Kept(finished)
        for line in lines:
            kept.hear(line, killed)
        with closing(open_chat_store(chats_path)) as store:
            check(store, kept)
            assert store.database.rows("PRAGMA integrity_check") == [("ok",)]
            assert store.database.rows("SELECT * FROM chunk") == []
        cut_off += kept.current is not None and kept.at_most > 0
    assert cut_off > 0
    assert finished
