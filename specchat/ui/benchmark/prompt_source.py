"""Where the prompts of a benchmark come from."""

from collections.abc import Callable, Sequence

from specchat.domain.benchmarking import BenchPrompt
from specchat.services.bench.workloads import workload_prompts
from specchat.ui.benchmark.wish import Asked, Wish
from specchat.ui.benchmark.workload_words import RECENT

_PER_WORKLOAD = 1


class PromptSource:
    def __init__(self, questions: Callable[[], Sequence[str]]) -> None:
        self._questions = questions
        self.own: tuple[BenchPrompt, ...] = ()
        """Of the file that was chosen."""

    @property
    def n_recent(self) -> int:
        return len(self._questions())

    def prompts(self, wish: Wish) -> tuple[BenchPrompt, ...]:
        match wish.asked:
            case Asked.WORKLOADS:
                return workload_prompts(wish.workloads, _PER_WORKLOAD)
            case Asked.RECENT:
                return tuple(BenchPrompt(RECENT, question) for question in self._questions())
            case Asked.FILE:
                return self.own
