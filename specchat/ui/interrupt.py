"""Ctrl+C in the terminal closes the window: Qt's loop would not let Python notice."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier


@contextmanager
def interrupts_heard(on_interrupt: Callable[[], None]) -> Iterator[None]:
    hearing, telling = socket.socketpair()
    telling.setblocking(False)
    notifier = QSocketNotifier(hearing.fileno(), QSocketNotifier.Type.Read)

    def hear() -> None:
        hearing.recv(1)
        on_interrupt()

    notifier.activated.connect(hear)
    wakeup = signal.set_wakeup_fd(telling.fileno())
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.set_wakeup_fd(wakeup)
        notifier.setEnabled(False)
        hearing.close()
        telling.close()
