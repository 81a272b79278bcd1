"""Provides the prompts of a benchmark: built-in, recent or from a file."""

from collections.abc import Callable, Sequence

from specchat.domain.benchmark import BenchPrompt
from specchat.services.bench.workloads import workload_prompts
from specchat.ui.benchmark.bench_config import BenchConfig, PromptKind
from specchat.ui.benchmark.workload_labels import RECENT

_PER_WORKLOAD = 1


class PromptSource:
    def __init__(self, questions: Callable[[], Sequence[str]]) -> None:
        self._questions = questions
        self.own: tuple[BenchPrompt, ...] = ()
        """Of the file that was chosen."""

    @property
    def n_recent(self) -> int:
        return len(self._questions())

    def prompts(self, config: BenchConfig) -> tuple[BenchPrompt, ...]:
        match config.asked:
            case PromptKind.WORKLOADS:
                return workload_prompts(config.workloads, _PER_WORKLOAD)
            case PromptKind.RECENT:
                return tuple(BenchPrompt(RECENT, question) for question in self._questions())
            case PromptKind.FILE:
                return self.own
