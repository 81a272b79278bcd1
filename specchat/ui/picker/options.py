"""How a pair is loaded."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.pair_values import ShelfModel
from specchat.ui.fields import CheckBox, ChoiceBox, WholeNumber, labelled, muted, name_field
from specchat.ui.picker.rows import RowWords
from specchat.ui.theme import GRID, Theme

DEFAULT_CONTEXT = 4096
_STEPS = tuple(1024 << power for power in range(11))
_LONGEST = _STEPS[-1]


class PairOptions(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = RowWords(self)
        self._context = ChoiceBox(theme, self)
        self._cache = ChoiceBox(theme, self)
        self._layers = WholeNumber(0, 1, self)
        self._layers_column = labelled(self.tr("GPU layers"), self._layers, self)
        self._exact = CheckBox(self.tr("Exact"), theme, self)
        self._has_gpu = False
        self._name_fields()
        self._arrange()
        for box in (self._context, self._cache):
            box.currentIndexChanged.connect(self.changed)
        self._layers.valueChanged.connect(self.changed)
        self._exact.toggled.connect(self.changed)

    def set_theme(self, theme: Theme) -> None:
        for part in (self._context, self._cache, self._exact):
            part.set_theme(theme)

    def show_choice(self, choice: PairChoice, model: ShelfModel | None, *, has_gpu: bool) -> None:
        settings = choice.target_settings
        longest = model.n_ctx_train if model else None
        n_ctx = settings.n_ctx or min(longest or DEFAULT_CONTEXT, DEFAULT_CONTEXT)
        steps = [(self._words.tokens(step), step) for step in context_steps(longest, n_ctx)]
        self._context.show_items(steps, n_ctx)
        self._cache.show_items(self._cache_types(), settings.cache_type)
        self._show_layers(settings, (model.n_layer if model else None) or 0, has_gpu=has_gpu)
        blocked = self._exact.blockSignals(True)
        self._exact.setChecked(settings.exact)
        self._exact.blockSignals(blocked)

    def applied_to(self, choice: PairChoice) -> PairChoice:
        cache_type = CacheType(self._cache.currentData())
        exact = self._exact.isChecked()
        layers = self._layers.value()
        given = None if not self._has_gpu or layers == self._layers.maximum() else layers
        target = replace(choice.target_settings, n_ctx=self._context.currentData(), gpu_layers=given)
        draft = replace(choice.draft_settings, gpu_layers=0 if given == 0 else None)
        return replace(
            choice,
            target_settings=replace(target, cache_type=cache_type, exact=exact),
            draft_settings=replace(draft, cache_type=cache_type, exact=exact),
        )

    def _show_layers(self, settings: ModelSettings, n_layer: int, *, has_gpu: bool) -> None:
        """The output counts as one more layer."""
        self._has_gpu = has_gpu and n_layer > 0
        most = n_layer + 1
        wanted = settings.gpu_layers
        blocked = self._layers.blockSignals(True)
        self._layers.setMaximum(most)
        self._layers.setSuffix(self.tr(" of {n}").format(n=most))
        self._layers.setValue(most if wanted is None or wanted < 0 else min(wanted, most))
        self._layers.blockSignals(blocked)
        self._layers_column.setVisible(self._has_gpu)

    def _cache_types(self) -> list[tuple[str, CacheType]]:
        return [
            (self.tr("f16 · full"), CacheType.F16),
            (self.tr("bf16 · full"), CacheType.BF16),
            (self.tr("q8_0 · half"), CacheType.Q8_0),
            (self.tr("q4_0 · quarter"), CacheType.Q4_0),
        ]

    def _name_fields(self) -> None:
        name_field(self._context, "contextSize", self.tr("Context"), self.tr("How much text the models can look at."))
        cache = self.tr("The numbers kept for each token: smaller ones need less memory and are less exact.")
        name_field(self._cache, "cacheType", self.tr("Cache"), cache)
        layers = self.tr("How many of the target's layers the graphics card computes.")
        name_field(self._layers, "gpuLayers", self.tr("GPU layers"), layers)
        exact = self.tr("The same answer with and without a draft, to the last bit; a self-test says whether it holds.")
        name_field(self._exact, "exactMode", self.tr("Exact"), exact)

    def _arrange(self) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(2 * GRID)
        columns = ((self.tr("Context"), self._context, 3), (self.tr("Cache"), self._cache, 4))
        for words, field, stretch in columns:
            fields.addWidget(labelled(words, field, self), stretch)
        fields.addWidget(self._layers_column, 2)
        exact = QHBoxLayout()
        exact.addWidget(self._exact)
        exact.addWidget(muted(self.tr("Same answer with and without a draft, a little slower"), self), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(fields)
        layout.addLayout(exact)


def context_steps(longest: int | None, chosen: int) -> list[int]:
    """Doubling up to what the model was trained for, and what is chosen already."""
    most = longest or _LONGEST
    return sorted({*(step for step in _STEPS if step < most), most, chosen})
