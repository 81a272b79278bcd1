"""How a benchmark goes: in one line on a terminal, a line now and then elsewhere."""

from collections.abc import Callable
from time import monotonic

from specchat.cli.amounts import duration
from specchat.cli.models_progress import show_line
from specchat.cli.output import note
from specchat.domain.benchmarking import BenchProgress
from specchat.services.bench.names import way_name

_NOTED_EVERY_S = 30.0


class BenchLine:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._noted_at = clock()

    def show(self, progress: BenchProgress) -> None:
        doing = str(progress.stage or "loading") if progress.way is None else way_name(progress.way)
        left = f", {duration(progress.seconds_left)} left" if progress.seconds_left else ""
        state = f"{progress.done} of {progress.total} answers{left}"
        if show_line(doing, state):
            return
        if self._clock() >= self._noted_at + _NOTED_EVERY_S:
            self._noted_at = self._clock()
            note(f"{doing}: {state}")
