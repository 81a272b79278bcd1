"""A bar that sets the number of parallel downloads and the speed limit."""

from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_number

_MOST_AT_ONCE = 4
_MEGA = 1_000_000
_LIMITS = tuple(each * _MEGA for each in (1, 5, 10, 50))


class DownloadLimitsBar(QWidget):
    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
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
        settings.changed.connect(self._show)
        self._show(settings.value)

    def _show(self, settings: ApplicationSettings) -> None:
        """Also a limit that is not on offer: someone has written it into the file."""
        at_once, limit = max(1, settings.downloads_at_once), max(0, settings.download_limit)
        counts, limits = sorted({*range(1, _MOST_AT_ONCE + 1), at_once}), sorted({*_LIMITS, limit} - {0})
        words, speed = self.tr("{n} at a time"), self.tr("Up to {n} MB/s")
        self._at_once.set_items([(words.format(n=format_number(count)), count) for count in counts], at_once)
        self._limit.set_items(
            [(self.tr("No speed limit"), 0), *((speed.format(n=_megabytes(each)), each) for each in limits)], limit
        )

    def _change(self) -> None:
        at_once, limit = self._at_once.currentData(), self._limit.currentData()
        self._settings.change(replace(self._settings.value, downloads_at_once=at_once, download_limit=limit))


def _megabytes(count: int) -> str:
    return format_number(count / _MEGA, 0 if count % _MEGA == 0 else 1)
