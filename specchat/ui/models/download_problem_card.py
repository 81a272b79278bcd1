"""Shows a download problem with buttons for the possible remedies."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from specchat.services.hub.download_jobs import DownloadProblem
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.message_card import MessageCard
from specchat.ui.words.message_translation import translate_text


class DownloadProblemCard(MessageCard):
    """In the row of a download, or by itself for a problem that belongs to none."""

    def __init__(
        self, requests: ManagerRequests, retry: Callable[[], None], parent: QWidget, *, is_in_row: bool
    ) -> None:
        super().__init__("downloadTrouble", parent, can_close=not is_in_row, has_frame=not is_in_row)
        self._requests = requests
        self._address = ""
        self._problem: DownloadProblem | None = None
        self._message.setObjectName("downloadProblem")
        self._hint.setObjectName("downloadHint")
        self._close.setObjectName("closeDownloadTrouble")
        self.add_button("tryDownloadAgain", self.tr("Try again"), retry)
        self._licence = self.add_button("openLicence", self.tr("Open license page"), self._ask_for_page)
        self._token = self.add_button("enterToken", self.tr("Add access token…"), requests.token_requested.emit)

    def show_problem(self, problem: DownloadProblem | None) -> None:
        """None: it is over."""
        if problem is None:
            self.hide()
        elif problem != self._problem:
            self._fill(problem)
        self._problem = problem

    def _fill(self, problem: DownloadProblem) -> None:
        self._address = problem.hint.values.get("page", "") if problem.is_about_access else ""
        self._licence.setVisible(bool(self._address))
        self._token.setVisible("{tokens}" in problem.hint.template)
        self.show_message(translate_text(problem.message), translate_text(problem.hint))

    def _ask_for_page(self) -> None:
        self._requests.web_page_requested.emit(self._address)
