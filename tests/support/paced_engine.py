"""An engine that says what it is told, at the pace it is told."""

import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from threading import Event as Signal

from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Mark
from specchat.domain.engine import ChatTask, EngineEvent, EngineTask, PromptPrepared
from specchat.domain.loading import OnLoading
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    PairChoice,
    PromptProgress,
    Role,
    StepStats,
    TokenEvent,
    ToolCall,
)
from specchat.services.chat.request_builder import prompt_limit

DRAFTED = 4
CHARACTERS_PER_TOKEN = 4
_PIECE = re.compile(r"\s?\w{1,7}|\s?[^\w\s]{1,3}|\s")
_TARGET_S, _DRAFT_S = 0.03, 0.004


class PacedEngine:
    """Passes yield one to five tokens at once, as speculation does."""

    is_loaded = True

    def __init__(
        self,
        pieces: Callable[[ChatTask], Iterable[str | ToolCall]],
        rate: float | None = None,
        *,
        holds: bool = False,
        n_ctx: int = 8192,
        sees_pictures: bool = False,
        hears_recordings: bool = False,
        calls_tools: bool = False,
        n_slots: int = 1,
    ) -> None:
        """`rate` in tokens per second, None: no pauses; `holds`: the answer goes on, but nothing more comes."""
        self._pieces, self._rate, self._holds, self._n_ctx = pieces, rate, holds, n_ctx
        self._sees_pictures, self._hears_recordings = sees_pictures, hears_recordings
        self._calls_tools, self._n_slots = calls_tools, n_slots
        self.asked: list[ChatTask] = []
        self._pair = PairInfo("", None, n_ctx, "on", "")

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        draft = choice.draft.name if choice.draft else None
        self._pair = PairInfo(
            *(choice.target.name, draft, self._n_ctx, "on", ""),
            sees_pictures=self._sees_pictures,
            hears_recordings=self._hears_recordings,
            calls_tools=self._calls_tools,
            n_slots=self._n_slots,
        )
        return self._pair

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        if not isinstance(task, ChatTask):  # nobody else asks
            yield GenerationFinished(FinishReason.STOP, "", GenerationStats())
            return
        self.asked.append(task)
        yield PromptPrepared(100, 0, begun=task.prefill)
        yield PromptProgress(1, 1)
        stop = Signal()
        said: list[TokenEvent] = []
        with cancel.listening(stop.set):
            begun = time.monotonic()
            for event in self._passes(task):
                if self._rate is not None:
                    stop.wait(begun + len(said) / self._rate - time.monotonic())
                if stop.is_set():
                    break
                said.append(event)
                yield event
            if self._holds:
                stop.wait()
            reason = FinishReason.CANCELLED if stop.is_set() else FinishReason.STOP
        yield GenerationFinished(reason, "", stats_of(said, self._rate or 100.0))

    def count(self, task: CountTask) -> ContextCount:
        system = sum(_tokens(m.content) for m in task.messages if m.role is Role.SYSTEM)
        whole = sum(_tokens(m.content) for m in task.messages)
        attached = (*task.pictures, *map(_tokens, task.attachments))
        limit = prompt_limit(self._n_ctx, task.max_tokens)
        counts = system, whole - system, attached, _tokens(task.question)
        return ContextCount(*counts, self._n_ctx, limit, searched=task.searched)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        """It has nothing to measure."""
        return BenchReport(plan, (), (), (), complete=False)

    def unload(self) -> None:
        pass

    close = unload

    def _passes(self, task: ChatTask) -> Iterator[TokenEvent]:
        random = Random(1)
        pieces = iter(self._pieces(task))
        while burst := list(islice(pieces, random.randint(1, DRAFTED + 1))):
            origin = "ngram" if random.random() < 0.2 else "draft"
            accepted = len(burst) - 1
            step = StepStats(
                DRAFTED, accepted, len(burst), _DRAFT_S, _TARGET_S, 0.0, (origin,) * DRAFTED, saved_s=accepted * 0.02
            )
            for place, piece in enumerate(burst):
                guessed = place < accepted
                probability = 0.5 + random.random() / 2
                calls = (piece,) if isinstance(piece, ToolCall) else ()
                yield TokenEvent(
                    0,
                    "" if isinstance(piece, ToolCall) else piece,
                    origin if guessed else TARGET,
                    place if guessed else None,
                    probability,
                    None if guessed else step,
                    calls=calls,
                )


def stats_of(tokens: Sequence[Mark | TokenEvent], tokens_per_s: float) -> GenerationStats:
    """As if each of the target's own tokens ended a pass."""
    n_passes = max(1, sum(token.origin == TARGET for token in tokens))
    n_accepted = len(tokens) - n_passes
    n_drafted = DRAFTED * n_passes
    places = [token.position if isinstance(token, Mark) else token.draft_position for token in tokens]
    by_position = [places.count(place) / n_passes for place in range(DRAFTED)]
    return GenerationStats(
        n_prompt=100,
        n_generated=len(tokens),
        n_drafted=n_drafted,
        n_accepted=n_accepted,
        n_checked=n_drafted,
        n_verify_steps=n_passes,
        acceptance_rate=n_accepted / n_drafted,
        mean_accepted_length=len(tokens) / n_passes,
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
