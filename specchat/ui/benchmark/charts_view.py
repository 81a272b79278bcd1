"""The widget that shows the charts of a report."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from specchat.domain.benchmark import BenchReport
from specchat.ui.benchmark.charts import CHARTS, Chart, arrange_charts
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_NARROWEST = 70 * GRID


class ChartsView(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: BenchReport | None = None
        self._charts = {chart: _ChartView(chart, self) for chart in CHARTS}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(_NARROWEST)
        follow_theme(self._apply_theme)

    def show_report(self, report: BenchReport) -> None:
        self._report = report
        for view in self._charts.values():
            view.show_report(report)
        self._place()
        self.updateGeometry()

    def _apply_theme(self) -> None:
        self._place()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(_NARROWEST, self.heightForWidth(max(_NARROWEST, self.width())))

    def heightForWidth(self, width: int) -> int:
        return round(max((place.bottom() for place in self._places(width).values()), default=0.0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        places = self._places(self.width())
        for chart, view in self._charts.items():
            view.setVisible(chart in places)
            if chart in places:
                view.setGeometry(places[chart].toAlignedRect())

    def _places(self, width: int) -> dict[Chart, QRectF]:
        return arrange_charts(current_theme(), width, self._report) if self._report is not None else {}


class _ChartView(QWidget):
    def __init__(self, chart: Chart, parent: QWidget) -> None:
        super().__init__(parent)
        self._chart = chart
        self._report: BenchReport | None = None
        self.setObjectName(chart.name)
        self.setAccessibleName(chart.title())
        self.setAccessibleDescription(self.tr("Chart of the results in the table below."))

    def show_report(self, report: BenchReport) -> None:
        self._report = report
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._report is not None and self._chart.shows(self._report):
            painter = QPainter(self)
            self._chart.paint(painter, QRectF(self.rect()), self._report, current_theme())
            painter.end()
