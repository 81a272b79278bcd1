"""The page with the Hub search bar and its results."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.hub.hub_search import HubSearchResults
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.manager.cards import CardList
from specchat.ui.manager.hub_cards import HubModelCard, LocalMatchCard, card_heading
from specchat.ui.manager.hub_message import HubAction, HubMessage
from specchat.ui.manager.hub_search_bar import HubSearchBar
from specchat.ui.manager.local_models_text import LocalModelText
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_size


class HubSearchPage(QWidget):
    more_requested = Signal()
    repository_requested = Signal(str)
    target_requested = Signal(str)
    draft_requested = Signal(str)
    action_chosen = Signal(HubAction)
    """Out of a difficulty, where that is not done here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: HubSearchResults | None = None
        self._more: TextButton | None = None
        self.bar = HubSearchBar(self)
        self._status = ElidedLabel(self)
        self._message = HubMessage("hubMessage", self)
        self._list = CardList(self)
        self._arrange()
        self.bar.list_focus_requested.connect(self.focus_list)
        self._message.action_chosen.connect(self._take)
        self._list.activated.connect(self._open)

    @property
    def results(self) -> HubSearchResults | None:
        return self._found

    def show_searching(self) -> None:
        """What is shown stays meanwhile."""
        self._message.hide()
        self._status.setText(self.tr("Searching…"))

    def show_loading_more(self) -> None:
        self._message.hide()
        if self._more is not None:
            self._more.setText(self.tr("Reading on…"))

    def show_results(self, found: HubSearchResults) -> None:
        before = self._found.models if self._found is not None else ()
        goes_on = bool(before) and found.models[: len(before)] == before
        had_focus = self._more is not None and self._more is self.focusWidget()
        self._found = found
        self._status.setText(self._summary(found))
        self._message.hide()
        self._show_cards(found)
        if not goes_on:
            self._list.verticalScrollBar().setValue(0)
        elif had_focus and len(found.models) > len(before):
            self._list.cards[len(before)].setFocus(Qt.FocusReason.TabFocusReason)
        if found.offline is not None:
            self._tell_offline(found)
        elif not found.models:
            self._tell_nothing_found(found)

    def show_error(self, error: UserError) -> None:
        """What was found before stays, unless something else is wanted now."""
        if self._found is not None and self._found.wanted != self.bar.query:
            self._found, self._more = None, None
            self._list.show_cards(())
        self._status.setText(self._summary(self._found) if self._found is not None else "")
        if self._more is not None:
            self._more.setText(self.tr("Show more"))
        self._message.show_error(error)

    def focus_card(self, repo: str) -> None:
        card = next((card for card in self._list.cards if card.key == repo), None)
        if card is not None:
            card.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.bar.focus()

    def focus_list(self) -> None:
        if self._list.cards:
            self._list.cards[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _show_cards(self, found: HubSearchResults) -> None:
        widgets: list[QWidget] = [HubModelCard(each, found.free, self) for each in found.models]
        if found.here:
            widgets.append(card_heading(self.tr("On this computer"), self))
            widgets += [self._here_card(model) for model in found.here]
        self._more = TextButton(self.tr("Show more"), self) if found.models and found.following else None
        if self._more is not None:
            self._more.setObjectName("hubMoreButton")
            self._more.clicked.connect(self.more_requested)
            widgets.append(self._more)
        self._list.show_cards(widgets)
        for widget in widgets:
            widget.show()  # at once: the list stays where it was scrolled to

    def _tell_offline(self, found: HubSearchResults) -> None:
        assert found.offline is not None
        hint, ways = translate_text(found.offline.hint), (HubAction.AGAIN, HubAction.HERE)
        self._message.show_message(translate_text(found.offline.message), hint, ways, is_warning=True)

    def _tell_nothing_found(self, found: HubSearchResults) -> None:
        wanted = found.wanted
        if not found.looked_at:
            words = (
                self.tr("Hugging Face has no GGUF model called {text}.") if wanted.text else self.tr("Nothing found.")
            )
            self._message.show_message(words.format(text=wanted.text), self.tr("Try fewer words, or other ones."))
            return
        if found.looked_at == 1:
            words = self.tr("One model was found, and it does not pass the filters.")
        else:
            words = self.tr("{n} models were found, and none passes the filters.").format(n=found.looked_at)
        ways = (HubAction.FURTHER, HubAction.LARGER) if found.following else (HubAction.LARGER,)
        self._message.show_message(words, self._why_none(found), ways)

    def _why_none(self, found: HubSearchResults) -> str:
        if not found.wanted.only_fitting:
            return self.tr("What was found has more parameters, or nobody says how many.")
        if found.wanted.most_parameters is None:
            words = self.tr(
                "What was found does not fit into the {size} of memory that are free, or has no known size."
            )
        else:
            words = self.tr(
                "What was found has more parameters, does not fit into the {size} of memory that are free,"
                " or has no known size."
            )
        return words.format(size=format_size(found.free))

    def _summary(self, found: HubSearchResults) -> str:
        count, left_out = len(found.models), found.looked_at - len(found.models)
        if not count:
            return ""
        words = self.tr("1 model") if count == 1 else self.tr("{n} models")
        if left_out > 0:
            words = self.tr("{n} of {all} models; the others are too large or of unknown size")
        return words.format(n=count, all=found.looked_at)

    def _here_card(self, model: LocalModel) -> LocalMatchCard:
        card = LocalMatchCard(model, LocalModelText(self), self)
        card.target_requested.connect(self.target_requested)
        card.draft_requested.connect(self.draft_requested)
        return card

    def _open(self, key: object) -> None:
        if self._found is not None and any(each.model.repo == key for each in self._found.models):
            self.repository_requested.emit(key)

    def _take(self, way: HubAction) -> None:
        match way:
            case HubAction.LARGER:
                self.bar.clear_size_filters()
            case HubAction.FURTHER:
                self.more_requested.emit()
            case _:
                self.action_chosen.emit(way)

    def _arrange(self) -> None:
        self._list.setObjectName("hubResults")
        self._list.setAccessibleName(self.tr("Models on Hugging Face"))
        self._status.setObjectName("hubStatus")
        self._status.setProperty("muted", True)
        self._status.setMinimumHeight(self._status.fontMetrics().height())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for part in (self.bar, self._message, self._status):
            layout.addWidget(part)
        layout.addWidget(self._list, 1)
