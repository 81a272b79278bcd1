"""A card that shows one download job with its buttons."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.services.hub.download_jobs import DownloadStatus, JobState
from specchat.ui.models import download_text as words
from specchat.ui.models.cards import Card
from specchat.ui.models.download_problem_card import DownloadProblemCard
from specchat.ui.models.download_progress import DownloadProgressBar, DownloadStatsLine
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.theme import GRID


class DownloadRow(Card):
    """One job, which is one model or a pair."""

    remove_requested = Signal()
    move_requested = Signal(int)
    """-1: up; 1: down."""

    def __init__(
        self,
        shown: DownloadStatus,
        pace: words.DownloadRateText,
        requests: ManagerRequests,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shown.job.number, words.job_title(shown.job), parent=parent)
        self.number = number = shown.job.number
        self._job, self._pace, self._requests = shown.job, pace, requests
        self.setAccessibleName(words.joined_model_names(shown.job))
        self._second = ElidedLabel(self)
        self._second.setProperty("muted", True)
        self._bar, self._figures = DownloadProgressBar(self), DownloadStatsLine(self)
        self.trouble = DownloadProblemCard(
            requests, lambda: requests.resume_requested.emit(number), self, is_in_row=True
        )
        self._up = self._button("chevron-up", self.tr("Move up"), "moveDownloadUp")
        self._down = self._button("chevron-down", self.tr("Move down"), "moveDownloadDown")
        self._pause = self._button("pause", self.tr("Pause"), "pauseDownload")
        self._cancel = self._button("close", self.tr("Cancel"), "cancelDownload")
        self._chat, self._clear = TextButton(self.tr("Chat"), self), TextButton(self.tr("Clear"), self)
        self._anew = TextButton(self.tr("Download again"), self)
        self._anew.setObjectName("downloadAnew")
        self._chat.setObjectName("chatWithDownload")
        self._clear.setObjectName("clearDownload")
        self._arrange()
        self._connect()
        self.show_job(shown)

    def show_job(self, shown: DownloadStatus) -> None:
        self._job = job = shown.job
        state = job.state
        is_done, is_busy = state is JobState.DONE, state is JobState.INSTALLING
        self._bar.setVisible(not is_done)
        self._bar.show_progress(shown.done / job.size if job.size else 0, state)
        self._second.setText(words.job_subtitle(shown))
        figures = words.download_stats(shown, self._pace)
        self._figures.show_stats(figures, words.widest_stats(shown), None if shown.gone else state)
        self._show_pause(paused=state is JobState.PAUSED)
        self._pause.setVisible(state is JobState.PAUSED or state.is_active)
        self._cancel.setVisible(not is_done)
        for button in (self._pause, self._cancel):
            button.setEnabled(not is_busy)
        self._chat.setVisible(is_done and not shown.gone)
        self._anew.setVisible(bool(shown.gone))
        self._clear.setVisible(is_done)
        self.trouble.show_problem(job.problem if state is JobState.FAILED else None)
        self._describe(
            ", ".join(filter(None, (figures.state, figures.amount, figures.time, words.status_reason(shown))))
        )

    def show_position(self, *, alone: bool, first: bool, last: bool) -> None:
        """Among those that are not done."""
        for button, is_end in ((self._up, first), (self._down, last)):
            button.setVisible(not alone)
            button.setEnabled(not is_end)

    def focus_part(self, part: str) -> None:
        """The row itself, where that part cannot have it."""
        wanted = self.findChild(QWidget, part) or self
        can = wanted.isEnabled() and wanted.isVisibleTo(self)
        (wanted if can else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _button(self, icon: str, tip: str, object_name: str) -> IconButton:
        button = IconButton(icon, tip, self)
        button.setObjectName(object_name)
        return button

    def _show_pause(self, *, paused: bool) -> None:
        tip = self.tr("Resume") if paused else self.tr("Pause")
        if tip != self._pause.accessibleName() or self._pause.icon().isNull():
            self._pause.set_label(tip)
            self._pause.set_icon("resume" if paused else "pause")

    def _describe(self, description: str) -> None:
        if description != self.accessibleDescription():
            self.setAccessibleDescription(description)

    def _connect(self) -> None:
        self._up.clicked.connect(lambda: self.move_requested.emit(-1))
        self._down.clicked.connect(lambda: self.move_requested.emit(1))
        self._pause.clicked.connect(self._pause_or_resume)
        self._cancel.clicked.connect(self.remove_requested)
        self._clear.clicked.connect(self.remove_requested)
        self._chat.clicked.connect(lambda: self._requests.chat_requested.emit(self._job))
        self._anew.clicked.connect(lambda: self._requests.redownload_requested.emit(self._job))

    def _pause_or_resume(self) -> None:
        requests, is_paused = self._requests, self._job.state is JobState.PAUSED
        (requests.resume_requested if is_paused else requests.pause_requested).emit(self.number)

    def _arrange(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.title)
        names.addWidget(self._second)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addLayout(names, 1)
        top.addSpacing(GRID)
        kept = self._pause.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._pause.setSizePolicy(kept)
        for narrow in (self._up, self._down):
            narrow.setFixedSize(3 * GRID, 4 * GRID)
        for button in (self._up, self._down, self._pause, self._cancel):
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        bottom = QHBoxLayout()
        bottom.setSpacing(GRID)
        bottom.addWidget(self._figures, 1)
        bottom.addWidget(self._chat)
        bottom.addWidget(self._anew)
        bottom.addWidget(self._clear)
        self.below.addLayout(top)
        self.below.addWidget(self._bar)
        self.below.addLayout(bottom)
        self.below.addWidget(self.trouble)
