from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.throttle import Throttle


def test_the_first_at_once_then_only_the_latest(qtbot: QtBot) -> None:
    owner, shown = QObject(), list[int]()
    throttle = Throttle[int](1000, shown.append, owner)
    for value in range(5):
        throttle.submit(value)
    assert shown == [0]
    timer = owner.findChild(QTimer)
    assert timer is not None
    timer.setInterval(1)
    timer.start()
    qtbot.waitUntil(lambda: shown == [0, 4])
    qtbot.waitUntil(lambda: not timer.isActive())
    throttle.submit(5)
    assert shown == [0, 4, 5]


def test_what_must_be_seen_now_drops_what_waits() -> None:
    owner, shown = QObject(), list[int]()
    throttle = Throttle[int](1000, shown.append, owner)
    throttle.submit(1)
    throttle.submit(2)
    throttle.show_now(3)
    timer = owner.findChild(QTimer)
    assert timer is not None
    assert not timer.isActive()
    assert shown == [1, 3]


def test_showing_that_takes_long_makes_the_interval_longer() -> None:
    owner = QObject()

    def show(rounds: int) -> None:
        sum(range(rounds))

    throttle = Throttle[int](1, show, owner, share_of_core=0.001)
    throttle.submit(1_000_000)
    timer = owner.findChild(QTimer)
    assert timer is not None
    assert timer.interval() > 1
