"""Queues jobs for the models: answers run together if there are enough threads, all other jobs alone."""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import NotReadyError, QueueFullError

EngineJob = Callable[[CancelToken], None]


class Lane(StrEnum):
    WINDOW = "window"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class _Entry:
    job: EngineJob
    brief: bool
    is_answer: bool
    is_lookup: bool = False
    cancel: CancelToken = field(default_factory=CancelToken)


class EngineQueue:
    """Jobs are added from any thread, and run in the threads that call `run`. Lanes take turns; within a lane, the
    first job comes first, and no job overtakes one that has to run alone.
    """

    def __init__(self, most_waiting: Mapping[Lane, int] | None = None, n_slots: int | None = None) -> None:
        """`n_slots`: the maximum number of answers at once. None: as many as there are threads."""
        self._most_waiting = most_waiting or {}
        self._n_slots = n_slots
        self._waiting: dict[Lane, deque[_Entry]] = {lane: deque() for lane in Lane}
        self._order = list(Lane)
        """The lanes in the order of their turns, the next one first."""
        self._running: list[_Entry] = []
        self._closed = False
        self._rest_s: float | None = None
        self.on_idle: Callable[[], None] = lambda: None
        """Called in the thread that owns the models when they have been idle for some time."""
        self._has_rested = False
        self._changed = threading.Condition()

    def add(
        self,
        lane: Lane,
        job: EngineJob,
        *,
        brief: bool = False,
        is_answer: bool = False,
        is_lookup: bool = False,
    ) -> CancelToken:
        """`brief`: the lane keeps its turn after this job. `is_answer`: the job may run together with other answers.
        `is_lookup`: the same, and it needs no turn while an answer runs. A job that was canceled before its turn runs
        nevertheless, to report this, unless its full lane needs the room.
        """
        entry = _Entry(job, brief, is_answer or is_lookup, is_lookup)
        with self._changed:
            if self._closed:
                raise NotReadyError("specchat is quitting.", "Restart specchat.")
            self._make_room(lane)
            self._waiting[lane].append(entry)
            self._changed.notify_all()
        return entry.cancel

    def set_slots(self, count: int) -> None:
        """Sets the maximum number of answers at once. If it is one, lookups wait for their turn as well."""
        with self._changed:
            self._n_slots = count
            self._changed.notify_all()

    def set_idle_timeout(self, seconds: float | None) -> None:
        """Sets the idle time after which `on_idle` is called. None: never."""
        with self._changed:
            self._rest_s = seconds
            self._changed.notify_all()

    def n_waiting(self, lane: Lane) -> int:
        """Returns the number of waiting jobs that were not canceled."""
        with self._changed:
            return sum(not entry.cancel.cancelled for entry in self._waiting[lane])

    def cancel(self, waiting_in: Collection[Lane] = tuple(Lane)) -> None:
        """Cancels the running job and those waiting in these lanes."""
        with self._changed:
            entries = [entry for lane in waiting_in for entry in self._waiting[lane]]
            entries += self._running
        for entry in entries:
            entry.cancel.cancel()

    def finish(self) -> None:
        """Accepts no more jobs; waiting jobs still run."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Cancels all jobs, and accepts no more."""
        self.finish()
        self.cancel()

    def run(self, *, lookups_only: bool = False, beside: bool = False) -> None:
        """Runs jobs until `close` or `finish` is called and no job waits. Call it in one thread, or in one per
        simultaneous answer. For additional threads: `beside` runs only answers and lookups that join those of other
        threads, `lookups_only` only lookups that do.
        """
        if lookups_only or beside:
            find = self._lookup_beside if lookups_only else self._joining
            self._run_all(lambda: self._next_beside(find))
        else:
            self._run_all(self._next)

    def _run_all(self, next_entry: Callable[[], _Entry | None]) -> None:
        while (entry := next_entry()) is not None:
            try:
                entry.job(entry.cancel)
            finally:
                with self._changed:
                    self._running.remove(entry)
                    self._changed.notify_all()

    def _next_beside(self, find: Callable[[], tuple[Lane, _Entry] | None]) -> _Entry | None:
        with self._changed:
            while (found := find()) is None:
                if self._closed:
                    return None
                self._changed.wait()
            lane, entry = found
            return self._begin(lane, entry, takes_turn=find == self._joining)

    def _lookup_beside(self) -> tuple[Lane, _Entry] | None:
        """Returns a lookup that can run beside an answer; a job that needs the models alone can't start meanwhile."""
        if self._n_slots == 1 or not any(entry.is_answer and not entry.is_lookup for entry in self._running):
            return None
        return next(((lane, entry) for lane in self._order for entry in self._waiting[lane] if entry.is_lookup), None)

    def _joining(self) -> tuple[Lane, _Entry] | None:
        """Returns the next job if it can run beside the running ones."""
        lane = self._next_lane()
        if lane is None or not self._running or not self._can_join(self._waiting[lane][0]):
            return None
        return lane, self._waiting[lane][0]

    def _begin(self, lane: Lane, entry: _Entry, *, takes_turn: bool) -> _Entry:
        self._waiting[lane].remove(entry)
        if takes_turn and not entry.brief:
            self._order.remove(lane)
            self._order.append(lane)
        self._running.append(entry)
        return entry

    def _rests(self) -> bool:
        """Waits until a job can run. Returns True if the idle time was exceeded instead."""
        since = time.monotonic()
        while not self._can_go_on():
            if self._running:
                self._changed.wait()
                since = time.monotonic()
                continue
            left = None if self._rest_s is None or self._has_rested else since + self._rest_s - time.monotonic()
            if left is not None and left <= 0:
                return True
            self._changed.wait(left)
        return False

    def _can_go_on(self) -> bool:
        lane = self._next_lane()
        if lane is None:
            return self._closed
        return not self._running or self._can_join(self._waiting[lane][0])

    def _can_join(self, entry: _Entry) -> bool:
        """Whether an entry can run beside the running ones."""
        if self._n_slots == 1 or not all(each.is_answer for each in (entry, *self._running)):
            return False
        n_answers = sum(not each.is_lookup for each in self._running)
        return entry.is_lookup or self._n_slots is None or n_answers < self._n_slots

    def _next_lane(self) -> Lane | None:
        return next((lane for lane in self._order if self._waiting[lane]), None)

    def _make_room(self, lane: Lane) -> None:
        most, waiting = self._most_waiting.get(lane), self._waiting[lane]
        if most is None or len(waiting) < most:
            return
        wanted = [entry for entry in waiting if not entry.cancel.cancelled]
        if len(wanted) >= most:
            raise QueueFullError("{most} requests are already waiting.", "Try again in a moment.", most=most)
        self._waiting[lane] = deque(wanted)

    def _next(self) -> _Entry | None:
        with self._changed:
            if self._rests():
                self._has_rested = True
                entry = _Entry(lambda _: self.on_idle(), brief=True, is_answer=False)
                self._running.append(entry)
                return entry
            self._has_rested = False
            lane = self._next_lane()
            if lane is None:
                return None
            return self._begin(lane, self._waiting[lane][0], takes_turn=True)
