"""Renders all charts of a report as one PNG image, with or without a window."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QImage, QImageWriter, QPainter

from specchat.domain.benchmark import BenchReport
from specchat.services.atomic_write import write_bytes
from specchat.ui.benchmark.chart_canvas import ChartCanvas
from specchat.ui.benchmark.charts import arrange_charts
from specchat.ui.benchmark.workload_labels import advice_lines
from specchat.ui.start.spare_fonts import add_spare_fonts
from specchat.ui.start.spare_libraries import spare_folder
from specchat.ui.widgets.theme import GRID, LIGHT, TITLE_PX, Theme, body_font
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_WIDTH, _MARGIN = 1000.0, 4.0 * GRID
_DENSITY = 2
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


def save_picture(report: BenchReport, file: Path) -> None:
    """Whole or not at all."""
    with _drawing_possible():
        content = _png(render_report(report, LIGHT))
        write_bytes(file, content)


def render_report(report: BenchReport, theme: Theme) -> QImage:
    inside = _WIDTH - 2 * _MARGIN
    with _painting(QImage(1, 1, QImage.Format.Format_RGB32)) as painter:
        head = _paint_head(ChartCanvas(painter, theme), QRectF(_MARGIN, _MARGIN, inside, 0), report)
        places = arrange_charts(theme, inside, report)
    height = head + max((place.bottom() for place in places.values()), default=0.0) + _MARGIN
    image = QImage(round(_WIDTH * _DENSITY), round(height * _DENSITY), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_DENSITY)
    image.fill(theme.window)
    with _painting(image) as painter:
        _paint_head(ChartCanvas(painter, theme), QRectF(_MARGIN, _MARGIN, inside, 0), report)
        for chart, place in places.items():
            chart.paint(painter, place.translated(_MARGIN, head), report, theme)
    return image


def _paint_head(canvas: ChartCanvas, at: QRectF, report: BenchReport) -> float:
    """Where the charts begin."""
    title = body_font(TITLE_PX)
    title.setWeight(QFont.Weight.DemiBold)
    first, *others = advice_lines(report) or [translate("Benchmark", "Benchmark")]
    y = at.top()
    for words, font in ((first, title), *((each, body_font()) for each in others), (_facts(report), canvas.font)):
        needed = QFontMetricsF(font).boundingRect(QRectF(0, 0, at.width(), 10_000), int(_WRAPPED), words).height()
        canvas.painter.setFont(font)
        canvas.painter.setPen(canvas.theme.text if font is title else canvas.theme.text_muted)
        canvas.painter.drawText(QRectF(at.left(), y, at.width(), needed), int(_WRAPPED), words)
        y += needed + GRID
    return y + 2 * GRID


def _answers(count: int) -> str:
    words = translate("Benchmark", "1 answer") if count == 1 else translate("Benchmark", "{n} answers")
    return words.format(n=format_number(count))


def _facts(report: BenchReport) -> str:
    plan = report.plan
    targets = ", ".join(dict.fromkeys(plan.display_name(method.target) for method in plan.methods))
    parts = (
        targets,
        _answers(len(report.runs)),
        translate("Benchmark", "up to {n} tokens each").format(n=format_number(plan.max_tokens)),
        translate("Benchmark", "temperature {n}").format(n=_brief(plan.sampling.temperature)),
        "" if report.complete else translate("Benchmark", "stopped early"),
    )
    return " · ".join(filter(None, parts))


def _brief(value: float) -> str:
    return format_number(value, 0 if value == round(value) else 2)


@contextmanager
def _drawing_possible() -> Iterator[None]:
    """Text needs an application, which needs no display."""
    if QGuiApplication.instance() is not None:
        yield
        return
    application = QGuiApplication(["specchat", "-platform", "offscreen"])
    add_spare_fonts(spare_folder())
    yield
    application.shutdown()


@contextmanager
def _painting(image: QImage) -> Iterator[QPainter]:
    painter = QPainter(image)
    try:
        yield painter
    finally:
        painter.end()


def _png(image: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())
