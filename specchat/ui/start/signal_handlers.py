"""Closes the window on Ctrl+C in the terminal and at the end of the session."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier

_ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]


@contextmanager
def interrupts_handled(on_interrupt: Callable[[int], None]) -> Iterator[None]:
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    notifier = QSocketNotifier(receiver.fileno(), QSocketNotifier.Type.Read)

    def hear() -> None:
        on_interrupt(receiver.recv(1)[0])

    notifier.activated.connect(hear)
    wakeup = signal.set_wakeup_fd(sender.fileno())
    before = {end: signal.getsignal(end) for end in _ENDS if signal.getsignal(end) is not signal.SIG_IGN}
    for end in before:
        signal.signal(end, lambda *_: None)
    try:
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)
        signal.set_wakeup_fd(wakeup)
        notifier.setEnabled(False)
        receiver.close()
        sender.close()
