"""Shows a benchmark's progress: in one line on a terminal, in occasional lines elsewhere."""

from collections.abc import Callable
from time import monotonic

from specchat.cli.models_progress import show_progress_line
from specchat.cli.output import print_note
from specchat.cli.quantities import format_duration
from specchat.domain.benchmark import BenchProgress
from specchat.services.bench.method_names import method_name

_NOTED_EVERY_S = 30.0


class BenchProgressLine:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._noted_at = clock()

    def show(self, progress: BenchProgress) -> None:
        doing = str(progress.stage or "loading") if progress.method is None else method_name(progress.method)
        left = f", {format_duration(progress.seconds_left)} left" if progress.seconds_left else ""
        state = f"{progress.done} of {progress.total} answers{left}"
        if show_progress_line(doing, state):
            return
        if self._clock() >= self._noted_at + _NOTED_EVERY_S:
            self._noted_at = self._clock()
            print_note(f"{doing}: {state}")
