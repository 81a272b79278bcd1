"""A slot of the pair editor that holds the target or the draft, or actions while it is empty."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from specchat.services.models.model_description import ModelDescription
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.number_format import format_size


class ModelSlot(QFrame):
    removed = Signal()

    def __init__(
        self,
        object_name: str,
        words: str,
        parent: QWidget,
        tools: Sequence[IconButton] = (),
        deeds: Sequence[TextButton] = (),
        *,
        words_when_empty: str = "",
    ) -> None:
        """`tools`: what can be done with the model, besides taking it out; `deeds`: where there is none."""
        super().__init__(parent)
        self._words, self._words_when_empty, self._tools = words, words_when_empty or words, tools
        self._heading = muted_label(words, self)
        self._name = ElidedLabel(self)
        self._line = muted_label("", self)
        self._sentence = muted_label("", self)
        self._remove = IconButton("close", "", self)
        self._row_of_deeds = WrappingRow(self)
        self.setObjectName(object_name)
        self.setProperty("card", True)
        self._remove.setObjectName(f"{object_name}Remove")
        self._arrange(deeds)
        self._remove.clicked.connect(self.removed)

    def show_model(self, model: ModelDescription) -> None:
        place = {True: self.tr("on this computer"), False: self.tr("not downloaded"), None: "…"}[model.here]
        facts = [model.quantization, format_size(model.size) if model.size else "", place]
        self._show(model.name, " · ".join(filter(None, facts)))
        self.setToolTip(tooltip_text(model.place))

    def show_words(self, title: str, line: str) -> None:
        """In place of a model, something that can be taken out too."""
        self._show(title, line)
        self.setToolTip("")

    def show_empty(self, sentence: str, *, offers_deeds: bool = False) -> None:
        self._sentence.setText(sentence)
        self._fill(is_full=False)
        self._row_of_deeds.setVisible(offers_deeds)
        self._row_of_deeds.update_layout()
        self.setAccessibleName(self._words_when_empty)
        self.setAccessibleDescription(sentence)
        self.setToolTip("")

    def words(self) -> str:
        """What a screen reader says."""
        return f"{self.accessibleName()}. {self.accessibleDescription()}"

    def _show(self, title: str, line: str) -> None:
        self._name.setText(title)
        self._line.setText(line)
        self._fill(is_full=True)
        self._row_of_deeds.hide()
        words = self.tr("{slot}: {model}").format(slot=self._words, model=title)
        self.setAccessibleName(words)
        self.setAccessibleDescription(line)
        self._remove.set_label(self.tr("Remove from the pair"))

    def _fill(self, *, is_full: bool) -> None:
        for part in (self._name, self._line, self._remove):
            part.setVisible(is_full)
        self._sentence.setVisible(not is_full)
        self._heading.setText(self._words if is_full else self._words_when_empty)

    def _arrange(self, deeds: Sequence[TextButton]) -> None:
        font = self._name.font()
        font.setBold(True)
        self._name.setFont(font)
        top = QHBoxLayout()
        top.setSpacing(0)
        self._heading.setMinimumHeight(3 * GRID)
        top.addWidget(self._heading, 1)
        for button in (*self._tools, self._remove):
            button.setFixedSize(3 * GRID, 3 * GRID)
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._row_of_deeds.setContentsMargins(0, GRID // 2, 0, 0)
        for action in deeds:
            self._row_of_deeds.add_widget(action)
        self._row_of_deeds.add_stretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID // 2, GRID, GRID, 3 * GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addLayout(top)
        for part in (self._name, self._line, self._sentence, self._row_of_deeds):
            layout.addWidget(part)
