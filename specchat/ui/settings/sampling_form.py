"""The form for reasoning, the sampling parameters and the length limit of responses."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from specchat.domain.connections import Capability, Lacks
from specchat.domain.conversations import RANDOM_SEED, ConversationSettings
from specchat.domain.types import SAMPLING_LIMITS, Reasoning
from specchat.services.answers.reasoning_switch import why_no_reasoning
from specchat.ui.widgets.form_fields import (
    FIELD_HEIGHT,
    CheckBox,
    ChoiceBox,
    DecimalField,
    IntegerField,
    describe_field,
    explain_field,
    explained_field,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text

_LONGEST_ANSWER = 1 << 20
_MOST_CANDIDATES = 1 << 16
_FIELD = 22 * GRID


class SamplingForm(QWidget):
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reasoning = ChoiceBox(self)
        self._usual_reasoning = self.tr("Whether the model thinks before it answers.")
        self._temperature = DecimalField(*SAMPLING_LIMITS["temperature"], 0.05, self)
        self._top_k = IntegerField(0, _MOST_CANDIDATES, self)
        self._top_p = DecimalField(0, 1, 0.05, self)
        self._min_p = DecimalField(0, 1, 0.01, self)
        self._repeat = DecimalField(0.5, 2, 0.05, self)
        self._length = IntegerField(0, _LONGEST_ANSWER, self)
        self._random = CheckBox(self.tr("Random for each answer"), self)
        self._seed = QLineEdit(self)
        self._lacks: Lacks = {}
        self._prepare_fields()
        self._name_fields()
        self._of_capabilities: Mapping[Capability, tuple[QWidget, str]] = {
            capability: (field, field.accessibleDescription())
            for capability, field in (
                (Capability.TOP_K, self._top_k),
                (Capability.MIN_P, self._min_p),
                (Capability.REPEAT_PENALTY, self._repeat),
            )
        }
        """With what is said of them as a rule."""
        self._arrange()
        self._connect()

    def show_settings(self, settings: ConversationSettings) -> None:
        sampling = settings.sampling
        blocked = self.blockSignals(True)
        self._show_reasoning(settings.reasoning)
        self._temperature.setValue(sampling.temperature)
        self._top_k.setValue(sampling.top_k)
        self._top_p.setValue(sampling.top_p)
        self._min_p.setValue(sampling.min_p)
        self._repeat.setValue(sampling.repeat_penalty)
        self._length.setValue(settings.max_tokens or 0)
        self._random.setChecked(sampling.seed < 0)
        if sampling.seed >= 0:
            self._seed.setText(str(sampling.seed))
        self._enable_choosing_fields(sampling.temperature)
        self.blockSignals(blocked)

    def show_lacks(self, lacks: Lacks) -> None:
        """What the engine of the loaded model does not support stays in sight, with the reason."""
        self._lacks = lacks
        for capability, (field, usual) in self._of_capabilities.items():
            reason = lacks.get(capability)
            explain_field(field, translate_text(reason) if reason is not None else usual)
        self._show_reasoning(Reasoning(self._reasoning.currentData() or Reasoning.AUTO))
        self._enable_choosing_fields(self._temperature.value())

    def _show_reasoning(self, chosen: Reasoning) -> None:
        """With what the model can't do only if it was chosen for another one."""
        names = {
            Reasoning.AUTO: self.tr("Model default"),
            Reasoning.OFF: self.tr("Off"),
            Reasoning.ON: self.tr("On"),
            Reasoning.LOW: self.tr("Low"),
            Reasoning.MEDIUM: self.tr("Medium"),
            Reasoning.HIGH: self.tr("High"),
        }
        reasons = {each: why_no_reasoning(each, self._lacks) for each in names}
        shown = [(words, each) for each, words in names.items() if each is chosen or reasons[each] is None]
        self._reasoning.set_items(shown, chosen)
        can_choose = None in (reasons[Reasoning.ON], reasons[Reasoning.LOW])
        self._reasoning.setEnabled(can_choose)
        reason = reasons[Reasoning.ON]
        explain_field(
            self._reasoning, self._usual_reasoning if can_choose or reason is None else translate_text(reason)
        )

    def applied_to(self, settings: ConversationSettings) -> ConversationSettings:
        sampling = replace(
            settings.sampling,
            temperature=self._temperature.value(),
            top_k=self._top_k.value(),
            top_p=self._top_p.value(),
            min_p=self._min_p.value(),
            repeat_penalty=self._repeat.value(),
            seed=RANDOM_SEED if self._random.isChecked() else int(self._seed.text() or 0),
        )
        reasoning = Reasoning(self._reasoning.currentData())
        return replace(settings, sampling=sampling, max_tokens=self._length.value() or None, reasoning=reasoning)

    def _connect(self) -> None:
        self._reasoning.currentIndexChanged.connect(self.changed)
        for fraction in (self._temperature, self._top_p, self._min_p, self._repeat):
            fraction.valueChanged.connect(self.changed)
        for number in (self._top_k, self._length):
            number.valueChanged.connect(self.changed)
        self._random.toggled.connect(self._seed.setDisabled)
        self._temperature.valueChanged.connect(self._enable_choosing_fields)
        self._random.toggled.connect(self.changed)
        self._seed.editingFinished.connect(self.changed)

    def _enable_choosing_fields(self, temperature: float) -> None:
        """At 0 the likeliest token is always taken: nothing is left to choose from."""
        for field in (self._top_k, self._top_p, self._min_p):
            field.setEnabled(temperature > 0)
        self._repeat.setEnabled(Capability.REPEAT_PENALTY not in self._lacks)
        for capability in self._of_capabilities.keys() & self._lacks:
            self._of_capabilities[capability][0].setEnabled(False)

    def _name_fields(self) -> None:
        temperature = self.tr("0: always the most likely token. Higher values: more varied answers.")
        top_k = self.tr("Samples from this many of the most likely tokens.")
        top_p = self.tr("Samples from the most likely tokens that together reach this probability.")
        min_p = self.tr("Drops tokens below this fraction of the most likely token's probability.")
        repeat = self.tr("Above 1: discourages repetition.")
        length = self.tr("The answer stops at this length. You can continue it.")
        seed = self.tr("The same seed gives the same answer to the same prompt.")
        describe_field(self._reasoning, "reasoning", self.tr("Reasoning"), self._usual_reasoning)
        describe_field(self._temperature, "temperature", self.tr("Temperature"), temperature)
        describe_field(self._top_k, "topK", self.tr("Top-k"), top_k)
        describe_field(self._top_p, "topP", self.tr("Top-p"), top_p)
        describe_field(self._min_p, "minP", self.tr("Min-p"), min_p)
        describe_field(self._repeat, "repeatPenalty", self.tr("Repeat penalty"), repeat)
        describe_field(self._length, "answerLength", self.tr("Max response tokens"), length)
        describe_field(self._random, "randomSeed", self.tr("Random seed each time"))
        describe_field(self._seed, "seed", self.tr("Seed"), seed)

    def _prepare_fields(self) -> None:
        for number in (self._top_k, self._length):
            number.setGroupSeparatorShown(True)
        self._top_k.setSpecialValueText(self.tr("All"))
        self._length.setSpecialValueText(self.tr("No limit"))
        self._length.setSuffix(self.tr(" tokens"))
        self._length.setSingleStep(64)
        self._seed.setFixedHeight(FIELD_HEIGHT)
        self._seed.setTextMargins(-2, 0, 0, 0)  # as the numbers above it stand
        self._seed.setText("0")
        self._seed.setValidator(QRegularExpressionValidator(QRegularExpression(r"\d{0,18}"), self))

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * GRID // 2)
        for field in (
            self._reasoning,
            self._temperature,
            self._top_k,
            self._top_p,
            self._min_p,
            self._repeat,
            self._length,
            self._seed,
        ):
            layout.addWidget(explained_field(field, _FIELD, self))
        layout.addWidget(self._random, 0, Qt.AlignmentFlag.AlignRight)
