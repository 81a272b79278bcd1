"""The downloads: what goes on, what waits, what failed, what is done."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QLabel, QStackedLayout, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.hub.download_jobs import JobState, Problem, ShownJob
from specchat.ui.manager.cards import CardList
from specchat.ui.manager.download_pace import PaceBar
from specchat.ui.manager.download_question import CancelQuestion
from specchat.ui.manager.download_row import DownloadRow
from specchat.ui.manager.download_trouble import TroubleCard
from specchat.ui.manager.download_words import Pace, listed
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.fields import muted
from specchat.ui.widgets.theme import GRID, Theme


class DownloadPane(QWidget):
    pauseWanted = Signal(int)
    """A job's number, here and below."""
    resumeWanted = Signal(int)
    removeWanted = Signal(int, bool)
    """True: what has arrived is kept."""
    moveWanted = Signal(int, int)
    """To this place among all jobs."""
    chatWanted = Signal(object)
    """The Job."""
    anewWanted = Signal(object)
    """To be downloaded once more: a Job that is done, and whose files are not all here any more."""
    paceWanted = Signal(int, int)
    """How many at once; bytes per second, 0: no limit."""
    againWanted = Signal()
    """What `show_problem` told of."""
    dismissed = Signal()
    """Of that."""
    tokenWanted = Signal()
    pageWanted = Signal(str)
    """Its address."""
    hubWanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[int, DownloadRow] = {}
        self._paces: dict[int, Pace] = {}
        self._jobs: Sequence[ShownJob] = ()
        self._pace = PaceBar(theme, self)
        self._trouble = TroubleCard(theme, self)
        self._asking = ElidedLabel(self)
        self._list = CardList(theme, self)
        self._find = TextButton(self.tr("Find models on Hugging Face"), self, primary=True)
        self._pages = QStackedLayout()
        self._arrange()
        self._pace.changed.connect(self.paceWanted)
        self._trouble.againWanted.connect(self.againWanted)
        self._trouble.dismissed.connect(self.dismissed)
        self._trouble.tokenWanted.connect(self.tokenWanted)
        self._trouble.pageWanted.connect(self.pageWanted)
        self._find.clicked.connect(self.hubWanted)
        self.show_asking(())
        self.show_jobs(())

    def show_jobs(self, jobs: Sequence[ShownJob]) -> None:
        self._jobs = jobs
        if [shown.job.number for shown in jobs] == list(self._rows):
            self._fill_rows()
        else:
            number, part = self._focused()
            self._make_rows()
            self._fill_rows()
            if number in self._rows:
                self._rows[number].give_focus(part)
        self._pages.setCurrentIndex(1 if jobs else 0)

    def show_asking(self, names: Sequence[str]) -> None:
        """What is looked up on the Hub before it can be downloaded."""
        self._asking.setText(self.tr("Asking the Hub for {names}…").format(names=listed(names)))
        self._asking.setVisible(bool(names))

    def show_problem(self, error: UserError | None) -> None:
        """One that belongs to no job. None: it is over."""
        self._trouble.show_problem(Problem.of(error) if error else None)
        if error:
            event = QAccessibleAnnouncementEvent(self._trouble, self._trouble.accessibleName())
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
            QAccessible.updateAccessibility(event)

    def show_pace(self, at_once: int, limit: int) -> None:
        """`limit`: bytes per second; 0: none."""
        self._pace.show_pace(at_once, limit)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._pace.set_theme(theme)
        self._trouble.set_theme(theme)
        for row in self._rows.values():
            row.set_theme(theme)

    def _make_rows(self) -> None:
        numbers = [shown.job.number for shown in self._jobs]
        self._paces = {number: self._paces.get(number, Pace()) for number in numbers}
        self._rows = {shown.job.number: self._row(shown) for shown in self._jobs}
        self._list.show_cards(list(self._rows.values()))

    def _fill_rows(self) -> None:
        movable = self._movable()
        for shown in self._jobs:
            number = shown.job.number
            row = self._rows[number]
            row.show_job(shown)
            row.show_place(
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

    def _row(self, shown: ShownJob) -> DownloadRow:
        number = shown.job.number
        row = DownloadRow(shown, self._paces[number], self._theme, self)
        row.pauseWanted.connect(partial(self.pauseWanted.emit, number))
        row.resumeWanted.connect(partial(self.resumeWanted.emit, number))
        row.removeWanted.connect(partial(self._remove, number))
        row.moved.connect(partial(self._move, number))
        row.chatWanted.connect(lambda: self.chatWanted.emit(self._shown(number).job))
        row.anewWanted.connect(lambda: self.anewWanted.emit(self._shown(number).job))
        row.trouble.tokenWanted.connect(self.tokenWanted)
        row.trouble.pageWanted.connect(self.pageWanted)
        return row

    def _shown(self, number: int) -> ShownJob:
        return next(shown for shown in self._jobs if shown.job.number == number)

    def _movable(self) -> list[int]:
        return [shown.job.number for shown in self._jobs if shown.job.state is not JobState.DONE]

    def _move(self, number: int, step: int) -> None:
        """Past its neighbour, and past what is done between them."""
        movable = self._movable()
        at = movable.index(number) + step
        if 0 <= at < len(movable):
            self.moveWanted.emit(number, list(self._rows).index(movable[at]))

    def _remove(self, number: int) -> None:
        """Only what would be lost is asked for."""
        shown = self._shown(number)
        if shown.job.state is JobState.DONE or not shown.done:
            self.removeWanted.emit(number, False)
            return
        question = CancelQuestion(shown, self)
        question.agreed.connect(partial(self.removeWanted.emit, number))
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
        words = QLabel(self.tr("Nothing is being downloaded"), page)
        words.setObjectName("noDownloads")
        hint = muted(self.tr("Find models on Hugging Face, or choose a pair that fits this computer."), page)
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
