"""Paints a PairFit: the memory that a pair needs, one bar per device. PairFitModel has it from FitEstimator."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from specchat.domain.memory import CPU
from specchat.services.models.pair_fit import DeviceFit, Fit, PairFit
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID, SMALL_PX, Theme, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.number_format import format_size

translate = QCoreApplication.translate

_BAR = 10
_ICON = 2 * GRID
_GAP = 2.0
_SWATCH = GRID
_SWATCH_ROOM = _SWATCH + GRID // 2
_USUAL = 40 * GRID


@dataclass(frozen=True, slots=True)
class Segment:
    words: str
    size: int
    colour: QColor
    pattern: Qt.BrushStyle = Qt.BrushStyle.SolidPattern


class MemoryBar(QWidget):
    def __init__(self, parent: QWidget | None = None, *, whole: bool = False) -> None:
        """`whole`: all of each device, with what others use of it; otherwise what is free."""
        super().__init__(parent)
        self._whole = whole
        self._fit: PairFit | None = None
        self._note = ""
        follow_theme(self._apply_theme)
        self.setObjectName("fitBar")
        self.setAccessibleName(self.tr("Memory"))
        weights = self.tr(
            "Target and draft: the size of their weights. The files are slightly larger because they also "
            "hold the vocabulary."
        )
        self.setToolTip(tooltip_text(weights))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_note(self.tr("Estimating memory…"))

    def _apply_theme(self) -> None:
        self._font = tabular_figures(body_font(SMALL_PX))
        self.updateGeometry()
        self.update()

    def show_fit(self, fit: PairFit) -> None:
        self._fit, self._note = fit, ""
        self._describe(" ".join(self._accessible_text(device, fit) for device in fit.devices))

    def show_note(self, words: str) -> None:
        """In place of figures; the bars stay as high as they were."""
        self._note = words
        self._describe(words)

    def words(self) -> str:
        return self.accessibleDescription()

    def sizeHint(self) -> QSize:
        return QSize(_USUAL, self.heightForWidth(max(_USUAL, self.width())))

    def heightForWidth(self, width: int) -> int:
        line = QFontMetrics(self._font).height()
        n_devices = max(1, len(self._fit.devices)) if self._fit else 1
        n_lines = max(1, len(self._legend(self._fit, width))) if self._fit else 1
        below = sum(self._figures_height(device, width) for device in self._fit.devices) if self._fit else line
        below += n_devices * GRID // 2
        return n_devices * (line + GRID // 2 + _BAR + GRID) + (below if self._whole else 0) + n_lines * line

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _describe(self, words: str) -> None:
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        if self._note or self._fit is None:
            self._paint_note(painter)
            return
        top = 0
        for device in self._fit.devices:
            top = self._paint_device(painter, top, device, self._fit)
        self._paint_legend(painter, top, self._fit)

    def _paint_note(self, painter: QPainter) -> None:
        line = QFontMetrics(self._font).height()
        painter.setPen(current_theme().text_muted)
        words = QFontMetrics(self._font).elidedText(self._note, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(QRect(0, 0, self.width(), line), Qt.AlignmentFlag.AlignLeft, words)
        _paint_bar(painter, QRectF(0, line + GRID // 2, self.width(), _BAR), (), 1, current_theme())

    def _paint_device(self, painter: QPainter, top: int, device: DeviceFit, fit: PairFit) -> int:
        theme, metrics = current_theme(), QFontMetrics(self._font)
        line = QRect(0, top, self.width(), metrics.height())
        verdict = _verdict(device.verdict)
        painter.setPen(_colour(device.verdict, theme))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, verdict)
        icon = QRectF(line.right() - metrics.horizontalAdvance(verdict) - _ICON - 4, top + 1, _ICON, _ICON)
        draw_icon(painter, _icon(device.verdict), _colour(device.verdict, theme), icon)
        painter.setPen(theme.text)
        room = round(icon.left()) - GRID
        name = _device_name(device)
        words = name if self._whole else _needs(device, fit)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, self._shortened(words, name, room))
        bar = QRectF(0, line.bottom() + 1 + GRID // 2, self.width(), _BAR)
        others = _others(device, theme) if self._whole else None
        _paint_bar(painter, bar, _segments(device, theme), device.free, theme, others)
        if not self._whole:
            return round(bar.bottom()) + GRID
        line.moveTop(round(bar.bottom()) + GRID // 2)
        painter.setPen(theme.text_muted)
        line.setHeight(self._figures_height(device, self.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, _amounts(device))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, _margin(device))
        return line.bottom() + 1 + GRID

    def _figures_height(self, device: DeviceFit, width: int) -> int:
        """One line, or two where they would touch."""
        metrics = QFontMetrics(self._font)
        needed = metrics.horizontalAdvance(_amounts(device)) + 2 * GRID + metrics.horizontalAdvance(_margin(device))
        return metrics.height() * (1 if needed <= width else 2)

    def _accessible_text(self, device: DeviceFit, fit: PairFit) -> str:
        words = f"{_needs(device, fit)}: {_verdict(device.verdict)}."
        if not self._whole:
            return words
        others = translate("FitBar", "Other programs use {size}.").format(size=format_size(device.other))
        return f"{words} {_margin(device)}. {others}"

    def _shortened(self, needs: str, name: str, room: int) -> str:
        """What is cut is the name of the device, never its figures."""
        metrics = QFontMetrics(self._font)
        room_of_name = room - metrics.horizontalAdvance(needs) + metrics.horizontalAdvance(name)
        return needs.replace(name, metrics.elidedText(name, Qt.TextElideMode.ElideRight, room_of_name))

    def _paint_legend(self, painter: QPainter, top: int, fit: PairFit) -> None:
        metrics = QFontMetrics(self._font)
        for line in self._legend(fit, self.width()):
            for left, segment in line:
                swatch = QRectF(left, top + (metrics.height() - _SWATCH) / 2, _SWATCH, _SWATCH)
                painter.setPen(Qt.PenStyle.NoPen)
                for brush in (QBrush(current_theme().line), QBrush(segment.colour, segment.pattern)):
                    painter.setBrush(brush)
                    painter.drawRoundedRect(swatch, 2, 2)
                painter.setPen(current_theme().text_muted)
                painter.drawText(left + _SWATCH_ROOM, top + metrics.ascent(), segment.words)
            top += metrics.height()

    def _legend(self, fit: PairFit, width: int) -> list[list[tuple[int, Segment]]]:
        """In lines; where each part begins."""
        metrics, left = QFontMetrics(self._font), 0
        lines: list[list[tuple[int, Segment]]] = []
        for segment in _in_all(fit, current_theme(), whole=self._whole):
            needed = _SWATCH_ROOM + metrics.horizontalAdvance(segment.words)
            if not lines or left + needed > width:
                lines.append([])
                left = 0
            lines[-1].append((left, segment))
            left += needed + 2 * GRID
        return lines


def _paint_bar(
    painter: QPainter,
    bar: QRectF,
    segments: tuple[Segment, ...],
    free: int,
    theme: Theme,
    others: Segment | None = None,
) -> None:
    """As long as what is free, or as what is needed where that is more: then a line says where memory ends.

    What others use stands at the end.
    """
    needed, used = sum(segment.size for segment in segments), others.size if others else 0
    scale = bar.width() / max(1, used + max(free, needed))
    frame = QPainterPath()
    frame.addRoundedRect(bar, _BAR / 2, _BAR / 2)
    painter.save()
    painter.setClipPath(frame)
    painter.fillRect(bar, theme.line)
    left = bar.left()
    for segment in filter(_is_there, segments):
        width = segment.size * scale
        painter.fillRect(QRectF(left, bar.top(), max(1.0, width - _GAP), bar.height()), segment.colour)
        left += width
    if others is not None:
        place = QRectF(bar.right() - used * scale, bar.top(), used * scale, bar.height())
        painter.fillRect(place, QBrush(others.colour, others.pattern))
    painter.restore()
    if needed > free:
        end = QRectF(bar.left() + free * scale - 1, bar.top() - 3, 2, bar.height() + 6)
        painter.fillRect(end.adjusted(-2, 0, 2, 0), theme.surface)
        painter.fillRect(end, theme.danger)


def _segments(device: DeviceFit, theme: Theme) -> tuple[Segment, ...]:
    target, draft = device.target, device.draft
    return (
        Segment(translate("FitBar", "Target"), target.weights, theme.accent),
        Segment(translate("FitBar", "Draft"), draft.weights, theme.accepted),
        Segment(translate("FitBar", "KV caches"), target.kv + draft.kv, theme.ngram),
        Segment(
            translate("FitBar", "Compute buffers"),
            target.compute + target.output + draft.compute + draft.output,
            theme.text_muted,
        ),
    )


def _others(device: DeviceFit, theme: Theme) -> Segment:
    return Segment(translate("FitBar", "Other programs"), device.other, theme.rejected, Qt.BrushStyle.BDiagPattern)


def _in_all(fit: PairFit, theme: Theme, *, whole: bool) -> list[Segment]:
    """What the same colours add up to on all devices."""
    sums: dict[str, Segment] = {}
    ours = [segment for device in fit.devices for segment in _segments(device, theme)]
    for segment in [*ours, *(_others(device, theme) for device in fit.devices if whole)]:
        before = sums[segment.words].size if segment.words in sums else 0
        sums[segment.words] = replace(segment, size=before + segment.size)
    there = filter(_is_there, sums.values())
    return [replace(part, words=f"{part.words} {format_size(part.size)}") for part in there]


def _is_there(segment: Segment) -> bool:
    return segment.size > 0


def _device_name(device: DeviceFit) -> str:
    return translate("FitBar", "RAM") if device.name == CPU else device.name


def _needs(device: DeviceFit, fit: PairFit) -> str:
    if len(fit.devices) == 1:
        in_ram = translate("FitBar", "Needs {needed} of {free} free RAM")
        words = in_ram if device.name == CPU else translate("FitBar", "Needs {needed} of {free} free GPU memory")
    else:
        words = translate("FitBar", "{device}: needs {needed} of {free} free")
    return words.format(device=_device_name(device), needed=format_size(device.needed), free=format_size(device.free))


def _amounts(device: DeviceFit) -> str:
    words = translate("FitBar", "Needs {needed} of {free} free")
    return words.format(needed=format_size(device.needed), free=format_size(device.free))


def _margin(device: DeviceFit) -> str:
    left = device.free - device.needed
    words = translate("FitBar", "{size} left") if left >= 0 else translate("FitBar", "{size} over")
    return words.format(size=format_size(abs(left)))


def _verdict(fit: Fit) -> str:
    return {
        Fit.FITS: translate("FitBar", "Fits"),
        Fit.TIGHT: translate("FitBar", "Tight"),
        Fit.DOES_NOT_FIT: translate("FitBar", "Doesn't fit"),
    }[fit]


def _icon(fit: Fit) -> str:
    return "check" if fit is Fit.FITS else "warning"


def _colour(fit: Fit, theme: Theme) -> QColor:
    return {Fit.FITS: theme.accepted, Fit.TIGHT: theme.warning, Fit.DOES_NOT_FIT: theme.danger}[fit]
