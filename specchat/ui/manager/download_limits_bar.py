"""A bar that sets the number of parallel downloads and the speed limit."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.widgets.form_fields import ChoiceBox, describe_field
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_number

_MOST_AT_ONCE = 4
_MEGA = 1_000_000
_LIMITS = tuple(each * _MEGA for each in (1, 5, 10, 50))


class DownloadLimitsBar(QWidget):
    changed = Signal(int, int)
    """How many at once; bytes per second, 0: no limit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at_once, self._limit = ChoiceBox(self), ChoiceBox(self)
        describe_field(self._at_once, "downloadsAtOnce", self.tr("Downloads at a time"))
        describe_field(self._limit, "downloadLimit", self.tr("Speed limit"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for box in (self._at_once, self._limit):
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
            box.activated.connect(self._change)
            layout.addWidget(box)
        layout.addStretch()
        self.show_limits(2, 0)

    def show_limits(self, at_once: int, limit: int) -> None:
        """Also one that is not on offer: someone has written it into the file."""
        counts, limits = sorted({*range(1, _MOST_AT_ONCE + 1), at_once}), sorted({*_LIMITS, limit} - {0})
        words, speed = self.tr("{n} at a time"), self.tr("Up to {n} MB/s")
        self._at_once.set_items([(words.format(n=format_number(count)), count) for count in counts], at_once)
        self._limit.set_items(
            [(self.tr("No speed limit"), 0), *((speed.format(n=_megabytes(each)), each) for each in limits)], limit
        )

    def _change(self) -> None:
        self.changed.emit(self._at_once.currentData(), self._limit.currentData())


def _megabytes(count: int) -> str:
    return format_number(count / _MEGA, 0 if count % _MEGA == 0 else 1)
