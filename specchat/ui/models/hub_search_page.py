"""The page that searches the Hub: the box, its filters and the results."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.domain.hub import HubModel, HubQuery, HubSortOrder
from specchat.services.hub.hub_search import HubSearchResults
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.models.cards import CardList, card_heading
from specchat.ui.models.hub_message import HubAction, HubMessage
from specchat.ui.models.hub_model_card import HubModelCard
from specchat.ui.models.local_models_text import LocalModelText
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.models.wide_card import PairMemberCard
from specchat.ui.pair.choice_rows import model_disambiguations
from specchat.ui.sidebar.search_box import FilterBox
from specchat.ui.widgets.controls import ElidedLabel, TextButton
from specchat.ui.widgets.form_fields import CheckBox, ChoiceBox, describe_field
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.free_memory import free_memory_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_parameters

translate = QCoreApplication.translate

_PAUSE_MS = 400
_SIZES = (2, 4, 9, 15, 35, 75)
"""Billions of parameters, as names give them."""
_LOOSELY = 1.1
"""Tolerance for rounded names: an 8B model may have 8.2 billion parameters."""

_SHORTEST = 3
"""Characters of a filter where there is no room for more."""
_WIDEST = 24 * GRID


class HubSearchBox(FilterBox):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hubSearchBox")
        self.setAccessibleName(self.tr("Search Hugging Face"))
        self.setPlaceholderText(self.tr("Model, author/, or the URL of a model page"))
        self._pause.setInterval(_PAUSE_MS)
        self.returnPressed.connect(self._search)


class HubSearchBar(QWidget):
    """Asks for a search after a pause in typing, or at once."""

    def __init__(self, requests: ManagerRequests, parent: QWidget) -> None:
        super().__init__(parent)
        self._requests = requests
        self.box = HubSearchBox(self)
        self._sorting, self._size = ChoiceBox(self), ChoiceBox(self)
        self._fitting = CheckBox(self.tr("Only models that fit"), self)
        self._fitting.setChecked(True)
        self._fill()
        self._arrange()
        self.box.search_changed.connect(self.search)
        for choice in (self._sorting, self._size):
            choice.currentIndexChanged.connect(self.search)
        self._fitting.toggled.connect(self.search)

    @property
    def query(self) -> HubQuery:
        return HubQuery(
            self.box.query,
            sorting=self._sorting.currentData(),
            most_parameters=self._size.currentData(),
            only_fitting=self._fitting.isChecked(),
        )

    def search(self) -> None:
        self._requests.search_requested.emit(self.query)

    def search_for(self, text: str) -> None:
        self.box.setText(text)
        self.box.returnPressed.emit()

    def clear_size_filters(self) -> None:
        """Whether it fits or not."""
        for part in (self._size, self._fitting):
            part.blockSignals(True)
        self._size.setCurrentIndex(0)
        self._fitting.setChecked(False)
        for part in (self._size, self._fitting):
            part.blockSignals(False)
        self._fitting.update()
        self.search()

    def _fill(self) -> None:
        self._sorting.set_items([(_sorting_label(each), each) for each in _SORTINGS], HubSortOrder.TRENDING)
        up_to = self.tr("Up to {size}")
        sizes = [
            (up_to.format(size=format_parameters(each * 10**9)), round(each * 10**9 * _LOOSELY)) for each in _SIZES
        ]
        self._size.set_items([(self.tr("Any size"), None), *sizes], None)
        for choice in (self._sorting, self._size):
            choice.setMinimumContentsLength(_SHORTEST)
            widest = max(choice.fontMetrics().horizontalAdvance(choice.itemText(i)) for i in range(choice.count()))
            choice.view().setMinimumWidth(widest + 4 * GRID)
        why = self.tr("Estimated from the file size and the free memory.")
        describe_field(self._sorting, "hubSorting", self.tr("Sort by"))
        describe_field(self._size, "hubSize", self.tr("Parameters"))
        describe_field(self._fitting, "hubFitting", self._fitting.text(), why)

    def _arrange(self) -> None:
        filters = QHBoxLayout()
        filters.setSpacing(GRID)
        for choice in (self._sorting, self._size):
            choice.setMaximumWidth(_WIDEST)
            filters.addWidget(choice, 1)
        filters.addWidget(self._fitting)
        filters.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.box)
        layout.addLayout(filters)


class HubSearchPage(QWidget):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._found: HubSearchResults | None = None
        self._more: TextButton | None = None
        self.bar = HubSearchBar(requests, self)
        self._status = ElidedLabel(self)
        remedies: dict[HubAction, Callable[[], None]] = {
            HubAction.LARGER: self.bar.clear_size_filters,
            HubAction.FURTHER: self._request_more,
            HubAction.TOKEN: requests.token_requested.emit,
            HubAction.AGAIN: requests.hub_retry_requested.emit,
            HubAction.HERE: lambda: requests.pane_requested.emit(ManagerSection.LOCAL),
        }
        self._message = HubMessage("hubMessage", remedies, self)
        self._list = CardList(self)
        self._arrange()
        self.bar.box.list_focus_requested.connect(self.focus_list)

    def found_model(self, repo: str) -> HubModel | None:
        """The repository among the results, if it is there."""
        models = (each.model for each in self._found.models) if self._found else ()
        return next((model for model in models if model.repo == repo), None)

    def show_searching(self) -> None:
        """What is shown stays meanwhile."""
        self._hide_message()
        self._status.setText(self.tr("Searching…"))

    def show_loading_more(self) -> None:
        self._hide_message()
        if self._more is not None:
            self._more.setText(self.tr("Loading more…"))

    def show_results(self, found: HubSearchResults) -> None:
        before = self._found.models if self._found is not None else ()
        goes_on = bool(before) and found.models[: len(before)] == before
        had_focus = self._more is not None and self._more is self.focusWidget()
        self._found = found
        self._status.setText(self._summary(found))
        self._hide_message()
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
            self.bar.box.focus_and_select()

    def focus_list(self) -> None:
        if self._list.cards:
            self._list.cards[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _hide_message(self) -> None:
        focused = self.window().focusWidget()
        if focused is not None and self._message.isAncestorOf(focused):
            self.bar.box.setFocus(Qt.FocusReason.OtherFocusReason)  # Qt would choose a part far from here
        self._message.hide()

    def _show_cards(self, found: HubSearchResults) -> None:
        free = free_memory_text(found.devices)
        widgets: list[QWidget] = [HubModelCard(each, free, self._requests, self) for each in found.models]
        if found.here:
            widgets.append(card_heading(self.tr("On this computer"), self))
            widgets += self._cards_of(found.here)
        self._more = TextButton(self.tr("Show more"), self) if found.models and found.following else None
        if self._more is not None:
            self._more.setObjectName("hubMoreButton")
            self._more.clicked.connect(self._request_more)
            widgets.append(self._more)
        self._list.show_cards(widgets)
        for widget in widgets:
            widget.show()  # at once: the list stays where it was scrolled to

    def _cards_of(self, models: Sequence[LocalModel]) -> list[QWidget]:
        places = model_disambiguations(models)
        words = LocalModelText(self)
        return [LocalMatchCard(each, places.get(each.path, ""), words, self._requests, self) for each in models]

    def _request_more(self) -> None:
        if self._found is not None:
            self._requests.more_results_requested.emit(self._found)

    def _tell_offline(self, found: HubSearchResults) -> None:
        assert found.offline is not None
        hint, actions = translate_text(found.offline.hint), (HubAction.AGAIN, HubAction.HERE)
        self._message.show_actions(translate_text(found.offline.message), hint, actions, is_warning=True)

    def _tell_nothing_found(self, found: HubSearchResults) -> None:
        wanted = found.wanted
        if not found.looked_at:
            words = (
                self.tr("No GGUF models on Hugging Face match {text}.") if wanted.text else self.tr("Nothing found.")
            )
            self._message.show_actions(words.format(text=wanted.text), self.tr("Try fewer or different words."))
            return
        if found.looked_at == 1:
            words = self.tr("The filters hide the one model that was found.")
        else:
            words = self.tr("The filters hide all {n} models that were found.").format(n=found.looked_at)
        actions = (HubAction.FURTHER, HubAction.LARGER) if found.following else (HubAction.LARGER,)
        self._message.show_actions(words, self._why_none(found), actions)

    def _why_none(self, found: HubSearchResults) -> str:
        if not found.wanted.only_fitting:
            return self.tr("Too many parameters, or the number of parameters is unknown.")
        if found.wanted.most_parameters is None:
            words = self.tr("Too large for the free memory ({memory}), or of unknown size.")
        else:
            words = self.tr("Too many parameters, too large for the free memory ({memory}), or of unknown size.")
        return words.format(memory=free_memory_text(found.devices))

    def _summary(self, found: HubSearchResults) -> str:
        count, left_out = len(found.models), found.looked_at - len(found.models)
        if not count:
            return ""
        words = self.tr("1 model") if count == 1 else self.tr("{n} models")
        if left_out > 0:
            words = self.tr("{n} of {all} models. The rest are too large or of unknown size.")
        return words.format(n=count, all=found.looked_at)

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


class LocalMatchCard(PairMemberCard):
    """A model on this computer, shown in place of results."""

    def __init__(
        self, model: LocalModel, place: str, words: LocalModelText, requests: ManagerRequests, parent: QWidget
    ) -> None:
        line = " · ".join(filter(None, (place, model.quantization, words.facts(model))))
        super().__init__(str(model.path), model.name, line, words.details(model), parent)
        self.add_use_buttons(requests, str(model.path), model.name)


def _sorting_label(sorting: HubSortOrder) -> str:
    match sorting:
        case HubSortOrder.TRENDING:
            return translate("Hub", "Trending")
        case HubSortOrder.DOWNLOADS:
            return translate("Hub", "Most downloads")
        case HubSortOrder.LIKES:
            return translate("Hub", "Most likes")
        case HubSortOrder.UPDATED:
            return translate("Hub", "Recently updated")


_SORTINGS = (HubSortOrder.TRENDING, HubSortOrder.DOWNLOADS, HubSortOrder.LIKES, HubSortOrder.UPDATED)
