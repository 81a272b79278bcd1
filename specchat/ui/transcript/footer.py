"""The last line of a message: the figures of an answer, and the switcher between its versions: "‹ 2/3 ›"."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from specchat.ui.transcript.entries import Entry
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.transcript.text_formats import TextFormats
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.icons import ICON_SIZE, draw_icon
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.words.number_format import SEPARATOR

_BUTTON = 4 * GRID
_LABEL = 5 * GRID
SWITCHER_WIDTH = 2 * _BUTTON + _LABEL


class VersionSwitcher(QWidget):
    """The switcher has one width, so that its buttons stay under the mouse."""

    switch_requested = Signal(int)
    """-1 or 1"""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(SWITCHER_WIDTH, _BUTTON)
        self._back = IconButton("chevron-left", self.tr("Previous version"), self)
        self._label = QLabel(self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setProperty("muted", True)
        self._label.setFont(tabular_figures(body_font(SMALL_PX)))
        self._label.setFixedWidth(_LABEL)
        self._on = IconButton("chevron-right", self.tr("Next version"), self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for part in (self._back, self._label, self._on):
            row.addWidget(part)
        self.buttons = (self._back, self._on)
        for button in self.buttons:
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._back.setObjectName("previousVersionButton")
        self._on.setObjectName("nextVersionButton")
        self._back.clicked.connect(self._turn_back)
        self._on.clicked.connect(self._turn_on)

    def show_entry(self, entry: Entry) -> None:
        self._label.setText(_count(entry))
        self._label.setAccessibleName(self.tr("Version {n} of {all}").format(n=entry.version, all=entry.versions))
        self._back.setEnabled(entry.version > 1)
        self._on.setEnabled(entry.version < entry.versions)

    def _turn_back(self) -> None:
        self.switch_requested.emit(-1)

    def _turn_on(self) -> None:
        self.switch_requested.emit(1)


def paint_footer(
    painter: QPainter, row: MessageRow, taken: int, formats: TextFormats, *, inset: int, switcher: bool
) -> None:
    """Paints the last line; `taken` is the width of the buttons, `inset` that of those at the left, and `switcher` asks
    for the versions.
    """
    foot = row.footer_rect
    if row.details and row.details.footer:
        painter.setFont(formats.small)
        painter.setPen(formats.theme.text_muted)
        painter.drawText(
            foot.adjusted(inset, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, fitted_footer(row, taken, formats)
        )
    if switcher and row.entry.versions > 1:
        _paint_version_switcher(painter, foot, row.entry, formats)


def footer_width(row: MessageRow, formats: TextFormats) -> int:
    """Returns the width that the figures need."""
    return QFontMetrics(formats.small).horizontalAdvance(row.details.footer) if row.details else 0


def fitted_footer(row: MessageRow, taken: int, formats: TextFormats) -> str:
    """Returns as much of the footer as fits beside the buttons, without its last parts if need be; nothing if only its
    first letters would fit.
    """
    words = row.details.footer if row.details else ""
    room, metrics = int(row.footer_rect.width()) - taken, QFontMetrics(formats.small)
    shorter = words
    while shorter:
        if room >= metrics.horizontalAdvance(shorter):
            return shorter
        shorter = shorter.rpartition(SEPARATOR)[0]
    first = words.partition(SEPARATOR)[0]
    return (
        metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        if 2 * room > metrics.horizontalAdvance(first)
        else ""
    )


def _paint_version_switcher(painter: QPainter, foot: QRectF, entry: Entry, formats: TextFormats) -> None:
    """Paints what the widget shows, for messages that have none at the moment."""
    area = QRectF(foot.right() - SWITCHER_WIDTH, foot.top(), SWITCHER_WIDTH, foot.height())
    painter.setFont(tabular_figures(body_font(SMALL_PX)))
    painter.setPen(formats.theme.text_muted)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _count(entry))
    inset = (_BUTTON - ICON_SIZE) / 2
    top = area.center().y() - ICON_SIZE / 2
    back, on = entry.version > 1, entry.version < entry.versions
    for name, left, usable in (("chevron-left", area.left(), back), ("chevron-right", area.right() - _BUTTON, on)):
        colour = formats.theme.text_muted if usable else formats.theme.line
        draw_icon(painter, name, colour, QRectF(left + inset, top, ICON_SIZE, ICON_SIZE))


def _count(entry: Entry) -> str:
    return f"{entry.version}/{entry.versions}"
