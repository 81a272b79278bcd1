"""Shows a download problem with buttons for the possible remedies."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.services.hub.download_jobs import DownloadProblem
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.words.message_translation import translate_text


class DownloadProblemBox(QWidget):
    """Hidden until there is something."""

    def __init__(self, requests: ManagerRequests, retry: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = ""
        self._problem: DownloadProblem | None = None
        self._message = SelectableText("downloadProblem", self)
        self._hint = SelectableText("downloadHint", self)
        self._again = TextButton(self.tr("Try again"), self)
        self._licence = TextButton(self.tr("Open the licence's page"), self)
        self._token = TextButton(self.tr("Enter a token"), self)
        self._again.setObjectName("tryDownloadAgain")
        self._licence.setObjectName("openLicence")
        self._token.setObjectName("enterToken")
        self._again.clicked.connect(lambda: retry())
        self._token.clicked.connect(requests.token_requested)
        self._licence.clicked.connect(lambda: requests.web_page_requested.emit(self._page))
        self._arrange()
        follow_theme(self._apply_theme)
        self.hide()

    def show_problem(self, problem: DownloadProblem | None) -> None:
        if problem is not None and problem != self._problem:
            self._fill(problem)
        self._problem = problem
        self.setVisible(problem is not None)

    @property
    def words(self) -> str:
        return f"{self._message.toPlainText()} {self._hint.toPlainText()}"

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(
            f"QTextEdit {{ background: transparent; border: none; color: {theme.text_muted.name()};"
            f" font-size: {scaled_px(SMALL_PX)}px; }}"
            f"#downloadProblem {{ color: {theme.text.name()}; }}"
        )

    def _fill(self, problem: DownloadProblem) -> None:
        self._message.setPlainText(translate_text(problem.message))
        self._hint.setPlainText(translate_text(problem.hint))
        self._page = problem.hint.values.get("page", "") if problem.is_about_access else ""
        self._licence.setVisible(bool(self._page))
        self._token.setVisible("{tokens}" in problem.hint.template)

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.setContentsMargins(0, GRID // 2, 0, 0)
        for button in (self._again, self._licence, self._token):
            buttons.addWidget(button)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID // 2, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._message)
        layout.addWidget(self._hint)
        layout.addLayout(buttons)


class DownloadProblemCard(QFrame):
    """Hidden until there is a problem that belongs to no row."""

    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self.setObjectName("downloadTrouble")
        self.setProperty("card", True)
        self._mark = QLabel(self)
        self._inside = DownloadProblemBox(requests, requests.downloads_retry_requested.emit, self)
        self._close = IconButton("close", self.tr("Close"), self)
        self._close.setObjectName("closeDownloadTrouble")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, 3 * GRID // 2)
        layout.setSpacing(3 * GRID // 2)
        for part, stretch in ((self._mark, 0), (self._inside, 1), (self._close, 0)):
            layout.addWidget(part, stretch, Qt.AlignmentFlag.AlignTop)
        self._close.clicked.connect(self._dismiss)
        follow_theme(self._apply_theme)
        self.hide()

    def show_problem(self, problem: DownloadProblem | None) -> None:
        self._inside.show_problem(problem)
        self.setAccessibleName(self._inside.words if problem else "")
        self.setVisible(problem is not None)

    def _apply_theme(self) -> None:
        theme = current_theme()
        mark = icon("warning", theme.warning, theme.line)
        self._mark.setPixmap(mark.pixmap(QSize(ICON_SIZE, ICON_SIZE), self.devicePixelRatioF()))
        self.setStyleSheet("#downloadProblem { font-weight: 600; }")

    def _dismiss(self) -> None:
        self.hide()
        self._requests.download_problem_dismissed.emit()
