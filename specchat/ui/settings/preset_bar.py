"""A bar for choosing, saving and deleting presets."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QInputDialog, QLabel, QLineEdit, QWidget

from specchat.ui.settings.preset import Preset
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.form_fields import ChoiceBox, describe_field, set_primary
from specchat.ui.widgets.theme import GRID

_LONGEST_NAME = 60
_WIDTH = 40 * GRID
_LABEL_LINES = 2
"""Of the dialog that asks for a name, so that it stays as it is while the name is typed."""


class PresetBar(QWidget):
    picked = Signal(object)
    """A Preset."""
    saved = Signal(str)
    deleted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: Sequence[Preset] = ()
        self._choice = ChoiceBox(self)
        self.setFocusProxy(self._choice)
        self._save = TextButton(self.tr("Save as…"), self)
        self._delete = IconButton("trash", self.tr("Delete preset"), self)
        describe_field(self._choice, "presetChoice", self.tr("Preset"))
        self._save.setObjectName("savePreset")
        self._delete.setObjectName("deletePreset")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._choice, 1)
        layout.addWidget(self._save)
        layout.addWidget(self._delete)
        self._choice.activated.connect(self._pick)
        self._save.clicked.connect(self._ask_for_a_name)
        self._delete.clicked.connect(self._delete_it)

    def show_presets(self, presets: Sequence[Preset], current: Preset | None) -> None:
        """No current one: the settings are the conversation's own."""
        self._presets = presets
        own = [] if current is not None else [(self.tr("Custom"), None)]
        names = [(self._words(preset), preset.name) for preset in presets]
        self._choice.set_items([*own, *names], current.name if current else None)
        self._delete.setEnabled(current is not None and not current.built_in)

    def _words(self, preset: Preset) -> str:
        built_in = {
            "Balanced": self.tr("Balanced"),
            "Precise": self.tr("Precise"),
            "Creative": self.tr("Creative"),
        }
        return built_in.get(preset.name, preset.name) if preset.built_in else preset.name

    def _pick(self) -> None:
        name = self._choice.currentData()
        preset = next((preset for preset in self._presets if preset.name == name), None)
        if preset is not None:
            self.picked.emit(preset)

    def _ask_for_a_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setObjectName("presetName")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Save preset"))
        dialog.setLabelText(self.tr("Preset name"))
        dialog.setOkButtonText(self.tr("Save"))
        current = self._choice.currentData() or ""
        dialog.setTextValue("" if self._is_taken(current) else current)
        for field in dialog.findChildren(QLineEdit):
            field.setMinimumWidth(_WIDTH)
            field.setMaxLength(_LONGEST_NAME)
        for label in dialog.findChildren(QLabel):
            label.setWordWrap(True)
            label.setMinimumHeight(_LABEL_LINES * label.fontMetrics().lineSpacing())
        for buttons in dialog.findChildren(QDialogButtonBox):
            set_primary(buttons.button(QDialogButtonBox.StandardButton.Ok), primary=True)
        dialog.textValueChanged.connect(lambda name: self._judge(dialog, name))
        dialog.textValueSelected.connect(self._save_as)
        self._judge(dialog, dialog.textValue())
        dialog.open()

    def _judge(self, dialog: QInputDialog, name: str) -> None:
        is_taken = self._is_taken(name)
        words = (
            self.tr("Built-in presets can't be replaced. Choose another name.") if is_taken else self.tr("Preset name")
        )
        dialog.setLabelText(words)
        for buttons in dialog.findChildren(QDialogButtonBox):
            buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(name.strip()) and not is_taken)

    def _is_taken(self, name: str) -> bool:
        built_in = [preset for preset in self._presets if preset.built_in]
        names = {words.casefold() for preset in built_in for words in (preset.name, self._words(preset))}
        return _tidied(name).casefold() in names

    def _save_as(self, name: str) -> None:
        if name := _tidied(name):
            self.saved.emit(name)

    def _delete_it(self) -> None:
        self.deleted.emit(self._choice.currentData())


def _tidied(name: str) -> str:
    return " ".join(name.split())[:_LONGEST_NAME]
