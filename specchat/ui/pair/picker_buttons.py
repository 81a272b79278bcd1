"""The row of buttons at the bottom of the pair picker."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import set_primary
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.tooltip import tooltip_text


class PickerButtons(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.find_models = TextButton(self.tr("Find models…"), self)
        self.add_model = TextButton(self.tr("Add a GGUF file…"), self)
        self.measure = TextButton(self.tr("Benchmark…"), self)
        self.load = TextButton(self.tr("Load"), self, primary=True)
        self.setFocusProxy(self.find_models)
        self._arrange()

    def show_models(self, *, are_some: bool) -> None:
        for button in (self.measure, self.load):
            button.setVisible(are_some)
        set_primary(self.find_models, primary=not are_some)

    def update_load_button(self, *, ready: bool, fits: bool, trouble: str, is_loaded: bool, n_stopped: int) -> None:
        """`n_stopped`: the answers that loading stops."""
        self.load.setText(self._words(fits=fits, is_loaded=is_loaded, stops=n_stopped > 0))
        why = trouble or self._advice(fits=fits, n_stopped=n_stopped)
        self.load.setToolTip(tooltip_text(why))
        self.load.setAccessibleDescription(why)
        for button in (self.measure, self.load):
            button.setEnabled(ready and not trouble)

    def set_can_measure(self, can_measure: bool) -> None:
        """After `update_load_button`. Models of other engines are measured by a command."""
        usual = self.tr("Run a benchmark to see how fast this pair is.")
        why_not = self.tr("To measure another engine, use the command specchat bench --engine.")
        self.measure.setEnabled(self.measure.isEnabled() and can_measure)
        self.measure.setToolTip(tooltip_text(usual if can_measure else why_not))
        self.measure.setAccessibleDescription("" if can_measure else why_not)

    def _words(self, *, fits: bool, is_loaded: bool, stops: bool) -> str:
        if not fits:
            return self.tr("Load anyway")
        if stops:
            return self.tr("Stop and load")
        return self.tr("Reload") if is_loaded else self.tr("Load")

    def _advice(self, *, fits: bool, n_stopped: int) -> str:
        memory = self.tr("Loading may fail or be very slow. To save memory, use a smaller context, KV cache, or model.")
        answers = self.tr("This stops the current answer.")
        if n_stopped > 1:
            answers = self.tr("This stops {n} answers.").format(n=n_stopped)
        return " ".join([*([] if fits else [memory]), *([answers] if n_stopped else [])])

    def trigger_load(self) -> bool:
        """False where it cannot be loaded now."""
        can_load = self.load.isEnabled()
        self.load.click()
        return can_load

    def _arrange(self) -> None:
        self.find_models.setObjectName("findModelsButton")
        self.add_model.setObjectName("addModelButton")
        self.measure.setObjectName("measureButton")
        self.load.setObjectName("loadButton")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.find_models)
        layout.addWidget(self.add_model)
        layout.addStretch()
        layout.addWidget(self.measure)
        layout.addWidget(self.load)
