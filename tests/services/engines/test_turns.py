import threading
from collections.abc import Iterator

import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import NotReadyError, QueueFullError
from specchat.services.engines.engine_queue import EngineJob, EngineQueue, Lane

WINDOW, SERVER = Lane.WINDOW, Lane.SERVER


class Done:
    """What was done, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def job(self, name: str) -> EngineJob:
        def do(cancel: CancelToken) -> None:
            self.names.append(f"{name} cancelled" if cancel.cancelled else name)

        return do


@pytest.fixture
def done() -> Done:
    return Done()


def work_through(turns: EngineQueue) -> None:
    """Everything that waits, without cancelling it."""
    turns.add(SERVER, lambda _: turns.close())
    turns.run()


def test_lanes_take_turns(done: Done) -> None:
    turns = EngineQueue()
    for name in "abc":
        turns.add(SERVER, done.job(name))
    turns.add(WINDOW, done.job("W"))
    turns.add(WINDOW, done.job("X"))
    work_through(turns)
    assert done.names == ["W", "a", "X", "b", "c"]


def test_a_brief_job_does_not_pass_the_turn_on(done: Done) -> None:
    turns = EngineQueue()
    turns.add(SERVER, done.job("a"))
    turns.add(WINDOW, done.job("count"), brief=True)
    turns.add(WINDOW, done.job("W"))
    work_through(turns)
    assert done.names == ["count", "W", "a"]


def test_a_full_lane_takes_no_more_until_somebody_gives_up(done: Done) -> None:
    turns = EngineQueue({SERVER: 2})
    turns.add(SERVER, done.job("a"))
    given_up = turns.add(SERVER, done.job("b"))
    with pytest.raises(QueueFullError):
        turns.add(SERVER, done.job("c"))
    turns.add(WINDOW, done.job("W"))
    given_up.cancel()
    assert turns.n_waiting(SERVER) == 1
    turns.add(SERVER, done.job("c"))
    turns.close()
    turns.run()
    assert done.names == ["W cancelled", "a cancelled", "c cancelled"]


def test_what_was_cancelled_still_gets_to_say_so(done: Done) -> None:
    turns = EngineQueue()
    turns.add(WINDOW, done.job("W")).cancel()
    turns.add(SERVER, done.job("a"))
    turns.cancel([SERVER])
    turns.add(SERVER, done.job("b"))
    work_through(turns)
    assert done.names == ["W cancelled", "a cancelled", "b"]


def test_what_waits_in_another_lane_goes_on_waiting(done: Done) -> None:
    turns = EngineQueue()

    def run(cancel: CancelToken) -> None:
        turns.cancel(waiting_in=[WINDOW])
        done.job("running")(cancel)

    turns.add(SERVER, run)
    turns.add(SERVER, done.job("a"))
    turns.add(WINDOW, done.job("first"))
    turns.add(WINDOW, done.job("W"))
    work_through(turns)
    assert done.names == ["first", "running cancelled", "W cancelled", "a"]


def test_closed_it_takes_nothing() -> None:
    turns = EngineQueue()
    turns.close()
    turns.run()
    with pytest.raises(NotReadyError):
        turns.add(WINDOW, lambda _: None)


def test_closing_cancels_what_runs() -> None:
    turns, begun, seen = EngineQueue(), threading.Event(), list[bool]()

    def wait(cancel: CancelToken) -> None:
        woken = threading.Event()
        with cancel.listening(woken.set):
            begun.set()
            woken.wait()
        seen.append(cancel.cancelled)

    thread = threading.Thread(target=turns.run)
    thread.start()
    turns.add(SERVER, wait)
    begun.wait()
    turns.close()
    thread.join()
    assert seen == [True]


def test_many_threads_at_once() -> None:
    turns, counted = EngineQueue(), list[int]()
    worker = threading.Thread(target=turns.run)
    worker.start()

    def add(numbers: Iterator[int]) -> None:
        for number in numbers:
            turns.add(SERVER if number % 2 else WINDOW, lambda _, number=number: counted.append(number))  # type: ignore[misc]

    adders = [threading.Thread(target=add, args=(iter(range(first, 800, 8)),)) for first in range(8)]
    for adder in adders:
        adder.start()
    for adder in adders:
        adder.join()
    finished = threading.Event()
    for lane in Lane:
        turns.add(lane, lambda _: finished.set() if len(counted) == 800 else None)
    finished.wait()
    turns.close()
    worker.join()
    assert sorted(counted) == list(range(800))


def test_after_a_time_without_work_it_rests_once(done: Done) -> None:
    turns, rests = EngineQueue(), threading.Event()
    counted: list[int] = []

    def rest() -> None:
        counted.append(1)
        rests.set()

    turns.on_idle = rest
    working = threading.Thread(target=turns.run)
    working.start()
    turns.set_idle_timeout(0.01)
    for n in range(2):
        assert rests.wait(10)
        rests.clear()
        assert not rests.wait(0.1), "only once"
        if n == 0:
            turns.add(WINDOW, done.job("a"))
    turns.close()
    working.join()
    assert (len(counted), done.names) == (2, ["a"])


def test_answers_run_together_and_what_needs_the_models_alone_waits() -> None:
    queue, together, order = EngineQueue(), threading.Barrier(2), list[str]()
    threads = [threading.Thread(target=queue.run) for _ in range(2)]

    def answer(_: CancelToken) -> None:
        together.wait(20)
        order.append("answer")

    for job in (answer, answer):
        queue.add(Lane.SERVER, job, is_answer=True)
    queue.add(Lane.SERVER, lambda _: order.append("alone"))
    for job in (answer, answer):
        queue.add(Lane.SERVER, job, is_answer=True)
    for thread in threads:
        thread.start()
    queue.close()
    for thread in threads:
        thread.join()
    assert order == ["answer", "answer", "alone", "answer", "answer"]


def test_lookups_overtake_beside_an_answer(done: Done) -> None:
    queue, begun, looked_up, goes_on = EngineQueue(), threading.Event(), threading.Event(), threading.Event()
    threads = [threading.Thread(target=queue.run, kwargs={"lookups_only": only}) for only in (False, True)]

    def answer(_: CancelToken) -> None:
        begun.set()
        assert goes_on.wait(20)
        done.names.append("answer")

    def look_up(cancel: CancelToken) -> None:
        done.job("lookup")(cancel)
        looked_up.set()

    queue.add(SERVER, answer, is_answer=True)
    queue.add(SERVER, done.job("another"), is_answer=True)
    queue.add(SERVER, done.job("alone"))
    for thread in threads:
        thread.start()
    assert begun.wait(20)
    queue.add(SERVER, look_up, is_lookup=True)
    assert looked_up.wait(20)
    goes_on.set()
    queue.add(SERVER, lambda _: queue.close())
    for thread in threads:
        thread.join()
    assert done.names == ["lookup", "answer", "another", "alone"]


def test_lookups_wait_for_what_needs_the_models_alone(done: Done) -> None:
    queue, begun, goes_on = EngineQueue(), threading.Event(), threading.Event()
    threads = [threading.Thread(target=queue.run, kwargs={"lookups_only": only}) for only in (False, True)]

    def load(_: CancelToken) -> None:
        begun.set()
        assert goes_on.wait(20)
        done.names.append("loaded")

    queue.add(WINDOW, load)
    for thread in threads:
        thread.start()
    assert begun.wait(20)
    queue.add(SERVER, done.job("lookup"), is_lookup=True)
    assert not done.names
    goes_on.set()
    queue.add(SERVER, lambda _: queue.close())
    for thread in threads:
        thread.join()
    assert done.names == ["loaded", "lookup"]


def test_no_more_answers_at_once_than_slots() -> None:
    """In a thread for all jobs, and others that only join in."""
    queue, running, most = EngineQueue(n_slots=1), list[str](), list[list[str]]()
    together, lock = threading.Barrier(2), threading.Lock()
    threads = [threading.Thread(target=queue.run, kwargs={"beside": beside}) for beside in (False, True, True)]

    def job(name: str, meets: threading.Barrier | None = None) -> EngineJob:
        def do(_: CancelToken) -> None:
            with lock:
                running.append(name)
                most.append(sorted(running))
            if meets is not None:
                meets.wait(20)
            with lock:
                running.remove(name)

        return do

    queue.add(WINDOW, job("one"), is_answer=True)
    queue.add(WINDOW, job("count"), is_lookup=True)
    queue.add(WINDOW, lambda _: queue.set_slots(2))
    for name in ("two", "three", "four", "five"):
        queue.add(WINDOW, job(name, together), is_answer=True)
    queue.add(WINDOW, job("alone"))
    for thread in threads:
        thread.start()
    queue.finish()
    for thread in threads:
        thread.join()
    assert most[:2] == [["one"], ["count"]]
    assert max(map(len, most)) == 2
    assert most[-1] == ["alone"]
