"""The fields that spread a target over several devices, also those of other machines."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from specchat.domain.errors import SettingError
from specchat.domain.rpc import MOST_SERVERS, RPC, on_this_machine, parse_rpc_servers, rpc_for_draft, rpc_warning
from specchat.domain.tensor_split import parse_tensor_split
from specchat.domain.types import Device, ModelSettings, PairChoice, SplitMode
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import message_label
from specchat.ui.widgets.form_fields import (
    FIELD_HEIGHT,
    CheckBox,
    ChoiceBox,
    describe_field,
    labelled_field,
    muted_label,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text

T = TypeVar("T")


class MachineFields(QWidget):
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._several = CheckBox(self.tr("Use other machines"), self)
        self._servers = QLineEdit(self)
        self._saved = TextButton(self.tr("Saved…"), self)
        self._menu = QMenu(self._saved)
        self._mode = ChoiceBox(self)
        self._shares = QLineEdit(self)
        self._fields = QWidget(self)
        self._sharing = QWidget(self._fields)
        self._note = muted_label("", self)
        self._problem = message_label("danger", "machineProblem", self)
        self._rpc: tuple[str, ...] = ()
        self._tensor_split: tuple[float, ...] = ()
        self._has_gpus = False
        """Several, on this machine."""
        self._name_fields()
        beside = QHBoxLayout()
        beside.setSpacing(GRID)
        beside.addWidget(self._servers, 1)
        beside.addWidget(self._saved)
        self._addresses = labelled_field(self._servers.accessibleName(), beside, self._fields)
        self._arrange()
        self._several.toggled.connect(self._toggled)
        self._servers.editingFinished.connect(self._read_servers)
        self._saved.setMenu(self._menu)
        self._saved.hide()
        self._menu.aboutToShow.connect(self._mark_used)
        self._shares.editingFinished.connect(self._read_shares)
        self._mode.currentIndexChanged.connect(self.changed)

    def show_saved(self, addresses: Sequence[str]) -> None:
        """To choose from, beside what is typed."""
        self._menu.clear()
        for address in addresses:
            action = self._menu.addAction(address)
            action.setCheckable(True)
            action.triggered.connect(self._use_checked)
        self._saved.setVisible(bool(addresses))

    def show_settings(self, settings: ModelSettings, devices: Sequence[Device]) -> None:
        here = [device for device in devices if device.kind != "cpu" and not device.name.startswith(RPC)]
        self._has_gpus = len(here) > 1
        if settings.rpc != self._rpc or not settings.rpc:
            self._rpc = settings.rpc
            self._show_servers(settings.rpc)
        self._tensor_split = settings.tensor_split
        self._shares.setText(", ".join(f"{share:g}" for share in settings.tensor_split))
        self._mode.set_items(self._modes(), settings.split_mode)
        blocked = self._several.blockSignals(True)
        self._several.setChecked(bool(settings.rpc) or (self._several.isChecked() and self._servers.isVisible()))
        self._several.blockSignals(blocked)
        self._show_fields()

    def applied_to(self, choice: PairChoice) -> PairChoice:
        if not self._rpc:
            choice = on_this_machine(choice)
        mode = self._mode.currentData()
        target = replace(
            choice.target_settings,
            rpc=self._rpc,
            split_mode=mode and SplitMode(mode),
            tensor_split=self._tensor_split,
        )
        draft = choice.draft_settings
        return replace(
            choice, target_settings=target, draft_settings=replace(draft, rpc=rpc_for_draft(self._rpc, draft.device))
        )

    def _toggled(self) -> None:
        self._show_fields()
        if self._several.isChecked():
            self._use_all_saved()
            self._servers.setFocus()
            return
        self._show_problem("")
        self._servers.clear()
        if self._rpc:
            self._rpc = self._tensor_split = ()
            self._shares.clear()
            if not self._has_gpus:
                self._mode.set_items(self._modes(), None)
            self.changed.emit()

    def _use_all_saved(self) -> None:
        """They were saved for this; what is not wanted is taken out again."""
        if not self._rpc and (saved := [action.text() for action in self._menu.actions()]):
            self._show_servers(saved[:MOST_SERVERS])
            self._read_servers()

    def _mark_used(self) -> None:
        for action in self._menu.actions():
            action.setChecked(action.text() in self._rpc)

    def _use_checked(self) -> None:
        """What was typed besides stays."""
        checked = {action.text(): action.isChecked() for action in self._menu.actions()}
        kept = [address for address in self._rpc if checked.get(address, True)]
        added = [address for address, is_used in checked.items() if is_used and address not in kept]
        self._show_servers([*kept, *added])
        self._read_servers()

    def _show_servers(self, addresses: Sequence[str]) -> None:
        """From the first one on, where they don't all fit."""
        self._servers.setText(", ".join(addresses))
        self._servers.setCursorPosition(0)

    def _read_servers(self) -> None:
        rpc = self._parsed(parse_rpc_servers, self._servers)
        if rpc is not None and rpc != self._rpc:
            self._rpc = rpc
            self._show_servers(rpc)
            self._show_fields()
            self.changed.emit()

    def _read_shares(self) -> None:
        shares = self._parsed(parse_tensor_split, self._shares)
        if shares is not None and shares != self._tensor_split:
            self._tensor_split = shares
            self.changed.emit()

    def _parsed(self, parse: Callable[[str], tuple[T, ...]], field: QLineEdit) -> tuple[T, ...] | None:
        """None: what is wrong with it is shown."""
        problem, parsed = "", None
        try:
            parsed = parse(field.text()) if field.text().strip() else ()
        except SettingError as error:
            problem = f"{translate_text(error.message)} {translate_text(error.hint)}"
        self._show_problem(problem)
        return parsed

    def _show_problem(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.setVisible(bool(words))

    def _show_fields(self) -> None:
        uses_others = self._several.isChecked()
        self._addresses.setVisible(uses_others)
        self._sharing.setVisible(uses_others or self._has_gpus)
        self._fields.setVisible(uses_others or self._has_gpus)
        self._note.setVisible(uses_others)
        notes = [self.tr("Start ggml-rpc-server on each of them first (see Help > Other machines).")]
        if self._rpc and (warning := rpc_warning(self._rpc)):
            notes.insert(0, translate_text(warning))
        if len(self._rpc) == MOST_SERVERS < len(self._menu.actions()):
            most = self.tr("At most {n} machines can be used at once: choose them under “Saved…”.")
            notes.append(most.format(n=MOST_SERVERS))
        self._note.setText(" ".join(notes))

    def _modes(self) -> list[tuple[str, SplitMode | None]]:
        return [
            (self.tr("Automatic"), None),
            (self.tr("By layer"), SplitMode.LAYER),
            (self.tr("By row"), SplitMode.ROW),
            (self.tr("By tensor"), SplitMode.TENSOR),
            (self.tr("One device"), SplitMode.NONE),
        ]

    def _name_fields(self) -> None:
        several = self.tr("Uses the memory and GPUs of computers that run ggml-rpc-server, which is part of llama.cpp.")
        describe_field(self._several, "useMachines", self._several.text(), several)
        addresses = self.tr("The addresses of the machines, separated by commas.")
        describe_field(self._servers, "rpcServers", self.tr("Other machines"), addresses)
        self._servers.setPlaceholderText("192.168.1.20:50052")
        saved = self.tr("Machines saved in Models > Engines.")
        describe_field(self._saved, "savedMachines", self.tr("Saved machines"), saved)
        how = self.tr("How several devices share the target.")
        describe_field(self._mode, "splitMode", self.tr("Split"), how)
        shares = self.tr("How much of the target each device gets. Leave empty to split it by free memory.")
        describe_field(self._shares, "tensorSplit", self.tr("Shares"), shares)
        self._shares.setPlaceholderText(self.tr("by free memory"))
        for field in (self._servers, self._shares):
            field.setFixedHeight(FIELD_HEIGHT)
        self._problem.hide()

    def _arrange(self) -> None:
        sharing = QHBoxLayout(self._sharing)
        sharing.setContentsMargins(0, 0, 0, 0)
        sharing.setSpacing(3 * GRID // 2)
        sharing.addWidget(labelled_field(self._mode.accessibleName(), self._mode, self._sharing), 1)
        sharing.addWidget(labelled_field(self._shares.accessibleName(), self._shares, self._sharing), 1)
        fields = QHBoxLayout(self._fields)
        fields.setContentsMargins(0, 0, 0, 0)
        fields.setSpacing(3 * GRID // 2)
        fields.addWidget(self._addresses, 1)
        fields.addWidget(self._sharing, 1)
        heading = QHBoxLayout()
        heading.addWidget(self._several)
        heading.addWidget(muted_label(self.tr("Adds the memory of other computers on your network."), self), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(heading)
        for part in (self._fields, self._problem, self._note):
            layout.addWidget(part)
