"""The popup that selects a target and a draft and the settings they are loaded with."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMargins, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from specchat.domain.model_ref import ModelRef, ServedModel
from specchat.domain.rpc import RPC
from specchat.domain.types import Device, PairChoice
from specchat.services.models.pair_fit import DraftOption, Fit, LocalModel, PairFit
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.engines.engine_notes import EngineNotes
from specchat.ui.engines.engine_text import picker_rows
from specchat.ui.pair.add_model_dialog import AddModelDialog
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import ChoiceRowBuilder, DraftKey, draft_rows, target_rows, with_chosen_draft
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.pair_options import PairOptions
from specchat.ui.pair.picker_buttons import PickerButtons
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.rounded_popup import POPUP_MARGIN, RoundedPopup
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.window_geometry import update_size_hints
from specchat.ui.words.message_translation import translate_text

WIDTH = 76 * GRID
_PADDING = 2 * GRID
_BORDER = 1
"""The width of the card's border."""


class PairPicker(RoundedPopup):
    load_requested = Signal(object)
    """A PairChoice to load."""
    target_picked = Signal(object)
    """A ModelRef: now its drafts and the settings used last are wanted, see `show_choice`; not for a ServedModel."""
    draft_picked = Signal(object)
    """A PairChoice: now the settings used last with that pair are wanted, see `show_settings`."""
    choice_changed = Signal(object)
    """A PairChoice being thought about: now its figures are wanted, see `show_fit`."""
    add_file_requested = Signal(object)
    remove_file_requested = Signal(object)
    manager_requested = Signal()
    benchmark_requested = Signal(object)
    """A PairChoice: is it worth it?"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._models: Sequence[LocalModel] = ()
        self._engines: tuple[EngineEntry, ...] = ()
        self._choice: PairChoice | None = None
        self._loaded: PairChoice | None = None
        self._unpaired: PairChoice | None = None
        """How this target is loaded with a draft that it was never used with."""
        self._devices: Sequence[Device] = ()
        self._best: LocalModel | None = None
        """The draft that "auto" would take."""
        self._gone_model: ModelRef | None = None
        self._button: QWidget | None = None
        """Below which it is open."""
        self._waiting = self._does_not_fit = self._is_undecided = False
        self._n_answers = 0
        """That are being written."""
        self._words = ChoiceRowBuilder(self)
        self._card = QFrame(self)
        self._gone = muted_label("", self)
        self._targets_heading = heading_label(self.tr("Target"), self)
        self._targets = ChoiceList("targetList", self.tr("Target"), self)
        self._drafts = ChoiceList("draftList", self.tr("Draft"), self)
        self._options = PairOptions(self)
        self._fit = MemoryBar(self)
        self._buttons = PickerButtons(self)
        self._empty = muted_label(
            self.tr(
                "No models yet. Find a pair that fits this computer, or add GGUF files: a model that answers, "
                "and a smaller one of the same family that makes it faster."
            ),
            self,
        )
        self._below_targets = QWidget(self)
        self._engine_notes = EngineNotes(self)
        self._middle = QWidget(self)
        self._view = ContentScrollArea(self._middle, QMargins(_PADDING, 0, _PADDING, 0), self)
        self._arrange()
        self._connect()
        self.show_models(())
        follow_theme(self._keep_width, call_now=False)

    @property
    def has_pending_choice(self) -> bool:
        """Something was picked, but neither loaded nor given up by Escape: a click beside this one may be a slip."""
        return self._is_undecided and self._choice is not None

    @property
    def target(self) -> ModelRef | None:
        return self._choice.target if self._choice is not None else None

    @property
    def _is_loaded(self) -> bool:
        return self._choice is not None and self._choice == self._loaded

    def clear_pending_choice(self) -> None:
        """Forgets that something was picked but not loaded."""
        self._is_undecided = False

    def show_devices(self, devices: Sequence[Device]) -> None:
        self._devices = devices
        self._show_options()

    def show_machines(self, addresses: Sequence[str]) -> None:
        """Those that are saved."""
        self._options.show_machines(addresses)

    def show_models(self, models: Sequence[LocalModel]) -> None:
        self._models = models
        self._show_targets()

    def show_engines(self, engines: tuple[EngineEntry, ...]) -> None:
        """Other engines, and what is known of their models."""
        self._engines = engines
        self._show_targets()
        if isinstance(self.target, ServedModel):
            self._show_engine_notes(self.target)

    def show_served(self, choice: PairChoice) -> None:
        """A model of another engine, which has no settings here."""
        self._waiting = self._does_not_fit = False
        self._targets.show_rows(self._targets.rows, choice.target)
        self._choice = choice
        assert isinstance(choice.target, ServedModel)
        self._show_engine_notes(choice.target)
        self._show_state()

    def _show_targets(self) -> None:
        rows = (*target_rows(self._models, self._words), *picker_rows(self._engines))
        chosen = self._choice.target if self._choice else None
        if chosen is not None and all(row.key != chosen for row in rows):
            self._choice = chosen = None
            self._waiting = False
        self._targets.show_rows(rows, chosen)
        self._show_state()

    def _show_engine_notes(self, target: ServedModel) -> None:
        reports = (entry.report for entry in self._engines if entry.report is not None)
        self._engine_notes.show_report(next((report for report in reports if report.url == target.url), None))

    def show_loaded(self, choice: PairChoice | None) -> None:
        self._loaded = choice
        self._show_whether_it_loads()

    def show_answering(self, n_answers: int) -> None:
        """`n_answers`: how many are being written, or wait for their turn."""
        self._n_answers = n_answers
        self._show_whether_it_loads()

    def show_missing_model(self, model: ModelRef | None) -> None:
        """One of what is loaded whose file is not there any more."""
        self._gone_model = model
        words = self.tr("{name} no longer exists. It stays loaded until you load another pair.")
        self._gone.setText("" if model is None else words.format(name=model))
        self._gone.setVisible(model is not None)
        self._show_whether_it_loads()
        if self.isVisible():
            self._take_room()

    def show_choice(self, choice: PairChoice, drafts: Sequence[DraftOption]) -> None:
        self._unpaired, self._waiting = choice, False
        self._best = next((option.model for option in drafts if option.draft_type == "auto"), None)
        self._targets.show_rows(self._targets.rows, choice.target)
        offered = with_chosen_draft(drafts, self._model(choice.draft))
        self._drafts.show_rows(draft_rows(offered, self._words), _key(choice))
        self.show_settings(choice)
        self._show_state()

    def focus_context(self) -> None:
        self._options.focus_context()

    def show_settings(self, choice: PairChoice) -> None:
        self._choice = choice
        self._show_options()
        self._think_about(choice)

    def show_fit(self, choice: PairChoice, fit: PairFit) -> None:
        """Left out where `choice` is no longer what is thought about."""
        if choice == self._choice:
            self._fit.show_fit(fit)
            self._show_devices_elsewhere(fit)
            self._does_not_fit = fit.verdict is Fit.DOES_NOT_FIT
            self._show_whether_it_loads()

    def _show_devices_elsewhere(self, fit: PairFit) -> None:
        """They are known once they were asked, and go with their machines."""
        here = [device for device in self._devices if not device.name.startswith(RPC)]
        elsewhere = [
            Device(each.name, "", "gpu", each.total, each.free) for each in fit.devices if each.name.startswith(RPC)
        ]
        if [each.name for each in (*here, *elsewhere)] != [device.name for device in self._devices]:
            self.show_devices([*here, *elsewhere])

    def show_fit_note(self, words: str) -> None:
        """Why there are no figures."""
        self._fit.show_note(words)

    def open_file_dialog(self) -> None:
        """The popup goes meanwhile: it would lie over the dialog, or be closed by it."""
        dialog = AddModelDialog(self.parentWidget() or QApplication.activeWindow())
        dialog.fileSelected.connect(self._add_file)
        if self.isVisible():
            dialog.finished.connect(self.show)
            self.hide()
        dialog.open()

    def open_below(self, button: QWidget) -> None:
        self._button = button
        self._take_room()
        self.show()

    def _take_room(self) -> None:
        """Short lists where long ones leave no room for what is below them."""
        for few in (False, True):
            for choices in (self._targets, self._drafts):
                choices.set_compact(few=few)
            update_size_hints(self)
            if self._card.sizeHint().height() <= self._room:
                break
        self.resize(self.sizeHint())
        if self._button is not None:
            self.place_below(self._button)

    def sizeHint(self) -> QSize:
        return QSize(scaled_px(WIDTH), min(self._card.sizeHint().height(), self._room))

    @property
    def _room(self) -> int:
        return self.screen().availableGeometry().height() - 2 * POPUP_MARGIN

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        (self._targets if self._targets.rows else self._buttons).setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear_pending_choice()
            self.close()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self._enter():
            super().keyPressEvent(event)

    def _enter(self) -> bool:
        """False where it does nothing."""
        if self._is_loaded:
            self.clear_pending_choice()
            return self.close()
        return self._buttons.trigger_load()

    def _pick_target(self, target: ModelRef) -> None:
        self._is_undecided = True
        self._choice, self._waiting = PairChoice(target), True
        if isinstance(target, ServedModel):
            self.show_served(self._choice)
        else:
            self._fit.show_note(self.tr("Looking for drafts…"))
            self._show_state()
        self.target_picked.emit(target)

    def _pick_draft(self, key: DraftKey) -> None:
        if self._unpaired is not None:
            self._is_undecided = True
            self._choice = replace(self._unpaired, draft=key.draft, draft_type=key.draft_type)
            self.draft_picked.emit(self._choice)

    def _options_changed(self) -> None:
        if self._choice is not None:
            self._is_undecided = True
            self._unpaired = self._options.applied_to(self._choice)
            self._think_about(self._unpaired)

    def _think_about(self, choice: PairChoice) -> None:
        self._choice = choice
        self._show_whether_it_loads()
        self.choice_changed.emit(choice)

    def _load_it(self) -> None:
        choice = self._choice
        if choice is not None:
            self.clear_pending_choice()
            self.close()
            self.load_requested.emit(choice)

    def _measure_it(self) -> None:
        choice = self._choice
        if choice is not None:
            self.close()
            self.benchmark_requested.emit(choice)

    def _go_to_manager(self) -> None:
        self.close()
        self.manager_requested.emit()

    def _show_whether_it_loads(self) -> None:
        ready = self._choice is not None and not self._waiting
        fits = not self._does_not_fit
        self._buttons.update_load_button(
            ready=ready, fits=fits, trouble=self._trouble(), is_loaded=self._is_loaded, n_stopped=self._n_answers
        )
        self._buttons.set_can_measure(not isinstance(self.target, ServedModel))

    def _trouble(self) -> str:
        """Why what is chosen cannot be loaded: it may be loaded now, from files that are gone."""
        chosen = (self._choice.target, self._choice.draft) if self._choice is not None else ()
        for model in filter(None, map(self._model, chosen)):
            if model.problems:
                return translate_text(model.problems[0])
        gone = self._gone_model if self._gone_model in chosen else None
        return self.tr("{name} wasn't found.").format(name=gone) if gone is not None else ""

    def _add_file(self, path: str) -> None:
        self.add_file_requested.emit(Path(path))

    def _remove_file(self, target: ModelRef) -> None:
        if (model := self._model(target)) is not None:
            self.remove_file_requested.emit(model.path)

    def _show_options(self) -> None:
        if self._choice is not None:
            target, draft = self._model(self._choice.target), self._model(self._choice.draft)
            if self._choice.draft is None and self._choice.draft_type == "auto":
                draft = self._best
            self._options.show_choice(self._choice, target, draft, self._devices)

    def _model(self, ref: ModelRef | None) -> LocalModel | None:
        return next((model for model in self._models if model.ref == ref), None)

    def _show_state(self) -> None:
        has_models, is_served = bool(self._targets.rows), isinstance(self.target, ServedModel)
        has_target = self._choice is not None and not is_served
        self._empty.setVisible(not has_models)
        self._targets_heading.setVisible(has_models)
        self._targets.setVisible(has_models)
        self._below_targets.setVisible(has_target)
        self._below_targets.setEnabled(not self._waiting)
        self._engine_notes.setVisible(is_served)
        self._buttons.show_models(are_some=has_models)
        self._show_whether_it_loads()
        if self.isVisible():
            self._take_room()

    def _connect(self) -> None:
        self._targets.picked.connect(self._pick_target)
        self._targets.removed.connect(self._remove_file)
        self._drafts.picked.connect(self._pick_draft)
        self._options.changed.connect(self._options_changed)
        self._buttons.find_models.clicked.connect(self._go_to_manager)
        self._buttons.add_model.clicked.connect(self.open_file_dialog)
        self._buttons.measure.clicked.connect(self._measure_it)
        self._buttons.load.clicked.connect(self._load_it)

    def _arrange(self) -> None:
        self.setObjectName("pairPicker")
        self.setAccessibleName(self.tr("Choose models"))
        self._keep_width()
        self._card.setProperty("card", True)
        self._gone.setObjectName("pairGone")
        self._gone.hide()
        self._below_targets.setLayout(self._lower_half())
        middle = QVBoxLayout(self._middle)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(GRID)
        above = (self._gone, self._targets_heading, self._empty, self._targets)
        for part in (*above, self._engine_notes, self._below_targets):
            middle.addWidget(part)
        layout = QVBoxLayout(self._card)
        layout.setContentsMargins(0, _PADDING, 0, _PADDING)
        layout.setSpacing(GRID)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._card)

    def _keep_width(self) -> None:
        self.setFixedWidth(scaled_px(WIDTH))
        inside = scaled_px(WIDTH) - 2 * _BORDER
        self._view.setMinimumWidth(inside)
        for choices in (self._targets, self._drafts):  # how high their rows are is asked before they are laid out
            choices.setFixedWidth(inside - 2 * _PADDING)

    def _lower_half(self) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        layout.setSpacing(GRID)
        layout.addWidget(heading_label(self.tr("Draft"), self))
        layout.addWidget(self._drafts)
        layout.addWidget(Separator(self))
        layout.addWidget(self._options)
        layout.addWidget(Separator(self))
        layout.addWidget(self._fit)
        return layout


def _key(choice: PairChoice) -> DraftKey:
    return DraftKey("auto", choice.draft) if choice.draft is not None else DraftKey(choice.draft_type)
