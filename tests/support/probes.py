"""What a window costs while it is shown."""

import time
from collections import Counter

import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer

MIB = 2**20


def run_event_loop(seconds: float) -> None:
    """Without waking up in between."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop, loop.quit)
    loop.exec()


def rss_mib() -> float:
    return float(psutil.Process().memory_info().rss) / MIB


def cpu_s() -> float:
    """Of all threads."""
    used = psutil.Process().cpu_times()
    return float(used.user + used.system)


class LoopProbe(QObject):
    """How late the event loop calls a timer that is due every millisecond."""

    def __init__(self) -> None:
        super().__init__()
        self.late_ms: list[float] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(1)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._note)
        self._due = 0.0
        self._again()

    def take(self) -> list[float]:
        """Those since the last call, in order of size."""
        taken, self.late_ms = self.late_ms, []
        return sorted(taken)

    def stop(self) -> None:
        self._timer.stop()

    def _note(self) -> None:
        self.late_ms.append(1000 * max(0.0, time.perf_counter() - self._due))
        self._again()

    def _again(self) -> None:
        self._due = time.perf_counter() + 0.001
        self._timer.start()


class TimerCount(QObject):
    """Who gets timer events, while it is there."""

    def __init__(self) -> None:
        super().__init__()
        self.by_receiver: Counter[str] = Counter()
        application = QCoreApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Timer:
            parent = watched.parent()
            owner = f" of {parent.objectName() or parent.metaObject().className()}" if parent else ""
            self.by_receiver[watched.metaObject().className() + owner] += 1
        return False


class PaintEnd(QObject):
    """Tells when the first painting of a widget is over, as far as the event loop is concerned."""

    def __init__(self, widget: QObject) -> None:
        super().__init__()
        self.at: float | None = None
        self._seen = False
        self._loop = QEventLoop()
        widget.installEventFilter(self)

    def wait(self) -> float:
        if self.at is None:
            self._loop.exec()
        assert self.at is not None
        return self.at

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._seen:
            self._seen = True
            QTimer.singleShot(0, self, self._note)
        return False

    def _note(self) -> None:
        self.at = time.perf_counter()
        self._loop.quit()
