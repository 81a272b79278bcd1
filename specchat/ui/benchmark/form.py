"""What is to be measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from specchat.domain.types import NGRAM
from specchat.services.models.pair_values import DraftOption, ShelfModel
from specchat.ui.benchmark.check_list import CheckList, Item
from specchat.ui.benchmark.names import guesser_words, length_words
from specchat.ui.benchmark.prompts_box import PromptsBox
from specchat.ui.benchmark.wish import LENGTHS, USUAL_LENGTHS, Guesser, Wish, title
from specchat.ui.benchmark.words import between
from specchat.ui.picker.rows import RowWords, places, size, with_speed
from specchat.ui.widgets.controls import Line, TextButton
from specchat.ui.widgets.fields import CheckBox, ChoiceBox, Fraction, WholeNumber, heading, labelled, muted, name_field
from specchat.ui.widgets.scrolled import Scrolled
from specchat.ui.widgets.theme import GRID, Theme

_TEXT = Guesser(NGRAM)


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to compare for a target."""

    target: ShelfModel
    drafts: Sequence[DraftOption] = ()
    quantisations: Sequence[ShelfModel] = ()
    plain_speed: float | None = None
    """Tokens per second of the target alone; None: that was not measured here."""


class BenchForm(QWidget):
    target_picked = Signal(Path)
    """Now what there is to compare is wanted, see `show_offer`."""
    changed = Signal()
    """Now an estimate is wanted, see `show_estimate`."""
    start_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = RowWords(self)
        self._last: Wish | None = None
        """What was measured last."""
        self._places: Mapping[Path, str] = {}
        """What tells models of the same name apart."""
        self._fields = QWidget(self)
        self._column = QVBoxLayout(self._fields)
        self._target = ChoiceBox(theme, self)
        self._guessers = CheckList("benchDrafts", theme, self)
        self._others_heading = heading(self.tr("The same model in other files"), self)
        self._others = CheckList("benchQuantisations", theme, self)
        self.prompts = PromptsBox(theme, self)
        self._lengths = {length: CheckBox(length_words(length), theme, self) for length in LENGTHS}
        self._temperature = Fraction(0.0, 2.0, 0.1, self)
        self._max_tokens = WholeNumber(16, 2048, self)
        self._repeat = WholeNumber(1, 20, self)
        self._exact = CheckBox(self.tr("Exact"), theme, self)
        self._estimate = muted("", self)
        self._start = TextButton(self.tr("Start"), self, primary=True)
        margins = QMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._scroll = Scrolled(self._fields, margins, self)
        self._arrange()
        self._set_usual()
        self._connect()
        self._show_others(())
        self.show_estimate(None)

    def wish(self) -> Wish | None:
        """None: there is no model."""
        target = self._target.currentData()
        if target is None:
            return None
        return Wish(
            target=Path(target),
            guessers=tuple(key for key in self._guessers.chosen if isinstance(key, Guesser)),
            quantisations=tuple(key for key in self._others.chosen if isinstance(key, Path)),
            asked=self.prompts.asked,
            workloads=self.prompts.workloads,
            lengths=tuple(length for length, box in self._lengths.items() if box.isChecked()),
            temperature=self._temperature.value(),
            max_tokens=self._max_tokens.value(),
            repeat=self._repeat.value(),
            exact=self._exact.isChecked(),
        )

    def remember(self, wish: Wish) -> None:
        """Who guessed last, for when there is an offer for the same target."""
        self._last = wish

    def take(self, wish: Wish) -> None:
        """As it was asked for last."""
        self.remember(wish)
        for length, box in self._lengths.items():
            box.setChecked(length in wish.lengths)
        self._temperature.setValue(wish.temperature)
        self._max_tokens.setValue(wish.max_tokens)
        self._repeat.setValue(wish.repeat)
        self._exact.setChecked(wish.exact)
        self.prompts.take(wish.asked, wish.workloads)

    def show_targets(self, models: Sequence[ShelfModel], chosen: Path | None) -> None:
        usable = [model for model in models if not model.target_problems]
        self._places = places(usable, title)
        paths = [model.path for model in usable]
        target = chosen if chosen in paths else paths[0] if paths else None
        self._target.show_items([(self._apart(model), model.path) for model in usable], target)
        self._target.setEnabled(bool(usable))
        self.changed.emit()

    def show_offer(self, offer: Offer, chosen: Guesser | None) -> None:
        """`chosen`: who guesses in the chat."""
        drafts = [option for option in offer.drafts if option.draft_type == "model" and option.selectable]
        items = [
            Item(Guesser("auto", option.model.path), title(option.model), with_speed(self._line(option.model), option))
            for option in drafts
            if option.model is not None
        ]
        types = [option.draft_type for option in offer.drafts]
        items += [self._without_model(name) for name in types if name not in ("auto", "model", "none")]
        self._guessers.show_items(items, self._wanted(offer, chosen, [item.key for item in items]))
        others = [Item(model.path, title(model), self._line(model)) for model in offer.quantisations]
        last = self._last_of(offer)
        self._show_others(others, last.quantisations if last else ())
        self.changed.emit()

    def show_estimate(self, seconds: float | None, at_most: float | None = None) -> None:
        """`at_most`: where that is a guess. None: something is missing."""
        wish = self.wish()
        self._start.setEnabled(seconds is not None)
        if seconds is not None:
            self._estimate.setText(self.tr("Takes {time}").format(time=between(seconds, at_most or seconds)))
        elif wish is None:
            self._estimate.setText(self.tr("Add a model first."))
        elif not wish.compares:
            self._estimate.setText(self.tr("Choose who guesses, and how many guesses."))
        else:
            self._estimate.setText(self.tr("Choose what is asked."))

    def set_running(self, running: bool) -> None:
        self._fields.setEnabled(not running)
        self._start.setEnabled(not running)
        if running:
            self._estimate.setText(self.tr("Measuring…"))
        else:
            self.changed.emit()

    def set_theme(self, theme: Theme) -> None:
        for part in (self._target, self._guessers, self._others, self.prompts):
            part.set_theme(theme)
        for box in (*self._lengths.values(), self._exact):
            box.set_theme(theme)

    def _show_others(self, items: Sequence[Item], chosen: Sequence[Path] = ()) -> None:
        self._others.show_items(items, chosen)
        for part in (self._others_heading, self._others):
            part.setVisible(bool(items))

    def _without_model(self, draft_type: str) -> Item:
        is_text = draft_type == _TEXT.draft_type
        repeats = self.tr("Repeats what was said before; needs no model")
        line = repeats if is_text else self.tr("A way of guessing from an installed package")
        return Item(Guesser(draft_type), guesser_words(draft_type), line)

    def _line(self, model: ShelfModel) -> str:
        context = "" if model.n_ctx_train is None else self._words.tokens(model.n_ctx_train)
        place = self._places.get(model.path, "")
        return " · ".join(filter(None, (size(model.size), context, place)))

    def _apart(self, model: ShelfModel) -> str:
        return " · ".join(filter(None, (title(model), self._places.get(model.path))))

    def _last_of(self, offer: Offer) -> Wish | None:
        return self._last if self._last is not None and self._last.target == offer.target.path else None

    def _wanted(self, offer: Offer, chosen: Guesser | None, offered: Sequence[object]) -> Sequence[object]:
        """Who guesses in the chat and who guessed last; else the best draft, or earlier text."""
        last = self._last_of(offer)
        wanted = [chosen, *(last.guessers if last else ())]
        return [key for key in offered if key in wanted] or offered[:1] or (_TEXT,)

    def _pick_target(self) -> None:
        self.target_picked.emit(self._target.currentData())

    def _set_usual(self) -> None:
        for length, box in self._lengths.items():
            box.setChecked(length in USUAL_LENGTHS)
        self._max_tokens.setValue(128)
        self._repeat.setValue(3)

    def _connect(self) -> None:
        self._target.currentIndexChanged.connect(self._pick_target)
        for part in (self._guessers, self._others, self.prompts):
            part.changed.connect(self.changed)
        for box in self._lengths.values():
            box.toggled.connect(self.changed)
        for field in (self._max_tokens, self._repeat):
            field.valueChanged.connect(self.changed)
        self._start.clicked.connect(self.start_wanted)

    def _arrange(self) -> None:
        name_field(self._target, "benchTarget", self.tr("Target"))
        name_field(self._temperature, "benchTemperature", self.tr("Temperature"))
        name_field(self._max_tokens, "benchMaxTokens", self.tr("Tokens per answer"))
        name_field(self._repeat, "benchRepeat", self.tr("Rounds"))
        name_field(self._exact, "benchExact", self.tr("Exact"))
        self._start.setObjectName("benchStart")
        self._start.setFixedHeight(5 * GRID)
        for length, box in self._lengths.items():
            box.setObjectName(f"benchLength{'Auto' if length is None else length}")
            box.setAccessibleName(self.tr("Guesses per pass: {n}").format(n=length_words(length)))
        self._scroll.setAccessibleName(self.tr("What is measured"))
        self._arrange_fields()
        bottom = QVBoxLayout()
        bottom.setContentsMargins(2 * GRID, 3 * GRID // 2, 2 * GRID, 2 * GRID)
        bottom.setSpacing(GRID)
        bottom.addWidget(self._estimate)
        bottom.addWidget(self._start)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Line(self))
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
        always = muted(self.tr("At most so many in one pass. Plain decoding is measured in any case."), self)
        parts: tuple[tuple[QWidget | QHBoxLayout, ...], ...] = (
            (heading(self.tr("Target"), self), self._target),
            (heading(self.tr("Who guesses"), self), self._guessers),
            (self._others_heading, self._others),
            (heading(self.tr("Guesses"), self), lengths, always),
            (heading(self.tr("What is asked"), self), self.prompts),
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
        fields.addWidget(muted(self.tr("Same answer with and without a draft, a little slower"), self))
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
            grid.addWidget(labelled(words, field, self), 0, column)
            grid.setColumnStretch(column, 1)
        return grid
