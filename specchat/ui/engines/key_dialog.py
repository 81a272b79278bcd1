"""The dialog that asks for the key of another engine."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget

from specchat.domain.engine_address import EngineAddress
from specchat.domain.errors import SettingError
from specchat.services.connections.engine_keys import exposure_warning, require_valid_key
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.words.message_translation import translate_text


class KeyDialog(QDialog):
    key_entered = Signal(str)

    def __init__(self, address: EngineAddress, why: str, parent: QWidget | None = None) -> None:
        """`why`: it is asked for; empty: the user wants to enter it."""
        super().__init__(parent)
        self._field, self._problem = QLineEdit(self), message_label("danger", "engineDialogProblem", self)
        self._save = TextButton(self.tr("Save"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self.setObjectName("engineKeyDialog")
        self.setWindowTitle(self.tr("API key"))
        describe_field(self._field, "apiKeyField", self.tr("API key for {address}").format(address=address.origin))
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setFixedHeight(FIELD_HEIGHT)
        self._save.setObjectName("saveEngineKeyButton")
        self._arrange(why, exposure_warning(address, has_key=True))
        self._field.textChanged.connect(self._update)
        self._save.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)
        self._update()

    def _enter(self) -> None:
        try:
            require_valid_key(self._field.text())
        except SettingError as error:
            self._say(f"{translate_text(error.message)} {translate_text(error.hint)}")
            return
        self.key_entered.emit(self._field.text().strip())
        self._field.clear()
        self.accept()

    def _update(self) -> None:
        self._save.setEnabled(bool(self._field.text().strip()))
        self._say("")

    def _say(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def _arrange(self, why: str, warning: str | None) -> None:
        rows: list[QWidget] = []
        if why:
            reason = QLabel(why, self)
            reason.setTextFormat(Qt.TextFormat.PlainText)
            reason.setWordWrap(True)
            rows.append(reason)
        words = self.tr("specchat stores it in the system's keyring and sends it only to this address.")
        field = labelled_field(self._field.accessibleName(), self._field, self)
        rows += [field, self._problem, muted_label(words, self)]
        if warning is not None:
            label = message_label("warning", "engineDialogWarning", self)
            label.setText(translate_text(warning))
            rows.append(label)
        arrange_form(self, 52, rows, (self._cancel, self._save))
