"""An engine that says a word whenever it is let: tests decide what runs and what waits."""

import threading
from collections.abc import Generator
from dataclasses import replace
from typing import NoReturn

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, QueryAnswered
from specchat.domain.engine import EngineEvent, EngineTask
from specchat.domain.loading import OnLoading
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    PairChoice,
    PromptProgress,
    StepStats,
    TokenEvent,
)

PAIR = PairInfo("gated.gguf", None, 512, "on", "")
_STEP = StepStats(drafted=0, accepted=0, emitted=1, draft_s=0.0, target_s=0.0, sample_s=0.0)


class GatedEngine:
    is_loaded = True

    def __init__(self, *, sees_pictures: bool = False, hears_recordings: bool = False) -> None:
        self._pair = replace(PAIR, sees_pictures=sees_pictures, hears_recordings=hears_recordings)
        self.asked: list[object] = []
        """The prompts that had their turn, in order."""
        self._changed = threading.Condition()
        self._words = 0

    def let(self, words: int = 1) -> None:
        with self._changed:
            self._words += words
            self._changed.notify_all()

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        return self._pair

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        if not isinstance(task, CompletionTask):
            yield QueryAnswered("looked up")
            return
        self.asked.append(task.prompt)
        yield PromptProgress(1, 1)
        said = 0
        while said != task.max_tokens and self._let_or(cancel):
            said += 1
            yield TokenEvent(said, f"{said} ", TARGET, None, None, _STEP)
        reason = FinishReason.CANCELLED if cancel.cancelled else FinishReason.LENGTH
        yield GenerationFinished(reason, "", GenerationStats(n_prompt=1, n_generated=said))

    def _let_or(self, cancel: CancelToken) -> bool:
        with cancel.listening(lambda: self.let(0)), self._changed:
            self._changed.wait_for(lambda: cancel.cancelled or self._words)
            if cancel.cancelled:
                return False
            self._words -= 1
            return True

    def count(self, *_: object) -> NoReturn:
        raise AssertionError("not asked of it")

    bench = count

    def unload(self) -> None:
        pass

    close = unload
