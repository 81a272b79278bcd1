"""Shows the progress of downloads and checks: in one line on a terminal, in occasional lines elsewhere."""

import sys
from collections.abc import Callable
from time import monotonic

from specchat.cli.output import end_progress, one_line, print_note, replace_line, stream_columns
from specchat.cli.quantities import format_duration, format_partial_size, format_size
from specchat.domain.hub import RetryPause
from specchat.services.hub.download_jobs import DownloadStatus

_NOTED_EVERY_S = 5.0
_NOTED_PAUSE_S = 2.0
_USUAL_WIDTH = 80


class DownloadProgressLine:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._noted_at = clock()
        self._pause: RetryPause | None = None

    def show(self, shown: DownloadStatus) -> None:
        if show_progress_line(_name(shown), _state(shown)):
            return
        if self._is_due(shown.pause):
            self._noted_at, self._pause = self._clock(), shown.pause
            print_note(f"{one_line(_name(shown))}: {_state(shown)}")

    def _is_due(self, pause: RetryPause | None) -> bool:
        """A pause is told once."""
        if pause is not None:
            return pause != self._pause and pause.seconds >= _NOTED_PAUSE_S
        return self._clock() >= self._noted_at + _NOTED_EVERY_S

    def close(self) -> None:
        end_progress()


def show_progress_line(name: str, state: str) -> bool:
    """False: there is no terminal to show it on."""
    if not sys.stderr.isatty():
        return False
    replace_line(fit_line(one_line(name), state, _width()))
    return True


def fit_line(name: str, state: str, width: int) -> str:
    """A line that is too long would be broken, and not be replaced."""
    room = max(width - len(state) - len(": "), 1)
    short = name if len(name) <= room else name[: room - 1] + "…"
    return f"{short}: {state}"[:width]


def _name(shown: DownloadStatus) -> str:
    return " and ".join(model.first.path.rpartition("/")[2] for model in shown.job.models)


def _state(shown: DownloadStatus) -> str:
    amount = format_partial_size(shown.done, shown.job.size)
    if shown.is_checking:
        return f"{amount}, checking existing files"
    pace = f", {format_size(round(shown.bytes_per_second))}/s" if shown.bytes_per_second and not shown.pause else ""
    left = f", {format_duration(shown.seconds_left)} left" if shown.seconds_left else ""
    why = f" ({one_line(shown.again)})" if shown.again else ""
    return f"{amount}{pace}{left}{_until(shown.pause)}{why}"


def _until(pause: RetryPause | None) -> str:
    return f", retrying at {pause.ends:%H:%M:%S}, giving up at {pause.gives_up:%H:%M:%S}" if pause else ""


def _width() -> int:
    return (stream_columns(sys.stderr) or _USUAL_WIDTH) - 1
