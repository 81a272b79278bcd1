"""An engine that says what it is told, at the pace it is told."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from threading import Event as Signal

from specchat.domain.answering import (
    AnswerEnded,
    AnswerEvent,
    AnswerGrew,
    AnswerTask,
    ContextCount,
    CountTask,
    PairInfo,
    PromptRead,
)
from specchat.domain.benchmarking import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel import CancelToken
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.loading import OnLoading
from specchat.domain.ports import Journal
from specchat.domain.serving import CompletionTask
from specchat.domain.types import Event, Finished, FinishReason, GenerationStats, PairChoice, Role, StepStats

DRAFTED = 4
CHARACTERS_PER_TOKEN = 4
_PIECE = re.compile(r"\s?\w{1,7}|\s?[^\w\s]{1,3}|\s")
_TARGET_S, _DRAFT_S = 0.03, 0.004


class PacedEngine:
    """Passes yield one to five tokens at once, as speculation does."""

    def __init__(
        self,
        pieces: Callable[[AnswerTask], Iterable[str]],
        rate: float | None = None,
        *,
        holds: bool = False,
        n_ctx: int = 8192,
    ) -> None:
        """`rate` in tokens per second, None: no pauses; `holds`: the answer goes on, but nothing more comes."""
        self._pieces, self._rate, self._holds, self._n_ctx = pieces, rate, holds, n_ctx
        self._pair = PairInfo("", None, n_ctx, "on", "")

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        draft = choice.draft.name if choice.draft else None
        self._pair = PairInfo(choice.target.name, draft, self._n_ctx, "on", "")
        return self._pair

    def answer(self, task: AnswerTask, journal: Journal, cancel: CancelToken) -> Iterator[AnswerEvent]:
        yield PromptRead(task.message, 1, 1)
        stop = Signal()
        marks: list[Mark] = []
        with cancel.listening(stop.set):
            begun = time.monotonic()
            for event in self._passes(task, len(task.begun)):
                if self._rate is not None:
                    stop.wait(begun + len(marks) / self._rate - time.monotonic())
                if stop.is_set():
                    break
                marks.append(event.mark)
                journal.add(event.text, (event.mark,))
                yield event
            if self._holds:
                stop.wait()
            stopped = stop.is_set()
        state = MessageState.STOPPED if stopped else MessageState.DONE
        answer = self._facts(tuple(marks), FinishReason.CANCELLED if stopped else FinishReason.STOP)
        journal.finish(state, answer)
        yield AnswerEnded(task.message, "", state, answer)

    def complete(self, task: CompletionTask, cancel: CancelToken) -> Iterator[Event]:
        """Nobody else asks."""
        yield Finished(FinishReason.STOP, "", GenerationStats())

    def count(self, task: CountTask) -> ContextCount:
        system = sum(_tokens(m.content) for m in task.messages if m.role is Role.SYSTEM)
        whole = sum(_tokens(m.content) for m in task.messages)
        attached = tuple(map(_tokens, task.attachments))
        return ContextCount(system, whole - system, attached, _tokens(task.question), self._n_ctx, self._n_ctx)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        """It has nothing to measure."""
        return BenchReport(plan, (), (), (), complete=False)

    def close(self) -> None:
        pass

    def _passes(self, task: AnswerTask, length: int) -> Iterator[AnswerGrew]:
        random = Random(1)
        pieces = iter(self._pieces(task))
        while burst := list(islice(pieces, random.randint(1, DRAFTED + 1))):
            origin = "ngram" if random.random() < 0.2 else "draft"
            accepted = len(burst) - 1
            step = StepStats(
                DRAFTED, accepted, len(burst), _DRAFT_S, _TARGET_S, 0.0, (origin,) * DRAFTED, saved_s=accepted * 0.02
            )
            for place, piece in enumerate(burst):
                length += len(piece)
                guessed = place < accepted
                mark = Mark(
                    length, origin if guessed else "target", place if guessed else None, 0.5 + random.random() / 2
                )
                yield AnswerGrew(task.message, piece, mark, None if guessed else step)

    def _facts(self, marks: tuple[Mark, ...], finish: FinishReason) -> Answer:
        return Answer(
            self._pair.target, self._pair.draft, finish, stats=stats_of(marks, self._rate or 100.0), marks=marks
        )


def stats_of(marks: Sequence[Mark], tokens_per_s: float) -> GenerationStats:
    """As if each of the target's own tokens ended a pass."""
    n_passes = max(1, sum(mark.origin == "target" for mark in marks))
    n_accepted = len(marks) - n_passes
    n_drafted = DRAFTED * n_passes
    by_position = [sum(mark.position == place for mark in marks) / n_passes for place in range(DRAFTED)]
    return GenerationStats(
        n_prompt=100,
        n_generated=len(marks),
        n_drafted=n_drafted,
        n_accepted=n_accepted,
        n_checked=n_drafted,
        n_verify_steps=n_passes,
        acceptance_rate=n_accepted / n_drafted,
        mean_accepted_length=len(marks) / n_passes,
        accepted_per_position=tuple(by_position),
        drafted_per_source={"draft": n_drafted},
        accepted_per_source={"draft": n_accepted},
        ttft_s=0.2,
        tokens_per_s=tokens_per_s,
        target_time_s=n_passes * _TARGET_S,
        draft_time_s=n_passes * _DRAFT_S,
        saved_s=n_accepted * 0.02,
    )


def pieces_of(text: str) -> list[str]:
    """About as long as tokens are; together they are the text."""
    return _PIECE.findall(text)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)
