"""The memory bar of the model manager, with sliders for what changes it. Its figures are those of PairFitModel."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.types import CacheType, PairChoice
from specchat.services.models.pair_fit import EstimateMethod, PairFit
from specchat.ui.pair.load_options import (
    DEFAULT_CONTEXT,
    cache_types,
    context_steps,
    layer_count,
    usual_context,
    wanted_layers,
    with_cache_type,
    with_context,
)
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.step_slider import StepSlider
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field, heading_label, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_size

translate = QCoreApplication.translate

_NOTEWORTHY = 1 << 20
"""Bytes: an estimate that is off by less was right."""


class MemoryPanel(QWidget):
    changed = Signal()
    """Other settings were chosen: now their figures are wanted, see `applied_to` and `show_fit`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = MemoryBar(self, whole=True)
        self._notes = muted_label("", self)
        self._of_target = self._of_draft = 0
        """How many layers there are."""
        self._on_target: int | None = None
        self._on_draft: int | None = None
        """How many of them are to be on the GPU; None: all."""
        self._make_sliders()
        self._arrange()
        self._show_values(DEFAULT_CONTEXT, CacheType.F16, None)
        for slider in self._sliders:
            slider.changed.connect(self._values_changed)
        self._cache.currentIndexChanged.connect(self._values_changed)

    def show_choice(self, choice: PairChoice, longest: int | None) -> None:
        """`longest`: the context that the target was trained for."""
        settings = choice.target_settings
        self._on_target, self._on_draft = settings.gpu_layers, choice.draft_settings.gpu_layers
        self._show_values(settings.n_ctx or usual_context(longest), settings.cache_type, longest)

    def applied_to(self, choice: PairChoice) -> PairChoice:
        choice = with_cache_type(with_context(choice, self._context.value), CacheType(self._cache.currentData()))
        return replace(
            choice,
            target_settings=replace(choice.target_settings, gpu_layers=self._on_target),
            draft_settings=replace(choice.draft_settings, gpu_layers=self._on_draft),
        )

    def show_fit(self, fit: PairFit, *, has_gpu: bool) -> None:
        self.bar.show_fit(fit)
        self._of_target, self._of_draft = fit.target_layers, fit.draft_layers
        self._target.setVisible(has_gpu)
        self._draft.setVisible(has_gpu and fit.draft_layers > 0)
        self._show_layers()
        notes = _notes(fit)
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))

    def show_note(self, words: str) -> None:
        self.bar.show_note(words)
        self._notes.hide()

    def _values_changed(self) -> None:
        self._on_target = wanted_layers(self._target.value, self._of_target)
        self._on_draft = wanted_layers(self._draft.value, self._of_draft)
        self.changed.emit()

    def _show_values(self, n_ctx: int, cache_type: CacheType, longest: int | None) -> None:
        self._context.show_steps(context_steps(longest, n_ctx), n_ctx)
        self._cache.set_items(cache_types(), cache_type)
        self._show_layers()

    def _show_layers(self) -> None:
        self._target.show_steps(*_layers(self._on_target, self._of_target))
        self._draft.show_steps(*_layers(self._on_draft, self._of_draft))

    def _make_sliders(self) -> None:
        hint = self.tr("How many tokens of the chat the models can see.")
        self._context = StepSlider("contextSlider", self.tr("Context"), hint, self)
        hint = self.tr("How many layers of the target run on the GPU.")
        self._target = StepSlider("targetLayers", self.tr("Target layers on the GPU"), hint, self)
        hint = self.tr("How many layers of the draft run on the GPU.")
        self._draft = StepSlider("draftLayers", self.tr("Draft layers on the GPU"), hint, self)
        self._sliders = (self._context, self._target, self._draft)
        for slider in (self._target, self._draft):
            slider.hide()
        self._cache = ChoiceBox(self)
        hint = self.tr("KV cache format. Smaller formats need less memory and are less precise.")
        describe_field(self._cache, "trayCacheType", self.tr("KV cache"), hint)

    def _arrange(self) -> None:
        self._notes.setObjectName("fitNotes")
        cache = QHBoxLayout()
        cache.setSpacing(2 * GRID)
        cache.addWidget(muted_label(self.tr("KV cache"), self), 1)
        cache.addWidget(self._cache, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(heading_label(self.tr("Memory"), self))
        layout.addWidget(self.bar)
        layout.addWidget(self._context)
        layout.addLayout(cache)
        for part in (self._target, self._draft, self._notes):
            layout.addWidget(part)


def _layers(wanted: int | None, of_all: int) -> tuple[list[tuple[str, int]], int]:
    words = translate("MemoryPanel", "{n} of {all}")
    steps: list[tuple[str, int]] = [(words.format(n=n, all=of_all), n) for n in range(of_all + 1)]
    return steps, layer_count(wanted, of_all)


def _notes(fit: PairFit) -> str:
    words = []
    if fit.method is EstimateMethod.FORMULA:
        words.append(
            translate("MemoryPanel", "Estimated with a formula because llama.cpp didn't report its memory needs.")
        )
    beyond = fit.beyond_estimate
    if beyond is not None and abs(beyond) < _NOTEWORTHY:
        words.append(translate("MemoryPanel", "Memory use matched the estimate."))
    elif beyond is not None:
        more = translate("MemoryPanel", "Memory use was {size} above the estimate.")
        less = translate("MemoryPanel", "Memory use was {size} below the estimate.")
        words.append((more if beyond > 0 else less).format(size=format_size(abs(beyond))))
    return " ".join(words)
