"""The real window, opened by a script."""

import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEventLoop, QObject, QTimer
from support.choices import choice_of
from support.computers import own_computer
from support.probes import run_event_loop

from specchat.domain.answer_tasks import AnswerEnded, PairInfo
from specchat.domain.engine import Engine
from specchat.domain.types import PairChoice
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.services import Services
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services

PATIENCE_S = 120.0
_POLL_S = 0.005


@contextmanager
def home(**environment: str) -> Iterator[Paths]:
    with tempfile.TemporaryDirectory() as folder, own_computer(Path(folder), **environment):
        yield Paths(*(Path(folder) / name for name in ("data", "config", "cache", "logs")))


def empty_pair(places: Paths, target: str = "target.gguf", draft: str = "draft.gguf") -> PairChoice:
    """For an engine that does not look into the files."""
    folder = places.data / "models"
    folder.mkdir(parents=True, exist_ok=True)
    choice = choice_of(folder / target, folder / draft, draft_type="model")
    for name in (target, draft):
        (folder / name).touch()
    return choice


@contextmanager
def window_with(
    places: Paths, choice: PairChoice, look: ThemeManager, make_engine: Callable[[], Engine] | None = None
) -> Iterator[AppController]:
    """With the pair loaded."""
    services = build_services(places)
    services.pair_settings.save(choice)
    if make_engine is not None:
        services = replace(services, make_engine=make_engine)
    with opened(services, look) as controller:
        wait_for_pair(controller)
        yield controller


def tokens_shown(controller: AppController) -> int:
    """Of the answer that is being written, which may be further."""
    running = controller.answers.current()
    row = controller.window.transcript.message_layout.cached_row(running.streamed.message) if running else None
    return bisect_right(running.streamed.marks, len(row.text), key=attrgetter("end")) if running and row else 0


def wait_for_pair(controller: AppController) -> None:
    """Before the event loop runs for the first time."""
    loaded: list[PairInfo] = []
    controller.session.pair_loaded.connect(loaded.append)
    wait_until(lambda: bool(loaded), "the pair is not loaded")
    controller.session.pair_loaded.disconnect(loaded.append)


@contextmanager
def opened(services: Services, look: ThemeManager, *, load_last: bool = True) -> Iterator[AppController]:
    controller = AppController(services, look)
    controller.window.first_painted.connect(lambda: controller.start(load_last=load_last))
    MenuActions(controller)
    controller.window.show()
    try:
        yield controller
    finally:
        controller.close_unasked()
        controller.window.close()
        controller.close()
        shiboken6.delete(controller.window)


def wait_until(condition: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(otherwise)
        run_event_loop(_POLL_S)  # QTest.qWait would hold up all other threads meanwhile


class Listener(QObject):
    """Waits for what answers do, without waking up in between."""

    def __init__(self, controller: AppController) -> None:
        super().__init__()
        self._loop = QEventLoop()
        self._ends: list[AnswerEnded] = []
        self._problem: object = None
        self._is_late = False
        self._patience = QTimer(self)
        self._patience.setInterval(round(1000 * PATIENCE_S))
        self._patience.timeout.connect(self._give_up)
        controller.answers.ended.connect(self._ended)
        controller.answers.failed.connect(self._failed)
        controller.notifications.error_reported.connect(self._failed)
        self._desk = controller

    def end(self) -> AnswerEnded:
        """Of the first answer since that nobody has waited for."""
        while not self._ends:
            self._wait()
        return self._ends.pop(0)

    def failure(self) -> None:
        """An answer is to fail; what was written of it is kept."""
        while self._problem is None:
            self._run()
        self._problem = None
        self._ends.clear()

    def first_words(self) -> None:
        self._desk.answers.updated.connect(self._loop.quit)
        self._wait()
        self._desk.answers.updated.disconnect(self._loop.quit)

    def _wait(self) -> None:
        if self._problem is None:
            self._run()
        if self._problem is not None:
            raise RuntimeError(f"there is no answer: {self._problem}")

    def _run(self) -> None:
        self._patience.start()
        self._loop.exec()
        self._patience.stop()
        if self._is_late:
            raise TimeoutError("it takes too long")

    def _give_up(self) -> None:
        self._is_late = True
        self._loop.quit()

    def _ended(self, _: int, end: AnswerEnded) -> None:
        self._ends.append(end)
        self._loop.quit()

    def _failed(self, *what: object) -> None:
        self._problem = what
        self._loop.quit()
