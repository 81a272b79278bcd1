"""Shows the progress of a running benchmark, with a button to cancel it."""

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from specchat.domain.benchmark import BenchPlan, BenchProgress
from specchat.ui.benchmark.durations import format_duration
from specchat.ui.benchmark.method_labels import MethodLabels
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID, tabular_figures
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.words.number_format import format_number

_BAR = 6


class ProgressStrip(QWidget):
    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: MethodLabels | None = None
        self._count = QLabel(self)
        self._left = muted_label("", self)
        self._bar = _Bar(self)
        self._now = ElidedLabel(self)
        self._now.setProperty("muted", True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self.setFocusProxy(self._cancel)
        self._arrange()
        self._cancel.clicked.connect(self._cancel_it)

    def begin(self, plan: BenchPlan) -> None:
        self._names = MethodLabels(plan)
        self._cancel.setEnabled(True)
        self._cancel.setText(self.tr("Cancel"))
        self._count.setText(self.tr("Waiting for the models"))
        self._left.clear()
        self._now.setText(self.tr("The current answer will finish first."))
        self._bar.show_share(0.0)

    def show_progress(self, progress: BenchProgress) -> None:
        assert self._names is not None
        at = min(progress.done + 1, progress.total)
        words = self.tr("Answer {n} of {total}").format(n=format_number(at), total=format_number(progress.total))
        self._count.setText(words)
        left = progress.seconds_left
        self._left.setText("" if left is None else self.tr("{time} left").format(time=format_duration(left)))
        if progress.method is None:
            self._now.setText(self.tr("Loading the models…"))
        else:
            self._now.setText(self.tr("Now: {way}").format(way=self._names.method_label(progress.method)))
        share = progress.done / progress.total if progress.total else 0.0
        self._bar.show_share(share)
        self._bar.setAccessibleDescription(words)

    def _cancel_it(self) -> None:
        self._cancel.setEnabled(False)
        self._cancel.setText(self.tr("Stopping…"))
        self.cancel_requested.emit()

    def _arrange(self) -> None:
        self.setObjectName("benchProgress")
        self._count.setObjectName("benchCount")
        self._cancel.setObjectName("benchCancel")
        self._cancel.setToolTip(self.tr("The results so far are kept."))
        self._bar.setAccessibleName(self.tr("Progress"))
        self._left.setWordWrap(False)
        font = tabular_figures(self._count.font())
        font.setBold(True)
        self._count.setFont(font)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, GRID)
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._count, 0, 0)
        grid.addWidget(self._left, 0, 1)
        grid.addWidget(self._bar, 1, 0, 1, 2)
        grid.addWidget(self._now, 2, 0, 1, 2)
        grid.addWidget(self._cancel, 0, 2, 3, 1)


class _Bar(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setFixedHeight(_BAR)

    def show_share(self, share: float) -> None:
        self._share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen("transparent")
        whole = QRectF(self.rect())
        for width, colour in (
            (whole.width(), current_theme().line),
            (whole.width() * self._share, current_theme().accent),
        ):
            if width:
                painter.setBrush(colour)
                painter.drawRoundedRect(QRectF(0, 0, max(width, _BAR), _BAR), _BAR / 2, _BAR / 2)
        painter.end()
