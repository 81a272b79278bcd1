"""Shows the progress of a download as a thin bar with a line of stats below it."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from specchat.services.hub.download_jobs import JobState
from specchat.ui.widgets.theme import GRID, SMALL_PX, Theme, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_BAR = 6
_GAP = GRID * 3 // 2
_ALIGNED = Qt.AlignmentFlag.AlignVCenter
_LEFT, _RIGHT = _ALIGNED | Qt.AlignmentFlag.AlignLeft, _ALIGNED | Qt.AlignmentFlag.AlignRight


class DownloadProgressBar(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._part, self._state = 0.0, JobState.WAITING
        self.setFixedHeight(_BAR)

    def show_progress(self, part: float, state: JobState) -> None:
        """`part`: 0 to 1."""
        before = self._filled(), self._state
        self._part, self._state = min(max(part, 0.0), 1.0), state
        if before != (self._filled(), state):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        bar = QRectF(self.rect())
        frame = QPainterPath()
        frame.addRoundedRect(bar, _BAR / 2, _BAR / 2)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipPath(frame)
        painter.fillRect(bar, current_theme().line)
        if filled := self._filled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_colour(self._state, current_theme()))
            painter.drawRoundedRect(QRectF(0, 0, filled, _BAR), _BAR / 2, _BAR / 2)
        painter.end()

    def _filled(self) -> int:
        """Never so little that it cannot be seen."""
        return max(_BAR, round(self._part * self.width())) if self._part > 0 else 0


@dataclass(frozen=True, slots=True)
class DownloadStats:
    state: str
    amount: str
    speed: str = ""
    time: str = ""


class DownloadStatsLine(QWidget):
    """State, amount and speed from the left, each where it always is, and the time left on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._shown, self._widest = DownloadStats("", ""), DownloadStats("", "")
        self._state: JobState | None = None
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font = tabular_figures(body_font(SMALL_PX))
        self.updateGeometry()
        self.update()

    def show_stats(self, shown: DownloadStats, widest: DownloadStats, state: JobState | None) -> None:
        """`widest`: as long as they may become, which keeps each in its place; without a `state` all is calm."""
        if (shown, widest, state) != (self._shown, self._widest, self._state):
            self._shown, self._widest, self._state = shown, widest, state
            self.update()

    @property
    def words(self) -> str:
        shown = self._shown
        return ", ".join(filter(None, (shown.state, shown.amount, shown.speed, shown.time)))

    def sizeHint(self) -> QSize:
        return QSize(0, QFontMetrics(self._font).height())

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics, theme = QFontMetrics(self._font), current_theme()
        painter = QPainter(self)
        painter.setFont(self._font)
        left = 0
        for text, width, colour in self._columns(metrics):
            painter.setPen(colour)
            painter.drawText(QRect(left, 0, width, self.height()), _LEFT, text)
            left += width
        room = QRect(left, 0, self.width() - left, self.height())
        painter.setPen(theme.text_muted)
        painter.drawText(room, _RIGHT, metrics.elidedText(self._shown.time, Qt.TextElideMode.ElideRight, room.width()))
        painter.end()

    def _columns(self, metrics: QFontMetrics) -> list[tuple[str, int, QColor]]:
        """As many as there is room for beside the time: the bar shows as well that it goes on."""
        shown, widest, theme = self._shown, self._widest, current_theme()
        columns = [
            (text, metrics.horizontalAdvance(room) + _GAP, colour)
            for text, room, colour in (
                (shown.state, widest.state, _tone(self._state, theme)),
                (shown.amount, widest.amount, theme.text),
                (shown.speed, widest.speed, theme.text_muted),
            )
        ]
        room = self.width() - metrics.horizontalAdvance(widest.time)
        for least in (2, 0):
            if shown.time and sum(width for _, width, _ in columns) > room:
                del columns[least]
        return columns


def _colour(state: JobState, theme: Theme) -> QColor:
    match state:
        case JobState.RUNNING | JobState.INSTALLING:
            return theme.accent
        case JobState.DONE:
            return theme.accepted
        case JobState.FAILED:
            return theme.danger
    return theme.rejected


def _tone(state: JobState | None, theme: Theme) -> QColor:
    match state:
        case JobState.DONE | JobState.FAILED:
            return _colour(state, theme)
    return theme.text_muted
