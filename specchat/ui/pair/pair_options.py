"""The form for the load settings of a pair: how it reads, guesses and computes, and on which devices."""

import os
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.types import CacheType, Device, ModelSettings, PairChoice
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.pair.load_options import (
    cache_types,
    context_steps,
    layer_count,
    usual_context,
    wanted_layers,
    with_cache_type,
    with_context,
)
from specchat.ui.pair.machine_fields import MachineFields
from specchat.ui.widgets.form_fields import (
    CheckBox,
    ChoiceBox,
    IntegerField,
    describe_field,
    labelled_field,
    muted_label,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_number

_GUESSES = (1, 2, 4, 8, 16)
_ANSWERS = (1, 2, 3, 4)


class PlacementFields(QObject):
    """Two fields, each in a column of its own."""

    changed = Signal()

    def __init__(self, device_words: str, layers_words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.device = ChoiceBox(parent)
        self.layers = IntegerField(0, 1, parent)
        self.columns = (
            labelled_field(device_words, self.device, parent),
            labelled_field(layers_words, self.layers, parent),
        )
        self._n_layer = 0
        self.device.currentIndexChanged.connect(self._device_changed)
        self.layers.valueChanged.connect(self.changed)

    def show_settings(self, settings: ModelSettings, n_layer: int, devices: Sequence[Device]) -> None:
        """Without layers there is no model, or nobody knows it."""
        self._n_layer = n_layer
        self._show_devices(settings.device, devices)
        self._show_layers(settings.gpu_layers)
        self._enable_layers()
        for column in self.columns:
            column.setEnabled(n_layer > 0)

    def applied_to(self, settings: ModelSettings) -> ModelSettings:
        if not self._n_layer:
            return settings
        layers = wanted_layers(self.layers.value(), self.layers.maximum())
        return replace(settings, device=self.device.currentData(), gpu_layers=layers)

    def _show_devices(self, chosen: str | None, devices: Sequence[Device]) -> None:
        items: list[tuple[str, str | None]] = [(self.tr("Automatic"), None)]
        for device in devices:
            items.append((_title(device), device.name))
        if chosen is not None and all(name != chosen for _, name in items):
            items.append((chosen, chosen))
        self._processors = {device.name for device in devices if device.kind == "cpu"}
        self.device.set_items(items, chosen)

    def _show_layers(self, wanted: int | None) -> None:
        """The output counts as one more layer."""
        most = self._n_layer + 1
        blocked = self.layers.blockSignals(True)
        self.layers.setMaximum(most)
        self.layers.setSuffix(self.tr(" of {n}").format(n=most))
        self.layers.setValue(layer_count(wanted, most))
        self.layers.blockSignals(blocked)

    def _device_changed(self) -> None:
        self._enable_layers()
        self.changed.emit()

    def _enable_layers(self) -> None:
        self.layers.setEnabled(self.device.currentData() not in self._processors)


class PairOptions(QWidget):
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = ChoiceBox(self)
        self._cache = ChoiceBox(self)
        self._guesses = ChoiceBox(self)
        self._threads = IntegerField(0, 1, self)
        self._target = PlacementFields(self.tr("Target device"), self.tr("Target GPU layers"), self)
        self._draft = PlacementFields(self.tr("Draft device"), self.tr("Draft GPU layers"), self)
        self._machines = MachineFields(self)
        self._exact = CheckBox(self.tr("Exact"), self)
        self._answers = ChoiceBox(self)
        self._name_fields()
        self._arrange()
        for box in (self._context, self._cache, self._guesses, self._answers):
            box.currentIndexChanged.connect(self.changed)
        for placement in (self._target, self._draft):
            placement.changed.connect(self.changed)
        self._threads.valueChanged.connect(self.changed)
        self._machines.changed.connect(self.changed)
        self._exact.toggled.connect(self.changed)

    def show_choice(
        self, choice: PairChoice, target: LocalModel | None, draft: LocalModel | None, devices: Sequence[Device]
    ) -> None:
        settings = choice.target_settings
        longest = target.n_ctx_train if target else None
        n_ctx = settings.n_ctx or usual_context(longest)
        self._context.set_items(context_steps(longest, n_ctx), n_ctx)
        self._cache.set_items(cache_types(), settings.cache_type)
        self._show_guesses(choice)
        self._show_answers(settings.slots)
        self._show_threads(settings.threads)
        self._target.show_settings(settings, _layers(target), devices)
        self._draft.show_settings(choice.draft_settings, _layers(draft), devices)
        self._machines.show_settings(settings, devices)
        named = settings.device or choice.draft_settings.device or settings.rpc
        self._placements.setVisible(bool(named) or any(device.kind != "cpu" for device in devices))
        blocked = self._exact.blockSignals(True)
        self._exact.setChecked(settings.exact)
        self._exact.blockSignals(blocked)

    def show_machines(self, addresses: Sequence[str]) -> None:
        self._machines.show_saved(addresses)

    def focus_context(self) -> None:
        self._context.setFocus(Qt.FocusReason.OtherFocusReason)

    def applied_to(self, choice: PairChoice) -> PairChoice:
        choice = with_cache_type(choice, CacheType(self._cache.currentData()))
        choice = with_context(choice, self._context.currentData())
        exact, threads = self._exact.isChecked(), self._threads.value() or None
        target = self._target.applied_to(choice.target_settings)
        draft = self._draft.applied_to(choice.draft_settings)
        placed = replace(
            choice,
            target_settings=replace(target, exact=exact, threads=threads, slots=self._answers.currentData()),
            draft_settings=replace(draft, exact=exact, threads=threads),
            draft_max=self._guesses.currentData(),
        )
        return self._machines.applied_to(placed)

    def _show_guesses(self, choice: PairChoice) -> None:
        chosen = choice.draft_max
        lengths = sorted({*_GUESSES, *([] if chosen is None else [chosen])})
        fixed = [(format_number(length), length) for length in lengths]
        self._guesses.set_items([(self.tr("auto"), None), *fixed], chosen)
        self._guesses.setEnabled(choice.draft_type != "none")

    def _show_answers(self, chosen: int | None) -> None:
        counts = sorted({*_ANSWERS, *([] if chosen is None else [chosen])})
        fixed = [(format_number(count), count) for count in counts]
        self._answers.set_items([(self.tr("auto"), None), *fixed], chosen)

    def _show_threads(self, chosen: int | None) -> None:
        blocked = self._threads.blockSignals(True)
        self._threads.setMaximum(max(os.cpu_count() or 1, chosen or 0))
        self._threads.setValue(chosen or 0)
        self._threads.blockSignals(blocked)

    def _name_fields(self) -> None:
        describe_field(
            self._context, "contextSize", self.tr("Context"), self.tr("How many tokens of the chat the models can see.")
        )
        cache = self.tr("KV cache format. Half and quarter size take less memory, but are less precise.")
        describe_field(self._cache, "cacheType", self.tr("KV cache"), cache)
        guesses = self.tr(
            "How many tokens to guess per pass. auto: as many as pay off, from the draft and from earlier "
            "text. A number: always that many, from the draft only, even if it costs time."
        )
        describe_field(self._guesses, "guessesPerPass", self.tr("Guesses per pass"), guesses)
        answers = self.tr(
            "How many chats can be answered at the same time; others wait. They share the context, except in exact "
            "mode, where each needs memory for its own. auto: 2, but 1 in exact mode, or if another one would need "
            "much more memory."
        )
        describe_field(self._answers, "answersAtOnce", self.tr("Answers at once"), answers)
        self._answers.setMinimumContentsLength(4)
        threads = self.tr("CPU threads to use. auto: one per core.")
        describe_field(self._threads, "threads", self.tr("Threads"), threads)
        self._guesses.setMinimumContentsLength(4)
        self._threads.setSpecialValueText(self.tr("auto"))
        where = self.tr("The device that runs the target.")
        describe_field(self._target.device, "targetDevice", self.tr("Target device"), where)
        layers = self.tr("How many layers of the target run on the GPU.")
        describe_field(self._target.layers, "gpuLayers", self.tr("Target layers on the GPU"), layers)
        where = self.tr("The device that runs the draft.")
        describe_field(self._draft.device, "draftDevice", self.tr("Draft device"), where)
        layers = self.tr("How many layers of the draft run on the GPU.")
        describe_field(self._draft.layers, "draftGpuLayers", self.tr("Draft layers on the GPU"), layers)
        exact = self.tr(
            "With or without a draft, the target decides every token. But checking several tokens at once "
            "rounds differently than one at a time, which can change the choice between two almost equally "
            "likely tokens. Exact prevents this: the answer is identical token for token, and a self-test "
            "checks this on this computer."
        )
        describe_field(self._exact, "exactMode", self.tr("Exact"), exact)

    def _arrange(self) -> None:
        columns = (
            (self.tr("Context"), self._context, 7),
            (self.tr("KV cache"), self._cache, 7),
            (self.tr("Guesses per pass"), self._guesses, 5),
            (self.tr("Threads"), self._threads, 3),
        )
        fields = _row()
        for words, field, stretch in columns:
            fields.addWidget(labelled_field(words, field, self), stretch)
        self._placements = QWidget(self)
        places = _row(self._placements)
        for placement in (self._target, self._draft):
            for column, stretch in zip(placement.columns, (5, 5), strict=True):
                places.addWidget(column, stretch)
        exact = QHBoxLayout()
        exact.addWidget(self._exact)
        exact.addWidget(
            muted_label(self.tr("Same tokens as without a draft, checked by a self-test. Slightly slower."), self), 1
        )
        answers = QHBoxLayout()
        label = QLabel(self.tr("Answers at once"), self)
        label.setBuddy(self._answers)
        answers.addWidget(label)
        answers.addWidget(self._answers)
        answers.addWidget(muted_label(self.tr("How many chats are answered at the same time."), self), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(fields)
        layout.addWidget(self._placements)
        layout.addWidget(self._machines)
        layout.addLayout(exact)
        layout.addLayout(answers)


def _layers(model: LocalModel | None) -> int:
    return (model.n_layer if model else None) or 0


def _row(parent: QWidget | None = None) -> QHBoxLayout:
    row = QHBoxLayout(parent) if parent is not None else QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(3 * GRID // 2)
    return row


def _title(device: Device) -> str:
    """Of the processor the name is enough: there is only one."""
    described = device.kind != "cpu" and device.description
    return f"{device.name} · {device.description}" if described else device.name
