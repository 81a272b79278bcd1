"""A card for one local model, with buttons and a menu of actions."""

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from specchat.domain.drafter_types import DRAFTER_TYPES
from specchat.services.models.pair_fit import LocalModel, Origin
from specchat.ui.models.cards import Badge
from specchat.ui.models.local_models_text import LocalModelText
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.removal_questions import delete_question, remove_question
from specchat.ui.models.wide_card import PairMemberCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.message_translation import translate_text


class ModelCardAction(StrEnum):
    CHECK = "check"
    SHOW = "show"
    COPY = "copy"
    REMOVE = "remove"


class LocalModelCard(PairMemberCard):
    def __init__(
        self,
        model: LocalModel,
        words: LocalModelText,
        requests: ManagerRequests,
        pane: QWidget,
        *,
        is_loaded: bool = False,
    ) -> None:
        facts, problems = words.facts(model), words.problems(model)
        super().__init__(model.path, model.name, facts, words.details(model), pane)
        self.model, self._requests, self._pane, self._is_loaded = model, requests, pane, is_loaded
        self._removal = words.remove_label(model)
        self._place = _Place(words.source(model), model, self)
        self.below.insertWidget(1, self._place)
        loaded = Badge(self.tr("Loaded"), "good", self)
        if is_loaded:
            self.add_badge(loaded)
        else:
            self.keep_room_for(loaded)
        if model.quantization:
            badge = Badge(model.quantization, parent=self)
            badge.setToolTip(words.quantisation(model))
            self.add_badge(badge)
        if model.mmproj is not None and model.senses.sees:
            self._add_sense(self.tr("Vision"), self.tr("Sees pictures, with {name}.").format(name=model.mmproj.name))
        if model.mmproj is not None and model.senses.hears:
            self._add_sense(self.tr("Audio"), self.tr("Hears recordings, with {name}.").format(name=model.mmproj.name))
        if problems:
            self.facts.addWidget(_problem(problems, self))
            self.setAccessibleDescription(", ".join(filter(None, (facts, problems))))
        if model.head in DRAFTER_TYPES:
            self.add_badge(Badge(translate_text(DRAFTER_TYPES[model.head].label), parent=self))
        self._add_buttons(usable=not problems)
        if not model.reference:
            self.activated.connect(self._name_path_once)

    def _add_sense(self, words: str, why: str) -> None:
        badge = Badge(words, parent=self)
        badge.setToolTip(tooltip_text(why))
        badge.setAccessibleDescription(why)
        self.add_badge(badge)

    def build_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for wish, words in (
            (ModelCardAction.CHECK, self.tr("Verify file")),
            (ModelCardAction.SHOW, self.tr("Show in folder")),
            (ModelCardAction.COPY, self.tr("Copy reference")),
            (ModelCardAction.REMOVE, self._removal),
        ):
            if not words:
                continue
            if wish is ModelCardAction.REMOVE:
                menu.addSeparator()
            action = menu.addAction(words)
            action.setObjectName(wish)
            action.setEnabled(not (self.model.missing and wish in (ModelCardAction.CHECK, ModelCardAction.SHOW)))
            action.triggered.connect(lambda _=False, wish=wish: self._act(wish))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.build_menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self._removal:
            self._act(ModelCardAction.REMOVE)
        else:
            super().keyPressEvent(event)

    def _name_path_once(self) -> None:
        """The details begin with it."""
        self._place.setVisible(not self.shows_details)

    def _add_buttons(self, *, usable: bool) -> None:
        if usable:
            self.add_use_buttons(self._requests, str(self.model.path), self.model.name, answers=self.model.can_answer)
        more = IconButton("more", self.tr("More actions for {name}").format(name=self.model.name), self)
        more.setObjectName("modelMenuButton")
        more.clicked.connect(lambda: self.build_menu().popup(more.mapToGlobal(QPoint(0, more.height()))))
        self.add_button(more)

    def _stop_running(self) -> None:
        self._requests.stop_check_requested.emit(self.model)

    def _act(self, wish: ModelCardAction) -> None:
        match wish:
            case ModelCardAction.CHECK:
                self._requests.check_requested.emit(self.model)
            case ModelCardAction.SHOW:
                self._requests.show_in_folder_requested.emit(self.model)
            case ModelCardAction.COPY:
                self._requests.copy_reference_requested.emit(self.model)
            case ModelCardAction.REMOVE:
                self._ask_to_remove()

    def _ask_to_remove(self) -> None:
        """The question belongs to the pane: the list may replace this card meanwhile."""
        remove = partial(self._requests.model_removal_requested.emit, self.model)
        if self.model.ours or self.model.early_exit_of is not None:
            question = delete_question(self.model, self._pane, is_loaded=self._is_loaded)
        elif self.model.origin is Origin.ADDED:
            stays = "" if self.model.missing else self.tr("The file stays on your disk.")
            question = remove_question(self.model.name, stays, self._pane)
        else:
            remove()
            return
        question.confirmed.connect(remove)
        question.open()


class _Place(ElidedLabel):
    """Of a path both ends tell the most."""

    def __init__(self, words: str, model: LocalModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("muted", True)
        self.setText(words)
        self.setToolTip(tooltip_text(str(model.path)))

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()


def _problem(words: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("danger", True)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
