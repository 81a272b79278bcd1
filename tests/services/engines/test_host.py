import io
import os
from collections.abc import Callable, Iterator
from typing import IO

import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import QueryAnswered, TokenizeQuery
from specchat.domain.engine import EngineEvent, EngineTask
from specchat.domain.errors import BugError, ComputeError
from specchat.domain.types import PromptProgress, StepStats, TokenEvent
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.services.engines import wire
from specchat.services.engines.engine_host import EngineHost, _Job

STEP = StepStats(0, 0, 1, 0.0, 0.0, 0.0)
TOKENS = [TokenEvent(n, str(n), "target", None, None, STEP) for n in range(20)]


class LookingUp:
    """An engine that is asked for nothing else."""

    n_slots, scheduler = 1, SlotScheduler()

    def generate(self, task: EngineTask, cancel: CancelToken) -> Iterator[EngineEvent]:
        yield QueryAnswered(task)


def sent(replies: io.BytesIO) -> list[EngineEvent]:
    replies.seek(0)
    events: list[EngineEvent] = []
    try:
        while True:
            events += wire.read(replies).message.events
    except EOFError:
        return events


def told_by(host: EngineHost) -> Callable[[wire.Reply], None]:
    return lambda reply: host.send_reply(wire.Numbered(1, reply))


@pytest.fixture
def replies() -> io.BytesIO:
    return io.BytesIO()


@pytest.fixture
def host(replies: io.BytesIO) -> EngineHost:
    return EngineHost(LookingUp(), io.BytesIO(), replies)  # type: ignore[arg-type]


def test_short_steps_go_together(host: EngineHost, replies: io.BytesIO) -> None:
    host._send_steps(TOKENS, told_by(host))
    one_by_one = io.BytesIO()
    for token in TOKENS:
        wire.write(one_by_one, wire.Numbered(1, wire.Events((token,))))
    assert sent(replies) == TOKENS
    assert replies.tell() < one_by_one.tell() / 2


def test_what_ends_an_answer_comes_after_its_last_tokens(host: EngineHost, replies: io.BytesIO) -> None:
    def broken() -> Iterator[EngineEvent]:
        yield from TOKENS
        raise ComputeError("llama.cpp failed.", "Use less.")

    with pytest.raises(ComputeError):
        host._send_steps(broken(), told_by(host))
    assert sent(replies) == TOKENS


def test_lookups_are_answered_between_two_steps(replies: io.BytesIO) -> None:
    host = EngineHost(LookingUp(), io.BytesIO(), replies)  # type: ignore[arg-type]
    query = TokenizeQuery("hello")

    def answer() -> Iterator[EngineEvent]:
        host._to_do.put(_Job(2, wire.Generate(query)))
        yield PromptProgress(0, 2)
        yield PromptProgress(1, 2)

    host._send_steps(answer(), told_by(host))
    replies.seek(0)
    assert [wire.read(replies) for _ in range(4)] == [
        wire.Numbered(1, wire.Events((PromptProgress(0, 2),))),
        wire.Numbered(2, wire.Events((QueryAnswered(query),))),
        wire.Numbered(2, wire.Done()),
        wire.Numbered(1, wire.Events((PromptProgress(1, 2),))),
    ]


def test_what_is_written_together_is_sent_together(host: EngineHost, replies: io.BytesIO) -> None:
    """Before their next pass, or with whatever is sent sooner."""

    def written() -> None:
        host._reply(wire.Numbered(1, wire.Events((TOKENS[0],))))

    def sent_first() -> None:
        assert replies.tell() == 0

    scheduler = SlotScheduler()
    host._scheduler = scheduler
    for work in (written, written, sent_first):
        scheduler.start(work)
    scheduler.run()
    host._send_unsent()
    assert sent(replies) == [TOKENS[0]] * 2


class SeeingCancels(LookingUp):
    """Its client is gone once two answers were asked for."""

    def __init__(self, client: IO[bytes]) -> None:
        self.client = client
        self.cancelled: list[bool] = []

    def generate(self, task: EngineTask, cancel: CancelToken) -> Iterator[EngineEvent]:
        self.cancelled.append(cancel.cancelled)
        if len(self.cancelled) == 2:
            self.client.close()
        yield from ()

    def close(self) -> None:
        pass


def test_an_answer_that_was_cancelled_before_it_was_asked_for(replies: io.BytesIO) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as requests, open(writing, "wb") as client:
        engine, query = SeeingCancels(client), TokenizeQuery("hello")
        for job, is_cancelled in enumerate((False, True)):
            wire.write(client, wire.Numbered(job, wire.Generate(query, is_cancelled)))
        EngineHost(engine, requests, replies).run(BugError)  # type: ignore[arg-type]
    assert engine.cancelled == [False, True]
