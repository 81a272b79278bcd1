"""The form that configures a benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.types import NGRAM
from specchat.services.models.pair_fit import DraftOption, LocalModel
from specchat.ui.benchmark.bench_config import DEFAULT_LENGTHS, LENGTHS, BenchConfig, DrafterChoice, model_title
from specchat.ui.benchmark.check_list import CheckItem, CheckList
from specchat.ui.benchmark.durations import format_duration_range
from specchat.ui.benchmark.method_labels import draft_length_label, drafter_label
from specchat.ui.benchmark.prompts_box import PromptsBox
from specchat.ui.pair.choice_rows import ChoiceRowBuilder, model_disambiguations, prepend_speed
from specchat.ui.pair.load_options import context_length_text
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import Separator, TextButton
from specchat.ui.widgets.form_fields import (
    CheckBox,
    ChoiceBox,
    DecimalField,
    IntegerField,
    describe_field,
    heading_label,
    labelled_field,
    muted_label,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_size

_TEXT = DrafterChoice(NGRAM)


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """What there is to compare for a target."""

    target: LocalModel
    drafts: Sequence[DraftOption] = ()
    quantisations: Sequence[LocalModel] = ()
    plain_speed: float | None = None
    """Tokens per second of the target alone; None: that was not measured here."""


class BenchForm(QWidget):
    target_picked = Signal(Path)
    """Now what there is to compare is wanted, see `show_options`."""
    changed = Signal()
    """Now an estimate is wanted, see `show_estimate`."""
    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ChoiceRowBuilder(self)
        self._last: BenchConfig | None = None
        """What was measured last."""
        self._places: Mapping[Path, str] = {}
        """What tells models of the same name apart."""
        self._fields = QWidget(self)
        self._column = QVBoxLayout(self._fields)
        self._target = ChoiceBox(self)
        self._guessers = CheckList("benchDrafts", self)
        self._others_heading = heading_label(self.tr("Compare with other quantizations of the target"), self)
        self._others_heading.setWordWrap(True)
        self._others = CheckList("benchQuantisations", self)
        self._lengths = {length: CheckBox(draft_length_label(length), self) for length in LENGTHS}
        self.prompts = PromptsBox(self)
        self._temperature = DecimalField(0.0, 2.0, 0.1, self)
        self._max_tokens = IntegerField(16, 2048, self)
        self._repeat = IntegerField(1, 20, self)
        self._exact = CheckBox(self.tr("Exact"), self)
        self._estimate = muted_label("", self)
        self._start = TextButton(self.tr("Start"), self, primary=True)
        margins = QMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        self._scroll = ContentScrollArea(self._fields, margins, self)
        self._arrange()
        self._set_usual()
        self._connect()
        self._show_others(())
        self.show_estimate(None)

    def config(self) -> BenchConfig | None:
        """None: there is no model."""
        target = self._target.currentData()
        if target is None:
            return None
        return BenchConfig(
            target=Path(target),
            guessers=tuple(key for key in self._guessers.chosen if isinstance(key, DrafterChoice)),
            quantisations=tuple(key for key in self._others.chosen if isinstance(key, Path)),
            asked=self.prompts.prompt_kind,
            workloads=self.prompts.workloads,
            lengths=tuple(length for length, box in self._lengths.items() if box.isChecked()),
            temperature=self._temperature.value(),
            max_tokens=self._max_tokens.value(),
            repeat=self._repeat.value(),
            exact=self._exact.isChecked(),
        )

    def set_last_config(self, wish: BenchConfig) -> None:
        """Who guessed last, for when there is an offer for the same target."""
        self._last = wish

    def show_config(self, wish: BenchConfig) -> None:
        """As it was asked for last."""
        self.set_last_config(wish)
        for length, box in self._lengths.items():
            box.setChecked(length in wish.lengths)
        self._temperature.setValue(wish.temperature)
        self._max_tokens.setValue(wish.max_tokens)
        self._repeat.setValue(wish.repeat)
        self._exact.setChecked(wish.exact)
        self.prompts.show_selection(wish.asked, wish.workloads)

    def show_targets(self, models: Sequence[LocalModel], chosen: Path | None) -> None:
        usable = [model for model in models if not model.target_problems]
        self._places = model_disambiguations(usable, model_title)
        paths = [model.path for model in usable]
        target = chosen if chosen in paths else paths[0] if paths else None
        self._target.set_items([(self._apart(model), model.path) for model in usable], target)
        self._target.setEnabled(bool(usable))
        self.changed.emit()

    def show_options(self, offer: ComparisonOptions, chosen: DrafterChoice | None) -> None:
        """`chosen`: who guesses in the chat."""
        drafts = [option for option in offer.drafts if option.draft_type == "model" and option.selectable]
        items = [
            CheckItem(
                DrafterChoice("auto", option.model.path),
                model_title(option.model),
                prepend_speed(self._line(option.model), option),
            )
            for option in drafts
            if option.model is not None
        ]
        types = [option.draft_type for option in offer.drafts]
        items += [self._without_model(name) for name in types if name not in ("auto", "model", "none")]
        self._guessers.show_items(items, self._wanted(offer, chosen, [item.key for item in items]))
        others = [CheckItem(model.path, model_title(model), self._line(model)) for model in offer.quantisations]
        last = self._last_of(offer)
        self._show_others(others, last.quantisations if last else ())
        self.changed.emit()

    def show_estimate(self, seconds: float | None, at_most: float | None = None) -> None:
        """`at_most`: where that is a guess. None: something is missing."""
        wish = self.config()
        self._start.setEnabled(seconds is not None)
        if seconds is not None:
            self._estimate.setText(
                self.tr("Takes {time}").format(time=format_duration_range(seconds, at_most or seconds))
            )
        elif wish is None:
            self._estimate.setText(self.tr("Add a model first."))
        elif not wish.has_comparison:
            self._estimate.setText(self.tr("Choose at least one draft and one number of guesses."))
        else:
            self._estimate.setText(self.tr("Choose prompts."))

    def set_running(self, running: bool) -> None:
        self._fields.setEnabled(not running)
        self._start.setEnabled(not running)
        if running:
            self._estimate.setText(self.tr("Measuring…"))
        else:
            self.changed.emit()

    def _show_others(self, items: Sequence[CheckItem], chosen: Sequence[Path] = ()) -> None:
        self._others.show_items(items, chosen)
        for part in (self._others_heading, self._others):
            part.setVisible(bool(items))

    def _without_model(self, draft_type: str) -> CheckItem:
        is_text = draft_type == _TEXT.draft_type
        repeats = self.tr("Repeats text that followed the same words earlier. Needs no draft model.")
        line = repeats if is_text else self.tr("A drafter from an installed package")
        return CheckItem(DrafterChoice(draft_type), drafter_label(draft_type), line)

    def _line(self, model: LocalModel) -> str:
        context = "" if model.n_ctx_train is None else context_length_text(model.n_ctx_train)
        place = self._places.get(model.path, "")
        return " · ".join(filter(None, (format_size(model.size), context, place)))

    def _apart(self, model: LocalModel) -> str:
        return " · ".join(filter(None, (model_title(model), self._places.get(model.path))))

    def _last_of(self, offer: ComparisonOptions) -> BenchConfig | None:
        return self._last if self._last is not None and self._last.target == offer.target.path else None

    def _wanted(
        self, offer: ComparisonOptions, chosen: DrafterChoice | None, offered: Sequence[object]
    ) -> Sequence[object]:
        """Who guesses in the chat and who guessed last; else the best draft, or earlier text."""
        last = self._last_of(offer)
        wanted = [chosen, *(last.guessers if last else ())]
        return [key for key in offered if key in wanted] or offered[:1] or (_TEXT,)

    def _pick_target(self) -> None:
        self.target_picked.emit(self._target.currentData())

    def _set_usual(self) -> None:
        for length, box in self._lengths.items():
            box.setChecked(length in DEFAULT_LENGTHS)
        self._max_tokens.setValue(128)
        self._repeat.setValue(3)

    def _connect(self) -> None:
        self._target.currentIndexChanged.connect(self._pick_target)
        for part in (self._guessers, self._others, self.prompts):
            part.changed.connect(self.changed)
            part.filled.connect(self._order_tab_stops)
        for box in self._lengths.values():
            box.toggled.connect(self.changed)
        for field in (self._max_tokens, self._repeat):
            field.valueChanged.connect(self.changed)
        self._start.clicked.connect(self.start_requested)

    def _order_tab_stops(self) -> None:
        """Boxes that come later would be the last ones."""
        chosen = (*self._guessers.boxes, *self._others.boxes, *self._lengths.values(), *self.prompts.tab_stops)
        for before, after in pairwise((self._target, *chosen, self._temperature)):
            self.setTabOrder(before, after)

    def _arrange(self) -> None:
        describe_field(self._target, "benchTarget", self.tr("Target"))
        describe_field(self._temperature, "benchTemperature", self.tr("Temperature"))
        describe_field(self._max_tokens, "benchMaxTokens", self.tr("Tokens per answer"))
        describe_field(self._repeat, "benchRepeat", self.tr("Rounds"))
        describe_field(self._exact, "benchExact", self.tr("Exact"))
        self._start.setObjectName("benchStart")
        self._start.setFixedHeight(5 * GRID)
        for length, box in self._lengths.items():
            box.setObjectName(f"benchLength{'Auto' if length is None else length}")
            box.setAccessibleName(self.tr("Guesses per pass: {n}").format(n=draft_length_label(length)))
        self._scroll.setAccessibleName(self.tr("What to measure"))
        self._arrange_fields()
        bottom = QVBoxLayout()
        bottom.setContentsMargins(3 * GRID, 3 * GRID // 2, 3 * GRID, 2 * GRID)
        bottom.setSpacing(GRID)
        bottom.addWidget(self._estimate)
        bottom.addWidget(self._start)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Separator(self))
        layout.addLayout(bottom)

    def _arrange_fields(self) -> None:
        fields = self._column
        fields.setContentsMargins(0, 0, 0, 0)
        fields.setSpacing(GRID)
        lengths = QHBoxLayout()
        lengths.setSpacing(2 * GRID)
        for box in self._lengths.values():
            lengths.addWidget(box)
        lengths.addStretch()
        always = muted_label(
            self.tr("Each number is a maximum. The benchmark always measures plain decoding, too."), self
        )
        parts: tuple[tuple[QWidget | QHBoxLayout, ...], ...] = (
            (heading_label(self.tr("Target"), self), self._target),
            (heading_label(self.tr("Drafts"), self), self._guessers),
            (self._others_heading, self._others),
            (heading_label(self.tr("Guesses per pass"), self), lengths, always),
            (heading_label(self.tr("Prompts"), self), self.prompts),
        )
        for number, group in enumerate(parts):
            if number:
                fields.addSpacing(GRID)
            for part in group:
                if isinstance(part, QWidget):
                    fields.addWidget(part)
                else:
                    fields.addLayout(part)
        fields.addSpacing(GRID)
        fields.addLayout(self._numbers())
        fields.addWidget(self._exact)
        fields.addWidget(muted_label(self.tr("Same answer with and without a draft. Slightly slower."), self))
        fields.addStretch(1)

    def _numbers(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        columns = (
            (self.tr("Temperature"), self._temperature),
            (self.tr("Tokens"), self._max_tokens),
            (self.tr("Rounds"), self._repeat),
        )
        for column, (words, field) in enumerate(columns):
            grid.addWidget(labelled_field(words, field, self), 0, column)
            grid.setColumnStretch(column, 1)
        return grid
