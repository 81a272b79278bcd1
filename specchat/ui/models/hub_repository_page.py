"""The page that shows the files of one Hub repository."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.domain.errors import HubAccessError, HubError, UserError
from specchat.domain.hub import Gating, HubModel, RemoteModel
from specchat.services.hub.hub_search import RepositoryDetails, RepositoryFile
from specchat.ui.models.cards import CardList, card_heading
from specchat.ui.models.hub_file_card import HubFileCard, SidecarCard, header_summary
from specchat.ui.models.hub_message import HubAction, HubMessage, recovery_actions
from specchat.ui.models.hub_model_card import model_facts
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.literal_text import literal_text
from specchat.ui.widgets.theme import GRID, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.words.free_memory import free_memory_text

if TYPE_CHECKING:  # it takes its time to import
    from specchat.gguf.summary import ModelSummary

_LONGEST_AUTHOR = 16 * GRID


class HubRepositoryPage(QWidget):
    closed = Signal()
    author_requested = Signal(str)

    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.repo = ""
        self._requests = requests
        self._model: HubModel | None = None
        remedies: dict[HubAction, Callable[[], None]] = {
            HubAction.PAGE: self._ask_for_page,
            HubAction.TOKEN: requests.token_requested.emit,
            HubAction.AGAIN: requests.hub_retry_requested.emit,
            HubAction.HERE: lambda: requests.pane_requested.emit(ManagerSection.LOCAL),
        }
        self._back = IconButton("chevron-left", self.tr("Back to results"), self)
        self._title = ElidedLabel(self)
        self._facts = muted_label("", self)
        self._page = TextButton(self.tr("Open model page"), self)
        self._author = TextButton("", self)
        self._gate = HubMessage("hubGate", remedies, self)
        self._message = HubMessage("hubRepositoryMessage", remedies, self)
        self._status = muted_label("", self)
        self._list = CardList(self)
        self._arrange()
        self._connect()
        follow_theme(self._apply_theme)

    def show_loading(self, repo: str, model: HubModel | None = None) -> None:
        """`model`: what the search told about it."""
        self.repo, self._model = repo, model
        author, _, name = repo.partition("/")
        self._title.setText(name)
        self._facts.setText(model_facts(model or HubModel(repo)))
        short = self._author.fontMetrics().elidedText(author, Qt.TextElideMode.ElideRight, _LONGEST_AUTHOR)
        self._author.setText(self.tr("More by {author}").format(author=literal_text(short)))
        self._gate.hide()
        self._message.hide()
        self._status.setText(self.tr("Loading details…"))
        self._list.show_cards(())

    def show_repository(self, repository: RepositoryDetails) -> None:
        listing = repository.listing
        model = self._model or HubModel(listing.repo, listing.gating, licence=listing.licence)
        self._facts.setText(model_facts(model))
        self._show_gate(listing.gating, repository.refused)
        self._message.hide()
        self._status.setText(self._about_sizes(repository))
        self._show_cards(repository)

    @property
    def models(self) -> list[RemoteModel]:
        return [card.model for card in self._files()]

    def show_downloaded(self, here: Collection[RemoteModel]) -> None:
        for card in self._files():
            card.show_downloaded(here=card.model in here)

    def show_header_loading(self, model: RemoteModel) -> None:
        self._message.hide()
        for card in self._files():
            if card.model == model:
                card.show_header_loading()
            else:
                card.reset_header_loading()

    def show_header(self, model: RemoteModel, summary: "ModelSummary") -> None:
        self._gate.hide()  # it is open
        for card in self._files():
            if card.model == model:
                card.show_details(header_summary(summary))

    def show_error(self, error: UserError) -> None:
        self._gate.hide()  # the error says more
        if not self._list.cards:
            self._status.setText("")
        for card in self._files():
            card.reset_header_loading()
        self._message.show_error(error)

    def focus(self) -> None:
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _apply_theme(self) -> None:
        self._title.setStyleSheet(f"font-size: {scaled_px(TITLE_PX)}px; font-weight: 600;")

    def _show_gate(self, gating: Gating, refused: HubError | None) -> None:
        if refused is None:
            self._gate.hide()
            return
        if isinstance(refused, HubAccessError) and HubAction.TOKEN not in recovery_actions(refused):
            self._gate.show_error(refused)  # it knows the account, and what is still to be done
            return
        message = self.tr("You need to accept the license first.")
        hint = self.tr("Accept it on the model page, then enter an access token from your account.")
        if gating is Gating.MANUAL:
            message = self.tr("Its authors review each access request.")
            hint = self.tr(
                "Request access on the model page. Once you're approved, enter an access token from your account."
            )
        self._gate.show_actions(message, hint, (HubAction.PAGE, HubAction.TOKEN))

    def _show_cards(self, repository: RepositoryDetails) -> None:
        free = free_memory_text(repository.devices)
        widgets: list[QWidget] = [self._file_card(file, free) for file in repository.files]
        if repository.heads:
            widgets.append(card_heading(self.tr("Draft heads for this model"), self))
            widgets += [self._file_card(file, free) for file in repository.heads]
        if repository.others:
            widgets.append(card_heading(self.tr("Other files"), self))
            widgets += [SidecarCard(model, self) for model in repository.others]
        self._list.show_cards(widgets)

    def _file_card(self, file: RepositoryFile, free: str) -> HubFileCard:
        return HubFileCard(file, free, self._requests, self)

    def _files(self) -> list[HubFileCard]:
        return [card for card in self._list.cards if isinstance(card, HubFileCard)]

    def _about_sizes(self, repository: RepositoryDetails) -> str:
        if not repository.files:
            return self.tr("This repository has no usable GGUF model.")
        words = self.tr("Rough estimate of what fits. Free: {memory}.")
        return words.format(memory=free_memory_text(repository.devices))

    def _connect(self) -> None:
        self._back.clicked.connect(self.closed)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self, self.closed.emit)
        self._page.clicked.connect(self._ask_for_page)
        self._author.clicked.connect(lambda: self.author_requested.emit(self.repo.partition("/")[0]))

    def _ask_for_page(self) -> None:
        self._requests.repository_page_requested.emit(self.repo)

    def _arrange(self) -> None:
        self._back.setObjectName("hubBackButton")
        self._title.setObjectName("hubTitle")
        self._page.setObjectName("hubPageButton")
        self._author.setObjectName("hubAuthorButton")
        self._status.setObjectName("hubRepositoryStatus")
        self._list.setObjectName("hubFiles")
        self._list.setAccessibleName(self.tr("Files for this model"))
        self._author.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        top = QHBoxLayout()
        top.setSpacing(GRID // 2)
        top.addWidget(self._back)
        top.addWidget(self._title, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._page)
        buttons.addWidget(self._author)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self._facts)
        layout.addLayout(buttons)
        for part in (self._gate, self._message, self._status):
            layout.addWidget(part)
        layout.addWidget(self._list, 1)
