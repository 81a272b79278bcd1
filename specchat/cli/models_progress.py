"""How a download or a check goes: in one line on a terminal, a line now and then elsewhere."""

import os
import sys
from collections.abc import Callable
from time import monotonic

from specchat.cli.amounts import duration, part, size
from specchat.cli.output import end_progress, note, one_line, replace_line
from specchat.domain.hub import Pause
from specchat.services.hub.download_jobs import ShownJob

_NOTED_EVERY_S = 5.0
_NOTED_PAUSE_S = 2.0
_USUAL_WIDTH = 80


class DownloadLine:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._noted_at = clock()
        self._pause: Pause | None = None

    def show(self, shown: ShownJob) -> None:
        if show_line(_name(shown), _state(shown)):
            return
        if self._is_due(shown.pause):
            self._noted_at, self._pause = self._clock(), shown.pause
            note(f"{one_line(_name(shown))}: {_state(shown)}")

    def _is_due(self, pause: Pause | None) -> bool:
        """A pause is told once."""
        if pause is not None:
            return pause != self._pause and pause.seconds >= _NOTED_PAUSE_S
        return self._clock() >= self._noted_at + _NOTED_EVERY_S

    def close(self) -> None:
        end_progress()


def show_line(name: str, state: str) -> bool:
    """False: there is no terminal to show it on."""
    if not sys.stderr.isatty():
        return False
    replace_line(fitting(one_line(name), state, _width()))
    return True


def fitting(name: str, state: str, width: int) -> str:
    """A line that is too long would be broken, and not be replaced."""
    room = max(width - len(state) - len(": "), 1)
    short = name if len(name) <= room else name[: room - 1] + "…"
    return f"{short}: {state}"[:width]


def _name(shown: ShownJob) -> str:
    return " and ".join(model.first.path.rpartition("/")[2] for model in shown.job.models)


def _state(shown: ShownJob) -> str:
    amount = part(shown.done, shown.job.size)
    if shown.is_checking:
        return f"{amount}, checking what is here"
    pace = f", {size(round(shown.bytes_per_second))}/s" if shown.bytes_per_second and not shown.pause else ""
    left = f", {duration(shown.seconds_left)} left" if shown.seconds_left else ""
    why = f" ({one_line(shown.again)})" if shown.again else ""
    return f"{amount}{pace}{left}{_until(shown.pause)}{why}"


def _until(pause: Pause | None) -> str:
    return f", next try at {pause.ends:%H:%M:%S}, until {pause.gives_up:%H:%M:%S}" if pause else ""


def _width() -> int:
    """A terminal that does not know its own has none."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except OSError:
        columns = 0
    return (columns or _USUAL_WIDTH) - 1
