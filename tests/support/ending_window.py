"""Starts the window as `python -m specchat` does, asks something, and ends it in the way that is asked for.

python ending_window.py WAY, with a pair that was used last.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from unittest.mock import patch

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QTextEdit

from specchat import bootstrap
from specchat.backends.binding import llama
from specchat.container import Container
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation import pair_loader
from specchat.store import conversation_trees
from specchat.store.database import Database
from specchat.store.paths import paths
from specchat.ui.app_controller import AppController
from specchat.ui.start import run
from specchat.ui.window.menu_actions import MenuActions

QUESTION = "Go on."
IMPORTED = "chats.json"
"""In the program's home."""
_DEEP = 1_000_000


def segfault(*_: object) -> None:
    ctypes.string_at(0)


def kill(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def overflow(*_: object) -> None:
    sys.setrecursionlimit(10 * _DEEP)
    nested: list[object] = []
    for _depth in range(_DEEP):
        nested = [nested]
    repr(nested)


def throw(*_: object) -> None:
    ctypes.CDLL("libstdc++.so.6")["_ZSt20__throw_out_of_rangePKc"](b"ErrorDeviceLost")


def give_up(*_: object) -> None:
    ctypes.pythonapi.Py_FatalError(b"nothing is left")


def some_are_kept() -> bool:
    with closing(Database(paths().data / "chats.db")) as database:
        return bool(database.rows("SELECT 1 FROM chunk LIMIT 1"))


def with_desk(prepare: Callable[[AppController], None]) -> AbstractContextManager[object]:
    def deeds(controller: AppController) -> None:
        MenuActions(controller)
        prepare(controller)

    return patch.object(run, "MenuActions", deeds)


def at_first_words(do: Callable[[], object]) -> int:
    """As soon as some are kept."""

    def ask(controller: AppController) -> None:
        controller.answers.updated.connect(lambda _: QTimer.singleShot(0, do) if some_are_kept() else None)
        controller.session.pair_loaded.connect(lambda _: controller.window.composer.sent.emit(QUESTION, ()))

    with with_desk(ask):
        return bootstrap.run([])


def in_this_process() -> AbstractContextManager[object]:
    """The models, so that the window goes down with them."""
    return patch.object(Container, "engine_process", lambda parts, **_: parts.engine())


def in_the_engine(do: Callable[..., object]) -> None:
    with in_this_process(), patch.object(InProcessEngine, "load", do):
        bootstrap.run([])


def with_a_bad_driver() -> None:
    with in_this_process(), patch.object(llama, "llama_backend_init", segfault):
        bootstrap.run([])


def while_computing() -> None:
    with in_this_process(), patch.object(llama, "llama_decode", segfault):
        at_first_words(close)


def without_a_first_load() -> None:
    """As if the model had been loaded before and had answered."""
    with in_this_process(), patch.object(pair_loader, "run_preflight", lambda *_: None):
        at_first_words(close)


def before_the_window() -> None:
    with patch.object(run, "make_application", segfault):
        bootstrap.run([])


def while_importing() -> None:
    """Amid the first chat."""

    def begin(controller: AppController) -> None:
        file = paths().data.parent / IMPORTED
        controller.session.pair_loaded.connect(lambda _: controller.chat_files.import_from(file))

    with with_desk(begin), patch.object(conversation_trees, "save_unsent_files", kill):
        bootstrap.run([])


def close() -> None:
    QApplication.closeAllWindows()


def hang_up(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGHUP)


def hang_up_and_close() -> None:
    hang_up()
    close()


def read_aloud() -> None:
    """What the window says at its start."""

    def read(controller: AppController) -> None:
        words = controller.window.findChild(QTextEdit, "problemMessage")
        assert words is not None
        print(words.toPlainText(), controller.pair.is_loading, sep="\n", flush=True)  # noqa: T201
        close()

    def wait(controller: AppController) -> None:
        controller.window.first_painted.connect(lambda: QTimer.singleShot(0, lambda: read(controller)))

    with with_desk(wait):
        sys.exit(bootstrap.run([]))


WAYS: Mapping[str, Callable[[], int | None]] = {
    "closed": lambda: at_first_words(close),
    "log-out": lambda: at_first_words(hang_up),
    "nohup": lambda: at_first_words(hang_up_and_close),
    "terminated": lambda: at_first_words(lambda: os.kill(os.getpid(), signal.SIGTERM)),
    "killed": lambda: at_first_words(kill),
    "crashed": lambda: at_first_words(segfault),
    "killed-importing": while_importing,
    "killed-loading": lambda: in_the_engine(kill),
    "overflow": lambda: in_the_engine(overflow),
    "exception": lambda: in_the_engine(throw),
    "python": lambda: in_the_engine(give_up),
    "driver": with_a_bad_driver,
    "computing": while_computing,
    "model": without_a_first_load,
    "start": before_the_window,
    "read": read_aloud,
}


def main(way: str) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(WAYS[way]())


if __name__ == "__main__":
    main(sys.argv[1])
