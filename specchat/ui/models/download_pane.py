"""The pane that lists running, waiting, failed and finished downloads."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QStackedLayout, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.hub.download_jobs import DownloadProblem, DownloadStatus, JobState
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.models.cards import CardList
from specchat.ui.models.download_problem_card import DownloadProblemCard
from specchat.ui.models.download_row import DownloadRow
from specchat.ui.models.download_text import DownloadRateText
from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.models.removal_questions import CancelDownloadDialog
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.joined_names import join_names
from specchat.ui.words.number_format import format_number

_MOST_AT_ONCE = 4
_MEGA = 1_000_000
_LIMITS = tuple(each * _MEGA for each in (1, 5, 10, 50))


class DownloadPane(ManagerPane):
    def __init__(self, settings: SettingsModel, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.requests = requests
        self._rows: dict[int, DownloadRow] = {}
        self._paces: dict[int, DownloadRateText] = {}
        self._jobs: Sequence[DownloadStatus] = ()
        self._pace = DownloadLimitsBar(settings, self)
        self._trouble = DownloadProblemCard(requests, requests.downloads_retry_requested.emit, self, is_in_row=False)
        self._asking = ElidedLabel(self)
        self._list = CardList(self)
        self._find = TextButton(self.tr("Find models on Hugging Face"), self, primary=True)
        self._pages = QStackedLayout()
        self._arrange()
        self._trouble.dismissed.connect(requests.download_problem_dismissed)
        self._find.clicked.connect(lambda: requests.pane_requested.emit(ManagerSection.HUB))
        self.show_lookups(())
        self.show_jobs(())

    def show_jobs(self, jobs: Sequence[DownloadStatus]) -> None:
        self._jobs = jobs
        if [shown.job.number for shown in jobs] == list(self._rows):
            self._fill_rows()
        else:
            number, part = self._focused()
            self._make_rows()
            self._fill_rows()
            if number in self._rows:
                self._rows[number].focus_part(part)
        self._pages.setCurrentIndex(1 if jobs else 0)

    def show_lookups(self, names: Sequence[str]) -> None:
        """What is looked up on the Hub before it can be downloaded."""
        self._asking.setText(self.tr("Looking up {names} on Hugging Face…").format(names=join_names(names)))
        self._asking.setVisible(bool(names))

    def show_problem(self, error: UserError | None) -> None:
        """One that belongs to no job. None: it is over."""
        self._trouble.show_problem(DownloadProblem.from_error(error) if error else None)
        if error:
            self._trouble.announce(at_once=True)

    def _make_rows(self) -> None:
        numbers = [shown.job.number for shown in self._jobs]
        self._paces = {number: self._paces.get(number, DownloadRateText()) for number in numbers}
        self._rows = {shown.job.number: self._row(shown) for shown in self._jobs}
        self._list.show_cards(list(self._rows.values()))

    def _fill_rows(self) -> None:
        movable = self._movable()
        for shown in self._jobs:
            number = shown.job.number
            row = self._rows[number]
            row.show_job(shown)
            row.show_position(
                alone=len(movable) < 2 or number not in movable,
                first=number in movable[:1],
                last=number in movable[-1:],
            )

    def _focused(self) -> tuple[int, str]:
        """The row, and the button in it."""
        focus = QApplication.focusWidget()
        if focus is not None:
            for number, row in self._rows.items():
                if row is focus or row.isAncestorOf(focus):
                    return number, focus.objectName()
        return -1, ""

    def _row(self, shown: DownloadStatus) -> DownloadRow:
        number = shown.job.number
        row = DownloadRow(shown, self._paces[number], self.requests, self)
        row.remove_requested.connect(partial(self._remove, number))
        row.move_requested.connect(partial(self._move, number))
        return row

    def _shown(self, number: int) -> DownloadStatus:
        return next(shown for shown in self._jobs if shown.job.number == number)

    def _movable(self) -> list[int]:
        return [shown.job.number for shown in self._jobs if shown.job.state is not JobState.DONE]

    def _move(self, number: int, step: int) -> None:
        """Past its neighbour, and past what is done between them."""
        movable = self._movable()
        at = movable.index(number) + step
        if 0 <= at < len(movable):
            self.requests.move_requested.emit(number, list(self._rows).index(movable[at]))

    def _remove(self, number: int) -> None:
        """Only what would be lost is asked for."""
        shown = self._shown(number)
        if shown.job.state is JobState.DONE or not shown.done:
            self.requests.download_removal_requested.emit(number, False)
            return
        question = CancelDownloadDialog(shown, self)
        question.cancel_confirmed.connect(partial(self.requests.download_removal_requested.emit, number))
        question.finished.connect(question.deleteLater)
        question.open()

    def _arrange(self) -> None:
        self.setObjectName("downloadPane")
        self.setAccessibleName(self.tr("Downloads"))
        self._list.setObjectName("downloadList")
        self._list.setAccessibleName(self.tr("Downloads"))
        self._asking.setObjectName("downloadAsking")
        self._asking.setProperty("muted", True)
        self._find.setObjectName("findModelsToDownload")
        self._pages.addWidget(self._nothing())
        self._pages.addWidget(self._list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._pace)
        layout.addWidget(self._trouble)
        layout.addWidget(self._asking)
        layout.addLayout(self._pages, 1)

    def _nothing(self) -> QWidget:
        page = QWidget(self)
        words = QLabel(self.tr("No downloads"), page)
        words.setObjectName("noDownloads")
        hint = muted_label(self.tr("Find models on Hugging Face, or pick a pair that fits this computer."), page)
        layout = QVBoxLayout(page)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        for label in (words, hint):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(self._find, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        return page


class DownloadLimitsBar(QWidget):
    """Sets the number of downloads at once and the speed limit."""

    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._at_once, self._limit = ChoiceBox(self), ChoiceBox(self)
        describe_field(self._at_once, "downloadsAtOnce", self.tr("Simultaneous downloads"))
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
        at_once, limit = settings.downloads_at_once, settings.download_limit
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
