import weakref
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.ui.threads.task_queue import TaskQueue

TASKS, AT_ONCE = 10_000, 10
"""Some end before who started them goes on."""


class Model:
    """What a task holds."""


def holding(model: Model) -> Callable[[], int]:
    return lambda: id(model)


def test_what_is_done_holds_nothing(qtbot: QtBot, qapp: object, tmp_path: Path) -> None:
    tasks = TaskQueue(tmp_path)
    held: list[weakref.ref[Model]] = []
    done: list[int] = []
    failed: list[UserError] = []
    for number in range(TASKS):
        model = Model()
        held.append(weakref.ref(model))
        tasks.run(holding(model), done.append, failed.append)
        if number % AT_ONCE == 0:
            tasks._pool.waitForDone()
    del model
    qtbot.waitUntil(lambda: len(done) == TASKS)
    tasks.close()
    assert [each for each in held if each() is not None] == []
    assert not failed
